"""Judgements of a random draw of answers, each with a chance that is known."""

from pathlib import Path
from typing import Final

import numpy as np

from medassay.tables import csv_bytes
from tools.standard.making import write_rows
from tools.synthetic_study import write_synthetic

_SYSTEMS, _CASES = 3, 16
_EARLY: Final = 4
"""Cases that were judged before the draw, and are no part of it."""


def write_drawn(folder: Path) -> Path:
    """Write the study: of twelve cases about every second answer was drawn and came back."""
    write_synthetic(folder, systems=_SYSTEMS, cases=_CASES)
    rng = np.random.default_rng(51)
    listed = [(f"s{s:02}", f"{case:04}") for s in range(_SYSTEMS) for case in range(_CASES)]
    open_ = [key for key in listed if int(key[1]) >= _EARLY]
    chances = {key: round(float(rng.uniform(0.3, 0.8)), 3) for key in open_}
    drawn = {key for key in open_ if rng.uniform() < chances[key]}
    folder_of = folder / "campaigns" / "next"
    folder_of.mkdir(parents=True)
    rows = [
        [*key, "yes" if key in drawn else "no", repr(chances[key]), "opinions differ"]
        for key in open_
    ]
    header = ["system", "case", "drawn", "chance", "why"]
    (folder_of / "chances.csv").write_bytes(csv_bytes(header, rows))
    late = max(drawn)
    judged = [key for key in listed if key not in chances or (key in drawn and key != late)]
    write_rows(
        folder / "judgements.csv",
        ["rater", "system", "case", "dimension", "label"],
        (
            {"rater": rater, "system": system, "case": case, "dimension": "quality"}
            | {"label": str(1 + (int(case) + int(system[1:]) + int(rng.integers(0, 2))) % 5)}
            for rater in ("r0", "r1")
            for system, case in judged
        ),
    )
    return folder
