"""Which passages of each system's answers do raters mark?"""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Design
from medassay.annotations import DesignName, SystemName, record
from medassay.exhibits import Names, Table, shown, table_of
from medassay.exhibits.columns import counted, system_column
from medassay.judgements import NO_SPAN, Dimension, Judgements, Rubric
from medassay.study.contents.ratings import of_rooms

if TYPE_CHECKING:
    import polars as pl


@record(infers=False)
class KindCount:
    """How often a word was said of a passage.

    Attributes:
        name: The kind, or how bad.
        count: How many passages, each rater's counted.
    """

    name: DesignName
    count: int


@record(infers=False)
class SystemPassages:
    """What raters marked in one system's answers.

    Attributes:
        dimension: The dimension.
        system: The system.
        readings: How often an answer was read by a rater who marked passages or found none.
        clean: Readings that found none.
        unasked: Of these, readings in a room that recorded it without asking: whether anybody
            looked for passages is not known.
        marked: Passages marked, each rater's counted.
        kinds: Passages of each kind.
        severities: Passages by how bad they are; empty where raters are not asked.
        weight: Mean weight of a reading: the scores of its passages' severities, added up; None
            where severities have no scores.
    """

    dimension: DesignName
    system: SystemName
    readings: int
    clean: int
    unasked: int
    marked: int
    kinds: tuple[KindCount, ...]
    severities: tuple[KindCount, ...]
    weight: float | None


@record(infers=False)
class Passages:
    """What raters marked, by dimension and system."""

    systems: tuple[SystemPassages, ...]


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
    for dimension in (dimension for dimension in rubric.dimensions if dimension.kinds):
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


def passages_table(systems: Sequence[SystemPassages], names: Names) -> Table:
    """Show how many passages of which kind were marked in each system's answers."""
    weighed = any(row.weight is not None for row in systems)
    asked = any(row.severities for row in systems)
    silent = any(row.unasked for row in systems)
    return table_of(
        ((names.of_dimension(row.dimension), row) for row in systems),
        (
            system_column(names),
            counted("Read", "readings"),
            counted("Without any", "clean"),
            *([counted("Of these, looked?", "unasked")] if silent else []),
            counted("Passages", "marked"),
            shown("Kinds", lambda row: _listed(row.kinds), file="kinds"),
            *(
                [shown("How bad", lambda row: _listed(row.severities), file="severities")]
                if asked
                else []
            ),
            *(
                [shown("Weight of a reading", "weight", "{:.2f}".format,
                       why_not=lambda _: "Severities have no scores, or nobody read.")]
                if weighed
                else []
            ),
        ),
        id="passages",
        title="Passages marked, by system",
        caption="Read: answers, each rater's reading counted. Passages that two raters marked "
        "count twice."
        + (
            " Looked?: recorded by a room that did not ask; whether the rater looked for passages "
            "is not known."
            if silent
            else ""
        )
        + (" Weight: the scores of a reading's severities, added up." if weighed else ""),
        grouped_by="dimension",
    )  # fmt: skip


def _listed(counts: Sequence[KindCount]) -> str:
    return ", ".join(f"{kind.name} {kind.count:,}" for kind in counts)


@analysis(
    Declaration(
        id="passages",
        title="Passages marked",
        question="How many passages of which kind do raters mark in each system's answers?",
        section="ratings",
        part="ratings-given",
        infers=False,
        reader="clinician",
        place=5,
        tables=lambda marked, names: [passages_table(marked.systems, names)],
    )
)
def passages(rubric: Rubric, judgements: Judgements, design: Design) -> Passages | None:
    """Count the passages of each kind, by dimension and system."""
    systems = tuple(passages_of(rubric, judgements, design.systems, design.unasked))
    return Passages(systems) if systems else None
