"""Real ratings, cut down to their labels: what the tests of agreement read."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from medassay.judgements import Units

DATA: Final = Path(__file__).parents[1] / "data"

# Columns of the raters, column of the case, labels in order.
_COLUMNS: Final = {
    "pubmedqa_pqal": (["reasoning_required", "reasoning_free"], "pmid", ["yes", "maybe", "no"]),
    "pubmedqa_pqal with the final label": (
        ["reasoning_required", "reasoning_free", "final"],
        "pmid",
        ["yes", "maybe", "no"],
    ),
    "kqa": (
        ["label_0", "label_1", "label_2"],
        "question",
        ["Entailment", "Neutral", "Contradiction"],
    ),
    "openqa_nq301": (["annotator1", "annotator2", "annotator3"], "question", ["Yes", "No"]),
}


@pytest.fixture(scope="session")
def real_units() -> Callable[[str], Units]:
    """Lay out one of the sets; `mslr_cochrane, FACET` for a facet of the Cochrane summaries."""
    return _real_units


def _real_units(name: str) -> Units:
    if name.startswith("mslr_cochrane"):
        return _facet(name.split(", ")[1])
    raters, case, labels = _COLUMNS[name]
    place = {label: code for code, label in enumerate(labels)} | {"": -1}
    with (DATA / name.split(maxsplit=1)[0] / "labels.csv").open(
        encoding="utf-8", newline=""
    ) as file:
        rows = list(csv.DictReader(file))
    return Units.from_codes(
        [[place[row[rater]] for rater in raters] for row in rows],
        labels,
        keys=[(f"{number:04}", row[case]) for number, row in enumerate(rows)],
        scale="interval",
        scores=range(len(labels)),
    )


def _facet(name: str) -> Units:
    said: dict[tuple[str, str], dict[str, int]] = {}
    path = DATA / "mslr_cochrane" / "facets.csv"
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row[name]:
                key = (row["system"], row["review_id"])
                said.setdefault(key, {})[row["annotator"]] = 2 - int(row[name])
    keys = sorted(said)
    return Units.from_codes(
        [[said[key].get(rater, -1) for rater in ("A1", "A2")] for key in keys],
        ["no errors", "some errors", "major errors"],
        keys=keys,
        scale="interval",
        scores=range(3),
    )
