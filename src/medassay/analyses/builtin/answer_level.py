"""What does a metric know of single answers?"""

from collections.abc import Callable, Sequence
from typing import Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_controls import MARK_SAYS, name_cell
from medassay.analyses.inputs.metric_validity import Held
from medassay.analyses.inputs.readable import Randomness
from medassay.exhibits import Names
from medassay.exhibits.columns import Shown, estimated, missing, shown, table_of
from medassay.exhibits.numbers import PROPORTION, bounds
from medassay.exhibits.table import Cell, Column, Table
from medassay.stats import Interval
from medassay.validity import AnswerLevel
from medassay.validity import answer_level as levels_of
from medassay.validity.answer_level import Grouped

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
    reached: dict[str, dict[str, float | None]] = {}
    for level in levels:
        reached.setdefault(level.consensus, {})[level.metric] = _in(level, "by_case").tau

    def metric(level: AnswerLevel) -> Cell:
        tau = _in(level, "by_case").tau
        return name_cell(names, level.metric, tau, reached[level.consensus])

    accuracy = "Pairwise accuracy"
    return table_of(
        levels,
        (
            Shown(Column("Metric", ("metric",)), metric),
            shown(
                "Raters on", "consensus", says=lambda level: names.of_consensus(level.consensus),
                adds={"answers": "n_answers", "cases": "n_cases"},
            ),
            estimated(
                "tau", lambda level: _in(level, "by_case").tau, file="by_case_tau",
                interval=lambda level: _in(level, "by_case").tau_interval,
                why_not=lambda _: _NONE, reasoned=False, group="Within cases",
            ),
            *(
                shown(
                    of, _of(grouping, of), PROPORTION, file=f"{grouping}_{of}",
                    why_not=lambda _: _NONE, group=group,
                )
                for grouping, of, group in (
                    ("by_case", "r", "Within cases"),
                    ("by_system", "tau", "Within systems"),
                    ("by_system", "r", "Within systems"),
                    ("pooled", "tau", "Pooled"),
                    ("pooled", "r", "Pooled"),
                )
            ),
            estimated(
                "acc_eq", "ties.acc_eq", interval="ties.acc_eq_interval", file="acc_eq",
                why_not=lambda _: _NONE, reasoned=False, group=accuracy,
            ),
            Shown(Column("calibrated", _CALIBRATED, numeric=True, group=accuracy), _calibrated),
            shown(
                "constant", "ties.constant", PROPORTION, file="acc_eq_constant",
                why_not=lambda _: _NONE, group=accuracy,
            ),
            shown("Pairs", "pair_r", PROPORTION, why_not=lambda _: _NONE),
        ),
        id="answer-level",
        title="Answer by answer",
        caption="Within cases: of several answers to one case, is the better one scored higher? "
        "Within systems: on which cases does one system do well? Pooled mixes both with how hard "
        "cases and how good systems are. Ties count in pairwise accuracy (acc_eq, within cases): "
        "calibrated, with epsilon chosen on other cases (five-fold); a constant reaches the "
        "raters' own share of ties, random numbers are among the controls. Pairs: Pearson's r of "
        "the differences of all pairs of answers to a case. Intervals: 95%, these systems on new "
        "cases, whole clusters of cases being independent; percentile for tau, Wilson's with the "
        f"effective number of cases for acc_eq.{MARK_SAYS}, by tau within cases.",
        stands="file",
    )  # fmt: skip


_CALIBRATED: Final = (
    "acc_eq_cross_validated",
    "acc_eq_cross_validated_low",
    "acc_eq_cross_validated_high",
    "acc_eq_calibrated",
    "epsilon",
)


def _in(level: AnswerLevel, grouping: str) -> Grouped:
    return next(grouped for grouped in level.grouped if grouped.grouping == grouping)


def _of(grouping: str, of: str) -> Callable[[AnswerLevel], float | None]:
    return lambda level: getattr(_in(level, grouping), of)


def _calibrated(level: AnswerLevel) -> Cell:
    ties = level.ties
    if ties.cross_validated is None:
        return missing("Epsilon needs two cases.", 5)
    held_out = with_ends(ties.cross_validated, ties.cross_validated_interval)
    text = ""
    if ties.calibrated is not None:
        both = f"{PROPORTION(ties.calibrated)}, epsilon {ties.epsilon:.3g}"
        text = f"Chosen and told on the same cases: {both}."
    raw = (*held_out.raw, ties.calibrated, ties.epsilon)
    return Cell(held_out.text, raw, held_out.aside, text)


def with_ends(value: float | None, ends: Interval | None, reason: str = _NONE) -> Cell:
    """Print a value with its interval, or why there is none."""
    if value is None:
        return missing(reason, 3)
    low, high = (ends.low, ends.high) if ends else (None, None)
    return Cell(PROPORTION(value), (value, low, high), aside=bounds(ends))
