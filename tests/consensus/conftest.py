import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from medassay.judgements import Units
from medassay.scores import Unit

DATA = Path(__file__).parents[1] / "data" / "crowd_rte_temp"

Crowd = Callable[[str], tuple[Units, list[str]]]


@pytest.fixture
def crowd() -> Crowd:
    """Give what the raters of one of the two sets said, and the gold label of each item."""

    def read(name: str) -> tuple[Units, list[str]]:
        with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        items, raters, labels = (
            {word: i for i, word in enumerate(sorted({row[key] for row in rows}))}
            for key in ("item", "worker", "label")
        )
        gold = {row["item"]: row["gold"] for row in rows}
        said = sorted((items[r["item"]], raters[r["worker"]], labels[r["label"]]) for r in rows)
        unit, rater, code = np.array(said, dtype=np.int64).T
        scores = np.arange(len(labels), dtype=np.float64)
        keys = tuple(Unit("", item) for item in items)
        units = Units(
            name, "full", "nominal", tuple(labels), scores, tuple(raters), keys, unit, rater, code
        )
        return units, [gold[item] for item in items]

    return read
