"""Which standard studies a tool goes into, and which tests read those."""

import ast
from pathlib import Path
from typing import Final

from tools.functions import functions_of

_LIST: Final = "tools/standard/__init__.py"
_APART: Final = ("browser", "latex", "slow")


def studies_of(tool: str, tree: Path) -> set[str]:
    """Name the standard studies that a tool writes, or that import it; of their list all.

    The list (`STANDARD`) says which function writes a study, and its imports where that stands.
    """
    texts = {
        str(path.relative_to(tree)): path.read_text(encoding="utf-8")
        for path in (tree / "tools").rglob("*.py")
    }
    listed = texts.pop(_LIST, "")
    reached, new = set[str](), {tool}
    while new:
        reached |= new
        imports = [f"from {path[:-3].replace('/', '.')} import" for path in new]
        new = {path for path, text in texts.items() if any(i in text for i in imports)} - reached
    writers, studies = set[str](), dict[str, ast.expr]()
    for node in ast.walk(ast.parse(listed)):
        if isinstance(node, ast.ImportFrom):
            file = f"{node.module}".replace(".", "/") + ".py"
            writers |= {name.name for name in node.names if file in reached or tool == _LIST}
        elif isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            studies |= {ast.literal_eval(key): of for key, of in pairs if key}
    named = {
        study: {part.id for part in ast.walk(of) if isinstance(part, ast.Name)}
        for study, of in studies.items()
    }
    return {study for study, names in named.items() if names & writers}


def tests_of_studies(studies: set[str], tree: Path) -> set[str]:
    """Name the quick tests beside the studies that say their list; of each study's own, these."""
    found = set[str]()
    for path in (tree / "tests/standard").glob("test_*.py") if studies else ():
        file = path.relative_to(tree)
        parts = functions_of(path.read_text(encoding="utf-8"))
        apart = parts.pop("<module> pytestmark", None)
        for name, part in parts.items():
            marks = part.text + (apart.text if apart else "")
            if not name.startswith("test_") or "'STANDARD'" not in part.text:
                continue
            if not any(f"attr='{mark}'" in marks for mark in _APART):
                each = "attr='parametrize'" in part.text
                found |= {f"{file}::{name}[{s}]" for s in studies} if each else {f"{file}::{name}"}
    return found
