"""Every command that a page names or the program prints is one that there is."""

import ast
import re
import shlex
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from tools.docs_blocks import blocks
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from medassay.cli.app import app
from medassay.cli.format_command import FormatCommand

ROOT = Path(__file__).parents[2]
PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "design").glob("*.md"),
    *(ROOT / "simulations").glob("*.md"),
    *(ROOT / "src").rglob("*.md"),
    *(ROOT / "examples").rglob("*.md"),
]
# A line of its own in a block, or backquotes in a sentence; what follows a pipe is another's.
TYPED = re.compile(r"^(?:\$ | *- run: )?medassay (?P<words>[^|#\n]+)", re.MULTILINE)
# In the program's own words a command is a string of its own, or stands behind a colon, a backquote
# or a bracket; anywhere else it begins with a verb that there is, or is a sentence about medassay.
COMMAND = get_command(app)
VERBS = "|".join(sorted(COMMAND.commands))  # type: ignore[attr-defined] # a group
PRINTED = re.compile(
    rf"(?:\A|(?<=[:`(]) ?|(?<=[ \n])(?=medassay (?:{VERBS})\b))medassay (?P<words>[a-z][^`\"\n|;]*)"
)
PROSE = {"alone", "computes", "plans", "vocabulary"}  # "medassay alone writes there"
TOLD = re.compile(r"`medassay (?P<words>[^`|]+)`")


def named(text: str) -> Iterator[list[str]]:
    found = blocks(text)
    for block in reversed(found):
        text = text[: block.start] + text[block.start + len(block.content) :]
    typed = (one for block in found for one in TYPED.finditer(block.content))
    for one in (*typed, *TOLD.finditer(text)):
        words = one["words"].partition("   ")[0].partition(" && ")[0]
        yield shlex.split(words.replace("'", " "))


@cache
def formats(command: FormatCommand) -> Mapping[str, TyperCommand]:
    """Give the command of each format: to go through the words of all takes a moment."""
    return command.commands()


def wrong(words: list[str]) -> str:
    """Say what of these words is not there, or nothing."""
    command = COMMAND
    rest = list(words)
    while isinstance(command, TyperGroup) and rest and not rest[0].startswith("-"):
        if rest[0] not in command.commands:
            return rest[0] if re.fullmatch(r"[a-z-]+", rest[0]) else ""
        command = command.commands[rest.pop(0)]
    commands = [command]
    if isinstance(command, FormatCommand):
        of = formats(command)
        if rest and rest[0] in of:
            return rest[0]  # a format is no verb: it stands behind --from or --to
        name = rest[rest.index(command.way) + 1] if command.way in rest else None
        if name is not None and re.fullmatch(r"[a-z-]+", name) and name not in of:
            return name
        commands += [of[name]] if name is not None and name in of else of.values()
    names = (name for one in commands for param in one.params for name in param.opts)
    known = {"--help", "-h", *names}
    options = [word.partition("=")[0] for word in rest if re.match(r"--?[a-z]", word)]
    return " ".join(option for option in options if option not in known)


@pytest.mark.parametrize("page", PAGES, ids=[str(one.relative_to(ROOT)) for one in PAGES])
def test_the_commands_of_a_page_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert [(words, what) for words in named(text) if (what := wrong(words))] == []


def test_what_is_not_there_would_be_seen() -> None:
    said = (
        "`medassay runn x` and `medassay run x --sead 1`, "
        "`medassay import --from scores a.csv --into b --range 0..1`, "
        "`medassay import --from answers a.csv --into b --range 0..1`, "
        "`medassay import a.csv --into b --lou 0`, `medassay export a --to nobody --into b`, "
        "`medassay import scores a.csv --into b`"
    )
    found = ["runn", "--sead", "", "--range", "--lou", "nobody", "scores"]
    assert [wrong(words) for words in named(said)] == found


def printed(source: str) -> Iterator[list[str]]:
    """Give each command in the words of a source file; FILLED stands for what it fills in."""
    tree = ast.parse(source)
    if ast.get_docstring(tree):
        del tree.body[0]  # nobody sees it
    nodes = list(ast.walk(tree))
    inner = {
        id(part)
        for node in nodes
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
        if part is not node
    }
    for node in nodes:
        text = ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner:
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "FILLED"
                for part in node.values
            )
        for command in PRINTED.finditer(text):
            words = [word.rstrip(".,:)") for word in command["words"].split()]
            if not PROSE & set(words[:2]):
                yield words


@pytest.mark.slow
def test_the_commands_that_the_program_prints_exist() -> None:
    sources = {
        path.relative_to(ROOT).as_posix(): list(printed(path.read_text(encoding="utf-8")))
        for path in sorted((ROOT / "src" / "medassay").rglob("*.py"))
    }
    assert sum(map(len, sources.values())) > 100
    bad = [
        (name, " ".join(words), what)
        for name, commands in sources.items()
        for words in commands
        if (what := wrong(words))
    ]
    assert bad == []


def test_a_printed_command_that_is_not_there_would_be_seen() -> None:
    source = """
note = f"{rater} needs a link: medassay campaign invite {study} " "--rater."
hint = "Make one with: medassay nwe FOLDER"
fine = "It is a medassay store. Look: medassay campaign status my-study"
"""
    assert [wrong(words) for words in printed(source)] == ["--rater", "nwe", ""]
