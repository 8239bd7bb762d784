"""Ids, criteria, statements, documents and samples in a table that the study does not have."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self, TypeVar

from medassay.answers import EVERY_CASE, Answers, CasesPerSystem
from medassay.cases import Cases
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import About, Judgements, Preferences, parts_of, statements_of
from medassay.scores import ScoreTable
from medassay.study.files.names import ASKED, STUDY_FILE
from medassay.tables import Sheet
from medassay.text import count_of, first_of

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
    asked: CasesPerSystem = EVERY_CASE

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


def unknown_parts(sheet: Sheet, cases: Cases | None, answers: Answers | None) -> list[Problem]:
    """Name each part that a judgement is about and that is not there, with its first row.

    What cannot be read, and cases and systems that are not known, are left to other checks.
    """
    if not {"about", "sample"} & set(sheet.columns):
        return []
    columns = [_column(sheet, name) for name in ("system", "case", "sample", "about")]
    known = _Known(cases, answers)
    first: dict[tuple[str, ...], int] = {}
    for row, key in zip(sheet.rows, zip(*columns, strict=True), strict=True):
        if not known.holds(*key):
            first.setdefault(key, row)
    return [
        Problem(sheet.file, must, got, hint, row, column)
        for (system, case, sample, about), row in first.items()
        for column, must, got, hint in (
            *_unknown_sample(answers, system, case, sample),
            *_unknown_about(cases, answers, (system, case, sample), about),
        )
    ]


class _Known:
    """What most rows are about: a criterion of the case, of an answer that is there."""

    def __init__(self, cases: Cases | None, answers: Answers | None) -> None:
        self._abouts = {
            case.case: {
                "",
                *(About("criterion", criterion.id).written for criterion in case.criteria),
            }
            for case in cases or ()
        }
        self._samples = {
            (answer.system, answer.case, sample)
            for answer in answers or ()
            for sample in ("", str(answer.sample))
        }

    def holds(self, system: str, case: str, sample: str, about: str) -> bool:
        """Say whether a row is sound at the first look; others are looked at closely."""
        return about in self._abouts.get(case, ()) and (system, case, sample) in self._samples


def _column(sheet: Sheet, name: str) -> Sequence[str]:
    cells = sheet.columns.get(name) or [None] * len(sheet)
    return ["" if cell is None else str(cell).strip() for cell in cells]


_Found = tuple[str, str, str, str]


def _unknown_sample(
    answers: Answers | None, system: str, case: str, sample: str
) -> Iterator[_Found]:
    its_samples = () if answers is None else answers.samples(system, case)
    numbers = [str(answer.sample) for answer in its_samples]
    if its_samples and sample and sample not in numbers:
        must = "be the number of an answer that the system gave to the case"
        yield "sample", must, f'"{sample}"', f"Known: {', '.join(numbers)}."


def _unknown_about(
    cases: Cases | None, answers: Answers | None, key: tuple[str, str, str], text: str
) -> Iterator[_Found]:
    about, (system, case, sample) = About.read(text), key
    if about is None or cases is None or case not in cases:
        return
    record = cases[case]
    answer = None
    if answers is not None and (not sample or sample.isdecimal()):
        answer = answers.get(system, case, int(sample) if sample else None)
    if about.kind in {"criterion", "document"}:
        known = [part.id for part in parts_of(record, answer, about.kind)]
        yield from _unless_known(f"a {about.kind} of its case", about.id, known)
    if answer is None or not answer.held:
        return  # what nobody here has read may have as many statements as it is said to
    length = len(statements_of(answer))
    if about.place > length:
        must = "be about a statement that the answer has"
        yield "about", must, f'"{text}"', f"It has {length}."
    size = len(answer.text or "")
    if about.span[1] > size:
        must = "lie within the answer"
        yield "about", must, f'"{text}"', f"The answer has {size} characters."


def _unless_known(what: str, name: str, known: Sequence[str]) -> Iterator[_Found]:
    if name not in known:
        few = 8
        listed = f"Known: {', '.join(known[:few])}." if known else "Its case has none."
        yield "about", f"name {what}", f'"{name}"', nearest(name, known) or listed
