"""Rows that say a rater found no passage, of rooms that recorded it without asking."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from medassay.answers import Answers
from medassay.judgements import NO_SPAN, Judgements
from medassay.judgements.campaign import FOLDER, find_plans
from medassay.study.contents.not_held import describe_not_held
from medassay.study.contents.raters import describe_not_given
from medassay.text import count_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ["describe_unsaid", "of_rooms", "unasked_raters"]

_DESIGN: Final = "design.json"


def describe_unsaid(folder: Path, answers: Answers, judgements: Judgements) -> list[str]:
    """Say which texts are not held, which answers judged were never given, what nobody said."""
    return [
        *describe_not_held(answers),
        *describe_not_given(answers, judgements),
        *_describe_silent(folder, judgements),
    ]


def _describe_silent(folder: Path, judgements: Judgements) -> list[str]:
    """Say of each campaign how many such rows there are; they are read as they stand.

    Rooms now ask for it, and their design says so. Whoever rated in an earlier one and went on
    without a mark was recorded as having found nothing.

    Args:
        folder: The study's folder.
        judgements: Its judgements.
    """
    if not of_rooms(judgements.frame).height:
        return []
    nothing = of_rooms(judgements.current())
    lines = []
    for name, raters in _unasked(folder).items():
        if count := nothing.filter(nothing["rater"].is_in(list(raters))).height:
            lines.append(
                f"Campaign {name}: {count_of(count, 'row')} with the kind {NO_SPAN} may come from "
                "raters who never looked for passages. The room recorded it without asking. Ask "
                "these raters, and take out the rows of those who did not look."
            )
    return lines


def unasked_raters(folder: Path) -> frozenset[str]:
    """Give the raters of rooms that recorded "nothing found" without asking for passages."""
    return frozenset(rater for raters in _unasked(folder).values() for rater in raters)


def _unasked(folder: Path) -> dict[str, tuple[str, ...]]:
    """Give the raters of each campaign whose room did not ask."""
    homes = sorted(path.parent for path in (folder / FOLDER).glob(f"*/{_DESIGN}"))
    names = [home.name for home in homes if not _asked(home / _DESIGN)]
    plans = find_plans(folder) if names else {}
    return {name: plans[name].settings.raters for name in names if name in plans}


def of_rooms(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Give the rows that a room recorded of answers without a mark: sheets know no seconds."""
    import polars as pl

    return frame.filter(
        (pl.col("kind") == NO_SPAN) & (pl.col("about") == "") & pl.col("seconds").is_not_null()
    )


def _asked(path: Path) -> bool:
    """Say whether a room's design asks raters to say that there is no passage."""
    try:
        record = json.loads(path.read_text("utf-8"))
    except ValueError:
        return False
    design = record.get("design") if isinstance(record, dict) else None
    return isinstance(design, dict) and design.get("asks_passages") is True
