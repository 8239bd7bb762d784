"""Does a metric find the answers that people must see?"""

from collections.abc import Sequence

from medassay.analyses.builtin.answer_level import with_ends
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_controls import MARK_SAYS, name_cell
from medassay.analyses.inputs.metric_validity import Held
from medassay.analyses.inputs.readable import Randomness
from medassay.exhibits import Names
from medassay.exhibits.columns import Shown, estimate_fields, estimated, no_such, shown, table_of
from medassay.exhibits.sentences import as_sentence, upper_first
from medassay.exhibits.table import Cell, Column, Table
from medassay.validity import BadAnswers, find_bad_answers


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

    def metric(answers: BadAnswers) -> Cell:
        among = reached[answers.dimension, answers.kind]
        return name_cell(names, answers.metric, answers.auroc, among, chance=0.5)

    return table_of(
        ((names.of_dimension(answers.dimension), answers) for answers in answers_of),
        (
            Shown(Column("Metric", ("metric",)), metric),
            shown("To be found", "kind", says=lambda answers: _called(answers, names)),
            shown(
                "Answers", "bad", says=lambda answers: f"{answers.bad:,} of {answers.n:,}",
                adds=("n",), numeric=True,
            ),
            Shown(Column("AUROC", (*estimate_fields("auroc")[:3], "reason"), numeric=True), _area),
            estimated(
                "AUPRC", "auprc", interval="auprc_interval", why_not="undefined", reasoned=False
            ),
            Shown(Column("Threshold", ("threshold", "flagged"), numeric=True), _threshold),
            _at("Precision", "precision", "Nothing is flagged."),
            _at("Recall", "recall", "No answer is so."),
        ),
        id="bad-answers",
        title="Finding the answers that people must see",
        caption="Unacceptable: the raters' consensus lies nearer to the worst score of the scale "
        f"than to the next. {_reads(answers_of, names)} AUROC: how often such an "
        "answer is scored worse than another (chance: 0.50). AUPRC: chance reaches the share of "
        "such answers. Precision and recall hold at the threshold in use ([validity] thresholds in "
        "study.toml). Intervals: 95%, these systems on new cases, whole clusters of cases being "
        "independent: percentile for areas, Korn and Graubard's for precision and recall."
        f"{MARK_SAYS}, by AUROC.",
        empty="No dimension has scores or a harmful reading to find answers by.",
        grouped_by="dimension",
        stands="file",
    )  # fmt: skip


def _at(heading: str, field: str, reason: str) -> Shown[BadAnswers]:
    """Declare a column of what holds at the threshold; a dash where none is in use."""

    def cell(answers: BadAnswers) -> Cell:
        if answers.threshold is None:
            return no_such(3)
        return with_ends(getattr(answers, field), getattr(answers, f"{field}_interval"), reason)

    return Shown(Column(heading, estimate_fields(field)[:3], numeric=True), cell)


def _threshold(answers: BadAnswers) -> Cell:
    if answers.threshold is None:
        return Cell("–", (None, None), detail="No threshold is in use.")
    return Cell(f"{answers.threshold:g}", (answers.threshold, answers.flagged))


def _area(answers: BadAnswers) -> Cell:
    reason = answers.undefined
    cell = with_ends(answers.auroc, answers.auroc_interval, reason)
    return Cell(
        cell.text, (*cell.raw, reason), cell.aside, as_sentence(reason) if reason else "",
        missing=answers.auroc is None,
    )  # fmt: skip
