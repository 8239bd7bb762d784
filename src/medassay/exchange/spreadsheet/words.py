"""The words by which people call the columns of their tables, by language, out of data files."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, Literal, get_args

_FOLDER: Final = "header_words"
_METRICS: Final = "metrics.toml"
_OTHER: Final = "other.toml"
_SCALES: Final = "scales.toml"
_TOKEN: Final = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[✓✔✗✘]"  # a sign a word, where nobody writes blanks
    r"|\d+(?:[.,]\d+)?|#|(?:(?![\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])[^\W\d_])+"
    r"(?:\u0301|[\u0300-\u036f\u064b-\u065f\u0900-\u0903\u093a-\u094d])*"
    r"(?:[^\W\d_\u3040-\u30ff\u3400-\u9fff][\u0300-\u036f\u064b-\u065f\u0900-\u0903\u093a-\u094d]*)*"
)
_CAMEL: Final = re.compile(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])")
APART: Final = " :(/|\n["
"""Signs that part words from a name; an underscore may be inside one, as in rag_v1."""
Form = tuple[str, ...]
Role = Literal[
    "case", "question", "turns", "narrative", "reference", "option", "gold", "system", "sample",
    "answer", "contexts", "documents", "evidence", "reasoning", "choice", "confidence", "seconds",
    "cost", "fact", "rater", "dimension", "label", "rating", "comment", "system_a", "system_b",
    "winner", "score", "tag", "time", "about_rater", "skip",
]  # fmt: skip
ROLES: Final[tuple[Role, ...]] = get_args(Role)
"""What a column can be."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric that scored answers: its name, its ends, which way is better.

    Attributes:
        name: Its name.
        low: Its least value, if there is one.
        high: Its greatest value, if there is one.
        better: `higher`, `lower`, or `none` where neither is.
        assumed: Whether no file and no word file says which way is better.
    """

    name: str
    low: float | None
    high: float | None
    better: str
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words of all languages, each by its folded pieces.

    Attributes:
        roles: What a whole header may say, to the roles.
        dimensions: What was rated, to the library's dimension.
        asked: Questions whose yes is `harm` or `safe`.
        metrics: Metrics.
        people: Words for those who rate.
        filler: Words that change nothing.
        yes: Words for yes.
        no: Words for no.
        ties: Words for none of two, in plain form.
        absence: Words that turn harm into its opposite.
        amounts: Words for none, little, some and much.
        degrees: Adverbs from least to most, as "not" and "very" are.
        best: Words for the good end of a scale.
        worst: Words for its bad end.
        ladders: Words of a scale, from its bad end to its good one.
        summaries: What rows of means and totals begin with.
        agreed: Words for what several raters came to together.
        lower: Words for what there is better less of.
        units: Last words of headers of numbers, to what is counted in these.
        longest: Pieces of the longest phrase.
    """

    roles: Mapping[Form, tuple[Role, ...]]
    dimensions: Mapping[Form, str]
    asked: Mapping[Form, str]
    metrics: Mapping[Form, Metric]
    people: frozenset[Form]
    filler: frozenset[Form]
    yes: frozenset[str]
    no: frozenset[str]
    ties: frozenset[str]
    absence: frozenset[str]
    degrees: tuple[str, ...]
    amounts: tuple[tuple[str, ...], ...]
    best: frozenset[Form]
    worst: frozenset[Form]
    ladders: tuple[tuple[str, ...], ...]
    summaries: frozenset[str]
    agreed: frozenset[str]
    lower: frozenset[Form]
    units: Mapping[str, Role]
    longest: int


def tokens(text: str) -> list[tuple[str, int, int]]:
    """Give the pieces of a header, folded, each with its place.

    Example:
        >>> [word for word, _, _ in tokens("groundTruth_2 (Müller)")]
        ['ground', 'truth', '2', 'müller']
        >>> [word for word, _, _ in tokens("评分者1")]
        ['评', '分', '者', '1']
    """
    found: list[tuple[str, int, int]] = []
    for match in _TOKEN.finditer(text):
        start = match.start()
        for part in _CAMEL.split(match[0]):
            word = "no" if part == "#" else part.casefold()
            end = start + len(part)
            if (
                found
                and found[-1][2] == start - 1
                and text[start - 1] in "'’`"
                and found[-1][0].isalpha()
            ):
                word, start = found[-1][0] + word, found.pop()[1]
            found.append((word, start, end))
            start = end
    return found


def form(phrase: str) -> Form:
    """Give the folded pieces of a phrase."""
    return tuple(word for word, _, _ in tokens(phrase))


def without_affix(names: Sequence[str], joints: str = f"{APART}_") -> dict[str, str]:
    """Take off the words that several headers of texts all begin or all end with.

    Args:
        names: The headers, or what is left of them.
        joints: Signs that can part such words from a name.
    """
    if len(names) < 2:  # noqa: PLR2004 - several
        return {name: name for name in names}
    pieces = {name: tokens(name) for name in names}
    least = min(map(len, pieces.values())) - 1
    words = {name: [word for word, _, _ in own] for name, own in pieces.items()}
    steps = range(least, 0, -1)
    front = next((n for n in steps if _shared(pieces, words, n, joints)), 0)
    back = next((n for n in steps if not front and _shared(pieces, words, -n, joints)), 0)
    return {name: name[own[front][1] : own[len(own) - back - 1][2]] for name, own in pieces.items()}


def _shared(
    pieces: Mapping[str, Sequence[tuple[str, int, int]]],
    words: Mapping[str, Sequence[str]],
    n: int,
    joints: str,
) -> bool:
    """Say whether all begin (or, below 0, end) with the same words, apart from what is left."""
    if len({tuple(own[:n] if n > 0 else own[n:]) for own in words.values()}) > 1:
        return False
    return all(set(name[own[n - 1][2] : own[n][1]]) & set(joints) for name, own in pieces.items())


def table_of_words(name: str) -> dict[str, Any]:
    """Read one file of words or roles."""
    file = resources.files("medassay") / "data" / _FOLDER / name
    return tomllib.loads(file.read_text(encoding="utf-8"))


def scales_in_words(*kinds: str) -> tuple[tuple[str, ...], ...]:
    """Give the scales of words of all languages, from the bad end to the good one.

    Args:
        kinds: `ladders`; `agreement`: from no to yes to a statement, which may speak of harm.
    """
    held = [own for kind in kinds for own in table_of_words(_SCALES)[kind].values()]
    return tuple(tuple(map(str.casefold, words)) for own in held for words in own)


NAMED_SCALES: Final[Mapping[str, tuple[float, float]]] = {
    name: (float(low), float(high))
    for name, (low, high) in table_of_words(_SCALES)["named"].items()
}
"""Scales of numbers that have a name, to their ends."""
LISTS: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(words) for name, words in table_of_words("lists.toml")["lists"].items()
}
"""Single words or cells, by what they are."""


@cache
def lexicon() -> Lexicon:
    """Load the words of every language."""
    roles: dict[Form, tuple[Role, ...]] = {}
    dimensions: dict[Form, str] = {}
    asked: dict[Form, str] = {}
    sets: dict[str, set[Form]] = {
        name: set() for name in ("people", "filler", "best", "worst", "lower")
    }
    said: dict[str, set[str]] = {"yes": set(), "no": set(), "ties": set(), "absence": set()}
    summaries: set[str] = set()
    agreed: set[str] = set()
    degrees: tuple[str, ...] = ()
    amounts: tuple[tuple[str, ...], ...] = ()
    units: dict[str, Role] = {}
    folder = resources.files("medassay") / "data" / _FOLDER
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name in {_METRICS, "roles.toml", "lists.toml", _SCALES}:
            continue
        held = table_of_words(file.name)
        for name, words in held["answers"].items():
            said[name] |= {word.casefold() for word in words}
        if file.name == _OTHER:
            degrees = tuple(held["degrees"]["words"])
            amounts = tuple(map(tuple, held["degrees"]["amounts"]))
            continue
        for role, words in held["roles"].items():
            for phrase in map(form, words):
                roles[phrase] = tuple(dict.fromkeys((*roles.get(phrase, ()), role)))
        for dimension, words in held["dimensions"].items():
            dimensions |= dict.fromkeys(map(form, words), dimension)
        for sense, words in held["asked"].items():
            asked |= dict.fromkeys(map(form, words), sense)
        sets["people"] |= set(map(form, [*held["people"]["words"], *held["roles"]["rater"]]))
        sets["lower"] |= set(map(form, held["lower"]["words"]))
        sets["filler"] |= set(map(form, held["filler"]["words"]))
        units |= {word: role for role, words in held.get("units", {}).items() for word in words}
        summaries |= {word.casefold() for word in held["summaries"]["words"]}
        agreed |= {word.casefold() for word in held["summaries"]["agreed"]}
        for name in ("best", "worst"):
            sets[name] |= set(map(form, held["scale"][name]))
    metrics = {
        form(phrase): Metric(name, _end(low), _end(high), better)
        for phrase, (name, low, high, better) in table_of_words(_METRICS)["metrics"].items()
    }
    longest = max(map(len, [*roles, *dimensions, *metrics, *asked]))
    return Lexicon(
        roles, dimensions, asked, metrics, frozenset(sets["people"]), frozenset(sets["filler"]),
        frozenset(said["yes"]), frozenset(said["no"]), frozenset(said["ties"]),
        frozenset(said["absence"]), degrees, amounts,
        frozenset(sets["best"]),
        frozenset(sets["worst"]), scales_in_words("ladders", "agreement"),
        frozenset(summaries), frozenset(agreed),
        frozenset(sets["lower"]), units, longest,
    )  # fmt: skip


def _end(end: object) -> float | None:
    return float(end) if isinstance(end, int | float) else None
