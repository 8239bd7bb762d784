"""Every code that seeds a stream is frozen, stands in the source, and still draws the same."""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from medassay.stats.randomness import stream, uniform

_SOURCE = Path(__file__).parents[2] / "src/medassay"
_GOLDEN: dict[str, int] = json.loads(
    (Path(__file__).parents[1] / "golden/streams.json").read_text(encoding="utf-8")
)
_SEEDED = {"stream", "uniform", "step_rng"}


def _codes() -> Iterator[tuple[str, Path]]:
    for path in sorted(_SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        draws = any(f"{name}(" in text for name in _SEEDED) or "randomness." in text
        for node in ast.walk(ast.parse(text)) if draws else ():
            code = _code(node)
            if code is None:
                continue
            if isinstance(code, ast.Constant):
                yield str(code.value), path
            else:
                # The two places that hand a caller's code on.
                assert isinstance(code, ast.Name), (path, code.lineno)
                assert path.name in {"study_columns.py", "readable.py"}, (path, code.lineno)
                assert code.id == "code", (path, code.lineno)


def _code(node: ast.AST) -> ast.expr | None:
    """Give the code that a call draws by: of a seeded function, or of an analysis' randomness."""
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Name):
        return node.args[1] if node.func.id in _SEEDED and len(node.args) > 1 else None
    of = node.func.value if isinstance(node.func, ast.Attribute) else None
    asked = isinstance(of, ast.Name) and of.id == "randomness"
    return node.args[0] if asked and node.args else None


@pytest.mark.slow
def test_codes_say_nothing_in_any_language() -> None:
    found = {code for code, _ in _codes()}
    assert len(found) > 40
    assert [code for code in found if not re.fullmatch(r"s\d\d", code)] == []


@pytest.mark.slow
def test_every_code_in_use_is_frozen_and_none_is_taken_twice_by_strangers() -> None:
    where = defaultdict(set)
    for code, path in _codes():
        where[code].add(path.parent.name)
    assert set(where) <= set(_GOLDEN), "new codes: python tests/golden/make_streams.py"
    # One draw may serve several modules of one room, on purpose; two rooms never share a code.
    assert {code: rooms for code, rooms in where.items() if len(rooms) > 1} == {}


@pytest.mark.parametrize(("code", "drawn"), sorted(_GOLDEN.items()))
def test_a_code_draws_what_it_drew(code: str, drawn: int) -> None:
    assert int(stream(0, code, "for", 1).integers(2**53)) == drawn


def test_what_is_drawn_for_is_told_apart() -> None:
    ways = [("ab",), ("a", "b"), ("a", "b", ""), ("1",), (1,), ()]
    assert len({stream(0, "s00", *way).random() for way in ways}) == len(ways)
    assert len({uniform(0, "s00", *way) for way in ways}) == len(ways)
    assert stream(0, "s00").random() != stream(1, "s00").random()


def test_uniform_numbers_are_uniform() -> None:
    drawn = [uniform(3, "s00", i) for i in range(4000)]
    assert all(0 <= one < 1 for one in drawn)
    # Kolmogorov's bound at one in a million for 4,000 draws.
    gaps = (max(abs(x - i / 4000), abs(x - (i + 1) / 4000)) for i, x in enumerate(sorted(drawn)))
    assert max(gaps) < 2.7 / 4000**0.5
