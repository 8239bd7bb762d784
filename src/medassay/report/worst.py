"""The worst answers, with their texts: what a reader looks at before believing a number."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from medassay.analyses.builtin.harm_by_system import HarmOf, harm_by_system, labelled
from medassay.analyses.results import AnswerResult, CaseResult, Results
from medassay.exhibits.sentences import upper_first
from medassay.report.names import Names
from medassay.report.styles import style_of

_MOST: Final = 5
_LONGEST: Final = 600


@dataclass(frozen=True, slots=True)
class WorstAnswer:
    """One answer.

    Attributes:
        case: Its case.
        system: Its system's title.
        why: What raters found.
        question: The case's question; empty where the study keeps its texts or does not hold it.
        answer: Its text; empty where the study keeps its texts or does not hold this one, or the
            answer is empty.
        comments: What raters wrote, each once.
    """

    case: str
    system: str
    why: str
    question: str
    answer: str
    comments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WorstAnswers:
    """The first of the worst, and how many there are.

    Attributes:
        title: What they are.
        shown: In order, the worst first.
        count: All of that kind.
        not_held: Of those shown, the answers whose text is not held.
    """

    title: str
    shown: tuple[WorstAnswer, ...]
    count: int
    not_held: int = 0


def worst_answers(results: Results) -> WorstAnswers | None:
    """Give the harmful answers, or else those that raters scored lowest; None where nobody rated.

    Of the harmful the lowest of the leaderboard's dimension stand first; of equals the first case.
    """
    scored = [
        (score, place, case, answer)
        for place, case in enumerate(results.cases)
        for answer in case.answers
        if (score := _score(results, answer)) is not None
    ]
    if not scored:
        return None
    scored.sort(key=lambda item: item[:2])
    harms = _harms(results)
    harmful = {(harm.system, case) for harm in harms for case in harm.cases}
    names = Names(results)
    if harmful:
        chosen = [item for item in scored if (item[3].system, item[2].case) in harmful]
        said = labelled(harm.called for harm in harms if harm.cases)
        title, count = upper_first(said or "harmful answers"), len(harmful)
    else:
        chosen, title, count = scored, "Lowest-rated answers", len(scored)
    first = chosen[:_MOST]
    shown = tuple(_told(results, names, score, case, answer) for score, _, case, answer in first)
    unread = sum(answer.status == "not held" for *_, answer in first)
    return WorstAnswers(title, shown, count, unread) if shown else None


def _score(results: Results, answer: AnswerResult) -> float | None:
    """Give the raters' score by the leaderboard's column, low for bad whichever way it runs."""
    source = next((s for s in results.sources if s.name == results.primary), None)
    if source is None or source.kind != "consensus":
        return None
    own = (score.value for score in answer.scores if score.source == source.name)
    value = next(own, None)
    return None if value is None else -value if source.direction == "lower" else value


def _harms(results: Results) -> tuple[HarmOf, ...]:
    harm = results.analyses.of(harm_by_system)
    return harm.systems if harm else ()


def _told(
    results: Results, names: Names, score: float, case: CaseResult, answer: AnswerResult
) -> WorstAnswer:
    source = names.sources[results.primary]
    value = style_of(source)(abs(score) if source.direction == "lower" else score)
    on = names.of_dimension(source.dimension or source.name)
    return WorstAnswer(
        case=case.case,
        system=names.of_system(answer.system),
        why=f"{on} {value}",
        question=_short(case.question or ""),
        answer=_short(answer.text or ""),
        comments=tuple(_comments(answer)),
    )


def _comments(answer: AnswerResult) -> Iterator[str]:
    yield from dict.fromkeys(_short(j.comment) for j in answer.judgements if j.comment)


def _short(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rsplit(' ', 1)[0]} …"
