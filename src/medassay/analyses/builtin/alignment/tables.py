"""A system's confidence in words beside the experts', as tables."""

from collections.abc import Sequence

from medassay.analyses.builtin.alignment.record import Alignment, AlignmentRow
from medassay.exhibits import Names
from medassay.exhibits.cells import count, missing, named, text
from medassay.exhibits.natural_order import natural_order
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Cell, Column, Row, Table

__all__ = ["alignment_tables"]


def alignment_tables(alignments: Sequence[Alignment], names: Names) -> list[Table]:
    """Show kappa of each rule, then each system's levels query by query."""
    systems = dict.fromkeys(alignment.system for alignment in alignments)
    return [
        _kappas(alignments, names),
        *(_side_by_side(alignments, system, names) for system in systems),
    ]


def _kappas(alignments: Sequence[Alignment], names: Names) -> Table:
    """Show kappa of each rule with the experts' majority."""
    levels = list(dict.fromkeys(level for row in alignments for level in row.levels))
    rows = [
        Row((
            named(names.of_system(row.system), row.system),
            text(_RULES.get(row.rule, row.rule), detail=row.note),
            *(count(row.levels.get(level, 0)) for level in levels),
            count(row.n),
            missing(row.reason) if row.kappa is None else Cell(
                PROPORTION(row.kappa), (row.kappa,)),
        ))
        for row in alignments
    ]  # fmt: skip
    return Table(
        "alignment",
        "System and expert confidence",
        "Weighted Cohen's kappa (linear weights) of the system's level with the level that most "
        "experts gave, over queries that have both. It tells how alike the two are read, not "
        "whether the answers are right.",
        (
            Column("System", ("system",)),
            Column("Rule", ("rule",)),
            *(Column(level, (f"{level}_n",), numeric=True, group="Queries at") for level in levels),
            Column("n", ("n",), numeric=True),
            Column("Kappa", ("kappa",), numeric=True),
        ),
        tuple(rows),
        empty="No system gave its confidence in words, and none can be recomputed.",
    )


_RULES = {
    "stated": "as stated",
    "min-max in the query": "published rule, min-max within each query",
    "min-max in the run": "min-max over all queries of the run",
}


def _side_by_side(alignments: Sequence[Alignment], system: str, names: Names) -> Table:
    """Show the levels of one system by every rule beside the experts', query by query."""
    own = [row for row in alignments if row.system == system]
    rows = []
    asked = enumerate(own[0].rows if own else [])
    for i, first in sorted(asked, key=lambda place: natural_order(place[1].case)):
        votes = ", ".join(f"{level} {n}" for level, n in first.votes.items() if n)
        rows.append(
            Row((
                text(first.case),
                missing(first.experts_reason) if first.experts is None
                else text(first.experts),
                *(_level(row.rows[i]) for row in own),
                text(votes),
            ))
        )  # fmt: skip
    several = len({row.system for row in alignments}) > 1
    return Table(
        f"side-by-side-{system}" if several else "side-by-side",
        "Confidence side by side" + (f", {names.of_system(system)}" if several else ""),
        "Each query's level by most of its experts and by the system.",
        (
            Column("Query", ("case",)),
            Column("Most experts", ("experts",)),
            *(_rule_column(row) for row in own),
            Column("Votes", ("votes",)),
        ),
        tuple(rows),
        empty="There is nothing to compare.",
    )


def _rule_column(row: Alignment) -> Column:
    field = row.rule.replace(" ", "_").replace("-", "_")
    title = {"stated": "Stated", "min-max in the query": "Published rule"}.get(row.rule, "Run rule")
    return Column(title, (field, f"{field}_mean"), group="The system's level")


def _level(row: AlignmentRow) -> Cell:
    if row.system is None:
        return missing(row.system_reason, 2)
    aside = "" if row.mean is None else PROPORTION(row.mean)
    return Cell(row.system, (row.system, row.mean), aside=aside)
