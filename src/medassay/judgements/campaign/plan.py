"""The plan of a campaign: data that export writes and import reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign.assignment import Assignment, Item
from medassay.judgements.campaign.codes import as_code
from medassay.judgements.campaign.settings import Settings
from medassay.tables import (
    csv_bytes,
    file_bytes,
    guarded,
    is_there,
    json_bytes,
    read_sheet,
    read_toml,
    unguarded,
)

__all__ = ["FOLDER", "KEY", "PLAN", "CampaignPlan", "find_plans"]

FOLDER: Final = "campaigns"
PLAN: Final = "plan.toml"
KEY: Final = "key.csv"
_COLUMNS: Final = (
    "code", "rater", "phase", "position", "batch", "case", "system", "system_b", "shown",
)  # fmt: skip
_SELDOM: Final = ("sample", "display", "parts", "wave", "instead_of", "ended")
"""Columns that stand where any row fills them."""


class _Facts(Settings):
    rubric: str
    answers: str
    left: tuple[str, ...] = ()


@dataclass(frozen=True)
class CampaignPlan:
    """Who rates what, in which order, under which code; and what it was drawn up from.

    Attributes:
        settings: The choices.
        rubric: Hash of the rubric as the sheets show it.
        answers: Hash of all texts that are rated.
        assignments: By rater, then by position; those that ended are kept.
        left: Raters whose part has ended; what they judged stays theirs.
    """

    settings: Settings
    rubric: str
    answers: str
    assignments: tuple[Assignment, ...]
    left: tuple[str, ...] = ()

    @cached_property
    def by_code(self) -> dict[str, Assignment]:
        """Find an assignment by its code."""
        return {assignment.code: assignment for assignment in self.assignments}

    def of_rater(self, rater: str) -> tuple[Assignment, ...]:
        """List what a rater was ever asked for, in order."""
        return tuple(assignment for assignment in self.assignments if assignment.rater == rater)

    def holding(self, rater: str) -> tuple[Assignment, ...]:
        """List what a rater is asked for now, in order."""
        return tuple(assignment for assignment in self.of_rater(rater) if not assignment.ended)

    def files(self) -> dict[str, bytes]:
        """Give the plan as plain files: the choices, and the key that lifts the blinding."""
        facts = {
            **self.settings.model_dump(mode="json", exclude=_unsaid(self.settings)),
            "rubric": self.rubric,
            "answers": self.answers,
            **({"left": self.left} if self.left else {}),
        }
        # TOML and JSON agree on words, whole numbers, and lists of words.
        lines = [
            f"{key} = {json_bytes(value, compact=True).decode()}" for key, value in facts.items()
        ]
        rows = [
            [
                row.code, guarded(row.rater), row.phase, row.position, row.batch,
                guarded(row.item.case), guarded(row.item.system), guarded(row.item.system_b),
                row.shown, str(row.item.sample or ""), guarded(row.display),
                "\n".join(row.item.parts), str(row.wave or ""), row.instead_of, row.ended,
            ]
            for row in self.assignments
        ]  # fmt: skip
        header = [*_COLUMNS, *_SELDOM]
        used = [
            at for at, name in enumerate(header) if at < len(_COLUMNS) or any(r[at] for r in rows)
        ]
        key = csv_bytes([header[at] for at in used], [[row[at] for at in used] for row in rows])
        return {PLAN: "".join(lines).encode(), KEY: key}

    @classmethod
    def read(cls, folder: Path) -> "CampaignPlan":
        """Read a plan from its folder.

        Raises:
            InvalidInput: A file is not there, or was changed into something that is no plan.
        """
        shown_as = f"{FOLDER}/{folder.name}"
        file = f"{shown_as}/{PLAN}"
        facts = read_toml(_Facts, file_bytes(folder / PLAN, file), file)
        if facts.name != folder.name:
            must, got = "name the campaign as its folder is called", f'"{facts.name}"'
            raise InvalidInput(Problem(file, must, got, "Call both alike.", None, "name"))
        sheet = read_sheet(folder / KEY, f"{shown_as}/{KEY}")
        lacking = [name for name in _COLUMNS if name not in sheet.columns]
        if lacking:
            must = f"have the columns {', '.join(_COLUMNS)}"
            got = f"no {', '.join(lacking)}"
            raise InvalidInput(Problem(sheet.file, must, got, row=sheet.header))
        names = (*_COLUMNS, *_SELDOM)
        rows = [
            (number, {name: unguarded(str(record.get(name) or "")) for name in names})
            for number, record in sheet.records()
        ]
        strange = [
            number
            for number, row in rows
            if not (row["position"] + row["batch"] + row["sample"] + row["wave"]).isdecimal()
            or not row["position"]
            or not row["batch"]
        ]
        if strange:
            must, got = "hold whole numbers as position, batch, sample and wave", "something else"
            hint = "Take the file from your backup."
            raise InvalidInput(Problem(sheet.file, must, got, hint, strange[0]))
        _refuse_forged(sheet.file, rows, facts.raters)
        return cls(
            Settings(**facts.model_dump(exclude={"rubric", "answers", "left"})),
            facts.rubric,
            facts.answers,
            tuple(_assignment(row) for _, row in rows),
            facts.left,
        )


def _refuse_forged(
    file: str, rows: Sequence[tuple[int, Mapping[str, str]]], raters: Sequence[str]
) -> None:
    """Refuse a key that was changed: codes that are none or come twice, and raters of nowhere.

    Raises:
        InvalidInput: With every such row.
    """
    problems, seen = [], set[str]()
    hint = "Take the file from your backup."
    for number, row in rows:
        code, rater = row["code"], row["rater"]
        if as_code(code) != code or code in seen:
            must, got = "hold each code of the campaign once", f'"{code}"'
            again = f"{got} again" if code in seen else got
            problems.append(Problem(file, must, again, hint, number, "code"))
        if rater not in raters:
            must = f"name a rater of {PLAN}"
            problems.append(Problem(file, must, f'"{rater}"', hint, number, "rater"))
        seen.add(code)
    if problems:
        raise InvalidInput(problems)


def _assignment(row: Mapping[str, str]) -> Assignment:
    sample, parts = int(row["sample"] or 0), tuple(row["parts"].splitlines())
    return Assignment(
        row["code"],
        row["rater"],
        row["phase"],
        int(row["position"]),
        int(row["batch"]),
        Item(row["case"], row["system"], row["system_b"], sample, parts),
        row["shown"],
        row["display"],
        int(row["wave"] or 0),
        row["instead_of"],
        row["ended"],
    )


def find_plans(study: Path) -> dict[str, CampaignPlan]:
    """Read every campaign of a study, by name.

    Raises:
        InvalidInput: A plan cannot be read.
    """
    return {name: CampaignPlan.read(study / FOLDER / name) for name in campaign_names(study)}


def campaign_names(study: Path) -> Sequence[str]:
    """List the campaigns of a study."""
    folder = study / FOLDER
    entries = folder.iterdir() if folder.is_dir() else ()
    return sorted(path.name for path in entries if is_there(path / PLAN))


def _unsaid(settings: Settings) -> set[str]:
    """Name the choice that most campaigns do not make."""
    return set() if settings.own_first else {"own_first"}
