"""JSON in a cell, a line, a file and TOML are refused for the same reasons, and never crash."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import BaseModel

from medassay.errors import InvalidInput, Problem
from medassay.tables import parse_json, parse_json_cells, read_sheet, read_toml

LONG = "9" * 5000
DEEP = "[" * 100_000
TOO_DEEP = "lists or objects nested too deep"


def in_a_cell(text: str) -> list[Problem]:
    problems: list[Problem] = []
    cells = parse_json_cells({"a": text}, {"a": "Hint."}, file="f", row=2, problems=problems)
    assert "a" not in cells
    return problems


def in_a_cell_of(text: str) -> object:
    return parse_json_cells({"a": text}, {"a": ""}, file="f", row=2, problems=[])["a"]


def in_a_file(text: str) -> list[Problem]:
    with pytest.raises(InvalidInput) as caught:
        parse_json(text.encode(), "f")
    return list(caught.value.problems)


@pytest.mark.parametrize("read", [in_a_cell, in_a_file])
@pytest.mark.parametrize(
    ("text", "got"),
    [
        ('"\\ud83d"', "half of a surrogate pair, which is no character"),
        ('[{"text": "a\\udc00"}]', "half of a surrogate pair, which is no character"),
        (DEEP, TOO_DEEP),
        ("[" * 101 + "]" * 101, TOO_DEEP),
        ('{"a":' * 700 + "1" + "}" * 700, TOO_DEEP),
        (LONG, "a number too long to read"),
        (f'{{"n": [{LONG}]}}', "a number too long to read"),
    ],
    ids=["half", "half inside", "deep", "101 lists", "700 objects", "long", "long inside"],
)
def test_what_python_chokes_on_is_refused(
    read: Callable[[str], list[Problem]], text: str, got: str
) -> None:
    [problem] = read(text)
    assert (problem.must, problem.got) == ("be JSON", got)


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', "NaN", "[-Infinity]"])
def test_a_cell_says_one_thing(text: str) -> None:
    [problem] = in_a_cell(text)
    assert problem.got in {
        'the key "a" twice',
        "NaN, which is no JSON number",
        "-Infinity, which is no JSON number",
    }


def test_pairs_of_surrogates_are_characters() -> None:
    cells = parse_json_cells({"a": '"\\ud83d\\ude00"'}, {"a": ""}, file="f", row=2, problems=[])
    assert cells == {"a": "😀"}


class Settings(BaseModel):
    """What a file of settings may hold."""

    seed: int = 0
    more: list[dict[str, int]] = []


@pytest.mark.parametrize(
    ("text", "column", "got"),
    [
        (f"seed = {LONG}", None, "a number too long to read"),
        (f"x = {DEEP}", None, TOO_DEEP),
        (f"x = {'{a=' * 20_000}", None, TOO_DEEP),
        (f"x = {'[' * 101}{']' * 101}", None, TOO_DEEP),
        (f"{'a.' * 200_000}b = 1", None, TOO_DEEP),
        (f"""x = {{"a" . {"'b' . " * 20_000} c = 1}}""", None, TOO_DEEP),
        (f"[{'a.' * 90}a]\n{'b.' * 90}b = 1", None, TOO_DEEP),
        (f"seed = 0x{'f' * 5000}", "seed", "a longer one"),
        (f"more = [{{}}, {{a = {2**63}}}]", "more[2].a", "a longer one"),
    ],
)
def test_numbers_that_toml_cannot_hold_are_refused(text: str, column: str, got: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_toml(Settings, text.encode(), "f.toml")
    [problem] = caught.value.problems
    assert (problem.column, problem.got) == (column, got)


@pytest.mark.parametrize("depth", [1, 50, 100])
def test_what_is_nested_as_people_nest_is_read(depth: int) -> None:
    text = "[" * depth + "]" * depth
    assert parse_json(text.encode(), "f") == json.loads(text)
    assert in_a_cell_of(text) == json.loads(text)


@pytest.mark.parametrize("depth", [101, 300, 450, 600, 800, 900, 980, 5000])
@pytest.mark.parametrize("inside", ["1", "NaN", '"\\ud83d"'])
def test_no_depth_is_read_here_and_fails_there(tmp_path: Path, depth: int, inside: str) -> None:
    path = tmp_path / "f.jsonl"
    path.write_text(f'{{"a": {"[" * depth}{inside}{"]" * depth}}}\n', encoding="utf-8")
    with pytest.raises(InvalidInput) as caught:
        read_sheet(path)
    [problem] = caught.value.problems
    assert problem.row == 1


@pytest.mark.parametrize(
    "text",
    [
        f"more = []  # {'one. two. ' * 100_000}",
        f"more = []  # {'a.' * 50_000}",
        f"more = []  # {'[a. ' * 50_000}]",
        """more = []  # '" """ + "a'\"" * 100_000,
    ],
)
def test_prose_with_many_stops_is_no_long_key(text: str) -> None:
    began = time.process_time()
    assert read_toml(Settings, text.encode(), "f").more == []
    assert time.process_time() - began < 5


def test_the_largest_numbers_of_toml_are_read() -> None:
    assert read_toml(Settings, f"seed = {2**63 - 1}".encode(), "f").seed == 2**63 - 1
