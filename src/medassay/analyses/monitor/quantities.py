"""What a monitor watches: of each question, answer and score a value from 0 to 1."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import BoundMetric
from medassay.text import count_words, main_script

Kind = Literal["questions", "answers", "scores"]

_WAYS: Final[Mapping[str, Literal["higher", "lower"]]] = {"higher": "higher", "lower": "lower"}
_TOPICS: Final = 8
_COMMON: Final = 50
_WORD: Final = re.compile(r"[^\W\d_]+")
_OPENING: Final = 240
_REFUSES: Final = re.compile(
    r"""(?xi)
    \b(?:I|we)(?:[ ]am|[ ]are|'m|’m|'re|’re)?[ ](?:cannot|can[ ]not|can't|can’t|unable[ ]to
        |not[ ]able[ ]to|won't|won’t)[ ](?:\w+[ ])?(?:answer|help|assist|provide|give|offer|advise
        |recommend|comment|discuss|respond)
    | \bas[ ]an[ ]ai\b | \bI[ ](?:must|have[ ]to)[ ]decline\b
    | \b(?:outside|beyond)[ ](?:of[ ])?(?:my|the)[ ]scope\b
    """
)


@dataclass(frozen=True, slots=True)
class Seen:
    """One answer with all that is watched of it.

    Attributes:
        case: What was asked.
        answer: What was answered.
        scores: Metric to score, where it has one.
    """

    case: Case
    answer: Answer
    scores: Mapping[str, float]

    @property
    def question(self) -> str:
        """Give what the answer replies to; empty where it is not known."""
        return self.case.prompt or ""

    @property
    def text(self) -> str:
        """Give the answer's text; empty where it has none."""
        return (self.answer.text or "").strip()


@dataclass(frozen=True, slots=True)
class Quantity:
    """One thing that is watched.

    Attributes:
        id: Its name in files.
        title: What it is called.
        kind: What it is of.
        says: What its mean says, in words.
        yardstick: Whether a part of the baseline says what is usual: it is measured by the others.
        value: Its value of one answer; None where it has none.
        better: Which way is better; None where neither is.
        unit: `%` of a share; empty of a score.
    """

    id: str
    title: str
    kind: Kind
    says: str
    value: Callable[[Seen], float | None]
    yardstick: bool = False
    better: Literal["higher", "lower"] | None = None
    unit: Literal["%", ""] = "%"


def is_refusal(answer: Answer) -> bool:
    """Say whether an answer declines: its record says so, or its first words do, in English.

    Example:
        >>> told = ["I'm sorry, but I cannot help with that.", "You cannot take both."]
        >>> [is_refusal(Answer(system="A", case="1", text=text)) for text in told]
        [True, False]
    """
    if answer.ended is not None:
        return answer.ended == "refused"
    return _REFUSES.search((answer.text or "")[:_OPENING]) is not None


def quantities_of(
    usual: Sequence[Seen], metrics: Sequence[BoundMetric], *, named: bool
) -> list[Quantity]:
    """List what is watched beside a baseline.

    Args:
        usual: The part of the baseline that says what is usual.
        metrics: Those with a value in the baseline.
        named: Whether topics may be named; they are numbered else.
    """
    asked = [seen for seen in usual if seen.question]
    questions = [_words(seen.question) for seen in asked]
    counts = Counter(word for words in questions for word in words)
    common = {word for word, _ in sorted(counts.items(), key=lambda w: (-w[1], w[0]))[:_COMMON]}
    scripts = Counter(main_script(seen.question) for seen in asked).most_common(1)
    script = scripts[0][0] if scripts else None
    longer = _place(count_words(seen.question) for seen in asked)
    wordier = _place(count_words(seen.text) for seen in usual if seen.text)
    return [
        Quantity(
            "question-length", "Length of questions", "questions",
            "how often a question is longer than one of the baseline",
            lambda seen: longer(count_words(seen.question)) if seen.question else None,
            yardstick=True,
        ),
        Quantity(
            "new-words", "Words new to the baseline", "questions",
            "share of a question's words that the baseline's questions have not",
            lambda seen: _share(_words(seen.question), lambda word: word not in counts),
            yardstick=True,
        ),
        Quantity(
            "common-words", "The baseline's commonest words", "questions",
            f"share of a question's words that are among the baseline's {_COMMON} commonest; it "
            "falls where another language comes in",
            lambda seen: _share(_words(seen.question), lambda word: word in common),
            yardstick=True,
        ),
        Quantity(
            "other-script", "Questions in another script", "questions",
            f"share of questions not in {script or 'no'} script",
            lambda seen: float(main_script(seen.question) not in {script, None})
            if seen.question
            else None,
            yardstick=True,
        ),
        *_topics(usual, named=named),
        Quantity(
            "answer-length", "Length of answers", "answers",
            "how often an answer is longer than one of the baseline, empty ones apart",
            lambda seen: wordier(count_words(seen.text)) if seen.text else None, yardstick=True,
        ),
        Quantity(
            "empty", "Empty answers", "answers", "share of answers without a word",
            lambda seen: float(not seen.text) if seen.answer.held else None, better="lower",
        ),
        Quantity(
            "refused", "Refusals", "answers", "share of answers that decline to answer",
            lambda seen: float(is_refusal(seen.answer)) if seen.answer.held else None,
        ),
        *(_score(metric, usual) for metric in metrics),
    ]  # fmt: skip


def _topics(usual: Sequence[Seen], *, named: bool) -> list[Quantity]:
    """Watch the shares of the commonest tags, at most eight, that not all questions have.

    A tag that says something else of most questions, such as how long an answer took or a trace's
    id, sorts them into no topics: each value that is watched costs all others a share of the error.
    """
    counts = Counter(tag for seen in usual for tag in seen.case.tags.items())
    having = Counter(tag for seen in usual for tag in seen.case.tags)
    values = Counter(tag for tag, _ in counts)
    sorting = {tag for tag, n in values.items() if 2 * n <= having[tag]}
    some = [(tag, n) for tag, n in counts.items() if 1 < n < len(usual) and tag[0] in sorting]
    tags = [tag for tag, _ in sorted(some, key=lambda item: (-item[1], item[0]))[:_TOPICS]]
    return [_topic(*tag, number, named=named) for number, tag in enumerate(tags, 1)]


def _topic(tag: str, word: str, number: int, *, named: bool) -> Quantity:
    return Quantity(
        f"topic-{number}",
        f"{tag}: {word}" if named else f"Topic {number}",
        "questions",
        "share of questions with this tag, among those that have the tag",
        lambda seen: float(seen.case.tags[tag] == word) if tag in seen.case.tags else None,
        yardstick=True,
    )


def _score(metric: BoundMetric, usual: Sequence[Seen]) -> Quantity:
    name, (low, high) = str(metric.name), metric.range
    better = _WAYS.get(metric.declaration.direction)
    if low is not None and high is not None:
        least, width = low, high - low
        ends = "" if (low, high) == (0, 1) else f", {low:g} as 0 and {high:g} as 1"

        def scaled(seen: Seen) -> float | None:
            score = seen.scores.get(name)
            return None if score is None else (score - least) / width

        return Quantity(name, name, "scores", f"mean score{ends}", scaled, better=better, unit="")
    above = _place(seen.scores[name] for seen in usual if name in seen.scores)

    def placed(seen: Seen) -> float | None:
        score = seen.scores.get(name)
        return None if score is None else above(score)

    says = "how often a score is above one of the baseline"
    return Quantity(name, name, "scores", says, placed, yardstick=True, better=better)


def _place(usual: Iterable[float]) -> Callable[[float], float]:
    """Give the share of the usual values that lie below a value, ties as halves."""
    rising = sorted(usual)

    def place(value: float) -> float:
        if not rising:
            return 0.5
        return (bisect_left(rising, value) + bisect_right(rising, value)) / (2 * len(rising))

    return place


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _share(words: Sequence[str], counts: Callable[[str], bool]) -> float | None:
    return sum(map(counts, words)) / len(words) if words else None
