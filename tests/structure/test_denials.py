"""No page says of what is there that it is not: the program itself is asked."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from typer.main import get_command

from medassay.cli.app import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NO = r"(?i)\b(?:no|not|never|without|lacks)\b[^.:;|\n]{0,60}"


def has(*words: str) -> bool:
    """Say whether the program has a command, or a command an option."""
    command = get_command(app)
    for word in words:
        if word.startswith("-"):
            return any(word in parameter.opts for parameter in command.params)
        commands = getattr(command, "commands", {})
        if word not in commands:
            return False
        command = commands[word]
    return True


THERE: Mapping[str, tuple[str, Callable[[], bool]]] = {
    "the rating room": (
        rf"{NO}\b(?:rating room|such room)\b",
        lambda: has("campaign", "serve"),
    ),
    "calls of endpoints": (
        rf"{NO}\bcalls? of (?:language-model )?endpoints\b|\bruns no (?:model )?judges?\b",
        lambda: has("judge", "--ask") and has("answer"),
    ),
    "another language": (
        rf"{NO}\btranslation of the interface\b|\binterface is English only\b",
        lambda: len(list((ROOT / "src/medassay/data/catalogues").glob("*.toml"))) > 1,
    ),
}


@pytest.mark.parametrize("what", THERE)
def test_nothing_that_is_there_is_denied(what: str) -> None:
    denied, there = THERE[what]
    pages = [page for page in PAGES if re.search(denied, page.read_text(encoding="utf-8"))]
    assert not (there() and pages)


def test_the_program_can_be_asked() -> None:
    assert all(there() for _, there in THERE.values())
    assert not has("campaign", "teleport")
    assert not has("judge", "--teleport")


def test_a_list_of_what_is_not_there_is_held_against_the_program() -> None:
    """Each line under such a heading needs an entry above."""
    listed = re.compile(r"^#+ Not (?:there|yet).*\n+((?:- .*\n?)+)", re.MULTILINE)
    lines = [
        line
        for page in PAGES
        for found in listed.finditer(page.read_text(encoding="utf-8"))
        for line in found[1].splitlines()
    ]
    assert not [line for line in lines if not any(re.search(no, line) for no, _ in THERE.values())]
