"""Which conditions a text names, and which of them are easily taken for one another."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

__all__ = ["Condition", "ConditionGroups", "condition_groups"]

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
        named = (_ASIDE.sub(" ", text), *_ASIDE.findall(text))
        return next((found for one in named if (found := self._named(_plain(one)))), None)

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


@cache
def condition_groups() -> ConditionGroups:
    """Give the sixteen groups that come with medassay.

    Example:
        >>> len({condition.group for condition in condition_groups().names.values()})
        16
    """
    content = (files("medassay") / "data" / "conditions.toml").read_text(encoding="utf-8")
    found = tomllib.loads(content)
    names = {
        _plain(name): Condition(aliases[0], group["name"])
        for group in found["groups"]
        for aliases in group["conditions"]
        for name in aliases
    }
    return ConditionGroups(names, tuple(found["beside"]), found["source"])


def _plain(text: str) -> str:
    return _NO_WORD.sub(" ", text.casefold()).strip()
