"""The people who rate: what they know, how they are reached, and who rates in a campaign."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import Judgements, Preferences
from medassay.judgements.campaign import FOLDER, Assignment, CampaignPlan, Key, Kind
from medassay.study.folder import Study
from medassay.tables import (
    Sheet,
    check_columns,
    csv_bytes,
    file_stem,
    folded,
    guarded,
    read_sheet,
    unguarded,
)

PEOPLE: Final = "people.csv"
_COLUMNS: Final = ("rater", "email", "specialty", "built", "language")
_CODE: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})?")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who rates.

    Attributes:
        rater: The pseudonym that judgements use.
        emails: Where they are reached; it stays in the campaign's folder.
        specialties: What they know.
        built: Systems, or families of systems, that they helped to build.
        language: The code of the language of their invitation, sheets and pages, such as `de`;
            empty where nobody said.
    """

    rater: str
    emails: tuple[str, ...] = ()
    specialties: tuple[str, ...] = ()
    built: tuple[str, ...] = ()
    language: str = ""

    def may_rate(self, systems: Collection[str], families: Mapping[str, str]) -> bool:
        """Say whether none of these systems is their own."""
        theirs = {*systems, *(families.get(system, system) for system in systems)}
        return not theirs & {*self.built}


def read_people(
    path: Path,
    systems: Collection[str],
    families: Mapping[str, str],
    known_people: Sequence[Person] = (),
) -> tuple[Person, ...]:
    """Read a table of raters: rater, email, specialty, built, language; rater or email is needed.

    Several of a kind are separated by semicolons. Rows of one rater are one person, whatever their
    addresses; one address under two names is refused, since it is one person too. Who has no name
    is called r01, r02 ... in the order of the file.

    Args:
        path: The file.
        systems: The systems of the study.
        families: The family of each.
        known_people: Who rates already: whoever has one of their addresses is that person.

    Raises:
        InvalidInput: With every problem of the file.
    """
    sheet = read_sheet(path)
    problems: list[Problem] = []
    required = (
        ("rater",) if "rater" in sheet.columns or "email" not in sheet.columns else ("email",)
    )
    sheet = check_columns(sheet, _COLUMNS, required, problems)
    people_found: dict[str, Person] = {}
    names = {_mailbox(email): one.rater for one in known_people for email in one.emails}
    there = [one.rater for one in known_people]
    for place, (row, record) in enumerate(sheet.records(), start=1):
        cells = {name: unguarded(str(record.get(name) or "")).strip() for name in _COLUMNS}
        emails = tuple(folded(address).lower() for address in _listed(cells["email"]))
        rater = cells["rater"] or names.get(_mailbox(emails[0]) if emails else "") or ""
        rater = rater or _unnamed(place, there)
        rater = next(
            (
                known_rater
                for known_rater in (*people_found, *there)
                if folded(known_rater).lower() == folded(rater).lower()
            ),
            rater,
        )
        problems += _problems(sheet, row, rater, emails, names)
        built = _listed(cells["built"])
        known = {*systems, *families.values()}
        problems += [
            Problem(
                sheet.file, "name a system of the study, or a family of systems", f'"{system}"',
                nearest(system, sorted(known)), row, "built",
            )
            for system in built
            if system not in known
        ]  # fmt: skip
        language = cells["language"]
        if language and not _CODE.fullmatch(language):
            must = "be the code of a language, such as de or pt-BR"
            got = f'"{language}"'
            problems.append(Problem(sheet.file, must, got, "", row, "language"))
        names |= {_mailbox(email): rater for email in emails}
        before = people_found.get(rater, Person(rater))
        people_found[rater] = Person(
            rater,
            _both(before.emails, emails),
            _both(before.specialties, tuple(_listed(cells["specialty"]))),
            _both(before.built, built),
            language or before.language,
        )
    if not people_found and not problems:
        problems.append(Problem(sheet.file, "name the raters", "no row"))
    if problems:
        raise InvalidInput(problems)
    return tuple(people_found.values())


def people_kept(study: Path, name: str) -> tuple[Person, ...]:
    """Read what a campaign keeps of its people; nothing where they were only named."""
    path = study / FOLDER / name / PEOPLE
    if not path.is_file():
        return ()
    sheet = read_sheet(path, f"{FOLDER}/{name}/{PEOPLE}")
    rows = [
        {name: unguarded(str(record.get(name) or "")) for name in _COLUMNS}
        for _, record in sheet.records()
    ]
    return tuple(
        Person(
            row["rater"],
            _listed(row["email"]),
            _listed(row["specialty"]),
            _listed(row["built"]),
            row["language"],
        )
        for row in rows
    )


def people_bytes(people: Sequence[Person]) -> bytes:
    """Write people as `people_kept` reads them."""
    rows = [
        [guarded(cell) for cell in (
            person.rater, "; ".join(person.emails), "; ".join(person.specialties),
            "; ".join(person.built), person.language,
        )]
        for person in people
    ]  # fmt: skip
    # Where nobody said a language the file is as it was before there were any.
    said = len(_COLUMNS) if any(person.language for person in people) else -1
    return csv_bytes(_COLUMNS[:said], [row[:said] for row in rows])


def _listed(cell: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in cell.split(";") if part.strip()))


def _both(before: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*before, *now)))


def _unnamed(place: int, taken: Collection[str]) -> str:
    """Give a name to who has none: by the row, or by the first number that is free."""
    return next(name for at in count(place) if (name := f"r{at:02}") not in taken)


def _mailbox(email: str) -> str:
    """Give the mailbox behind an address: anna+ward@x.org is anna@x.org."""
    name, _, home = email.partition("@")
    return f"{name.partition('+')[0]}@{home}"


def _problems(
    sheet: Sheet, row: int, rater: str, emails: Sequence[str], names: Mapping[str, str]
) -> list[Problem]:
    problems = []
    if not rater.isprintable() or rater[0] in "=+-@'":
        must = "be a name that begins with a letter or a digit"
        problems.append(Problem(sheet.file, must, f'"{rater}"', "", row, "rater"))
    for email in emails:
        name, at, home = email.partition("@")
        if not (name and at and "." in home) or any(sign.isspace() for sign in email):
            must, got = "be an address such as anna@ward.example", f'"{email}"'
            problems.append(Problem(sheet.file, must, got, "", row, "email"))
        other = names.get(_mailbox(email), rater)
        if other != rater:
            must = "be the address of one rater: one person is one rater"
            got = f'"{email}" for {rater}, which is also {other}\'s'
            hint = "Give both rows the same name under rater."
            problems.append(Problem(sheet.file, must, got, hint, row, "email"))
    return problems


_SHOWN = 3
_RUBRIC: Final = "rubric"
"""The file beside sheets in CSV that holds the rubric."""
_MOST: Final = 1000
_SHOWN_DIGITS: Final = 12


def campaign_raters(study: Study, wished: str | None) -> tuple[str, ...]:
    """Find the raters: by number, by name, or from the raters table.

    Raises:
        InvalidInput: They are not in the raters table, are excluded, or cannot be told apart.
    """
    people = [
        rater.rater for rater in study.raters if rater.kind == "person" and not rater.excluded
    ]
    if wished is None:
        if not people:
            must, hint = "be given where the study has no raters table", "For example --raters 3."
            raise InvalidInput(Problem("--raters", must, "nothing", hint))
        return told_apart(tuple(people), "the raters table")
    if wished.strip().isdecimal():
        return _by_number(study, wished.strip(), people)
    names = tuple(name.strip() for name in wished.split(",") if name.strip())
    problems = []
    for name in names:
        if not name.isprintable() or name[0] in "=+-@'":
            must = "be names that begin with a letter or a digit"
            problems.append(Problem("--raters", must, f'"{name}"'))
        elif len(study.raters) and name not in people:
            left_out = name in [rater.rater for rater in study.raters.excluded]
            hint = "" if left_out else nearest(name, people) or "Add a row for this rater."
            got = f'"{name}", who was excluded' if left_out else f'"{name}"'
            must = "be qualified people of the raters table"
            problems.append(Problem("--raters", must, got, hint))
    if not names:
        problems.append(Problem("--raters", "be names, or how many", f'"{wished}"'))
    if problems:
        raise InvalidInput(problems)
    return told_apart(names, "--raters")


def told_apart(names: tuple[str, ...], file: str) -> tuple[str, ...]:
    """Refuse raters of whom two would get one sheet, or one another file of the campaign."""
    stems = [file_stem(name).casefold() for name in names]
    same = [name for name, stem in zip(names, stems, strict=True) if stems.count(stem) > 1]
    if same:
        must, got = "be names that give different file names", ", ".join(f'"{n}"' for n in same)
        raise InvalidInput(Problem(file, must, got))
    if _RUBRIC in stems:
        must = "not be the name of the rubric's file"
        raise InvalidInput(Problem(file, must, f'"{names[stems.index(_RUBRIC)]}"'))
    return names


def _by_number(study: Study, wished: str, people: Sequence[str]) -> tuple[str, ...]:
    number = int(wished) if len(wished) <= _SHOWN_DIGITS else _MOST + 1
    if not 0 < number <= _MOST:
        must, got = f"be names, or a number from 1 to {_MOST:,}", wished.strip()[:_SHOWN_DIGITS]
        raise InvalidInput(Problem("--raters", must, got))
    if len(study.raters):
        if number > len(people):
            must = "be at most the qualified people of the raters table"
            raise InvalidInput(Problem("--raters", must, f"{number}, and it has {len(people)}"))
        return told_apart(tuple(people[:number]), "the raters table")
    width = len(str(number))
    return tuple(f"rater-{place:0{width}}" for place in range(1, number + 1))


def refuse_asked_already(
    study: Study, plan: CampaignPlan, others: Mapping[str, CampaignPlan]
) -> None:
    """Refuse raters who have judged these answers, or whom another campaign asks about them.

    What they send back would count as a correction of what they said there.

    Raises:
        InvalidInput: With every such rater.
    """
    before = asked_before(study, plan.settings.kind, others)
    both = sorted(
        {assignment.rater for assignment in plan.assignments if _asked(assignment) in before}
    )
    if both:
        must = "be raters who have not been asked about these answers yet"
        more = f" and {len(both) - _SHOWN} more" if both[_SHOWN:] else ""
        hint = "Give other names: what they send back would overwrite what they said before."
        raise InvalidInput(Problem("--raters", must, ", ".join(both[:_SHOWN]) + more, hint))


def asked_before(
    study: Study, kind: Kind, others: Mapping[str, CampaignPlan]
) -> set[tuple[str, str, str, tuple[str, ...], int]]:
    """Give what was judged, or is asked in other campaigns: rater, phase, case, systems, sample."""
    keys = said_keys(study.judgements_on_file, study.preferences_on_file, kind)
    before = {(key[0], key[1], *key[3:6]) for key in keys}
    for other in others.values():
        if other.settings.kind == kind:
            before |= {_asked(assignment) for assignment in other.assignments}
    return before


def _asked(assignment: Assignment) -> tuple[str, str, str, tuple[str, ...], int]:
    item = assignment.item
    return assignment.rater, assignment.phase, item.case, item.pair, item.sample


def said_keys(judgements: Judgements, preferences: Preferences, kind: Kind) -> set[Key]:
    """Give the keys of what holds now."""
    shared = ("rater", "phase", "dimension", "case")
    if kind == "answers":
        rows = judgements.current().select(*shared, "system", "sample", "about")
        return {(*row[:4], row[4:5], *row[5:]) for row in rows.iter_rows()}
    pairs = preferences.current().select(*shared, "first", "second")
    return {(*row[:4], row[4:], 0, "") for row in pairs.iter_rows()}
