"""What each rater does, how many raters a ranking needs, and whether it hangs on one."""

from medassay.report.names import Names
from medassay.report.numbers import PROPORTION, Style
from medassay.report.tables.cells import count, estimate, estimate_fields, how, missing, named, text
from medassay.report.tables.model import Cell, Column, Row, Table
from medassay.study.results import DiagnosticResult, Results

__all__ = ["budget", "favouring", "rater_effects", "without_rater"]

_FAVOURING = "favouring"


def rater_effects(results: Results) -> Table:
    """List each effect of each rater, what stands apart from the others and what does not."""
    names = Names(results)
    looked = [one for one in results.diagnostics if one.kind != _FAVOURING]
    shown = [one for one in looked if one.effect is not None]
    measured = {one.kind for one in shown}
    absent = {one.kind: one.reason for one in looked if one.kind not in measured}
    unmeasured = "; ".join(f"{kind} ({why})" for kind, why in absent.items())
    return Table(
        "rater-effects",
        "What each rater does that the others do not",
        "Each effect compares a rater with the others on the same answers. Intervals are not "
        "adjusted for how many are looked at: one in twenty stands apart by luck. "
        f"{how(one.interval for one in shown)}"
        " Effects without a value are in report.json, with the reason."
        + (f" Nothing could be said of: {unmeasured}." if unmeasured else ""),
        (
            Column("Rater", ("rater",)),
            Column("Effect", ("kind", "meaning")),
            Column("Size", estimate_fields("effect"), numeric=True),
            Column("Labels", ("n",), numeric=True),
        ),
        tuple(
            Row(
                (
                    text(one.rater),
                    Cell(one.kind, (one.kind, one.meaning), detail=one.meaning),
                    _effect(one),
                    count(one.n),
                ),
                _of(names, one.dimension),
            )
            for one in shown
        ),
        group_field="dimension",
        empty="There are no judgements with scores.",
        synthetic=results.study.synthetic,
    )


def favouring(results: Results) -> Table:
    """List the systems that a rater favours or disfavours beyond the others' view."""
    names = Names(results)
    looked = [one for one in results.diagnostics if one.kind == _FAVOURING]
    shown = [one for one in looked if one.interval and not _covers_nothing(one)]
    return Table(
        "favouring",
        "Systems that a rater favours beyond the others' view",
        "Points that a rater gives one system above the others, less the same for the other "
        f"systems. Listed are the {len(shown)} of {len(looked)} pairs of rater and system whose "
        "interval leaves out 0; one in twenty does by luck. All of them are in report.json. "
        f"{how(one.interval for one in shown)}",
        (
            Column("Rater", ("rater",)),
            Column("System", ("system",)),
            Column("Points", estimate_fields("effect"), numeric=True),
            Column("Labels", ("n",), numeric=True),
        ),
        tuple(
            Row(
                (
                    text(one.rater),
                    named(names.of_system(one.about), one.about),
                    _effect(one),
                    count(one.n),
                ),
                _of(names, one.dimension),
            )
            for one in shown
        ),
        group_field="dimension",
        empty="No rater favours a system beyond what luck would make.",
        synthetic=results.study.synthetic,
    )


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
                    text(one.method),
                    Cell(against[one.against], (one.against,)),
                    Cell(f"{one.k} of {one.panel}", (one.k, one.panel)),
                    _band(one.tau, one.low, one.high, one.reason),
                    Cell(str(one.answers), (one.answers, one.systems, one.draws)),
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
                    text(one.method),
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
                    Cell(str(one.answers), (one.answers, one.lost)),
                ),
                names.of_dimension(one.dimension),
            )
            for one in results.without_rater
        ),
        group_field="dimension",
        empty="There are no judgements with scores.",
        synthetic=results.study.synthetic,
    )


def _of(names: Names, dimension: str) -> str:
    """Name a dimension, or the two of a halo."""
    return " and ".join(names.of_dimension(one) for one in dimension.split(", "))


def _effect(one: DiagnosticResult) -> Cell:
    return estimate(one.effect, one.interval, one.reason, Style(2))


def _covers_nothing(one: DiagnosticResult) -> bool:
    return one.interval is not None and one.interval.low <= 0 <= one.interval.high


def _band(tau: float | None, low: float | None, high: float | None, reason: str) -> Cell:
    if tau is None or low is None or high is None:
        return missing(reason, 4)
    band = f"{PROPORTION(low)} to {PROPORTION(high)}"
    return Cell(PROPORTION(tau), (tau, low, high, ""), aside=band)
