"""Cases that a study has, with what further files say of them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from medassay.cases import Case
from medassay.errors import InvalidInput, Problem
from medassay.exchange.spreadsheet.columns import Layout
from medassay.exchange.spreadsheet.wishes import column_option
from medassay.text import count_of

_Fact = Literal["references", "evidence", "narrative"]
_FACTS: Final[Mapping[_Fact, str]] = {
    "references": "reference", "evidence": "evidence", "narrative": "narrative",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Grown:
    """The cases of a study once files have been read into it.

    Attributes:
        cases: Every case, in the study's order.
        added: Whether any of them holds more than before.
        notes: What was added, and what stays as it was though the files say otherwise.
    """

    cases: Sequence[Case]
    added: bool
    notes: Sequence[str]


def grow(
    known: Mapping[str, Case],
    theirs: Iterable[Case],
    layouts: Sequence[Layout],
    named: Collection[str],
) -> Grown:
    """Give cases what they lack; what they have stays, and is never changed.

    Args:
        known: The study's cases, by id.
        theirs: The cases of the files.
        layouts: The tables.
        named: The columns that a user named: none of these is left out for what stays.

    Raises:
        InvalidInput: A case has other references (evidence, tags ...) than a column that was named.
    """
    by_id = dict(known)
    shared = [case for case in theirs if case.case in known]
    notes: list[str] = []
    problems: list[Problem] = []
    for fact, role in _FACTS.items():
        holding = [case for case in shared if getattr(case, fact)]
        lacking = [case for case in holding if not getattr(by_id[case.case], fact)]
        for case in lacking:
            by_id[case.case] = by_id[case.case].model_copy(update={fact: getattr(case, fact)})
        if lacking:
            notes.append(f"{count_of(len(lacking), 'case')} had no {role}, and now have.")
        other = [case.case for case in holding if not _holds(by_id[case.case], case, fact)]
        places = [
            (layout.table.name, column.name)
            for layout in layouts
            for column in layout.columns
            if column.role == role
        ]
        _keep(other, role, places, named, notes, problems)
    for layout in layouts:
        for column in layout.of_role("tag"):
            holding = [case for case in shared if case.tags.get(column.of)]
            lacking = [case for case in holding if column.of not in by_id[case.case].tags]
            for case in lacking:
                tags = {**by_id[case.case].tags, column.of: case.tags[column.of]}
                by_id[case.case] = by_id[case.case].model_copy(update={"tags": tags})
            other = [
                case.case
                for case in holding
                if by_id[case.case].tags[column.of] != case.tags[column.of]
            ]
            place = (layout.table.name, column.name)
            _keep(other, f"tag {column.of}", [place], named, notes, problems)
    if problems:
        raise InvalidInput(problems)
    return Grown(list(by_id.values()), by_id != dict(known), notes)


def _holds(ours: Case, theirs: Case, fact: _Fact) -> bool:
    if fact == "narrative":
        return ours.narrative == theirs.narrative
    have = {text.text for text in getattr(ours, fact)}
    return have.issuperset(text.text for text in getattr(theirs, fact))


def _keep(
    cases: Sequence[str],
    what: str,
    places: Sequence[tuple[str, str]],
    named: Collection[str],
    notes: list[str],
    problems: list[Problem],
) -> None:
    """Say what stays as the study has it; a problem where its column was named."""
    if not cases:
        return
    more = f" and {count_of(len(cases) - 1, 'other case')}" if cases[1:] else ""
    whole = f'case "{cases[0]}"{more}'
    file, column = next((place for place in places if place[1] in named), places[0])
    if column in named:
        must = f"say of a case what cases.jsonl says, or give it what it lacks ({what})"
        hint = "What the study has stays. Change it in cases.jsonl, or leave the column out: "
        hint += column_option("skip", column)
        problems.append(Problem(file, must, f"another one for {whole}", hint, None, column))
    else:
        notes.append(f"{file}, column {column}: another {what} for {whole}; the study's own stays.")
