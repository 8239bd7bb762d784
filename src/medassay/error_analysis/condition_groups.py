"""Which conditions a text names, and which of them are easily taken for one another."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, model_validator

from medassay.tables import read_toml, wrong

__all__ = ["Condition", "ConditionGroups", "condition_groups", "read_condition_groups"]

_ASIDE: Final = re.compile(r"\(([^)]*)\)?")
_NO_WORD: Final = re.compile(r"[\W_]+")


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


_Name = Annotated[str, Field(pattern=r"\w")]


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
