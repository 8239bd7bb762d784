"""A run laid out as a paper: paragraphs, tables, references."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from medassay.analyses.results import Results
from medassay.report.contents import tables_of
from medassay.report.privacy import guarded
from medassay.report.prose import (
    ListedSource,
    Statement,
    found_statements,
    methods_statements,
    references,
)
from medassay.report.tables import Table

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
        tables: Those that fit on paper, numbered as on the page.
        files: Tables too long for paper.
        empty: Tables without rows: each says why.
        references: What to cite.
        signatures: Source of scores to its signature.
    """

    results: Results
    methods: tuple[Statement, ...]
    found: tuple[Statement, ...]
    tables: tuple[Table, ...]
    files: tuple[Table, ...]
    empty: tuple[Table, ...]
    references: tuple[ListedSource, ...]
    signatures: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, results: Results, tables: Sequence[Table] | None = None) -> "Document":
        """Lay out a run; its tables are made unless they are handed in."""
        results = guarded(results)
        every = tables_of(results) if tables is None else tables
        statements = tuple(found_statements(results, every))
        there = [table for table in every if table.rows]
        return cls(
            results,
            tuple(methods_statements(results)),
            statements,
            tuple(table for table in there if len(table.rows) <= _MOST_ROWS),
            tuple(table for table in there if len(table.rows) > _MOST_ROWS),
            tuple(table for table in every if not table.rows),
            tuple(references(results)),
            tuple((source.name, source.signature) for source in results.sources),
        )

    @property
    def numbers(self) -> dict[str, str]:
        """Table id to its number, of the tables that fit on paper."""
        return {table.id: str(table.number) for table in self.tables}

    def cited(self, statement: Statement) -> list[str]:
        """Name the tables of a statement that are printed, by their id."""
        return [name for name in statement.basis if name in self.numbers]
