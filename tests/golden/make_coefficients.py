"""Make coefficients.json: agreement on real ratings by five other tools.

Run in an environment of its own (the versions used are written into the file):
    python -m venv oracle
    oracle/bin/pip install irrCAC krippendorff pingouin scikit-learn statsmodels
    oracle/bin/python tests/golden/make_coefficients.py
"""

import csv
import json
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
DATA = HERE.parent / "data"
WEIGHTS = {"none": "identity", "linear": "linear", "quadratic": "quadratic"}
TOOLS = ("irrCAC", "krippendorff", "pingouin", "scikit-learn", "statsmodels")

# Folder, columns of the raters, labels in order.
SETS = {
    "pubmedqa_pqal": (["reasoning_required", "reasoning_free"], ["yes", "maybe", "no"]),
    "kqa": (["label_0", "label_1", "label_2"], ["Entailment", "Neutral", "Contradiction"]),
    "openqa_nq301": (["annotator1", "annotator2", "annotator3"], ["Yes", "No"]),
}


def read(folder: str, raters: list[str], labels: list[str]) -> list[list[int]]:
    """Give the codes, -1 for a hole."""
    with (DATA / folder / "labels.csv").open(encoding="utf-8", newline="") as file:
        place = {label: code for code, label in enumerate(labels)} | {"": -1}
        return [[place[row[rater]] for rater in raters] for row in csv.DictReader(file)]


def facet(name: str) -> list[list[int]]:
    """Give both annotators' codes of a facet of the Cochrane summaries, in the order 2, 1, 0."""
    said: dict[tuple[str, str], dict[str, int]] = {}
    with (DATA / "mslr_cochrane" / "facets.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row[name]:
                key = (row["system"], row["review_id"])
                said.setdefault(key, {})[row["annotator"]] = 2 - int(row[name])
    return [[one.get(rater, -1) for rater in ("A1", "A2")] for _, one in sorted(said.items())]


def by_irr_cac(codes: list[list[int]], labels: int) -> dict[str, float]:
    """Gwet and Brennan-Prediger with every weight; holes as they are."""
    import pandas as pd
    from irrCAC.raw import CAC

    table = np.array(codes, dtype=float)
    table[table < 0] = np.nan
    frame = pd.DataFrame(table[~np.isnan(table).all(axis=1)])
    found = {}
    for word, theirs in WEIGHTS.items():
        cac = CAC(frame, weights=theirs, categories=[float(i) for i in range(labels)], digits=15)
        found[f"gwet(weights={word})"] = cac.gwet()["est"]["coefficient_value"]
        found[f"brennan_prediger(weights={word})"] = cac.bp()["est"]["coefficient_value"]
    return found


def by_krippendorff(codes: list[list[int]], labels: int) -> dict[str, float]:
    """Alpha on three levels; the scores of labels are their places."""
    import krippendorff

    table = np.array(codes, dtype=float).T
    table[table < 0] = np.nan
    return {
        f"krippendorff(level={level})": krippendorff.alpha(
            reliability_data=table, level_of_measurement=level, value_domain=list(range(labels))
        )
        for level in ("nominal", "ordinal", "interval")
    }


def by_scikit_learn(codes: list[list[int]], labels: int) -> dict[str, float]:
    """Cohen's kappa of the answers that both raters labelled."""
    from sklearn.metrics import cohen_kappa_score

    one, other = zip(*(row for row in codes if min(row) >= 0), strict=True)
    return {
        f"cohen(weights={word})": cohen_kappa_score(
            one, other, labels=list(range(labels)), weights=None if word == "none" else word
        )
        for word in WEIGHTS
    }


def by_statsmodels(codes: list[list[int]], labels: int, name: str) -> dict[str, float]:
    """Fleiss' kappa, which is Scott's pi for two raters; answers that all raters labelled."""
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    whole = np.array([row for row in codes if min(row) >= 0])
    return {name: fleiss_kappa(aggregate_raters(whole, n_cat=labels)[0])}


def by_pingouin(codes: list[list[int]]) -> dict[str, float]:
    """The three single-rating intraclass correlations of the answers that all raters labelled."""
    import pandas as pd
    import pingouin

    rows = [
        (unit, rater, code)
        for unit, row in enumerate(codes)
        if min(row) >= 0
        for rater, code in enumerate(row)
    ]
    frame = pd.DataFrame(rows, columns=["unit", "rater", "code"])
    found = pingouin.intraclass_corr(frame, targets="unit", raters="rater", ratings="code")
    return {f"icc(form={form})": float(found["ICC"].iloc[form - 1]) for form in (1, 2, 3)}


def values(codes: list[list[int]], labels: int) -> Iterable[tuple[str, str, float]]:
    """Give tool, coefficient and value."""
    raters = len(codes[0])
    complete = all(min(row) >= 0 for row in codes)
    found = {"irrCAC": by_irr_cac(codes, labels), "krippendorff": by_krippendorff(codes, labels)}
    if raters == 2:
        found["scikit-learn"] = by_scikit_learn(codes, labels)
        found["statsmodels"] = by_statsmodels(codes, labels, "scott")
    elif complete:
        found["statsmodels"] = by_statsmodels(codes, labels, "fleiss")
    if complete:
        found["pingouin"] = by_pingouin(codes)
    for tool, named in found.items():
        for name, value in named.items():
            yield tool, name, float(value)


def main() -> None:
    """Write the file."""
    sets: dict[str, tuple[list[list[int]], int]] = {
        folder: (read(folder, raters, labels), len(labels))
        for folder, (raters, labels) in SETS.items()
    }
    for name in ("fluency", "outcome"):
        sets[f"mslr_cochrane, {name}"] = (facet(name), 3)
    both = [row for row in facet("fluency") if min(row) >= 0]
    sets["mslr_cochrane, fluency, judged twice"] = (both, 3)
    made = {
        "versions": {tool: version(tool) for tool in TOOLS},
        "sets": [
            {
                "set": name,
                "values": [
                    {"tool": tool, "coefficient": coefficient, "value": value}
                    for tool, coefficient, value in values(codes, labels)
                ],
            }
            for name, (codes, labels) in sets.items()
        ],
    }
    text = json.dumps(made, indent=1)
    (HERE / "coefficients.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
