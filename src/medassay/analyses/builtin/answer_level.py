"""What does a metric know of single answers?"""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_controls import MARK_SAYS, name_cell
from medassay.analyses.inputs.metric_validity import Held
from medassay.analyses.inputs.readable import Randomness
from medassay.exhibits import Names
from medassay.exhibits.cells import missing
from medassay.exhibits.numbers import PROPORTION, bounds
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.stats import Interval
from medassay.validity import AnswerLevel
from medassay.validity import answer_level as levels_of

__all__ = ["answer_level", "with_ends"]

_NONE: Final = "One of the two is constant in every group."


@analysis(
    Declaration(
        id="answer_level",
        title="Answer by answer",
        question="Of several answers to one case, does a metric score the better one higher?",
        section="validity",
        part="validity-raters",
        infers=True,
        reader="methodologist",
        place=36,
        tables=lambda levels, names: [_table(levels, names)],
    )
)
def answer_level(held: Held, randomness: Randomness) -> tuple[AnswerLevel, ...]:
    """Correlate answer by answer, within cases, within systems and pooled."""
    if not held.raters:
        return ()
    rng = randomness.stream("s42")
    return tuple(levels_of(held.everyone, held.raters, rng=rng, clusters=held.clusters))


def _table(levels: Sequence[AnswerLevel], names: Names) -> Table:
    """List correlations by grouping, and pairwise accuracy with ties."""
    groupings = (("by_case", "Within cases"), ("by_system", "Within systems"), ("pooled", "Pooled"))
    return Table(
        "answer-level",
        "Answer by answer",
        "Within cases: of several answers to one case, is the better one scored higher? Within "
        "systems: on which cases does one system do well? Pooled mixes both with how hard cases "
        "and how good systems are. Ties count in pairwise accuracy (acc_eq, within cases): "
        "calibrated, with epsilon chosen on other cases (five-fold); a constant reaches the "
        "raters' own share of ties, random numbers are among the sentinels. Pairs: Pearson's r of "
        "the differences of all pairs of answers to a case. Intervals: 95%, these systems on new "
        "cases, whole clusters of cases being independent; percentile for tau, Wilson's with the "
        f"effective number of cases for acc_eq.{MARK_SAYS}, by tau within cases.",
        (
            Column("Metric", ("metric",)),
            Column("Raters on", ("consensus", "answers", "cases")),
            *(
                column
                for field, title in groupings
                for column in (
                    Column("tau", _fields(field), numeric=True, group=title),
                    Column("r", (f"{field}_r",), numeric=True, group=title),
                )
            ),
            Column(
                "acc_eq",
                ("acc_eq", "acc_eq_low", "acc_eq_high"),
                numeric=True,
                group="Pairwise accuracy",
            ),
            Column(
                "calibrated",
                (
                    "acc_eq_cross_validated",
                    "acc_eq_cross_validated_low",
                    "acc_eq_cross_validated_high",
                    "acc_eq_calibrated",
                    "epsilon",
                ),
                numeric=True,
                group="Pairwise accuracy",
            ),
            Column("constant", ("acc_eq_constant",), numeric=True, group="Pairwise accuracy"),
            Column("Pairs", ("pair_r",), numeric=True),
        ),
        tuple(_rows(levels, names)),
        stands="file",
    )


def _fields(field: str) -> tuple[str, ...]:
    if field != "by_case":
        return (f"{field}_tau",)
    return (f"{field}_tau", f"{field}_tau_low", f"{field}_tau_high")


def _rows(levels: Sequence[AnswerLevel], names: Names) -> list[Row]:
    rows = []
    reached: dict[str, dict[str, float | None]] = {}
    for level in levels:
        tau = next(g.tau for g in level.grouped if g.grouping == "by_case")
        reached.setdefault(level.consensus, {})[level.metric] = tau
    for level in levels:
        of = {grouped.grouping: grouped for grouped in level.grouped}
        case = of["by_case"]
        ties = level.ties
        held_out = with_ends(ties.cross_validated, ties.cross_validated_interval)
        text = ""
        if ties.calibrated is not None:
            both = f"{PROPORTION(ties.calibrated)}, epsilon {ties.epsilon:.3g}"
            text = f"Chosen and told on the same cases: {both}."
        rows.append(
            Row(
                (
                    name_cell(names, level.metric, case.tau, reached[level.consensus]),
                    Cell(
                        names.of_consensus(level.consensus),
                        (level.consensus, level.n_answers, level.n_cases),
                    ),
                    with_ends(case.tau, case.tau_interval),
                    _value(case.r),
                    _value(of["by_system"].tau),
                    _value(of["by_system"].r),
                    _value(of["pooled"].tau),
                    _value(of["pooled"].r),
                    with_ends(ties.acc_eq, ties.acc_eq_interval),
                    missing("Epsilon needs two cases.", 5)
                    if ties.cross_validated is None
                    else Cell(
                        held_out.text,
                        (*held_out.raw, ties.calibrated, ties.epsilon),
                        held_out.aside,
                        text,
                    ),
                    _value(ties.constant),
                    _value(level.pair_r),
                )
            )
        )
    return rows


def _value(value: float | None, reason: str = _NONE) -> Cell:
    return missing(reason) if value is None else Cell(PROPORTION(value), (value,))


def with_ends(value: float | None, ends: Interval | None, reason: str = _NONE) -> Cell:
    """Print a value with its interval, or why there is none."""
    if value is None:
        return missing(reason, 3)
    low, high = (ends.low, ends.high) if ends else (None, None)
    return Cell(PROPORTION(value), (value, low, high), aside=bounds(ends))
