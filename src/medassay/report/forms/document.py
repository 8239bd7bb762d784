"""A run laid out as a paper: paragraphs, tables that they rest on, further tables, references."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from medassay.analyses.results import Results
from medassay.report.privacy import guarded
from medassay.report.prose import (
    Reference,
    Statement,
    found_statements,
    methods_statements,
    references,
    tables_of,
)
from medassay.report.tables import Table

__all__ = ["Document", "Drawn"]

_MAIN_ROWS: Final = 40
"""A longer table is a further one, even where a paragraph rests on it."""
_MOST_ROWS: Final = 300
"""A longer table is a file of its own only: nobody reads it on paper."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure as a paper takes it in.

    Attributes:
        path: Its file, seen from the paper's.
        title: A few words.
        caption: Sentences; empty where a table says the same.
        width: In millimetres.
    """

    path: str
    title: str
    caption: str
    width: float


@dataclass(frozen=True, slots=True)
class Document:
    """The parts of a paper, in order.

    Attributes:
        results: The run, without the texts that its study keeps to itself.
        methods: What was done.
        found: What was found.
        main: Tables that the results rest on.
        further: The other tables, numbered S1, S2, ...
        files: Tables too long for paper.
        empty: Tables without rows: each says why.
        references: What to cite.
        signatures: Source of scores to its signature.
    """

    results: Results
    methods: tuple[Statement, ...]
    found: tuple[Statement, ...]
    main: tuple[Table, ...]
    further: tuple[Table, ...]
    files: tuple[Table, ...]
    empty: tuple[Table, ...]
    references: tuple[Reference, ...]
    signatures: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, results: Results, tables: Sequence[Table] | None = None) -> "Document":
        """Lay out a run; its tables are made unless they are handed in."""
        results = guarded(results)
        every = tables_of(results) if tables is None else tables
        found = tuple(found_statements(results, every))
        there = {table.id: table for table in every if table.rows}
        resting = dict.fromkeys(name for one in found for name in one.basis if name in there)
        main = tuple(there[name] for name in resting if len(there[name].rows) <= _MAIN_ROWS)
        rest = [table for table in there.values() if table not in main]
        return cls(
            results,
            tuple(methods_statements(results)),
            found,
            main,
            tuple(table for table in rest if len(table.rows) <= _MOST_ROWS),
            tuple(table for table in rest if len(table.rows) > _MOST_ROWS),
            tuple(table for table in every if not table.rows),
            tuple(references(results)),
            tuple((one.name, one.signature) for one in results.sources),
        )

    @property
    def numbers(self) -> dict[str, str]:
        """Table id to its number: 1, 2, ... and S1, S2, ..."""
        return {
            **{table.id: str(at) for at, table in enumerate(self.main, start=1)},
            **{table.id: f"S{at}" for at, table in enumerate(self.further, start=1)},
        }

    def cited(self, statement: Statement) -> list[str]:
        """Name the tables of a statement that are printed, by their id."""
        return [name for name in statement.basis if name in self.numbers]
