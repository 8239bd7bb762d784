"""A random draw of answers for people to judge, each with a chance that is known."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, Protocol

import numpy as np
from pydantic import Field

from medassay.annotations import CaseId, DesignName, SystemName, Words
from medassay.annotations.record import Plain
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER
from medassay.scores import UNIT, Unit
from medassay.stats import judging_chances
from medassay.study.files.names import CHANCES
from medassay.study.folder import Study
from medassay.tables import csv_bytes, guarded, read_sheet, unguarded, with_points
from medassay.validity import Chance, Lot

_HEADER: Final = ("drawn", "chance", "why", "drawn_by")
_DEFAULTS: Final = {"sample": "0", "about": "", "drawn_by": "answer"}
Key = tuple[str, str]


class Queued(Protocol):
    """An answer of a queue or of a draw, by its key."""

    system: str
    case: str
    sample: int
    parts: list[str]


class DrawEntry(Plain, infers=False):
    """One answer that could be drawn."""

    system: SystemName
    case: CaseId
    sample: int = 0
    parts: list[DesignName] = Field(default_factory=list)
    """Where some of it is judged, what is left of it, as the column `about` has it."""
    drawn: Literal["yes", "no"]
    chance: float
    why: Words
    by: Literal["answer", "case"] = "answer"
    """Whether it was drawn by itself, or with all other answers to its case."""


def draw_entries(
    doubts: Mapping[Unit, float],
    why: Mapping[Unit, str],
    count: int,
    *,
    lot: Lot,
    even: float,
    parts: Mapping[Unit, Sequence[str]] = MappingProxyType({}),
    by: Literal["answer", "case"] = "answer",
) -> list[DrawEntry]:
    """Draw what each system answered to each case, or whole cases, independently; the drawn first.

    Which are drawn follows from the lots of the ids alone, whatever the order of rows. Repeated
    answers have one chance, that of the most doubtful of them, and are drawn together.

    Args:
        doubts: Answer to how much it wants to be judged; 0 or more.
        why: The same in words.
        count: How many answers are expected to be drawn.
        lot: Gives system and case their lot; those below their chance are drawn.
        even: Share of the judgements that are spread evenly.
        parts: What is left of answers that are judged in part.
        by: Whether one lot decides for each answer, or for all answers to a case.
    """
    most: dict[tuple[str, ...], float] = {}
    key_of = {unit: unit.pair if by == "answer" else (unit.case,) for unit in sorted(doubts)}
    for unit, key in key_of.items():
        most[key] = max(most.get(key, 0.0), doubts[unit])
    wanted = min(count * len(most) / len(doubts), len(most))
    chances = dict(
        zip(most, judging_chances(np.array([*most.values()]), wanted, even=even), strict=True)
    )
    entries = [
        DrawEntry(
            system=unit.system,
            case=unit.case,
            sample=unit.sample,
            parts=list(parts.get(unit, ())),
            drawn="yes" if lot(*key) < chances[key] else "no",
            chance=float(chances[key]),
            why=why.get(unit, ""),
            by=by,
        )
        for unit, key in key_of.items()
    ]
    return sorted(
        entries, key=lambda draw: (draw.drawn == "no", draw.system, draw.case, draw.sample)
    )


def chances_bytes(entries: Sequence[DrawEntry], numbering: str = "") -> bytes:
    """Write a draw: every answer that could be drawn, with its chance."""
    rows = [(entry, [entry.drawn, repr(entry.chance), entry.why, entry.by]) for entry in entries]
    return rows_bytes(_HEADER, rows, numbering)


def rows_bytes(
    header: Sequence[str], rows: Sequence[tuple[Queued, Sequence[str]]], numbering: str
) -> bytes:
    """Write answers by their key, each with more cells: a row for each part that is left of one.

    The columns `sample` and `about` are left out where they hold their default in every row.
    """
    keyed = [
        [guarded(entry.system), guarded(entry.case), str(entry.sample), guarded(about), *more]
        for entry, more in rows
        for about in entry.parts or [""]
    ]
    names = [*UNIT, *header]
    kept = [
        at
        for at, name in enumerate(names)
        if name not in _DEFAULTS or any(row[at] != _DEFAULTS[name] for row in keyed)
    ]
    table = [[row[at] for at in kept] for row in keyed]
    return csv_bytes(*with_numbers([names[at] for at in kept], table, numbering))


def with_numbers(
    header: Sequence[str], rows: Sequence[list[str]], numbering: str
) -> tuple[list[str], list[list[str]]]:
    """Head numbers of cases as such, and say beside each what they are numbers of."""
    if not numbering:
        return list(header), list(rows)
    named = ["number" if name == "case" else name for name in header]
    return [*named, "numbering"], [[*row, numbering] for row in rows]


def latest_draw(study: Study) -> dict[Key, Chance]:
    """Give the draw of the campaign that was drawn up last; nothing where none was a draw.

    A later draw is from fewer answers: those judged before are no part of it.

    Raises:
        InvalidInput: A chance cannot be read.
    """
    folder = study.path / FOLDER
    draws = [_read(path) for path in sorted(folder.glob(f"*/{CHANCES}"))]
    latest = min(draws, key=len, default={})
    return {
        (system, study.called.get(case, case)): chance for (system, case), chance in latest.items()
    }


def _read(path: Path) -> dict[Key, Chance]:
    sheet, chances = with_points(read_sheet(path)), {}
    problems = []
    for row, record in sheet.records():
        key = unguarded(str(record.get("system", ""))), unguarded(str(record.get("case", "")))
        try:
            chance = float(str(record.get("chance", "")))
        except ValueError:
            chance = -1.0
        if not 0 < chance <= 1:
            got = f'"{record.get("chance", "")}"'
            problems.append(
                Problem(sheet.file, "lie above 0 and at most at 1", got, row=row, column="chance")
            )
            continue
        whole = str(record.get("drawn_by", "")) == "case"
        chances[key] = Chance(chance, str(record.get("drawn", "")) == "yes", whole)
    if problems:
        raise InvalidInput(problems)
    return chances
