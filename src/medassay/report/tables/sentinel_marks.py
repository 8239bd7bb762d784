"""How tables tell sentinels from metrics, and which metrics do no better than they."""

from collections.abc import Mapping
from typing import Final

from medassay.analyses.results import ValidityDetail
from medassay.exhibits.numbers import listed
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell

__all__ = ["MARK", "MARK_SAYS", "as_no_better", "name_cell"]

MARK: Final = "†"
MARK_SAYS: Final = f" {MARK}: no better than a sentinel, which knows nothing of what an answer says"
_NOISE: Final = "noise"
_CHANCE: Final = "chance"
_ALIKE: Final = 1e-9


def name_cell(
    detail: ValidityDetail,
    metric: str,
    value: float | None = None,
    reached: Mapping[str, float | None] | None = None,
    chance: float | None = None,
) -> Cell:
    """Name a metric or sentinel, and mark a metric whose value some sentinel reaches as well.

    Args:
        detail: Says which are sentinels.
        metric: The column's name.
        value: What the mark goes by; a metric without one is not marked.
        reached: What every column of the same table and question reaches.
        chance: What chance reaches. Values are compared by their distance from it, for a sentinel
            has no better end; None: 0, and chance itself is no rival.
    """
    title = detail.titles.get(metric, metric)
    if metric in detail.sentinels:
        return Cell(f"{title} (sentinel)", (metric,))
    if value is None or reached is None:
        return Cell(title, (metric,))
    middle = chance or 0.0
    own = value - middle - _ALIKE
    # One draw of random numbers proves nothing, so this draw is no rival.
    rivals = [
        detail.titles.get(name, name)
        for name in detail.sentinels
        if name != _NOISE
        and (other := reached.get(name)) is not None
        and abs(other - middle) >= own
    ]
    if chance is not None and own <= 0:
        rivals.append(_CHANCE)
    return as_no_better(Cell(title, (metric,)), rivals)


def as_no_better(cell: Cell, rivals: list[str]) -> Cell:
    """Mark a name, and say on demand who does as well."""
    if not rivals:
        return cell
    text = as_sentence(f"no better than {listed(rivals)}")
    return Cell(cell.text, cell.raw, aside=MARK, detail=text)
