"""Agreement of every two raters, as tables."""

from collections.abc import Sequence

from medassay.analyses.builtin.pairwise.record import DOCUMENTS, OverPairs
from medassay.exhibits import Names
from medassay.exhibits.cells import count, missing, named
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Cell, Column, Row, Table

__all__ = ["judged_title", "pairwise_table"]


def pairwise_table(dimensions: Sequence[OverPairs], names: Names) -> Table:
    """Show agreement over every two raters, a line a dimension."""
    rows = [
        Row((
            named(judged_title(pairs.dimension, names), pairs.dimension),
            named(pairs.title, pairs.coefficient),
            count(pairs.pairs),
            count(pairs.without_value, detail=pairs.reason),
            missing(pairs.reason) if pairs.mean is None else Cell(
                PROPORTION(pairs.mean), (pairs.mean,)),
            missing(pairs.reason, 2) if pairs.least is None or pairs.most is None else Cell(
                f"{PROPORTION(pairs.least)} to {PROPORTION(pairs.most)}",
                (pairs.least, pairs.most)),
        ))
        for pairs in dimensions
    ]  # fmt: skip
    return Table(
        "pairwise",
        "Agreement of every two experts",
        "Mean and range over all pairs of experts. Pairs without a value are counted beside it.",
        (
            Column("Dimension", ("dimension",)),
            Column("Coefficient", ("coefficient",)),
            Column("Pairs", ("pairs",), numeric=True),
            Column("Without value", ("without_value",), numeric=True),
            Column("Mean", ("mean",), numeric=True),
            Column("Range", ("least", "most"), numeric=True),
        ),
        tuple(rows),
        empty="No two experts rated the same answers.",
    )


def judged_title(dimension: str, names: Names) -> str:
    """Name what two experts agree on: a dimension, or which documents are relevant."""
    return "Relevance of documents" if dimension == DOCUMENTS else names.of_dimension(dimension)
