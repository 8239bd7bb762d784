"""A template's pitfalls and checklist, as tables."""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.builtin.rater_template.record import (
    LEVELS,
    ChecklistItem,
    Pitfall,
    RaterTemplate,
)
from medassay.exhibits import Names
from medassay.exhibits.cells import count, estimate, estimate_fields, how, text
from medassay.exhibits.numbers import Style
from medassay.exhibits.sentences import upper_first
from medassay.exhibits.table import Column, Row, Table

__all__ = ["template_tables"]

_COUNT: Final = Style(0)
_MEAN: Final = Style(2)


def template_tables(template: RaterTemplate, names: Names) -> list[Table]:
    """Show what raters are warned of, measured, and the checklist, answered."""
    return [_pitfalls(template.pitfalls, names), _checklist(template.checklist)]


def _pitfalls(pitfalls: Sequence[Pitfall], names: Names) -> Table:
    rows = [
        Row((
            text(pitfall.pitfall),
            text(pitfall.rater),
            text(_measure(pitfall, names), detail=upper_first(pitfall.measure)),
            estimate(pitfall.value, pitfall.interval, pitfall.reason, _style(pitfall)),
            count(pitfall.n),
        ))
        for pitfall in pitfalls
    ]  # fmt: skip
    return Table(
        "pitfalls",
        "The template's pitfalls, measured",
        "What each rater does that the others do not, on the overall score. Of an identical run "
        "the brackets hold what random orders give. Anchoring, drift and runs need the order of "
        "the ratings, which sheets from medassay store and a results file does not. "
        + how(pitfall.interval for pitfall in pitfalls if pitfall.interval is not None),
        (
            Column("Pitfall", ("pitfall",)),
            Column("Rater", ("rater",)),
            Column("Measured as", ("measure",), wide=True),
            Column("Value", estimate_fields("value"), numeric=True),
            Column("n", ("n",), numeric=True),
        ),
        tuple(rows),
        empty="Nobody has scored an answer yet.",
    )


def _style(pitfall: Pitfall) -> Style:
    return _COUNT if pitfall.measure == LEVELS else _MEAN


def _measure(pitfall: Pitfall, names: Names) -> str:
    short = pitfall.measure.partition(":")[0]
    return f"{short} {names.of_system(pitfall.about)}" if pitfall.about else short


def _checklist(checklist: Sequence[ChecklistItem]) -> Table:
    return Table(
        "quality-checklist",
        "The template's quality checklist, answered from the data",
        "What the data cannot tell is said to be so.",
        (
            Column("Item", ("item",)),
            Column("Answer", ("answer",)),
            Column("Why", ("detail",), wide=True),
        ),
        tuple(
            Row(
                (
                    text(checklist_item.item),
                    text(checklist_item.answer),
                    text(checklist_item.detail),
                )
            )
            for checklist_item in checklist
        ),
        empty="There is nothing to check.",
    )
