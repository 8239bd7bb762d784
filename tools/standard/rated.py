"""Answers rated from 1 to 5 with aspects beside: what a protocol's source wants told in a paper."""

from pathlib import Path
from typing import Final

import numpy as np

from tools.standard.making import HEADER, ratings, started, write_rows

__all__ = ["write_rated"]

_ASPECTS: Final = ("accuracy", "completeness", "clarity", "clinical-relevance", "grounding")


def write_rated(folder: Path) -> Path:
    """Write the study that `medassay new` begins with, rated by three who give reasons."""
    started(folder, "med-gpt")
    rng = np.random.default_rng(31)
    quality = np.array([[0.9, 0.5], [0.55, 0.3]])
    told = {name: quality + rng.normal(0, 0.15, quality.shape) for name in ("ann", "bob", "cleo")}
    scales = {"overall": "12345", **dict.fromkeys(_ASPECTS, ("no", "unclear", "yes"))}
    rows = ratings(("system-a", "system-b"), ("sprain", "antibiotics"), scales, told)
    for row in rows:
        if row["dimension"] == "overall":
            row["comment"] = f"Invented: {row['label']}, for want of a dose."
    write_rows(folder / "judgements.csv", HEADER, rows)
    return folder
