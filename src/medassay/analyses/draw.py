"""A random draw of answers for people to judge, each with a chance that is known."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

import numpy as np

from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER
from medassay.marks import CaseId, SystemName, Words
from medassay.marks.plain import Plain
from medassay.stats import judging_chances
from medassay.study.files import CHANCES
from medassay.study.folder import Study
from medassay.tables import csv_bytes, guarded, read_sheet, unguarded, with_points
from medassay.validity import Chance, Lot

__all__ = [
    "DrawEntry",
    "chances_bytes",
    "draw_entries",
    "latest_draw",
    "with_numbers",
]

_HEADER: Final = ("system", "case", "drawn", "chance", "why")
Key = tuple[str, str]


class DrawEntry(Plain, infers=False):
    """One answer that could be drawn."""

    system: SystemName
    case: CaseId
    drawn: Literal["yes", "no"]
    chance: float
    why: Words


def draw_entries(
    doubts: Mapping[Key, float], why: Mapping[Key, str], count: int, *, lot: Lot, even: float
) -> list[DrawEntry]:
    """Draw each answer with its own chance, independently; the drawn ones first.

    Which are drawn follows from the lots of the ids alone, whatever the order of rows.

    Args:
        doubts: Answer to how much it wants to be judged; 0 or more.
        why: The same in words.
        count: How many are expected to be drawn.
        lot: Gives each answer its lot; those below their chance are drawn.
        even: Share of the judgements that are spread evenly.
    """
    keys = sorted(doubts)
    wanted = min(count, len(keys))
    chances = judging_chances(np.array([doubts[key] for key in keys]), wanted, even=even)
    entries = [
        DrawEntry(
            system=key[0],
            case=key[1],
            drawn="yes" if lot(*key) < chance else "no",
            chance=float(chance),
            why=why.get(key, ""),
        )
        for key, chance in zip(keys, chances, strict=True)
    ]
    return sorted(entries, key=lambda draw: (draw.drawn == "no", draw.system, draw.case))


def chances_bytes(entries: Sequence[DrawEntry], numbering: str = "") -> bytes:
    """Write a draw: every answer that could be drawn, with its chance."""
    rows = [
        [guarded(entry.system), guarded(entry.case), entry.drawn, repr(entry.chance), entry.why]
        for entry in entries
    ]
    return csv_bytes(*with_numbers(_HEADER, rows, numbering))


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
        chances[key] = Chance(chance, str(record.get("drawn", "")) == "yes")
    if problems:
        raise InvalidInput(problems)
    return chances
