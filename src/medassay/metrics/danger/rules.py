"""The rules of danger, from their file."""

import re
from functools import cached_property, lru_cache
from typing import Annotated, Final, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from medassay.metrics.danger.names import folded_name
from medassay.metrics.reasoning.rules import Pattern
from medassay.metrics.rule_files import rule_bytes
from medassay.tables import read_toml, wrong

__all__ = ["CATEGORIES", "Category", "DangerRules", "Dose", "danger_rules", "milligrams"]

Category = Literal["contraindicated-treatment", "missed-diagnosis", "delayed-care", "wrong-dose"]
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
"""The four kinds of dangerous error, by the words of the rubric of harm."""

_UNITS: Final = {
    "g": 1000.0, "gram": 1000.0, "grams": 1000.0,
    "mg": 1.0, "milligram": 1.0, "milligrams": 1.0,
    "mcg": 0.001, "µg": 0.001, "μg": 0.001, "microgram": 0.001, "micrograms": 0.001,
}  # fmt: skip
_AMOUNT: Final = re.compile(rf"(\d+(?:\.\d+)?)\s*({'|'.join(_UNITS)})")


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
Patterns = Annotated[list[Pattern], Field(min_length=1)]
Names = Annotated[list[str], Field(min_length=1), AfterValidator(_filled)]


class _Rules(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


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
