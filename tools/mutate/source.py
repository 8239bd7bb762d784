"""A file of source whose parts can be named by bytes."""

import ast
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

Span = tuple[int, int]
_NOT_RUN: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass
class Source:
    """A file's bytes, and where its lines begin."""

    data: bytes

    def __post_init__(self) -> None:
        """Find the lines."""
        lengths = [len(line) for line in self.data.splitlines(keepends=True)]
        self.begins = [0, *accumulate(lengths)]

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """Give the bytes of a node, from and to."""
        end_line, end_column = node.end_lineno, node.end_col_offset
        assert end_line is not None and end_column is not None  # noqa: PT018, S101 - parsed, so known
        start = self.begins[node.lineno - 1] + node.col_offset
        return start, self.begins[end_line - 1] + end_column

    def text(self, span: Span) -> str:
        """Give what stands there."""
        return self.data[span[0] : span[1]].decode()

    def of(self, node: ast.expr | ast.stmt) -> str:
        """Give what a node says."""
        return self.text(self.span(node))

    def line(self, offset: int) -> int:
        """Give the line of a byte, from 1."""
        return bisect_right(self.begins, offset)

    def head(self, statement: ast.stmt) -> Span:
        """Give a statement without the statements inside it."""
        start, end = self.span(statement)
        body = getattr(statement, "body", None)
        return (start, self.span(body[0])[0]) if body else (start, end)


def parts_of(statement: ast.stmt) -> Iterator[ast.expr]:
    """Give every expression of a statement, without those of statements inside it.

    Annotations, decorators and defaults are left out: they run when a file is imported.
    """
    if isinstance(statement, _NOT_RUN):
        return
    if isinstance(statement, ast.AnnAssign):
        roots: list[ast.AST] = [statement.value] if statement.value else []
    else:
        roots = [
            child
            for child in ast.iter_child_nodes(statement)
            if isinstance(child, ast.expr | ast.withitem)
        ]
    for root in roots:
        for node in ast.walk(root):
            if isinstance(node, ast.expr):
                yield node
