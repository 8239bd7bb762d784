"""Small studies that together fill every part of a report, and everything made of them.

What enters: nothing. What leaves: a study in a folder, the same bytes at each call. Each is run and
rendered in seconds. Tests share their finished runs (`standard_run`), and `tools.freeze` keeps
what their reports say. A new key of report.json, or a new table, needs a study here that fills it.
"""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tools.standard.asked import write_sampled
from tools.standard.brought import write_brought
from tools.standard.clinical import write_clinical
from tools.standard.criteria import write_criteria
from tools.standard.drawn import write_drawn
from tools.standard.encoder import write_encoder
from tools.standard.harm_judge import write_harm_judge
from tools.standard.judged import write_judges
from tools.standard.jury import write_jury
from tools.standard.measured import write_measured
from tools.standard.missing import write_missing
from tools.standard.panel import write_panel
from tools.standard.pool import write_pool
from tools.standard.rated import write_rated
from tools.standard.summaries import write_summaries
from tools.standard.tasks import write_subtask
from tools.standard.unjudged import write_unjudged

__all__ = ["STANDARD", "write_standard"]

STANDARD: Final[Mapping[str, Callable[[Path], object]]] = MappingProxyType(
    {
        "missing": partial(write_missing, raters=3),
        "clinical": write_clinical,
        "panel": write_panel,
        "rated": write_rated,
        "summaries": write_summaries,
        "pool": write_pool,
        "subtask-1": write_subtask("archehr2026-st1"),
        "subtask-2": write_subtask("archehr2026-st2"),
        "subtask-3": write_subtask("archehr2026-st3"),
        "subtask-4": write_subtask("archehr2026-st4"),
        "judges": write_judges,
        "harm-judge": write_harm_judge,
        "unjudged": write_unjudged,
        "drawn": write_drawn,
        "encoder": write_encoder,
        "criteria": write_criteria,
        "jury": write_jury,
        "measured": write_measured,
        "asked": write_sampled,
        "brought": write_brought,
    }
)
"""Name of a study to what writes it into a folder that is not there yet."""


def write_standard(name: str, folder: Path) -> Path:
    """Write one of the studies; its folder bears its name, which is the title of some of them."""
    STANDARD[name](folder / name)
    return folder / name
