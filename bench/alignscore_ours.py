"""Both sides of the bench of AlignScore, in the environment that has torch.

Both run the same tiny weights on the same threads; the other side does what the published code
does: it pads every pair to 512 pieces and fills batches from one example only (batch size 32, its
default). Three repeats a side, in turn. Claims: the answers of K-QA that come with the tests;
contexts: the answer to the next question. Prints one JSON document.
"""

import json
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tools.tiny.alignscore import save_alignscore

from medassay.models import ModelSetup, need_package, use_models
from medassay.models.nli.alignscore import AlignModel, AlignScore, Texts, chunks, open_checkpoint
from medassay.text import split_sentences

DATA = Path(__file__).parents[1] / "tests" / "data" / "support" / "kqa.jsonl"
BATCH, LONGEST, REPEATS, WIDTH = 32, 512, 3, 64


def examples() -> list[Texts]:
    """Read the answers, each held against the next."""
    lines = DATA.read_text(encoding="utf-8").splitlines()
    answers = [str(json.loads(line)["answer"]) for line in lines]
    told = zip(answers[1:] + answers[:1], answers, strict=True)
    return [
        Texts(context, tuple(split_sentences(context)), claim, tuple(split_sentences(claim)))
        for context, claim in told
    ]


def padded(model: AlignModel, tokenizer: Any, texts: list[Texts]) -> list[float]:  # noqa: ANN401 - untyped
    """Score as the published code does."""
    torch: Any = need_package("torch", "the bench")
    scores = []
    for one in texts:
        premises = chunks(one.context, one.context_sentences)
        pairs = [(p, h) for p in premises for h in one.claim_sentences]
        values = []
        for start in range(0, len(pairs), BATCH):
            first, second = zip(*pairs[start : start + BATCH], strict=True)
            rows = tokenizer(
                list(first), list(second), truncation="only_first", padding="max_length",
                max_length=LONGEST, return_tensors="pt",
            )  # fmt: skip
            values.append(model.numbers(**rows)[:, 0])
        table = torch.cat(values).view(len(premises), len(one.claim_sentences))
        scores.append(float(table.max(dim=0).values.mean()))
    return scores


def main() -> None:
    """Run both sides in turn, and print what they took."""
    transformers: Any = need_package("transformers", "the bench")
    texts = examples()
    with TemporaryDirectory() as name:
        folder = Path(name)
        words = [one.claim for one in texts]
        path = save_alignscore(folder, width=WIDTH, trained_on=words, vocabulary=8000)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        model = open_checkpoint(path, folder, "tiny")
        ours, theirs, mine, other = [], [], [0.0], [0.0]
        for _ in range(REPEATS):
            with use_models(ModelSetup(folders={"tiny": name})):  # a cache of its own each time
                start = time.process_time()
                found = AlignScore("tiny", "tiny").score(texts, "nli_sp")
                mine = [one.value for one in found]
                ours.append(time.process_time() - start)
            start = time.process_time()
            other = padded(model, tokenizer, texts)
            theirs.append(time.process_time() - start)
    apart = max(abs(a - b) for a, b in zip(mine, other, strict=True))
    sides = {"ours": ours, "padded": theirs}
    print(json.dumps({"examples": len(texts), "width": WIDTH, "apart": apart, **sides}))


if __name__ == "__main__":
    main()
