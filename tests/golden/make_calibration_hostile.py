"""Make calibration_hostile.json: scikit-learn's figures where few answers, ties or one outcome are.

Run with scikit-learn 1.7 or later in an environment of its own:

    python make_calibration_hostile.py > calibration_hostile.json

ECE and MCE come from loops over the bins [0, 0.1), ..., [0.9, 1], the area under the risk-coverage
curve from a walk over the answers with errors spread evenly among equal confidences; scikit-learn
has neither. Where all answers have the same outcome it refuses the area under the ROC curve.
"""

import json
import sys
from collections import defaultdict

import numpy as np
from sklearn import __version__
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, roc_auc_score

ASKED = [0.0, 0.05, 0.13, 0.5, 0.77, 1.0]


def main() -> None:
    """Draw confidences and outcomes, and print them with their figures."""
    draw = np.random.default_rng(5)
    made = []
    for n in (1, 2, 3, 5, 17, 60):
        kinds = {
            "ties": draw.random(n).round(1),
            "one confidence": np.full(n, 0.7),
            "sure": draw.choice([0.0, 1.0], n),
            "edges": draw.integers(0, 11, n) / 10,
            "any": draw.random(n).round(6),
        }
        for kind, p in kinds.items():
            outcomes = {"drawn": draw.random(n) < p, "right": p >= 0, "wrong": p < 0}
            for outcome, y in outcomes.items():
                name = f"{n}, {kind}, {outcome}"
                made.append({"name": name, **_figures(p, y.astype(int))})
    found = {"source": __doc__, "scikit-learn": __version__, "asked": ASKED, "cases": made}
    sys.stdout.write(json.dumps(found) + "\n")


def _figures(p: np.ndarray, y: np.ndarray) -> dict[str, object]:
    bins: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for one, outcome in zip(p.tolist(), y.tolist(), strict=True):
        bins[max(j for j in range(10) if one >= j / 10)].append((one, outcome))
    gaps = {b: float(abs(np.mean(inside, axis=0) @ [1, -1])) for b, inside in bins.items()}
    fitted = IsotonicRegression(out_of_bounds="clip").fit(p, y)
    return {
        "confidence": p.tolist(),
        "correct": y.tolist(),
        "brier": float(brier_score_loss(y, p, pos_label=1, labels=[0, 1])),
        "auroc": float(roc_auc_score(y, p)) if 0 < y.sum() < y.size else None,
        "isotonic": fitted.predict(ASKED).tolist(),
        "ece": sum(len(bins[b]) * gap for b, gap in gaps.items()) / y.size,
        "mce": max(gaps.values()),
        "area": _area(p, 1 - y),
    }


def _area(p: np.ndarray, wrong: np.ndarray) -> float:
    covered, errors, area = 0, 0.0, 0.0
    for value in sorted(set(p.tolist()), reverse=True):
        equal = wrong[p == value]
        for t in range(1, equal.size + 1):
            area += (errors + equal.sum() * t / equal.size) / (covered + t)
        covered, errors = covered + equal.size, errors + float(equal.sum())
    return area / p.size


if __name__ == "__main__":
    main()
