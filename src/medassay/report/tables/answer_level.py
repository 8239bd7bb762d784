"""Tables of what a metric knows of single answers."""

from medassay.analyses.results import ValidityDetail
from medassay.exhibits.cells import missing
from medassay.exhibits.numbers import PROPORTION, bounds
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.tables.sentinel_marks import MARK_SAYS, name_cell
from medassay.stats import Interval

__all__ = ["answer_level", "bad_answers"]

_NONE = "One of the two is constant in every group."


def answer_level(detail: ValidityDetail, *, synthetic: bool) -> Table:
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
        "the differences of all pairs of answers to a case. Intervals: 95 %, these systems on new "
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
        tuple(_answer_rows(detail)),
        synthetic=synthetic,
        stands="file",
    )


def _fields(field: str) -> tuple[str, ...]:
    if field != "by_case":
        return (f"{field}_tau",)
    return (f"{field}_tau", f"{field}_tau_low", f"{field}_tau_high")


def _answer_rows(detail: ValidityDetail) -> list[Row]:
    rows = []
    reached: dict[str, dict[str, float | None]] = {}
    for level in detail.answer_level:
        tau = next(g.tau for g in level.grouped if g.grouping == "by_case")
        reached.setdefault(level.consensus, {})[level.metric] = tau
    for level in detail.answer_level:
        of = {grouped.grouping: grouped for grouped in level.grouped}
        case = of["by_case"]
        ties = level.ties
        held_out = _with_ends(ties.cross_validated, ties.cross_validated_interval)
        text = ""
        if ties.calibrated is not None:
            both = f"{PROPORTION(ties.calibrated)}, epsilon {ties.epsilon:.3g}"
            text = f"Chosen and told on the same cases: {both}."
        rows.append(
            Row(
                (
                    name_cell(detail, level.metric, case.tau, reached[level.consensus]),
                    Cell(
                        detail.titles.get(level.consensus, level.consensus),
                        (level.consensus, level.n_answers, level.n_cases),
                    ),
                    _with_ends(case.tau, case.tau_interval),
                    _value(case.r),
                    _value(of["by_system"].tau),
                    _value(of["by_system"].r),
                    _value(of["pooled"].tau),
                    _value(of["pooled"].r),
                    _with_ends(ties.acc_eq, ties.acc_eq_interval),
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


def bad_answers(detail: ValidityDetail, *, synthetic: bool) -> Table:
    """List how well metrics find unacceptable, harmful and dangerous answers."""
    reached: dict[tuple[str, str], dict[str, float | None]] = {}
    for answers in detail.bad_answers:
        reached.setdefault((answers.dimension, answers.kind), {})[answers.metric] = answers.auroc
    return Table(
        "bad-answers",
        "Finding the answers that people must see",
        "Unacceptable: the raters' consensus lies nearer to the worst score of the scale than to "
        "the next. Harmful, and dangerous: half of the labels or more read so in the rubric (harm "
        "of any degree, and severe harm). AUROC: how often such an "
        "answer is scored worse than another (chance: .50). AUPRC: chance reaches the share of "
        "such answers. Precision and recall hold at the threshold in use ([validity] thresholds in "
        "study.toml). Intervals: 95 %, these systems on new cases, whole clusters of cases being "
        "independent: percentile for areas, Korn and Graubard's for precision and recall."
        f"{MARK_SAYS}, by AUROC.",
        (
            Column("Metric", ("metric",)),
            Column("To be found", ("kind",)),
            Column("Answers", ("bad", "n"), numeric=True),
            Column("AUROC", ("auroc", "auroc_low", "auroc_high", "reason"), numeric=True),
            Column("AUPRC", ("auprc", "auprc_low", "auprc_high"), numeric=True),
            Column("Threshold", ("threshold", "flagged"), numeric=True),
            Column("Precision", ("precision", "precision_low", "precision_high"), numeric=True),
            Column("Recall", ("recall", "recall_low", "recall_high"), numeric=True),
        ),
        tuple(
            Row(
                (
                    name_cell(
                        detail,
                        bad_answer.metric,
                        bad_answer.auroc,
                        reached[bad_answer.dimension, bad_answer.kind],
                        chance=0.5,
                    ),
                    Cell(bad_answer.kind, (bad_answer.kind,)),
                    Cell(f"{bad_answer.bad:,} of {bad_answer.n:,}", (bad_answer.bad, bad_answer.n)),
                    _area(bad_answer.auroc, bad_answer.auroc_interval, bad_answer.undefined),
                    _with_ends(bad_answer.auprc, bad_answer.auprc_interval, bad_answer.undefined),
                    Cell("–", (None, None), detail="No threshold is in use.")
                    if bad_answer.threshold is None
                    else Cell(
                        f"{bad_answer.threshold:g}", (bad_answer.threshold, bad_answer.flagged)
                    ),
                    _at(
                        bad_answer.threshold,
                        bad_answer.precision,
                        bad_answer.precision_interval,
                        "Nothing is flagged.",
                    ),
                    _at(
                        bad_answer.threshold,
                        bad_answer.recall,
                        bad_answer.recall_interval,
                        "No answer is so.",
                    ),
                ),
                detail.titles.get(bad_answer.dimension, bad_answer.dimension),
            )
            for bad_answer in detail.bad_answers
        ),
        group_field="dimension",
        empty="No dimension has scores or a harmful reading to find answers by.",
        synthetic=synthetic,
        stands="file",
    )


def _value(value: float | None, reason: str = _NONE) -> Cell:
    return missing(reason) if value is None else Cell(PROPORTION(value), (value,))


def _at(threshold: float | None, value: float | None, ends: Interval | None, reason: str) -> Cell:
    return Cell("–", (None,) * 3) if threshold is None else _with_ends(value, ends, reason)


def _with_ends(value: float | None, ends: Interval | None, reason: str = _NONE) -> Cell:
    if value is None:
        return missing(reason, 3)
    low, high = (ends.low, ends.high) if ends else (None, None)
    return Cell(PROPORTION(value), (value, low, high), aside=bounds(ends))


def _area(value: float | None, ends: Interval | None, reason: str) -> Cell:
    cell = _with_ends(value, ends, reason)
    return Cell(
        cell.text, (*cell.raw, reason), cell.aside, as_sentence(reason) if reason else "",
        missing=value is None,
    )  # fmt: skip
