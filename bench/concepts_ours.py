"""Score 5,600 texts by concept_f1 with a vocabulary that is kept already; prints the seconds."""

import json
import sys
import time
from pathlib import Path

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import resolve
from medassay.models import ModelSetup, use_models
from medassay.scores import Score

__all__: list[str] = []

WORDS, CASES, SYSTEMS = 75, 100, 55
"""100 references and 55 answers to each: 5,600 texts of 75 words, all different."""


def main() -> None:
    """Load, score, print."""
    kept, texts = map(Path, sys.argv[1:])
    words = texts.read_text(encoding="utf-8").split()
    step = (len(words) - WORDS) // (CASES * (SYSTEMS + 1))
    pieces = iter([" ".join(words[i * step : i * step + WORDS])
                   for i in range(CASES * (SYSTEMS + 1))])  # fmt: skip
    cases = [Case.model_validate({"case": str(i), "references": [{"text": next(pieces)}]})
             for i in range(CASES)]  # fmt: skip
    pairs = [(case, Answer(system=str(s), case=case.case, text=next(pieces)))
             for case in cases for s in range(SYSTEMS)]  # fmt: skip
    start = time.perf_counter()
    with use_models(ModelSetup(keep_in=kept)):
        metric = resolve("concept_f1(ref=human)")
        metric.score_batch(pairs[:1])
        loaded, before = time.perf_counter(), time.process_time()
        found = metric.score_batch(pairs)
    done, after = time.perf_counter(), time.process_time()
    scored = sum(isinstance(one, Score) for one in found)
    seconds = {"load": loaded - start, "score": done - loaded, "cpu": after - before}
    print(json.dumps({**seconds, "scored": scored}))


if __name__ == "__main__":
    main()
