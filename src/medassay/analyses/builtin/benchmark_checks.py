"""May this benchmark be used as it is? Its cases, criteria and labels are looked at."""

import re
from collections.abc import Hashable, Mapping, Sequence
from typing import Final, Literal

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Columns, Design, OnFile
from medassay.annotations import CaseId, DesignName, record
from medassay.cases import MOST_CASES, Case, Cases, near_pairs
from medassay.exhibits import Finding, Names, Table, shown, table_of
from medassay.exhibits.claim import ReaderQuestion
from medassay.exhibits.numbers import count_of
from medassay.judgements import Judgements
from medassay.scores import ScoreTable
from medassay.study.folder import Study
from medassay.text import MOST_PAIRS
from medassay.validity import LabelCopy, find_copies

_CASES, _CRITERIA, _COPIES = "near-equal-cases", "criteria-signs", "copied-labels"
_SHOWN: Final = 200
_BAD: Final = re.compile(
    r"(?:the (?:answer|response|assistant|model) )?(?:fail(?:s|ed)? to|omit(?:s|ted)?"
    r"|neglect(?:s|ed)?|incorrectly|wrongly|falsely|inaccurately|misleadingly|dangerously|inappropriately"
    r"|fabricat(?:es|ed)|hallucinat(?:es|ed)|invent(?:s|ed)|misstat(?:es|ed)"
    r"|contradict(?:s|ed)|misdiagnos(?:es|ed)|contains? (?:harmful|false|incorrect|dangerous))\b",
    re.IGNORECASE,
)
_GOOD: Final = re.compile(
    r"(?:the (?:answer|response|assistant|model) )?(?:correctly|accurately|appropriately|rightly"
    r"|avoids?|refrains? from|safely)\b",
    re.IGNORECASE,
)


@record(infers=False)
class NearCases:
    """Two cases that ask nearly the same.

    Attributes:
        first: One case.
        second: The other.
        share: Of the runs of three words that either has, how many both have.
        same: Whether all words are the same.
        together: Whether both are in one cluster, so that no interval counts them twice.
    """

    first: CaseId
    second: CaseId
    share: float
    same: bool
    together: bool


@record(infers=False)
class OddCriterion:
    """A criterion whose words speak against the sign of its points.

    Attributes:
        case: The case.
        criterion: Its id.
        points: Its points.
        says: What its first words speak of.
    """

    case: CaseId
    criterion: DesignName
    points: float
    says: Literal["a fault", "what is right"]


@record(infers=False)
class BenchmarkChecks:
    """What was found odd of a benchmark.

    Attributes:
        cases: Pairs of cases that are nearly equal.
        of_cases: How many cases there are.
        at_least: Whether there may be more pairs: the search ended early, or there are too many
            cases for any.
        criteria: Criteria whose words speak against their points.
        of_criteria: How many criteria there are.
        copies: People whose labels equal a model's, or scores.
    """

    cases: tuple[NearCases, ...]
    of_cases: int
    at_least: bool
    criteria: tuple[OddCriterion, ...]
    of_criteria: int
    copies: tuple[LabelCopy, ...]


def benchmark_words(found: BenchmarkChecks, names: Names) -> list[Finding]:
    """Say what is odd, a sentence or three each; nothing of what is not."""
    said = []
    if found.copies:
        said.append(Finding(_COPIES, _copies_text(found, names), (_COPIES,), ReaderQuestion.WHOSE))
    if found.cases or found.at_least:
        said.append(Finding(_CASES, _cases_text(found), (_CASES,), ReaderQuestion.FURTHER))
    if found.criteria:
        count = len(found.criteria)
        text = (
            f"Check {_criteria_counts(found)}: "
            f"{'they describe faults but earn' if count > 1 else 'it describes a fault but earns'} "
            "points, or the reverse. Points for a fault make worse answers score higher."
        )
        said.append(Finding(_CRITERIA, text, (_CRITERIA,), ReaderQuestion.FURTHER))
    return said


def _copies_text(found: BenchmarkChecks, names: Names) -> str:
    first = found.copies[0]
    other = first.model or names.of_source(first.source)
    what = "equal those of the model" if first.model else "can be read off the scores"
    text = (
        f"Check whether a person gave the labels of {first.rater} on "
        f"{names.of_dimension(first.dimension)}: all {first.answers} {what} {other}. "
        f"By chance it happens in {_by_chance(first.by_agreement)} such files ({_AGREEING})."
    )
    pairs = len(found.copies)
    return f"{text} The table has all {pairs:,} such pairs." if pairs > 1 else text


_AGREEING: Final = "raters who agree on 9 of 10 answers"


def _by_chance(share: float) -> str:
    return "fewer than 1 of 100" if share < 0.01 else f"about {100 * share:.0f} of 100"  # noqa: PLR2004 - one of 100


def _criteria_counts(found: BenchmarkChecks) -> str:
    return f"{len(found.criteria):,} of {found.of_criteria:,} criteria"


def _near_text(found: BenchmarkChecks) -> str:
    """Say how many cases, and in how many pairs; the caption of the table says the same."""
    if not found.cases:
        return f"Near-equal cases were not looked for: there are more than {MOST_CASES:,} cases."
    involved = len({case for pair in found.cases for case in (pair.first, pair.second)})
    same = sum(pair.same for pair in found.cases)
    least, pairs = "", f"{count_of(len(found.cases), 'pair')}, {same:,} with the same words"
    if found.at_least:
        least, pairs = "At least ", f"the search ends at {MOST_PAIRS:,} pairs"
    of = count_of(found.of_cases, "case")
    return f"{least}{involved:,} of {of} ask nearly the same question as another case ({pairs})."


def _cases_text(found: BenchmarkChecks) -> str:
    text = _near_text(found)
    if not found.cases:
        return text
    together = sum(pair.together for pair in found.cases)
    if together == len(found.cases):
        return f"{text} Tests and intervals treat each group of them as one cluster."
    if together:
        return f"{text} {together:,} of these pairs are in one cluster; the rest count separately."
    return (
        f"{text} Each is counted separately. Leave one of each out, or give both one cluster tag."
    )


def _tables(found: BenchmarkChecks, names: Names) -> list[Table]:
    tables = []
    if found.copies:
        tables.append(_copies(found.copies, names))
    if found.cases or found.at_least:
        tables.append(_cases(found))
    if found.criteria:
        tables.append(_criteria(found))
    return tables


def _cases(found: BenchmarkChecks) -> Table:
    more = len(found.cases) - _SHOWN
    others = f" {more:,} more pairs were found." if more > 0 else ""
    return table_of(
        found.cases[:_SHOWN],
        (
            shown("Case", "first"),
            shown("Asks what this one asks", "second"),
            shown("Alike", "share", "{:.0%}".format),
            shown("Words", lambda pair: "the same" if pair.same else "nearly", file="words"),
            shown("In one cluster", lambda pair: "yes" if pair.together else "no", file="together"),
        ),
        id=_CASES,
        title="Cases that ask nearly the same",
        caption=f"{_near_text(found)} Pairs whose questions, with options, and texts share 80% or "
        "more of their runs of three words, of all that either has. Capital letters and "
        f"punctuation do not count; numbers do.{others}",
        empty="No two cases were compared.",
        stands="file",
    )


def _criteria(found: BenchmarkChecks) -> Table:
    return table_of(
        found.criteria,
        (
            shown("Case", "case"),
            shown("Criterion", "criterion"),
            shown("Points", "points", "{:g}".format),
            shown("Its words speak of", "says"),
        ),
        id=_CRITERIA,
        title="Criteria whose words speak against their points",
        caption=f"{_criteria_counts(found)}. A criterion that begins with a fault (fails to, "
        "omits, incorrectly ...) and earns points, or with what is right (correctly, avoids ...) "
        "and costs some. Only first words are read, in English: a person must look.",
        stands="file",
    )


def _copies(copies: Sequence[LabelCopy], names: Names) -> Table:
    return table_of(
        copies,
        (
            shown("Rater", "rater"),
            shown("Equals", lambda copy: copy.model or names.of_source(copy.source), file="equals"),
            shown("On", lambda copy: names.of_dimension(copy.dimension), file="dimension"),
            shown("Answers of both", "answers", "{:,}".format),
            shown("Labels used", "labels", str),
            shown("By chance", "by_agreement", _by_chance, file="by_chance"),
        ),
        id=_COPIES,
        title="People's labels that equal a model's",
        caption=f"{count_of(len(copies), 'pair')}. People whose every label equals a model's, or "
        "stands for one value of a column of scores, on all answers that both rated: ten or more, "
        f"with two labels or more. By chance: in how many such files it happens ({_AGREEING}).",
        stands="file",
    )


@analysis(
    Declaration(
        id="benchmark_checks",
        title="Looked at before use",
        question="Are cases nearly equal, criteria against their points, or labels a model's?",
        section="difficulty",
        infers=False,
        reader="organiser",
        place=60,
        finding_place=12,
        tables=_tables,
        finding=benchmark_words,
    )
)
def benchmark_checks(
    cases: Cases, design: Design, on_file: OnFile, scores: ScoreTable, columns: Columns
) -> BenchmarkChecks | None:
    """Look for near-equal cases, criteria against their points, and copied labels."""
    given = [column.name for column in columns.score_columns.columns if column.kind == "imported"]
    found = checks_of(
        cases,
        design.clusters,
        on_file.judgements,
        on_file.models,
        {name: _values(scores, name) for name in given},
    )
    odd = found.cases or found.at_least or found.criteria or found.copies
    return found if odd else None


def checks_of(
    cases: Cases,
    clusters: Mapping[str, str],
    judgements: Judgements,
    models: frozenset[str],
    scores: Mapping[str, Mapping[Hashable, Hashable]],
) -> BenchmarkChecks:
    """Look at a benchmark.

    Args:
        cases: Its cases.
        clusters: Case to cluster.
        judgements: Every label on file, people's and models'.
        models: Raters who are models.
        scores: Column of scores that came with a file to its value of each answer.
    """
    criteria = tuple(odd for case in cases for odd in _odd_criteria(case))
    total = sum(len(case.criteria) for case in cases)
    copies = _label_copies(judgements, models, scores)
    near, at_least = _near_cases(cases, clusters)
    return BenchmarkChecks(near, len(cases), at_least, criteria, total, tuple(copies))


def benchmark_notes(study: Study) -> list[str]:
    """Say what `check` notes of a study's cases, criteria and labels."""
    scores = {
        source: _values(imported.table, source)
        for imported in study.imported
        for source in imported.table.sources
    }
    models = frozenset(study.judges.raters)
    found = checks_of(study.cases, study.clusters, study.judgements_on_file, models, scores)
    dimensions = {own.id: own.title or own.id for own in study.rubric.dimensions}
    return [said.text for said in benchmark_words(found, Names(dimensions=dimensions))]


def _near_cases(cases: Cases, clusters: Mapping[str, str]) -> tuple[tuple[NearCases, ...], bool]:
    """Find cases that ask nearly the same, and say whether there may be more."""
    pairs, more = near_pairs(cases)
    found = []
    for first, second, share, same in pairs:
        own = clusters.get(first)
        together = own is not None and own == clusters.get(second)
        found.append(NearCases(first, second, share, same, together))
    return tuple(found), more


def _odd_criteria(case: Case) -> list[OddCriterion]:
    odd = []
    for criterion in case.criteria:
        words = criterion.text.strip()
        bad, good = _BAD.match(words), _GOOD.match(words)
        says: Literal["a fault", "what is right"] | None = None
        if bad and criterion.points > 0:
            says = "a fault"
        elif good and criterion.points < 0:
            says = "what is right"
        if says is not None:
            odd.append(OddCriterion(case.case, criterion.id, criterion.points, says))
    return odd


def _label_copies(
    judgements: Judgements,
    models: frozenset[str],
    scores: Mapping[str, Mapping[Hashable, Hashable]],
) -> list[LabelCopy]:
    import polars as pl

    copies: list[LabelCopy] = []
    rows = judgements.current().filter(
        pl.col("label").is_not_null() | pl.col("number").is_not_null()
    )
    for (dimension,), own in rows.group_by(["dimension"], maintain_order=True):
        said: dict[str, dict[Hashable, Hashable]] = {}
        picked = own.select("rater", "system", "case", "sample", "about", "label", "number")
        for rater, *key, label, number in picked.iter_rows():
            said.setdefault(rater, {})[tuple(key)] = number if label is None else label
        people = {rater: labels for rater, labels in said.items() if rater not in models}
        others = {rater: labels for rater, labels in said.items() if rater in models}
        copies += find_copies(people, others, str(dimension), "model")
        copies += find_copies(people, scores, str(dimension), "scores")
    return copies


def _values(scores: ScoreTable, source: str) -> dict[Hashable, Hashable]:
    import polars as pl

    rows = scores.select(source).filter(pl.col("about") == "").drop_nulls("value")
    picked = rows.select("system", "case", "sample", "about", "value")
    return {tuple(key): value for *key, value in picked.iter_rows()}
