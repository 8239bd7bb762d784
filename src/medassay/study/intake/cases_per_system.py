"""Say in a study which system was asked which case, as answers come in."""

from collections.abc import Iterable
from pathlib import Path

from medassay.answers import EVERY_CASE, Answers, CasesPerSystem
from medassay.errors import InvalidInput, Problem
from medassay.study.contents.cases_and_answers import asked_bytes
from medassay.study.files.names import ASKED, table_file
from medassay.study.folder import Study
from medassay.tables import write_atomically
from medassay.text import count_of, listed

__all__ = ["asked_with", "describe_grown", "write_asked"]


def asked_with(study: Study, theirs: Answers) -> CasesPerSystem:
    """Join what a study asked with what new answers say that they were asked.

    Where only one of the two says it, every system of the other was asked every case; answers that
    are there were asked for, whatever was said before.

    Example:
        >>> from types import SimpleNamespace
        >>> from medassay.cases import Case, Cases
        >>> cases = Cases.of([Case(case="1"), Case(case="2")])
        >>> study = SimpleNamespace(cases=cases, systems=("A",), asked=EVERY_CASE)
        >>> more = CasesPerSystem.in_pairs([("B", "2")])
        >>> asked_with(study, Answers.of([], more)).pairs("AB", "12")
        [('A', '1'), ('A', '2'), ('B', '2')]
    """
    if study.asked.everything and theirs.asked.everything:
        return EVERY_CASE
    new = _unheard_of(study, theirs)
    pairs = [*_said(study.asked, study.systems, study), *_said(theirs.asked, new, study)]
    return CasesPerSystem.in_pairs([*pairs, *((system, case) for system, case, _ in theirs.keys)])


def _unheard_of(study: Study, theirs: Answers) -> list[str]:
    """List the systems of new answers that neither the study nor its asked.csv names."""
    known = {*study.systems, *(study.asked.of or ())}
    return [system for system in theirs.systems if system not in known]


def _said(asked: CasesPerSystem, systems: Iterable[str], study: Study) -> list[tuple[str, str]]:
    named = list(asked.of) if asked.of is not None else [*systems]
    return asked.pairs(named, study.cases.ids)


def write_asked(study: Study, asked: CasesPerSystem) -> list[Path]:
    """Write asked.csv where it says something else than before, and name it.

    Raises:
        InvalidInput: The study says it in a file of another form, to which no row can be added.
    """
    if asked == study.asked:
        return []
    path = study.path / f"{ASKED}.csv"
    there = table_file(study.path, ASKED) or path
    if there != path:
        must = f"be {ASKED}.csv, so that rows can be added"
        raise InvalidInput(Problem(there.name, must, there.name, "Save it as CSV."))
    write_atomically(path, asked_bytes(asked))
    return [path]


def describe_grown(study: Study, theirs: Answers, asked: CasesPerSystem) -> list[str]:
    """Say which new systems count as asked every case, since nothing says what they were asked."""
    if asked.everything or not theirs.asked.everything:
        return []
    new = _unheard_of(study, theirs)
    if not new:
        return []
    many = f"all {count_of(len(study.cases), 'case')}"
    hint = "Take out the rows of cases that were not asked."
    return [f"{ASKED}.csv counts {listed(new)} as asked {many}. {hint}"]
