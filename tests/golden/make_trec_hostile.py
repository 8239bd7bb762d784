"""Values of trec_eval, by pytrec-eval-terrier 0.5.11, where scores, ids and grades are unkind.

    python tests/golden/make_trec_hostile.py > tests/golden/trec_hostile.json

Scores that are all equal, that differ in the ninth digit or in the last bit of a double, beyond
single precision in size; ids whose order as numbers, as text and by case differ, in several scripts
and with blanks; lists shorter than the cut-off; topics with grade 0 alone, and grades above 2.
"""

import json
import sys

import numpy as np
import pytrec_eval

MEASURES = {
    "map", "recip_rank", "Rprec", "bpref", "P.1,5,30", "recall.1,5,30", "success.1,5,30",
    "ndcg_cut.1,5,30",
}  # fmt: skip
IDS = [
    *map(str, range(14)),
    *(
        "d1",
        "D1",
        "d10",
        "z",
        "Z",
        "~",
        "-1",
        "01",
        "a b",
        "Ünï",
        "中文",
        "😀",
        "\u00e9",
        "e\u0301",
    ),
]
SCORES = {
    "equal": [0.5],
    "few": [0.0, -0.0, 1.0],
    "ninth digit": [0.12345678 + i * 1e-9 for i in range(9)],
    "last bit": [1 / 3, np.nextafter(1 / 3, 1), 0.4, np.nextafter(0.4, 0)],
    "size": [1e-320, 0.0, 5e-324, 1e-45, 1e39, 1e300, -1e300, -1e39, 16777216.0, 16777217.0],
    "negative": [-i / 7 for i in range(40)],
}


def main() -> None:
    """Generate, evaluate, print."""
    draw = np.random.default_rng(11)
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for kind, scores in SCORES.items():
        for number in range(8):
            topic = f"{kind} {number}"
            judged = draw.choice(IDS, draw.integers(1, 20), replace=False).tolist()
            grades = [0, 0, 1, 2, 3, 7] if number else [0]
            qrels[topic] = {document: int(draw.choice(grades)) for document in judged}
            found = draw.choice(IDS, draw.integers(1, 26), replace=False).tolist()
            run[topic] = {document: float(draw.choice(scores)) for document in found}
    values = {
        str(level): pytrec_eval.RelevanceEvaluator(qrels, MEASURES, level).evaluate(run)
        for level in (1, 2)
    }
    found = {"qrels": qrels, "run": run, "values": values}
    sys.stdout.write(json.dumps(found, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
