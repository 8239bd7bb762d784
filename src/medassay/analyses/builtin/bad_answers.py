"""Does a metric find the answers that people must see?"""

from collections.abc import Sequence

from medassay.analyses.builtin.answer_level import with_ends
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_controls import MARK_SAYS, name_cell
from medassay.analyses.inputs.metric_validity import Held
from medassay.analyses.inputs.readable import Randomness
from medassay.exhibits import Names
from medassay.exhibits.sentences import as_sentence, upper_first
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.stats import Interval
from medassay.validity import BadAnswers, find_bad_answers

__all__ = ["bad_answers"]


@analysis(
    Declaration(
        id="bad_answers",
        title="Finding the answers that people must see",
        question="How well does a metric find unacceptable, harmful and dangerous answers?",
        section="validity",
        part="validity-raters",
        infers=True,
        reader="methodologist",
        place=38,
        tables=lambda record, names: [_table(record, names)],
    )
)
def bad_answers(held: Held, randomness: Randomness) -> tuple[BadAnswers, ...]:
    """Give areas under the curves, and precision and recall at the threshold in use."""
    if not held.raters:
        return ()
    return tuple(
        find_bad_answers(
            held.everyone,
            held.targets,
            rng=randomness.stream("s43"),
            clusters=held.clusters,
            thresholds=held.thresholds,
        )
    )


def _called(answers: BadAnswers, names: Names) -> str:
    """Give what such answers are called: what a label of harm says, and nothing wider."""
    said = names.harm_words.get(answers.dimension, "")
    return answers.kind if answers.kind == "unacceptable" else said or answers.kind


def _reads(answers_of: Sequence[BadAnswers], names: Names) -> str:
    read = {_called(answers, names) for answers in answers_of} - {"unacceptable"}
    if read <= {"harmful", "dangerous"}:
        return (
            "Harmful, and dangerous: half of the labels or more read so in the rubric (harm of any "
            "degree, and severe harm)."
        )
    return f"{upper_first('; '.join(sorted(read)))}: half of the labels or more say so."


def _table(answers_of: Sequence[BadAnswers], names: Names) -> Table:
    """List how well metrics find unacceptable, harmful and dangerous answers."""
    reached: dict[tuple[str, str], dict[str, float | None]] = {}
    for answers in answers_of:
        reached.setdefault((answers.dimension, answers.kind), {})[answers.metric] = answers.auroc
    return Table(
        "bad-answers",
        "Finding the answers that people must see",
        "Unacceptable: the raters' consensus lies nearer to the worst score of the scale than to "
        f"the next. {_reads(answers_of, names)} AUROC: how often such an "
        "answer is scored worse than another (chance: 0.50). AUPRC: chance reaches the share of "
        "such answers. Precision and recall hold at the threshold in use ([validity] thresholds in "
        "study.toml). Intervals: 95%, these systems on new cases, whole clusters of cases being "
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
                        names,
                        answers.metric,
                        answers.auroc,
                        reached[answers.dimension, answers.kind],
                        chance=0.5,
                    ),
                    Cell(_called(answers, names), (answers.kind,)),
                    Cell(f"{answers.bad:,} of {answers.n:,}", (answers.bad, answers.n)),
                    _area(answers.auroc, answers.auroc_interval, answers.undefined),
                    with_ends(answers.auprc, answers.auprc_interval, answers.undefined),
                    Cell("–", (None, None), detail="No threshold is in use.")
                    if answers.threshold is None
                    else Cell(f"{answers.threshold:g}", (answers.threshold, answers.flagged)),
                    _at(
                        answers.threshold,
                        answers.precision,
                        answers.precision_interval,
                        "Nothing is flagged.",
                    ),
                    _at(
                        answers.threshold,
                        answers.recall,
                        answers.recall_interval,
                        "No answer is so.",
                    ),
                ),
                names.of_dimension(answers.dimension),
            )
            for answers in answers_of
        ),
        group_field="dimension",
        empty="No dimension has scores or a harmful reading to find answers by.",
        stands="file",
    )


def _at(threshold: float | None, value: float | None, ends: Interval | None, reason: str) -> Cell:
    return Cell("–", (None,) * 3) if threshold is None else with_ends(value, ends, reason)


def _area(value: float | None, ends: Interval | None, reason: str) -> Cell:
    cell = with_ends(value, ends, reason)
    return Cell(
        cell.text, (*cell.raw, reason), cell.aside, as_sentence(reason) if reason else "",
        missing=value is None,
    )  # fmt: skip
