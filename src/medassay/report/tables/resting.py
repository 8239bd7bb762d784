"""Whether a ranking hangs on one rater."""

from medassay.analyses.results import Results
from medassay.exhibits.cells import missing, text
from medassay.exhibits.names import method_words
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.names import Names

__all__ = ["without_rater"]


def without_rater(results: Results) -> Table:
    """Show the ranking without each rater, beside that of all."""
    names = Names(results)
    return Table(
        "without-rater",
        "The ranking without each rater",
        "Kendall's tau of the ranking by all raters with that by all but one, and the system that "
        "moves furthest. Answers that only this rater judged leave with them.",
        (
            Column("Without", ("rater",)),
            Column("Consensus", ("method",)),
            Column("Tau", ("tau",), numeric=True),
            Column("Same first", ("same_best",)),
            Column("Largest move", ("largest_move", "moved"), numeric=True),
            Column("Answers", ("answers", "lost"), numeric=True),
        ),
        tuple(
            Row(
                (
                    text(one.rater),
                    Cell(method_words(one.method), (one.method,)),
                    missing(one.reason)
                    if one.tau is None
                    else Cell(PROPORTION(one.tau), (one.tau,)),
                    Cell("yes" if one.same_best else "no", (one.same_best,))
                    if one.largest_move is not None
                    else missing(one.reason),
                    missing(one.reason, 2)
                    if one.largest_move is None
                    else Cell(
                        str(one.largest_move),
                        (one.largest_move, one.moved),
                        detail=names.of_system(one.moved) if one.moved else "",
                    ),
                    Cell(f"{one.answers:,}", (one.answers, one.lost)),
                ),
                names.of_dimension(one.dimension),
            )
            for one in results.without_rater
        ),
        group_field="dimension",
        empty="There are no judgements with scores.",
        synthetic=results.study.synthetic,
    )
