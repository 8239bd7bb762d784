"""Make agreement.json: kappas by scikit-learn and statsmodels.

Run in an environment of its own (the versions used are written into the file):
    python -m venv oracle && oracle/bin/pip install scikit-learn statsmodels
    oracle/bin/python tests/golden/make_agreement.py
"""

import csv
import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
FACETS = HERE.parent / "data" / "mslr_cochrane" / "facets.csv"


def doubly_judged(facet: str) -> list[list[int]]:
    """Give the codes of both annotators where both answered."""
    said: dict[tuple[str, str], dict[str, int]] = {}
    with FACETS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row[facet]:
                key = (row["system"], row["review_id"])
                said.setdefault(key, {})[row["annotator"]] = int(row[facet])
    return [[two["A1"], two["A2"]] for _, two in sorted(said.items()) if len(two) == 2]


def noisy(rng: np.random.Generator, units: int, raters: int, labels: int) -> list[list[int]]:
    """Give codes of raters who see the truth with probability 0.6 and guess otherwise."""
    truth = rng.integers(labels, size=(units, 1))
    guess = rng.integers(labels, size=(units, raters))
    seen = np.where(rng.random((units, raters)) < 0.6, truth, guess)
    return [[int(code) for code in row] for row in seen]


def main() -> None:
    """Write the file."""
    import sklearn
    import statsmodels
    from sklearn.metrics import cohen_kappa_score
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    rng = np.random.default_rng(20250131)
    two = {facet: (doubly_judged(facet), 4) for facet in ("fluency", "outcome", "strength_target")}
    for labels in (2, 3, 5):
        two[f"noisy {labels} labels"] = (noisy(rng, 60, 2, labels), labels)
    # The source of protocol med-gpt prints this example with .444.
    two["printed example"] = ([[4, 4], [3, 3], [5, 4], [2, 2], [4, 5]], 6)
    many = {f"{n} raters": (noisy(rng, 50, n, 3), 3) for n in (3, 4, 7)}
    cohen = []
    for name, (codes, labels) in two.items():
        one, other = zip(*codes, strict=True)
        values = {
            weights or "none": cohen_kappa_score(
                one, other, labels=list(range(labels)), weights=weights
            )
            for weights in (None, "linear", "quadratic")
        }
        cohen.append({"name": name, "labels": labels, "codes": codes, "values": values})
    fleiss = [
        {
            "name": name,
            "labels": labels,
            "codes": codes,
            "value": fleiss_kappa(aggregate_raters(np.array(codes), n_cat=labels)[0]),
        }
        for name, (codes, labels) in many.items()
    ]
    made = {
        "scikit-learn": sklearn.__version__,
        "statsmodels": statsmodels.__version__,
        "cohen": cohen,
        "fleiss": fleiss,
    }
    text = json.dumps(made, indent=None, separators=(",", ":"))
    (HERE / "agreement.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
