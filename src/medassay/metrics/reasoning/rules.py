"""The steps of a chain and the words by which they are known, from their file."""

import re
from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from medassay.metrics.rule_files import rule_bytes
from medassay.tables import read_toml, wrong

__all__ = ["Claims", "ReasoningRules", "Step", "reasoning_rules"]

_SLOT = r"(?P<x>[a-z][\w'’-]*(?:\s+(?!(?:is|are|was|were|and|or|but|in|on|of|with|which|that|because|as|for|to|by|has|have|at|given|since)\b)[\w'’-]+){0,4})"  # noqa: E501 - one pattern


def _pattern(text: str) -> str:
    try:
        re.compile(text.replace("{x}", _SLOT), re.IGNORECASE)
    except re.error as error:
        raise wrong("be a regular expression", f'"{text}": {error}') from error
    return text


def _slotted(text: str) -> str:
    if text.count("{x}") != 1:
        raise wrong("have {x} once, where the words claimed stand", f'"{text}"')
    return _pattern(text)


Pattern = Annotated[str, AfterValidator(_pattern)]
Slotted = Annotated[str, AfterValidator(_slotted)]


class _Rules(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Step(_Rules):
    """One step that a whole chain has; see the comments of the file that ships."""

    id: str
    title: str
    place: Annotated[int, Field(ge=1)]
    published: Pattern
    wider: Annotated[list[Pattern], Field(min_length=1)]
    also: list[Pattern] = []
    deniable: bool = False


class Claims(_Rules):
    """How steps conclude, affirm and deny."""

    denied: list[Pattern]
    concludes: list[Pattern]
    affirms: list[Slotted]
    denies: list[Slotted]
    general: list[str]


class ReasoningRules(_Rules):
    """All of the file."""

    version: int
    source: str
    steps: Annotated[list[Step], Field(min_length=1)]
    coherence: Claims

    @model_validator(mode="after")
    def _each_step_once(self) -> "ReasoningRules":
        ids = [step.id for step in self.steps]
        twice = sorted({step for step in ids if ids.count(step) > 1})
        if twice:
            raise wrong("have each step once", f'"{twice[0]}" twice')
        return self


def reasoning_rules() -> ReasoningRules:
    """Read the rules in force: the study's own, or those that ship.

    Raises:
        InvalidInput: The file is not what it should be; each fault named.

    Example:
        >>> [step.id for step in reasoning_rules().steps]
        ['presentation', 'symptoms', 'differential', 'guideline', 'answer']
    """
    return _read(*rule_bytes("reasoning"))


@lru_cache(maxsize=8)
def _read(content: bytes, file: str) -> ReasoningRules:
    return read_toml(ReasoningRules, content, file)


@lru_cache(maxsize=512)
def compiled(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Join patterns: any of them, capitals or not."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


@lru_cache(maxsize=512)
def claiming(pattern: str) -> re.Pattern[str]:
    """Give a pattern whose {x} is a group of that name."""
    return re.compile(pattern.replace("{x}", _SLOT), re.IGNORECASE)
