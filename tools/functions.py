"""The functions of a file, so that two texts of it can be compared."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

MODULE: Final = "<module>"
"""Begins the name of what stands outside functions: constants, declarations, fields of classes."""


@dataclass(frozen=True)
class Function:
    """One function or method with what is nested in it, or a statement outside of all.

    Attributes:
        lines: Those of its body.
        text: Its syntax tree as text: equal where only layout or comments differ.
        words: The strings in it.
    """

    lines: range
    text: str
    words: tuple[str, ...]

    @property
    def mark(self) -> str:
        """Tell it from what it was before a change."""
        return blake2b(self.text.encode(), digest_size=3).hexdigest()

    @property
    def bare(self) -> str:
        """Give its text without the strings: equal where words alone changed."""
        text = self.text
        for word in sorted(self.words, key=len, reverse=True):
            text = text.replace(repr(word), "''")
        return text


def functions_of(source: str, file: str = "source") -> dict[str, Function]:
    """Give functions by name (`Class.method`); statements outside of them by what they bind.

    Raises:
        SyntaxError: The file is no Python.
    """
    found: dict[str, Function] = {}
    for name, node in _pieces(ast.parse(source, file).body, ""):
        body = node.body[0] if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else node
        constants = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
        words = tuple(value for value in constants if isinstance(value, str))
        lines = range(body.lineno, (node.end_lineno or body.lineno) + 1)
        before = found.get(name, Function(lines, "", ()))  # an overload, a second binding
        found[name] = Function(lines, before.text + ast.dump(node), before.words + words)
    return found


def _pieces(body: list[ast.stmt], around: str) -> Iterator[tuple[str, ast.stmt]]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{around}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _pieces(node.body, f"{around}{node.name}.")
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield f"{MODULE} {around}{ast.unparse(target)}", node
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            yield f"{MODULE} {around}", node
