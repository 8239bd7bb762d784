"""Answers rated from 1 to 5 with aspects beside: what a protocol's source wants told in a paper."""

from pathlib import Path
from typing import Final

import numpy as np

from medassay.campaign import Wishes, create_campaign
from medassay.judgements.campaign import Secret, find_plans
from medassay.study import Study
from medassay.tables import csv_bytes
from tools.standard.making import HEADER, ratings, started, write_rows

_RATERS: Final = ("ann", "bob", "cleo")
_ASPECTS: Final = ("accuracy", "completeness", "clarity", "clinical-relevance", "grounding")


def write_rated(folder: Path) -> Path:
    """Write the study that `medassay new` begins with, rated by three who give reasons."""
    started(folder, "med-gpt")
    rng = np.random.default_rng(31)
    quality = np.array([[0.9, 0.5], [0.55, 0.3]])
    told = {name: quality + rng.normal(0, 0.15, quality.shape) for name in _RATERS}
    scales = {"overall": "12345", **dict.fromkeys(_ASPECTS, ("no", "unclear", "yes"))}
    rows = ratings(("system-a", "system-b"), ("sprain", "antibiotics"), scales, told)
    for row in rows:
        if row["dimension"] == "overall":
            row["comment"] = f"Invented: {row['label']}, for want of a dose."
    _guess(folder)
    write_rows(folder / "judgements.csv", HEADER, rows)
    return folder


def _guess(folder: Path) -> None:
    """Have each rater guess the systems behind four answers, as the rating room asks at the end."""
    create_campaign(Study.open_whole(folder), Wishes(raters=",".join(_RATERS)), Secret(bytes(32)))
    plan, rng = find_plans(folder)["main"], np.random.default_rng(32)
    systems = sorted({row.item.system for row in plan.assignments})
    guesses = [
        [name, row.item.system, row.item.case, str(rng.choice(systems)), 0.5, "2026-03-02T09:00Z"]
        for name in _RATERS
        for row in plan.of_rater(name)
    ]
    header = ["rater", "system", "case", "guess", "sure", "time"]
    (folder / "campaigns" / "main" / "guesses.csv").write_bytes(csv_bytes(header, guesses))
