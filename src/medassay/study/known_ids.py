"""Ids in a table that refer to nothing in the study."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self, TypeVar

from medassay.answers import EVERY_CASE, Answers, Asked
from medassay.cases import Cases
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import Judgements, Preferences
from medassay.scores import ScoreTable
from medassay.study.files import ASKED, STUDY_FILE
from medassay.study.known_parts import unknown_parts
from medassay.tables import Sheet
from medassay.text import count_of, first_of

__all__ = ["KnownIds", "named_anywhere", "read_checked", "unknown_ids", "unknown_systems"]

_SYSTEMS: Final = ("system", "system_a", "system_b", "guess")
_ANSWERING: Final = ("system", "system_a", "system_b")
_FEW: Final = 5
_Table = TypeVar("_Table")


@dataclass(frozen=True)
class KnownIds:
    """The ids that rows may refer to.

    Attributes:
        cases: Cases that were asked; None where they could not be read.
        systems: Systems that answered; empty where the study holds no answers, and then any
            system may be named.
        records: The cases, with criteria and documents that judgements may be about.
        answers: The answers, with samples and statements that judgements may be about.
        asked: Which system was asked which case; of others nothing can be said.
    """

    cases: Collection[str] | None
    systems: Collection[str]
    records: Cases | None = None
    answers: Answers | None = None
    asked: Asked = EVERY_CASE

    @classmethod
    def of(cls, cases: Cases | None, answers: Answers | None) -> Self:
        """Give the ids of what could be read."""
        return cls(
            cases=None if cases is None else cases.ids,
            systems=() if answers is None else answers.systems,
            records=cases,
            answers=answers if answers is not None and len(answers) else None,
            asked=EVERY_CASE if answers is None else answers.asked,
        )


def read_checked(sheet: Sheet, read: Callable[[Sheet], _Table], known: KnownIds) -> _Table:
    """Read a sheet and hold its ids against those of the study.

    Raises:
        InvalidInput: Everything that is wrong with the sheet, unknown ids included.
    """
    strange = unknown_ids(sheet, known)
    try:
        table = read(sheet)
    except InvalidInput as error:
        raise InvalidInput([*error.problems, *strange]) from error
    if strange:
        raise InvalidInput(strange)
    return table


def unknown_ids(sheet: Sheet, known: KnownIds) -> list[Problem]:
    """Name each unknown id once, with the first row that it stands in."""
    problems = []
    if known.cases is not None:
        must = "be the id of a case that was asked"
        problems += _unknown(sheet, "case", known.cases, must)
    if known.systems:
        for column in _SYSTEMS:
            problems += _unknown(sheet, column, known.systems, "be a system that answered")
    problems += _not_asked(sheet, known)
    return [*problems, *unknown_parts(sheet, known.records, known.answers)]


def _not_asked(sheet: Sheet, known: KnownIds) -> list[Problem]:
    """Name what is said of answers that nobody asked for, with the first row of each column."""
    if known.asked.everything or "case" not in sheet.columns:
        return []
    problems = []
    cases = [_name(cell) for cell in sheet.columns["case"]]
    for column in (name for name in _ANSWERING if name in sheet.columns):
        systems = map(_name, sheet.columns[column])
        rows = [
            (row, f"{system} to {case}")
            for row, system, case in zip(sheet.rows, systems, cases, strict=False)
            if system and case and not known.asked.holds(system, case)
        ]
        if rows:
            pairs = list(dict.fromkeys(pair for _, pair in rows))
            must = f"be of answers that were asked for ({ASKED}.csv)"
            got = f"{count_of(len(rows), 'row')} of others: {first_of(pairs, _FEW)}"
            hint = f"Add them to {ASKED}.csv (case, system), or take these rows out."
            problems.append(Problem(sheet.file, must, got, hint, rows[0][0], column))
    return problems


def _name(cell: object) -> str:
    return "" if cell is None else str(cell).strip()


def unknown_systems(
    named: Iterable[str], systems: Sequence[str], file: str = STUDY_FILE, column: str = ""
) -> list[Problem]:
    """Name the systems of study.toml, or another file, that the study's tables do not have."""
    return [
        Problem(
            file,
            "name a system of the study",
            f'"{name}"',
            nearest(name, systems) or f"Known: {', '.join(systems)}.",
            None,
            column or f"systems.{name}",
        )
        for name in sorted(named)
        if systems and name not in systems
    ]


def named_anywhere(
    answers: Answers,
    judgements: Judgements,
    preferences: Preferences,
    scores: Iterable[ScoreTable] = (),
) -> tuple[str, ...]:
    """List every system that answered, was judged, or has imported scores; sorted."""
    names = set(answers.systems)
    names.update(judgements.frame["system"].unique())
    for column in ("system_a", "system_b"):
        names.update(preferences.frame[column].unique())
    for table in scores:
        names.update(table.frame["system"].unique())
    return tuple(sorted(names))


def _unknown(sheet: Sheet, column: str, known: Collection[str], must: str) -> list[Problem]:
    rows: dict[str, list[int]] = {}
    there = {"", *known}
    if there.issuperset(map(_name, sheet.distinct(column))):
        return []
    for row, cell in zip(sheet.rows, sheet.columns.get(column, []), strict=False):
        name = _name(cell)
        if name not in there:
            rows.setdefault(name, []).append(row)
    return [
        Problem(
            sheet.file,
            must,
            f'"{name}"' + (f", in {len(rows_of)} rows" if len(rows_of) > 1 else ""),
            nearest(name, known) or _listed(known),
            rows_of[0],
            column,
        )
        for name, rows_of in rows.items()
    ]


def _listed(known: Collection[str]) -> str:
    return f"Known: {first_of(sorted(known), 8)}." if known else ""
