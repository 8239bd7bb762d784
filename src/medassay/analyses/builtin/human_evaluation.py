"""What do the raters score each system, told as the protocol's source wants it in a paper?"""

from collections.abc import Callable, Sequence
from itertools import product
from statistics import fmean
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from medassay.agreement import ALL_CASES, Agreement, band_sources, borne_out_band
from medassay.analyses.builtin.summaries import Summary, dimension_summaries
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.rater_agreement import Agreed
from medassay.analyses.inputs.readable import Columns, Design, Randomness, Rules
from medassay.analyses.inputs.study_columns import ScoreColumn, StudyColumns
from medassay.annotations import CaseId, DesignName, RaterName, SystemName, Text, Words, record
from medassay.cases import Cases
from medassay.exhibits import Names
from medassay.exhibits.columns import (
    Shown,
    celled,
    count,
    counted,
    estimate,
    estimate_fields,
    how,
    named,
    shown,
    system_column,
    table_of,
    written,
)
from medassay.exhibits.numbers import PROPORTION, Style, count_of, listed, number_word
from medassay.exhibits.table import Cell, Column, Table
from medassay.judgements import Judgements, Rubric
from medassay.scores import Unscored
from medassay.stats import Interval, clustered_correlations, group_labels

if TYPE_CHECKING:
    from numpy.typing import NDArray


@record(infers=False)
class PaperRow:
    """One system's scores, each answer's being the mean over its raters; `sd` is with n - 1."""

    system: SystemName
    n: int
    mean: float | None
    sd: float | None
    median: float | None
    reason: Words


@record(infers=True)
class ScoreCorrelation:
    """How far the raters' scores go with a score by a machine, answer by answer.

    Attributes:
        over: `all`: every answer. `within`: each system's own mean taken away. `one`: one system's.
        interval: Over questions: answers to one question depend on each other.
    """

    source: DesignName
    kind: Literal["pearson", "spearman"]
    over: Literal["all", "within", "one"]
    system: SystemName
    value: float | None
    interval: Interval | None
    n: int
    questions: int
    reason: Words


@record(infers=False)
class AnswerScore:
    """One answer's score.

    Attributes:
        mean: The average over its raters.
        raters: How many scored it.
    """

    case: CaseId
    system: SystemName
    mean: float
    raters: int


@record(infers=False)
class AnswerNote:
    """What a rater noted on one answer; empty where texts do not leave the study."""

    case: CaseId
    system: SystemName
    rater: RaterName
    note: Text


@record(infers=True)
class HumanEvaluation:
    """Everything that the source wants in a paper.

    Attributes:
        rows: Best mean first.
        pairs: Pairs of raters that kappa is the mean of.
        word: What the source's bands call it; empty where they have no word.
        bands: The publication of the bands.
        answers: Each answer that somebody scored, by question and system.
        notes: What raters noted, by question and system.
    """

    dimension: DesignName
    rows: tuple[PaperRow, ...]
    questions: int
    raters: int
    kappa: float | None
    kappa_reason: Words
    pairs: int
    word: Words
    word_reason: Words
    bands: Words
    bands_rule: Words
    correlations: tuple[ScoreCorrelation, ...]
    answers: tuple[AnswerScore, ...]
    notes: tuple[AnswerNote, ...]


_KAPPA: Final = ("cohen", "mean_cohen")
"""Of two raters, or the mean over pairs of more; a panel has one of them."""
_MOST_REPLICATES: Final = 1000


def kappa_of(agreed: Agreed, dimension: str) -> Agreement | None:
    """Find the panel's kappa on the labels in full, over all cases."""
    wanted = (dimension, "full", ALL_CASES)
    return next(
        (
            agreement
            for agreement in agreed.panel
            if agreement.coefficient in _KAPPA
            and (agreement.dimension, agreement.mapping, agreement.subset) == wanted
        ),
        None,
    )


def paper_rows(dimension: str, summaries: Sequence[Summary]) -> list[PaperRow]:
    """Give each system's scores over answers, the best mean first."""
    own = [
        summary
        for summary in summaries
        if (summary.name, summary.kind, summary.over) == (dimension, "dimension", "answers")
    ]
    own.sort(key=lambda summary: (summary.mean is None, -(summary.mean or 0.0), summary.system))
    return [
        PaperRow(
            system=summary.system, n=summary.n, mean=summary.mean, sd=summary.sd,
            median=summary.median, reason=summary.reason,
        )
        for summary in own
    ]  # fmt: skip


def score_correlations(
    score_columns: StudyColumns,
    dimension: str,
    design: Design,
    cases: Cases,
    randomness: Randomness,
) -> list[ScoreCorrelation]:
    """Correlate each machine score with the raters' mean: over all, within systems, in each."""
    people = f"mean(dimension={dimension})"
    known = {column.name for column in score_columns.columns}
    machines = [c for c in score_columns.columns if c.may_speak]
    if people not in known:
        return []
    return [
        score_correlation
        for column in machines
        for score_correlation in _of_source(
            score_columns, column, people, design, cases, randomness
        )
    ]


def _of_source(
    score_columns: StudyColumns,
    column: ScoreColumn,
    people: str,
    design: Design,
    cases: Cases,
    randomness: Randomness,
) -> list[ScoreCorrelation]:
    human, machine = (
        score_columns.table.grid(name, design.systems, cases.ids) for name in (people, column.name)
    )
    system, case = np.nonzero(human.known & machine.known)
    x, y = human.values[system, case], machine.values[system, case]
    clusters = group_labels((cases.ids[i] for i in case.tolist()), design.clusters)
    rng = randomness.stream("s57", str(column.name))
    replicates = min(_MOST_REPLICATES, randomness.replicates)
    score_correlations = []
    parts: list[tuple[Literal["all", "within", "one"], str, NDArray[np.bool_]]] = [
        ("all", "", np.ones(len(x), bool)),
        ("within", "", np.ones(len(x), bool)),
        *(("one", name, system == i) for i, name in enumerate(design.systems)),
    ]
    for over, name, inside in parts:
        measured = clustered_correlations(
            x[inside],
            y[inside],
            [cluster for cluster, keep in zip(clusters, inside, strict=True) if keep],
            groups=system[inside].tolist() if over == "within" else None,
            rng=rng,
            estimand="these systems and raters, new questions",
            replicates=replicates,
        )
        score_correlations += [
            ScoreCorrelation(
                source=column.name, kind=correlation.kind, over=over, system=name,
                value=correlation.value, interval=correlation.interval, n=correlation.n,
                questions=correlation.clusters, reason=correlation.undefined,
            )
            for correlation in measured
        ]  # fmt: skip
    return score_correlations


def answer_scores(
    dimension: str, rubric: Rubric, judgements: Judgements, systems: Sequence[str], cases: Cases
) -> list[AnswerScore]:
    """Average the raters' scores of each answer, by question and system."""
    scores = {label.label: label.score for label in rubric.dimension(dimension).labels}
    given: dict[tuple[str, str], list[float]] = {}
    for row in judgements.in_phases().iter_rows(named=True):
        score = scores.get(row["label"] or "")
        if row["dimension"] == dimension and score is not None:
            given.setdefault((row["case"], row["system"]), []).append(score)
    return [
        AnswerScore(*key, fmean(given[key]), len(given[key]))
        for key in product(cases.ids, systems)
        if key in given
    ]


def answer_notes(judgements: Judgements, systems: Sequence[str], cases: Cases) -> list[AnswerNote]:
    """List what raters noted, each note once, by question, system and rater."""
    noted: dict[tuple[str, str], dict[tuple[str, str], None]] = {}
    for row in judgements.current().iter_rows(named=True):
        if row["comment"]:
            own = noted.setdefault((row["case"], row["system"]), {})
            own[row["rater"], row["comment"]] = None
    return [
        AnswerNote(*key, rater, note)
        for key in product(cases.ids, systems)
        for rater, note in sorted(noted.get(key, ()))
    ]


MEAN: Final = Style(2)


def median_of(value: float) -> str:
    """Print a median: a whole score as such, one between two with what it needs."""
    return f"{value:.4g}"


def paper_sentence(paper: HumanEvaluation, names: Names) -> str:
    """Tell the table in words, as the med-gpt template does, and no more than it holds.

    Systems whose means print alike are told together. Which word agreement is called by stands with
    whose word it is.
    """
    ranked = [row for row in paper.rows if row.mean is not None]
    if not ranked:
        return "Nobody has scored an answer yet."
    places: list[list[PaperRow]] = []
    for row in ranked:
        if places and MEAN(places[-1][0].mean or 0.0) == MEAN(row.mean or 0.0):
            places[-1].append(row)
        else:
            places.append([row])
    lines = [listed([_told(row, names) for row in place]) for place in places]
    who = f"n={count_of(paper.questions, 'question')}, {count_of(paper.raters, 'rater')}"
    shared = "the same highest mean score" if len(places[0]) > 1 else "the highest mean score"
    text = f"In the human evaluation ({who}), {lines[0]} had {shared}"
    if lines[1:]:
        text += f", followed by {', then '.join(lines[1:])}"
    return f"{text}. {_agreement(paper)}"


def _told(row: PaperRow, names: Names) -> str:
    spread = "no SD" if row.sd is None else f"SD={MEAN(row.sd)}"
    return f"{names.of_system(row.system)} (M={MEAN(row.mean or 0.0)}, {spread})"


def _agreement(paper: HumanEvaluation) -> str:
    if paper.kappa is None:
        return f"Agreement between raters is not known: {paper.kappa_reason.rstrip('.')}."
    what = "Cohen's κ" if paper.pairs == 1 else (
        f"the mean of Cohen's κ over {number_word(paper.pairs)} pairs of raters"
    )  # fmt: skip
    value = f"κ={PROPORTION(paper.kappa)}"
    if not paper.word:
        return (
            f"Agreement between raters was {value} ({what}), which the template's bands are not "
            f"read for ({paper.word_reason.rstrip('.')})."
        )
    return f"Agreement between raters was {paper.word} by the template's bands ({what}; {value})."


_KINDS: Final = {"pearson": "Pearson", "spearman": "Spearman"}


def paper_tables(paper: HumanEvaluation, names: Names) -> list[Table]:
    """Give the table for the paper, the correlations, and answers with what was noted on them."""
    tables = [_means(paper, names), _correlations(paper, names)]
    tables += [_answers(paper, names)] if paper.answers else []
    return [*tables, _notes(paper, names)] if any(note.note for note in paper.notes) else tables


def _answers(paper: HumanEvaluation, names: Names) -> Table:
    return table_of(
        paper.answers,
        (
            shown("Question", "case", file="case"),
            system_column(names, "Model"),
            shown("Mean score", "mean", MEAN),
            counted("Raters", "raters"),
        ),
        id="human-answers",
        title="Each answer's average over its raters",
        caption="By question and model.",
    )


def _notes(paper: HumanEvaluation, names: Names) -> Table:
    return table_of(
        [note for note in paper.notes if note.note],
        (
            shown("Question", "case", file="case"),
            system_column(names, "Model"),
            shown("Rater", "rater"),
            Shown(Column("Note", ("note",), wide=True), lambda note: written(note.note)),
        ),
        id="human-notes",
        title="What raters noted, by question and model",
        caption="Each note once, as the rater wrote it.",
    )


def _means(paper: HumanEvaluation, names: Names) -> Table:
    return table_of(
        paper.rows,
        (
            celled("Model", "model", lambda row: named(names.of_system(row.system), row.system)),
            counted("Answers", "n"),
            shown("Mean score", "mean", MEAN, why_not="reason"),
            shown("Std dev", "sd", MEAN, why_not=lambda _: "fewer than two answers"),
            shown("Median", "median", median_of, why_not="reason"),
        ),
        id="human-evaluation",
        title="Human evaluation results",
        caption="Each answer's score is the mean over its raters; mean, standard deviation (n − 1) "
        "and median are over answers.",
        empty="Nobody has scored an answer yet.",
    )


def _correlations(paper: HumanEvaluation, names: Names) -> Table:
    over = {"all": "all answers", "within": "within models"}
    of: dict[tuple[str, str, str], dict[str, ScoreCorrelation]] = {}
    for correlation in paper.correlations:
        of.setdefault((correlation.source, correlation.over, correlation.system), {})[
            correlation.kind
        ] = correlation

    def coefficient(kind: str) -> Callable[[_Pairs], Cell]:
        return lambda row: estimate(row.of[kind].value, row.of[kind].interval, row.of[kind].reason)

    return table_of(
        [_Pairs(*key, pair) for key, pair in of.items()],
        (
            celled("Score", "source", lambda row: named(names.of_source(row.source), row.source)),
            shown(
                "Over",
                lambda row: over.get(row.over) or f"{names.of_system(row.system)} alone",
                file="over",
            ),
            *(
                celled(title, estimate_fields(kind), coefficient(kind), numeric=True)
                for kind, title in _KINDS.items()
            ),
            counted("Answers", lambda row: row.of["pearson"].n, file="n"),
            celled(
                "Questions",
                "questions",
                lambda row: count(row.of["pearson"].questions, detail=row.of["pearson"].reason),
                numeric=True,
            ),
        ),
        id="human-correlations",
        title="Human scores and machine scores, answer by answer",
        caption="Correlation of each answer's mean human score with its score by a machine. Over "
        "all answers a metric may only know which model is good; within models each model's own "
        "mean is taken away. Answers to one question are resampled together. "
        + how(score_correlation.interval for score_correlation in paper.correlations),
        empty="There is no score by a machine beside the raters'.",
    )


class _Pairs(NamedTuple):
    """Both coefficients of one column of scores over the same answers."""

    source: str
    over: str
    system: str
    of: dict[str, ScoreCorrelation]


@analysis(
    Declaration(
        id="human_evaluation",
        title="For the paper",
        question="What do the raters score each system, and do machines' scores go with theirs?",
        section="panel",
        part="panel-paper",
        infers=True,
        reader="organiser",
        place=4,
        tables=paper_tables,
        notes=lambda paper, names: [
            paper_sentence(paper, names),
            f"Words for κ are those of: {paper.bands}. {paper.bands_rule}",
        ],
    )
)
def human_evaluation(
    rules: Rules,
    judgements: Judgements,
    rubric: Rubric,
    cases: Cases,
    columns: Columns,
    design: Design,
    agreed: Agreed,
    randomness: Randomness,
) -> HumanEvaluation | None:
    """Lay out what the protocol's source wants told; nothing where it names nothing."""
    rule = rules.paper
    if rule is None:
        return None
    judged = judgements.counted
    main = judged.filter(judged["dimension"] == rule.dimension)
    raters = main["rater"].n_unique()
    kappa = kappa_of(agreed, rule.dimension)
    word = _word(kappa, rule.bands)
    bands = next(source for source in band_sources() if source.name == rule.bands)
    summaries = dimension_summaries(rubric, judgements, design.systems, cases)
    return HumanEvaluation(
        dimension=rule.dimension,
        rows=tuple(paper_rows(rule.dimension, summaries)),
        questions=main["case"].n_unique(),
        raters=raters,
        kappa=None if kappa is None else kappa.value,
        kappa_reason="no two raters scored the same answers" if kappa is None else kappa.reason,
        pairs=raters * (raters - 1) // 2,
        word=word if isinstance(word, str) else "",
        word_reason=str(word) if isinstance(word, Unscored) else "",
        bands=bands.source,
        bands_rule=f"Rounded to {bands.decimals} decimals, then looked up. {bands.note}".strip(),
        correlations=tuple(
            score_correlations(columns.score_columns, rule.dimension, design, cases, randomness)
        ),
        answers=tuple(answer_scores(rule.dimension, rubric, judgements, design.systems, cases)),
        notes=tuple(answer_notes(judgements, design.systems, cases)),
    )


def _word(kappa: Agreement | None, bands: str) -> str | Unscored | None:
    if kappa is None or kappa.value is None:
        return None
    return borne_out_band(kappa.value, kappa.interval, bands)
