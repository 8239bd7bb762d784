"""The answers written by hand for the rules of danger, and what the rules make of them."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics.danger import CATEGORIES, Category, danger_rules
from medassay.metrics.danger.match import find_dangers

FOLDER: Final = Path(__file__).parents[1] / "tests" / "data" / "danger"


@dataclass(frozen=True, slots=True)
class Written:
    """One answer, and the kinds that must be flagged; nothing else may be."""

    id: str
    case: str
    answer: str | None
    option: str | None
    flag: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """Flags of one kind: rightly given, wrongly given, and not given."""

    right: int
    wrong: int
    absent: int


def load_cases(name: str) -> list[Written]:
    """Read `cases`, written before the rules, or `second`, written after."""
    told = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))["cases"]
    return [
        Written(
            one["id"], one["case"], one.get("answer"), one.get("option"), tuple(one.get("flag", ()))
        )
        for one in told
    ]


def asked(one: Written) -> tuple[Case, Answer]:
    """Make the case and the answer."""
    case = {"case": one.id, "question": one.case}
    said = {"system": "S", "case": one.id}
    if one.option is None:
        return Case.model_validate(case), Answer.model_validate({**said, "text": one.answer})
    options = {"options": {"A": one.option, "B": "None of these"}}
    return Case.model_validate(case | options), Answer.model_validate({**said, "choice": "A"})


def tally(cases: list[Written]) -> dict[Category, Tally]:
    """Count by kind."""
    rules = danger_rules()
    found = [
        (set(one.flag), {f.category for f in find_dangers(*asked(one), rules)}) for one in cases
    ]
    return {
        kind: Tally(
            sum(kind in want and kind in got for want, got in found),
            sum(kind not in want and kind in got for want, got in found),
            sum(kind in want and kind not in got for want, got in found),
        )
        for kind in CATEGORIES
    }
