"""What an import or an export did, one cause once: said to people in lines, to machines as JSON."""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from medassay.errors import Problem
from medassay.text import count_of, first_of

if TYPE_CHECKING:
    from medassay.study import ImportSummary
    from medassay.study.contents.private import Pseudonyms

_SHOWN: Final = 3
_SENTENCE: Final = re.compile(r"(?<=[.?!]) (?=[A-Z])")


def folded(problems: Sequence[Problem]) -> list[Problem]:
    """Give problems of one kind in one column as one; a few stay as they are.

    Example:
        >>> bad = [Problem("a.csv", "be 1 to 5", f'"{n}"', "", n, "score") for n in range(6, 20)]
        >>> print(folded(bad)[0])
        a.csv, column score: must be 1 to 5; got "6" (row 6); "7" (row 7); "8" (row 8); and 11 \
more.
    """
    return _by_column(_by_row(problems))


def _by_row(problems: Sequence[Problem]) -> list[Problem]:
    def one(alike: Sequence[Problem]) -> Problem | None:
        if len(alike) <= _SHOWN or len({(each.row, each.cell) for each in alike}) == 1:
            return None
        seen = [f"{each.got.rstrip('.')} ({_place(each)})" for each in alike[:_SHOWN]]
        return _one(alike, f"{'; '.join(seen)}; and {len(alike) - _SHOWN:,} more")

    return _each(problems, lambda problem: (problem.file, problem.must, problem.column), one)


def _by_column(problems: Sequence[Problem]) -> list[Problem]:
    def one(alike: Sequence[Problem]) -> Problem | None:
        columns = list(dict.fromkeys(each.column for each in alike if each.column))
        if len(columns) <= _SHOWN:
            return None
        what = "columns" if len(columns) == len(alike) else "places"
        got = f"{alike[0].got.rstrip('.')} in column {columns[0]}; {len(alike):,} {what} are alike"
        return replace(_one(alike, f"{got} ({', '.join(columns[:_SHOWN])} ...)"), column=None)

    return _each(problems, lambda problem: (problem.file, problem.must), one)


def _each(
    problems: Sequence[Problem],
    key: Callable[[Problem], Hashable],
    one: Callable[[Sequence[Problem]], Problem | None],
) -> list[Problem]:
    """Put one problem in the place of the first of those of a key, where they are one."""
    groups: dict[Hashable, list[Problem]] = {}
    for problem in problems:
        groups.setdefault(key(problem), []).append(problem)
    whole = {name: one(alike) for name, alike in groups.items()}
    told: list[Problem] = []
    for problem in problems:
        joined = whole[key(problem)]
        if joined is None:
            told.append(problem)
        elif problem is groups[key(problem)][0]:
            told.append(joined)
    return told


def _place(problem: Problem) -> str:
    return f"cell {problem.cell}" if problem.cell else f"row {problem.row}"


def _one(alike: Sequence[Problem], got: str) -> Problem:
    """Say it once; of what to do, what is said of all of them, else what is said of the first."""
    hints = [_SENTENCE.split(problem.try_) for problem in alike]
    shared = [sentence for sentence in hints[0] if all(sentence in hint for hint in hints)]
    first = f"Of the first: {alike[0].try_}" if alike[0].try_ else ""
    hint = " ".join(shared) or first
    return replace(alike[0], got=got, try_=hint, row=None, cell=None)


_MOST_FILES: Final = 12
_MOST_FIELDS: Final = 8


@dataclass(frozen=True, slots=True)
class Overview:
    """Rows under headings, where lines would not do."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an import or an export did.

    Attributes:
        said: What people are told, line by line.
        facts: The same for machines, fit for JSON. Of a study that keeps its texts only counts and
            names of files, raters and labels are passed on.
        people: Who is who in the study as it now stands, where the import knows it; neither people
            nor machines are told.
    """

    said: Sequence[str | Overview]
    facts: object
    people: "Pseudonyms | None" = None

    @classmethod
    def of(cls, *taken: "ImportSummary") -> Self:
        """Tell of tables that grew: what was added, what was known, what was odd."""
        facts = [asdict(import_summary) for import_summary in taken]
        return cls([line for import_summary in taken for line in _lines(import_summary)], facts)

    @classmethod
    def of_one(cls, taken: "ImportSummary") -> Self:
        """Tell of one table that grew; machines get it alone, not in a list."""
        return cls(_lines(taken), asdict(taken))

    def with_unread(self, unread: Mapping[tuple[str, str], int]) -> Self:
        """Tell beside it which filled fields of the files nothing read, the commonest first.

        Args:
            unread: File and field to the number of records that have it.
        """
        by_file: dict[str, dict[str, int]] = {}
        for (file, field), count in sorted(unread.items(), key=lambda item: -item[1]):
            by_file.setdefault(file, {})[field] = count
        if not by_file:
            return self
        notes = []
        for file, fields in by_file.items():
            counted = [f"{field} ({count:,})" for field, count in fields.items()]
            notes.append(f"{file}: not read: {first_of(counted, _MOST_FIELDS)}.")
        facts = self.facts
        if isinstance(facts, Mapping):
            facts = {**facts, "not_read": by_file}
        elif isinstance(facts, list) and facts:
            last = facts[-1]
            facts = [*facts[:-1], {**last, "notes": [*last.get("notes", ()), *notes]}]
        return replace(self, said=[*self.said, *(f"note: {note}" for note in notes)], facts=facts)


def _lines(taken: "ImportSummary") -> list[str]:
    were = "was" if taken.known == 1 else "were"
    known = f", {taken.known} {were} there already" if taken.known else ""
    few = taken.files[:_MOST_FILES] if len(taken.files) > _MOST_FILES + 1 else taken.files
    left = len(taken.files) - len(few)
    return [
        f"{count_of(taken.added, taken.kind.removesuffix('s'))} added{known}.",
        *(f"wrote {file}" for file in few),
        *([f"wrote {left} more files beside them"] if left else []),
        *(f"note: {note}" for note in taken.notes),
    ]


def told(
    study: Path,
    facts: object,
    counts: Sequence[tuple[int, str, str]],
    *,
    files: Sequence[str],
    notes: Sequence[str],
) -> Outcome:
    """Say what was odd about the files, what was taken, and what comes next.

    Args:
        study: The study's folder.
        facts: The same for machines.
        counts: How many of each thing, and its names for one and for many.
        files: What was written.
        notes: What was odd.
    """
    taken = (f"{n} {singular if n == 1 else many}" for n, singular, many in counts)
    return Outcome(
        [
            *(f"note: {note}" for note in notes),
            f"Taken: {', '.join(taken)}.",
            *(f"wrote {file}" for file in files),
            f"Next: medassay run {study}",
        ],
        facts,
    )
