"""What a dimension asks for is known to judgements and sheets; others ask it what can be done."""

import ast
from pathlib import Path
from typing import Final

import pytest

SOURCE: Final = Path(__file__).parents[2] / "src" / "medassay"
ASKED_FOR: Final = frozenset({"kinds", "number", "column"})
OWN: Final = frozenset({"agreement/passages.py"})
"""What is of passages alone asks which dimensions have any."""


@pytest.mark.parametrize("room", ["agreement", "consensus", "validity", "error_analysis"])
def test_no_room_of_statistics_branches_on_what_a_dimension_asks_for(room: str) -> None:
    found = []
    for file in sorted((SOURCE / room).rglob("*.py")):
        name = file.relative_to(SOURCE).as_posix()
        text = file.read_text(encoding="utf-8")
        asks = any(f".{word}" in text for word in ASKED_FOR)
        for node in ast.walk(ast.parse(text)) if asks else ():
            if not isinstance(node, ast.Attribute) or node.attr not in ASKED_FOR or name in OWN:
                continue
            # Tables have columns, too: those of rubrics are meant.
            of = ast.unparse(node.value)
            if "dimension" in of or of in {"asked", "rubric"}:
                found.append(f"{name}:{node.lineno}: {ast.unparse(node)}")
    assert not found, "ask Dimension.joinable, .score(), .unit or .ends: " + "; ".join(found)
