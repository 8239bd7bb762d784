"""Passages counted by kind and severity; whoever read an answer and found none counts as well."""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from medassay.analyses.builtin.passages.record import KindCount, SystemPassages
from medassay.judgements import NO_SPAN, Dimension, Judgements, Rubric
from medassay.study.contents.silent_passages import of_rooms

if TYPE_CHECKING:
    import polars as pl

__all__ = ["passages_of"]


def passages_of(
    rubric: Rubric, judgements: Judgements, systems: Sequence[str], unasked: Collection[str] = ()
) -> Iterator[SystemPassages]:
    """Count what was marked on each dimension that asks for passages.

    Args:
        rubric: The rubric.
        judgements: What raters said.
        systems: The systems.
        unasked: Raters of rooms that recorded "nothing found" without asking.
    """
    import polars as pl

    rows = judgements.in_phases().filter(pl.col("reason").is_null())
    for dimension in (asked for asked in rubric.dimensions if asked.kinds):
        own = rows.filter(dimension=dimension.id)
        for system in systems if own.height else ():
            yield _of_system(dimension, system, own.filter(system=system), unasked)


def _of_system(
    dimension: Dimension, system: str, rows: "pl.DataFrame", unasked: Collection[str]
) -> SystemPassages:
    import polars as pl

    marked = rows.filter((pl.col("kind") != NO_SPAN) & (pl.col("about") != ""))
    reading = ["case", "sample", "rater"]
    readings = rows.select(reading).n_unique()
    silent = of_rooms(rows).filter(pl.col("rater").is_in(list(unasked)))
    silent = silent.join(marked, on=reading, how="anti")
    weights = {
        label.label: label.score for label in dimension.severities if label.score is not None
    }
    return SystemPassages(
        dimension=dimension.id,
        system=system,
        readings=readings,
        clean=readings - marked.select(reading).n_unique(),
        unasked=silent.select(reading).n_unique(),
        marked=marked.height,
        kinds=_counts(marked["kind"], [label.label for label in dimension.kinds]),
        severities=_counts(marked["severity"], [label.label for label in dimension.severities]),
        weight=sum(weights.get(label, 0.0) for label in marked["severity"]) / readings
        if readings and weights
        else None,
    )


def _counts(words: "pl.Series", names: Sequence[str]) -> tuple[KindCount, ...]:
    return tuple(KindCount(name, int((words == name).sum())) for name in names)
