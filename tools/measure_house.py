"""Measure the house: how large it is, how scattered, and how knotted.

`python -m tools.measure_house` prints a table; `--json` prints the same for a program.
"""

import argparse
import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import grimp

from tools.read_sentences import found_sentences
from tools.trace_tau import stays_of_a_tau

ROOT: Final = Path(__file__).parents[1]
_SOURCE: Final = ROOT / "src" / "medassay"
_BRACES: Final = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}")
_WORD: Final = re.compile(r"(?<!\w)[A-Za-z]+(?!\w)")
_FOUND_BY_FOLDER: Final = re.compile(r"\.(builtin|strategies|methods)\.\w+$|\.declared$")
"""Modules that a registry finds in their folder: nobody has to import them by name."""


def executable_lines(text: str) -> int:
    r"""Count the lines of a module that do something: no docs, comment, import, `__all__`, blank.

    A string alone after a field describes it, so it counts as docs. Brackets alone count.

    Raises:
        SyntaxError: The text is no Python.

    Example:
        >>> executable_lines('import os\ndef here():\n    "Where?"\n    return os.getcwd()\n')
        2
    """
    left = {
        number
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.strip().startswith("#")
    }
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and _does_nothing(node):
            left -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            left -= {node.lineno}
    return len(left)


def _does_nothing(node: ast.stmt) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant(value=str())):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case ast.AnnAssign(target=ast.Name(id="__all__")):
            return True
        case _:
            return False


def class_owners(texts: list[str]) -> Counter[str]:
    """Count the modules in which a public class of each name stands.

    Raises:
        SyntaxError: A text is no Python.

    Example:
        >>> class_owners(["class Row: ...", "class Row: ...", "class _Own: ..."])["Row"]
        2
    """
    return Counter(
        node.name
        for text in texts
        for node in ast.parse(text).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )


def tables_by_hand(text: str) -> int:
    r"""Count the calls of this package's `Table` in a module.

    Raises:
        SyntaxError: The text is no Python.

    Example:
        >>> tables_by_hand("from medassay.exhibits import Table\nTable(1)\nTable(2)")
        2
        >>> tables_by_hand("from medassay.exhibits import Table as Own\nTable(1)")
        0
    """
    nodes = [*ast.walk(ast.parse(text))]
    imported = {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("medassay.")
        for alias in node.names
    }
    return sum(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Table"
        for node in nodes
        if "Table" in imported
    )


def measures() -> dict[str, int]:
    """Measure this checkout: the name of each measure, and its number.

    Raises:
        OSError: A file cannot be read.
    """
    paths = sorted(_SOURCE.rglob("*.py"))
    texts = [path.read_text(encoding="utf-8") for path in paths]
    graph = grimp.build_graph("medassay", cache_dir=None)
    own = _SOURCE / "exhibits" / "columns.py"  # `table_of` itself ends in a Table
    pages = [*(ROOT / "design").rglob("*.md")]
    sentences = _first_screen_sentences()
    source = "\n".join(texts)
    lines = [line for text in texts for line in _with_values_between(text)]
    stays, returns = stays_of_a_tau()
    return {
        "lines of src": sum(text.count("\n") for text in texts),
        "files of src": len(paths),
        "longest file of src, in lines": max(text.count("\n") for text in texts),
        "executable lines of src": sum(map(executable_lines, texts)),
        "modules with a single importer": sum(
            len(graph.find_modules_that_directly_import(module)) == 1
            and not _FOUND_BY_FOLDER.search(module)
            for module in graph.modules
        ),
        "tables laid out by hand": sum(
            tables_by_hand(text) for path, text in zip(paths, texts, strict=True) if path != own
        ),
        "class names with three owners or more": sum(
            owners >= 3  # noqa: PLR2004 (the measure's own name says it)
            for owners in class_owners(texts).values()
        ),
        "sibling dependencies to cut": len(_dependencies_to_cut(graph, "medassay")),
        "first-screen sentences": len(sentences),
        "first-screen sentences found by four words": sum(
            _is_found(sentence, source) for sentence in sentences
        ),
        "first-screen sentences found by four words, values between": sum(
            _is_found(sentence, source) or any(line.search(sentence) for line in lines)
            for sentence in sentences
        ),
        "stays of a tau on its way to a verdict": len(stays),
        "returns of a tau to a file that it left": returns,
        "pages of design/": len(pages),
        "words of design/": sum(len(page.read_text(encoding="utf-8").split()) for page in pages),
        "bytes of CHANGELOG.md": (ROOT / "CHANGELOG.md").stat().st_size,
        "files in the root": sum(path.is_file() for path in ROOT.iterdir() if path.name[0] != "."),
    }


def _dependencies_to_cut(graph: grimp.ImportGraph, package: str) -> set[tuple[str, str]]:
    """Give pairs of siblings whose imports make circles, type-checking imports included.

    As import-linter's contract `acyclic_siblings` counts: without these no circle is left.
    """
    depth = package.count(".") + 2
    found = {
        (".".join(importer.split(".")[:depth]), ".".join(imported.split(".")[:depth]))
        for importer, imported in graph.nominate_cycle_breakers(package)
    }
    for child in graph.find_children(package):
        if graph.find_children(child):
            found |= _dependencies_to_cut(graph, child)
    return found


def _first_screen_sentences() -> set[str]:
    """Give the sentences of eight words or more that findings say."""
    pages = (ROOT / "tests" / "standard" / "frozen").glob("*/page.txt")
    return {
        sentence
        for page in pages
        for sentence in found_sentences(page.read_text(encoding="utf-8"))
        if len(sentence.split()) >= 8  # noqa: PLR2004 - of fewer there are hardly any four
    }


def _with_values_between(text: str) -> Iterator[re.Pattern[str]]:
    """Give a pattern for every four words of one line that braces part, as somebody reads them."""
    for line in text.splitlines():
        words = [*_WORD.finditer(_BRACES.sub(_blanked, line))] if "{" in line else []
        for first, _, _, last in zip(words, words[1:], words[2:], words[3:], strict=False):
            parts = _BRACES.split(line[first.start() : last.end()])
            if len(parts) > 1:
                yield re.compile(r"(?<!\w)" + ".{1,60}?".join(map(re.escape, parts)) + r"(?!\w)")


def _blanked(braces: re.Match[str]) -> str:
    return " " * len(braces[0])


def _is_found(sentence: str, source: str) -> bool:
    words = sentence.split()
    return any(" ".join(words[start : start + 4]) in source for start in range(len(words) - 3))


def main() -> None:
    """Print what was measured."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--json", action="store_true", help="print JSON in place of a table")
    found = measures()
    if words.parse_args().json:
        print(json.dumps(found, indent=2))
        return
    print("| measure | this checkout |\n| --- | ---: |")
    for name, value in found.items():
        print(f"| {name} | {value:,} |")


if __name__ == "__main__":
    main()
