"""Every fault that a checkout's source can have, and where."""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tools.mutate.faults import FAULTS
from tools.mutate.mutant import Mutant, Place
from tools.mutate.source import Source

SOURCE: Final = "src/medassay"
_SAID: Final = (ast.Raise, ast.Assert, ast.Import, ast.ImportFrom)
"""Statements whose text is a message to a person, or that only stop."""
_MESSAGE: Final = ("problem", "InvalidInput", "message", "hint", "needs", "warn", "log")
"""An assignment to, or a call of, one of these makes a message."""


def mutants_of_tree(tree: Path) -> dict[Mutant, Place]:
    """Give every fault of every file."""
    found: dict[Mutant, Place] = {}
    for path in sorted((tree / SOURCE).rglob("*.py")):
        found |= mutants_of_file(path.read_bytes(), str(path.relative_to(tree)))
    return found


def mutants_of_file(data: bytes, path: str) -> Mapping[Mutant, Place]:
    """Give every fault of a file: inside functions only, since what an import runs has no test."""
    source = Source(data)
    found: dict[Mutant, Place] = {}
    seen: Counter[tuple[str, str]] = Counter()
    for function, statement in _statements(ast.parse(data)):
        begin, end = source.head(statement)
        text = source.text((begin, end)).rstrip()
        seen[function, text] += 1
        if _makes_message(statement, text):
            continue
        lines = source.line(begin), source.line(begin + len(text.encode()) - 1)
        for kind, faults in FAULTS.items():
            for (start, stop), new in faults(statement, source):
                if stop > end:  # a part that is a statement's own, such as a lambda's
                    continue
                old = source.text((start, stop))
                mutant = Mutant(
                    path, function, kind, text, seen[function, text], start - begin, old, new
                )
                first, last = source.line(start), source.line(max(start, stop - 1))
                found.setdefault(mutant, Place(start, first, last, lines))
    return found


def _statements(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Give each statement that runs when a function is called, with the function's name."""
    for around, function in _functions(tree, ""):
        for statement in _inside(function.body):
            yield around, statement


def _functions(
    node: ast.AST, around: str
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{around}.{child.name}" if around else child.name
            if not isinstance(child, ast.ClassDef):
                yield name, child
            yield from _functions(child, name)
        else:
            yield from _functions(child, around)


def _inside(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        yield statement
        for name in ("body", "orelse", "finalbody"):
            yield from _inside(getattr(statement, name, []))
        for handler in getattr(statement, "handlers", []):
            yield from _inside(handler.body)
        for case in getattr(statement, "cases", []):
            yield from _inside(case.body)


def _makes_message(statement: ast.stmt, text: str) -> bool:
    if isinstance(statement, _SAID):
        return True
    head = text.split("(", 1)[0].split("=", 1)[0].casefold()
    return any(word.casefold() in head for word in _MESSAGE) and not hasattr(statement, "body")
