"""What a ranking rests on: how many labels an answer it needs, whether it hangs on one rater."""

from medassay.analyses.results import Results
from medassay.exhibits.cells import missing, text
from medassay.exhibits.names import method_words
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.names import Names

__all__ = ["budget", "without_rater"]


def budget(results: Results) -> Table:
    """Show how near the ranking by k labels an answer comes."""
    names = Names(results)
    against = {"full": "all labels", "rest": "the other labels"}
    return Table(
        "annotation-budget",
        "How many labels an answer a ranking needs",
        "Kendall's tau of the ranking by k labels an answer, drawn at random many times, with the "
        "ranking by all labels (of which they are a part) and with that by the labels not drawn. "
        "The band holds the central 95 % of the draws; it is no interval for new cases.",
        (
            Column("Consensus", ("method",), wide=True),
            Column("Compared with", ("against",)),
            Column("Labels", ("k", "panel"), numeric=True),
            Column("Tau", ("tau", "band_low", "band_high", "tau_reason"), numeric=True),
            Column("Answers", ("answers", "systems", "draws"), numeric=True),
        ),
        tuple(
            Row(
                (
                    Cell(method_words(one.method), (one.method,)),
                    Cell(against[one.against], (one.against,)),
                    Cell(f"{one.k} of {one.panel}", (one.k, one.panel)),
                    _band(one.tau, one.low, one.high, one.reason),
                    Cell(f"{one.answers:,}", (one.answers, one.systems, one.draws)),
                ),
                names.of_dimension(one.dimension),
            )
            for one in results.budget
        ),
        group_field="dimension",
        empty="No answer was judged by two raters.",
        synthetic=results.study.synthetic,
    )


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


def _band(tau: float | None, low: float | None, high: float | None, reason: str) -> Cell:
    if tau is None or low is None or high is None:
        return missing(reason, 4)
    band = f"{PROPORTION(low)} to {PROPORTION(high)}"
    return Cell(PROPORTION(tau), (tau, low, high, ""), aside=band)
