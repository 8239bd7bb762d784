"""Which option or condition was chosen where another was right."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, model_validator

from medassay.annotations import DesignName, Tag, record
from medassay.tables import read_toml, wrong

__all__ = [
    "Condition",
    "ConditionConfusion",
    "ConditionGroups",
    "ConditionPair",
    "Likeness",
    "OptionConfusion",
    "OptionFigures",
    "condition_groups",
    "read_condition_groups",
]

_ASIDE: Final = re.compile(r"\(([^)]*)\)?")
_NO_WORD: Final = re.compile(r"[\W_]+")
_Name = Annotated[str, Field(pattern=r"\w")]


@record(infers=False)
class OptionFigures:
    """How well one option is recognised.

    Attributes:
        option: The option.
        support: Questions to which it is the right one.
        chosen: Answers that chose it.
        right: Answers that chose it and were right.
        precision: right / chosen; None where nobody chose it.
        recall: right / support; None where it is never the right one.
        f1: The harmonic mean of the two, 2 right / (support + chosen): 0 where it is missed
            whenever it is right; None where it is neither right nor chosen anywhere.
    """

    option: DesignName
    support: int
    chosen: int
    right: int
    precision: float | None
    recall: float | None
    f1: float | None

    @classmethod
    def of(cls, option: str, *, support: int, chosen: int, right: int) -> "OptionFigures":
        """Compute the figures of counts."""
        return cls(
            option,
            support,
            chosen,
            right,
            precision=right / chosen if chosen else None,
            recall=right / support if support else None,
            f1=2 * right / (support + chosen) if support + chosen else None,
        )


@record(infers=False)
class OptionConfusion:
    """How often each option was chosen where each was right, and where none was chosen.

    A question without a choice counts as missed for the option that is right, and as chosen for
    none: it lowers recall and leaves precision alone.

    Attributes:
        options: The options, sorted.
        counts: Shape (options, options): rows right, columns chosen.
        no_choice: For each right option, the questions for which none was chosen.
        figures: Precision, recall and F1 of each option.
        n: Questions.
        accuracy: The share of all questions that is answered rightly; None without questions.
        balanced_accuracy: The macro recall, under its other name.
        macro_precision: The mean precision of the options that were chosen at all.
        macro_recall: The mean recall of the options that are right at all.
        macro_f1: The mean F1 of the options that are right or chosen at all.
        weighted_f1: The mean F1, each option weighing as many questions as it is right for.

    Example:
        >>> found = OptionConfusion.of([("A", "A"), ("A", "B"), ("B", "B"), ("B", None)])
        >>> found.counts, found.no_choice, found.accuracy
        (((1, 1), (0, 1)), (0, 1), 0.5)
        >>> found.figures[1].precision, found.figures[1].recall, found.balanced_accuracy
        (0.5, 0.5, 0.5)
    """

    options: tuple[DesignName, ...]
    counts: tuple[tuple[int, ...], ...]
    no_choice: tuple[int, ...]
    figures: tuple[OptionFigures, ...]
    n: int
    accuracy: float | None
    balanced_accuracy: float | None
    macro_precision: float | None
    macro_recall: float | None
    macro_f1: float | None
    weighted_f1: float | None

    @classmethod
    def of(
        cls, pairs: Iterable[tuple[str, str | None]], options: Iterable[str] = ()
    ) -> "OptionConfusion":
        """Count pairs of the right option and the chosen one, None for no choice.

        Args:
            pairs: One for each question.
            options: Options to list though they may occur nowhere.
        """
        times = Counter(pairs)
        names = {option for pair in times for option in pair if option is not None}
        listed = tuple(sorted(names | set(options)))
        no_choice = tuple(times[right, None] for right in listed)
        counts = tuple(tuple(times[right, chosen] for chosen in listed) for right in listed)
        figures = tuple(
            OptionFigures.of(
                option,
                support=sum(counts[i]) + no_choice[i],
                chosen=sum(row[i] for row in counts),
                right=counts[i][i],
            )
            for i, option in enumerate(listed)
        )
        n = times.total()
        recall = _mean([figure.recall for figure in figures])
        weighed = sum((figure.f1 or 0.0) * figure.support for figure in figures)
        return cls(
            options=listed,
            counts=counts,
            no_choice=no_choice,
            figures=figures,
            n=n,
            accuracy=sum(figure.right for figure in figures) / n if n else None,
            balanced_accuracy=recall,
            macro_precision=_mean([figure.precision for figure in figures]),
            macro_recall=recall,
            macro_f1=_mean([figure.f1 for figure in figures]),
            weighted_f1=weighed / n if n else None,
        )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


class Likeness(StrEnum):
    """How near what was chosen is to what is right."""

    SAME = "same"
    SIMILAR = "similar"
    UNRELATED = "unrelated"


@record(infers=False)
class ConditionPair:
    """Two conditions of which one was taken for the other, whichever was right.

    Attributes:
        one: The first by name.
        other: The second by name.
        likeness: Whether they stand in one group.
        n: How often.
    """

    one: Tag
    other: Tag
    likeness: Likeness
    n: int


@dataclass(frozen=True, slots=True, order=True)
class Condition:
    """A condition by its one name, and the group it stands in."""

    name: str
    group: str


@dataclass(frozen=True)
class ConditionGroups:
    """Names of conditions, and the words that may stand beside them.

    Attributes:
        names: Each name, in lower case and without punctuation, to its condition.
        beside: Words that change nothing at the beginning or end of a name.
        source: Where the groups come from.
    """

    names: Mapping[str, Condition]
    beside: tuple[str, ...]
    source: str
    _found: dict[str, Condition | None] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def find(self, text: str) -> Condition | None:
        """Give the condition that a text is the name of; None where it names none of these.

        A text that says more than a name, such as a treatment for a condition, names none.

        Example:
            >>> known = condition_groups()
            >>> known.find("Severe COPD exacerbation").name, known.find("Lower GI Bleed").group
            ('COPD', 'Gastrointestinal bleeding')
            >>> known.find("Heart failure (HF)").name, known.find("Treat the heart failure")
            ('Heart Failure', None)
        """
        if text not in self._found:
            named = (_ASIDE.sub(" ", text), *_ASIDE.findall(text))
            places = (self._named(_plain(name)) for name in named)
            self._found[text] = next(filter(None, places), None)
        return self._found[text]

    def _named(self, name: str) -> Condition | None:
        """Look the name up, then again with what stands beside it taken off, word by word."""
        while name not in self.names:
            less = self._less(name)
            if less == name:
                return None
            name = less
        return self.names[name]

    def _less(self, name: str) -> str:
        for word in self.beside:
            if name.startswith(f"{word} "):
                return name[len(word) + 1 :]
            if name.endswith(f" {word}"):
                return name[: -len(word) - 1]
        return name


@record(infers=False)
class ConditionConfusion:
    """Wrong answers by how near the chosen condition is to the right one.

    Attributes:
        same: Both options are names of one condition: the question's options overlap.
        similar: Both stand in one group.
        unrelated: They stand in two groups.
        outside: One of the two names no condition of any group, such as a treatment; or nothing
            was chosen.
        pairs: Each pair of conditions, the most frequent first.
        similar_share: similar / all wrong answers, as the source divides; None where none is wrong.
        unrelated_share: The same for unrelated.
        outside_share: The same for outside.

    Example:
        >>> found = ConditionConfusion.of([("AKI", "CKD"), ("CKD", "AKI"), ("Gastritis", "AKI")])
        >>> found.similar, found.unrelated, found.pairs[0].n
        (2, 1, 2)
    """

    same: int
    similar: int
    unrelated: int
    outside: int
    pairs: tuple[ConditionPair, ...]
    similar_share: float | None
    unrelated_share: float | None
    outside_share: float | None

    @property
    def errors(self) -> int:
        """Count all wrong answers."""
        return self.same + self.similar + self.unrelated + self.outside

    @classmethod
    def of(
        cls, errors: Iterable[tuple[str, str | None]], groups: ConditionGroups | None = None
    ) -> "ConditionConfusion":
        """Count pairs of the right option's text and the chosen one's.

        Args:
            errors: One for each wrong answer; the second is None where nothing was chosen.
            groups: The conditions; those that come with medassay if not given.
        """
        known = condition_groups() if groups is None else groups
        times: Counter[tuple[str, str, Likeness]] = Counter()
        outside = 0
        for texts in errors:
            right, chosen = (None if text is None else known.find(text) for text in texts)
            if right is None or chosen is None:
                outside += 1
                continue
            likeness = Likeness.SIMILAR if right.group == chosen.group else Likeness.UNRELATED
            likeness = Likeness.SAME if right == chosen else likeness
            first, second = sorted((right.name, chosen.name))
            times[first, second, likeness] += 1
        total: Counter[Likeness] = Counter()
        for (_, _, likeness), n in times.items():
            total[likeness] += n
        ordered = sorted(times.items(), key=lambda item: (-item[1], item[0]))
        similar, unrelated, same = (
            total[kind] for kind in (Likeness.SIMILAR, Likeness.UNRELATED, Likeness.SAME)
        )
        n = same + similar + unrelated + outside
        pairs = tuple(ConditionPair(*pair, times) for pair, times in ordered)
        shares = [times / n if n else None for times in (similar, unrelated, outside)]
        return cls(same, similar, unrelated, outside, pairs, *shares)


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Group(_Section):
    name: _Name
    conditions: Annotated[list[Annotated[list[_Name], Field(min_length=1)]], Field(min_length=1)]


class _File(_Section):
    source: str = ""
    beside: list[_Name] = []
    groups: Annotated[list[_Group], Field(min_length=1)]

    @model_validator(mode="after")
    def _each_name_once(self) -> "_File":
        every = [_plain(n) for g in self.groups for names in g.conditions for n in names]
        twice = next((name for name in every if every.count(name) > 1), None)
        if twice is not None:
            raise wrong("have each name of a condition once", f'"{twice}" twice')
        groups = [group.name for group in self.groups]
        again = next((group for group in groups if groups.count(group) > 1), None)
        if again is not None:
            raise wrong("have each group once", f'"{again}" twice')
        return self


@cache
def condition_groups() -> ConditionGroups:
    """Give the sixteen groups that come with medassay.

    Example:
        >>> len({condition.group for condition in condition_groups().names.values()})
        16
    """
    content = (files("medassay") / "data" / "conditions.toml").read_bytes()
    return read_condition_groups(content, "conditions.toml")


def read_condition_groups(content: bytes, file: str) -> ConditionGroups:
    """Read a file of groups, such as a study's own.

    Args:
        content: The file's bytes.
        file: The file, for messages.

    Raises:
        InvalidInput: Every fault of the file.
    """
    groups_file = read_toml(_File, content, file)
    names = {
        _plain(name): Condition(aliases[0], group.name)
        for group in groups_file.groups
        for aliases in group.conditions
        for name in aliases
    }
    return ConditionGroups(names, tuple(map(_plain, groups_file.beside)), groups_file.source)


def _plain(text: str) -> str:
    return _NO_WORD.sub(" ", text.casefold()).strip()
