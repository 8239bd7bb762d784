"""The rules of danger, from their file."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated, Final, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from medassay.metrics.reasoning import Pattern, ReasoningRules, Span
from medassay.metrics.rule_files import rule_bytes
from medassay.tables import read_toml, wrong

Category = Literal["contraindicated-treatment", "missed-diagnosis", "delayed-care", "wrong-dose"]
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
"""The four kinds of dangerous error, by the words of the rubric of harm."""
Part = Literal["choice", "text", "reasoning"]
"""What of an answer is read."""
_UNITS: Final = {
    "g": 1000.0, "gram": 1000.0, "grams": 1000.0,
    "mg": 1.0, "milligram": 1.0, "milligrams": 1.0,
    "mcg": 0.001, "µg": 0.001, "μg": 0.001, "microgram": 0.001, "micrograms": 0.001,
}  # fmt: skip
_AMOUNT: Final = re.compile(rf"(\d+(?:\.\d+)?)\s*({'|'.join(_UNITS)})")
Patterns = Annotated[list[Pattern], Field(min_length=1)]
# The letters that Python's patterns take for one of a to z, capitals aside.
_ALIKE: Final = (("\u0130", "i"), ("\u0131", "i"), ("\u017f", "s"), ("\u212a", "k"))


def milligrams(number: str, unit: str) -> float:
    """Give an amount in milligrams.

    Example:
        >>> milligrams("1,000", "mcg")
        1.0
    """
    return float(number.replace(",", "")) * _UNITS[unit.lower()]


def _amount(text: str) -> str:
    if _AMOUNT.fullmatch(text) is None:
        raise wrong("be a number and g, mg or mcg", f'"{text}"')
    return text


def _filled(names: list[str]) -> list[str]:
    if any(not name.strip() for name in names):
        raise wrong("have a name in each place", "blanks")
    return names


Amount = Annotated[str, AfterValidator(_amount)]


Names = Annotated[list[str], Field(min_length=1), AfterValidator(_filled)]


@dataclass(frozen=True, slots=True)
class DangerFlag:
    """A reason for a person to look at an answer; never a verdict.

    Attributes:
        category: The kind of error that there may be.
        rule: The id of the rule.
        says: What the rule says, in words of ours.
        source: What the rule rests on.
        part: The part of the answer.
        span: The words of the answer; None where something is missing from it.
        case_words: The words of the case.
    """

    category: Category
    rule: str
    says: str
    source: str
    part: Part
    span: Span | None
    case_words: str


class _Rules(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Words(_Rules):
    """How English advises, denies and puts off."""

    advises: Patterns
    tells: Patterns
    denies_before: Patterns
    denies_after: Patterns
    affirms: Patterns
    turns: Patterns
    condition_denied: Patterns
    condition_denied_after: Patterns
    puts_off: Patterns
    urgent: Patterns


class Condition(_Rules):
    """Words for a condition, or a measure below or above a value."""

    words: Names
    measure: str | None = None
    below: float | None = None
    above: float | None = None


class Rule(_Rules):
    """What every rule has."""

    id: str
    source: Annotated[str, Field(min_length=1)]
    checked: Annotated[str, Field(min_length=1)] = "not verified"
    """What was read of the source, and where."""


class Contraindicated(Rule):
    """Drugs that must not be given where a condition holds."""

    drugs: Names
    when: Names
    says: str


class Dose(Rule):
    """The most of a drug for one dose, and for one day."""

    drug: str
    single: Amount | None = None
    daily: Amount | None = None
    weekly: bool = False
    beside: Annotated[list[str], Field(alias="with")] = []


class Missed(Rule):
    """Signs of an emergency that the answer does not speak of."""

    shows: Annotated[list[Names], Field(min_length=1)]
    considers: Names
    says: str


class Delayed(Rule):
    """Signs of an emergency that the answer puts off."""

    shows: Annotated[list[Names], Field(min_length=1)]
    says: str


class DangerRules(_Rules):
    """All of the file."""

    version: int
    reviewed: str
    words: Words
    drugs: dict[str, Names]
    conditions: dict[str, Condition]
    measures: dict[str, Pattern]
    contraindicated: list[Contraindicated] = []
    doses: list[Dose] = []
    missed: list[Missed] = []
    delayed: list[Delayed] = []

    @cached_property
    def drugs_by_name(self) -> dict[str, list[str]]:
        """Give each name of a drug, folded for a quick look, with the drugs that have it."""
        by_name: dict[str, list[str]] = {}
        for drug, names in self.drugs.items():
            for name in names:
                by_name.setdefault(folded_name(name), []).append(drug)
        return by_name

    @cached_property
    def signs_of(self) -> dict[str, list[frozenset[str]]]:
        """Give the signs of each emergency by its id, a set a group, folded for a quick look."""
        every: tuple[Missed | Delayed, ...] = (*self.missed, *self.delayed)
        return {
            emergency.id: [frozenset(map(folded_name, group)) for group in emergency.shows]
            for emergency in every
        }

    @cached_property
    def words_of_conditions(self) -> dict[str, frozenset[str]]:
        """Give the words for each rule's conditions, folded, where no measure may stand for one."""
        words_of = {}
        for contraindicated in self.contraindicated:
            when = [self.conditions[name] for name in contraindicated.when]
            if all(condition.measure is None for condition in when):
                words = (word for condition in when for word in condition.words)
                words_of[contraindicated.id] = frozenset(map(folded_name, words))
        return words_of

    @property
    def rules(self) -> dict[str, Rule]:
        """Give every rule by its id."""
        every = (*self.contraindicated, *self.doses, *self.missed, *self.delayed)
        return {rule.id: rule for rule in every}

    @model_validator(mode="after")
    def _names_hold(self) -> "DangerRules":
        every = [*self.contraindicated, *self.doses, *self.missed, *self.delayed]
        ids = [named_rule.id for named_rule in every]
        for twice in sorted({rule_id for rule_id in ids if ids.count(rule_id) > 1}):
            raise wrong("have each rule once", f'"{twice}" twice')
        drugs = [
            (contraindicated.id, drug)
            for contraindicated in self.contraindicated
            for drug in contraindicated.drugs
        ]
        drugs += [(dose.id, dose.drug) for dose in self.doses]
        conditions = [
            (contraindicated.id, name)
            for contraindicated in self.contraindicated
            for name in contraindicated.when
        ]
        measures = [(name, c.measure) for name, c in self.conditions.items() if c.measure]
        for kind, named, known in (
            ("drugs", drugs, frozenset(self.drugs)),
            ("conditions", conditions, frozenset(self.conditions)),
            ("measures", measures, frozenset(self.measures)),
        ):
            for rule, name in named:
                if name not in known:
                    raise wrong(f"name one of its {kind}", f'"{name}" in {rule}')
        return self


def danger_rules() -> DangerRules:
    """Read the rules in force: the study's own, or those that ship.

    Raises:
        InvalidInput: The file is not what it should be; each fault named.

    Example:
        >>> danger_rules().reviewed.split(".")[0]
        'Not reviewed by a clinician'
    """
    return _read(*rule_bytes("danger"))


@lru_cache(maxsize=8)
def _read(content: bytes, file: str) -> DangerRules:
    return read_toml(DangerRules, content, file)


@lru_cache(maxsize=1024)
def folded(text: str) -> str:
    """Fold capitals at least as far as patterns do; each name, and each text, once for all rules.

    Example:
        >>> folded("Warfar\u0130n")
        'warfarin'
    """
    for odd, plain in _ALIKE:
        text = text.replace(odd, plain)
    return text.lower()


def folded_name(name: str) -> str:
    """Fold a name; one with letters that patterns may take for others may stand anywhere."""
    return folded(name) if name.isascii() else ""


def places_of(names: tuple[str, ...], text: str) -> Sequence[int]:
    """Give every place of a text where any of the names may begin: no pattern finds one elsewhere.

    Example:
        >>> places_of(("MI", "nitrate"), "A mild MI, no NITRATES")
        [2, 7, 14]
    """
    sentence = folded(text)  # letter by letter: the places stay
    places: set[int] = set()
    for name in _folded_names(names):
        if not name:
            return range(len(text))
        place = sentence.find(name)
        while place >= 0:
            places.add(place)
            place = sentence.find(name, place + 1)
    return sorted(places)


@lru_cache(maxsize=512)
def _folded_names(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(folded_name, names))


def names_in(names: Iterable[str], text: str) -> set[str]:
    """Give those of some folded names that may stand in a text.

    Example:
        >>> sorted(names_in(["mi", "nitrate", "jaw"], "A mild pain, no NITRATES"))
        ['mi', 'nitrate']
    """
    return set(filter(folded(text).__contains__, names))


def any_in(names: Iterable[str], text: str) -> bool:
    """Say whether any of some folded names may stand in a text; read up to the first that may.

    Example:
        >>> any_in(["mi", "nitrate"], "A mild pain"), any_in(["jaw"], "A mild pain")
        (True, False)
    """
    return any(map(folded(text).__contains__, names))


def check_rules(about: str, content: bytes, file: str) -> None:
    """Read rules and forget them.

    Args:
        about: `reasoning` or `danger`.
        content: The file's bytes.
        file: The file, for messages.

    Raises:
        InvalidInput: Every fault of the file.
    """
    read_toml(DangerRules if about == "danger" else ReasoningRules, content, file)
