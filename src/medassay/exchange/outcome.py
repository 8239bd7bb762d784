"""What an import or an export did: said to people in lines, to machines as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Final, Self

from medassay.text import count_of, first_of

if TYPE_CHECKING:
    from medassay.study import ImportSummary
    from medassay.study.contents.private import Pseudonyms

__all__ = ["Outcome", "Overview"]

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
