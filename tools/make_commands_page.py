"""Write docs/reference/commands.md: every verb, argument and option, as `--help` has them.

    python -m tools.make_commands_page

A test writes the page again and compares.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.cli.format_command import FormatCommand

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "commands.md"
_HEAD: Final = """\
# Commands

Every verb with its arguments and options, as `medassay VERB --help` prints them, or \
`--help-all` where many are rare. The page is written by `python -m tools.make_commands_page`, and \
a test compares it.

| exit code | means |
| ---: | --- |
| 0 | done |
| 1 | something could not be had, and is asked for when it runs again (`answer`, `judge --ask`) |
| 2 | bad input: files or options that cannot be used, each named ([bad input](../bad-input.md)) |
| 3 | a gate says worse (`compare`), or a model judge did not pass (`judge --certify`) |
| 4 | a gate is undecided and was told not to pass, or scores are missing that the old version \
had (`compare`) |
| 130 | you stopped it; run again, it goes on (`answer`, `judge --ask`) |

`--json` prints one JSON document for machines, on every verb; `-h` and `--help` print what stands \
here. `medassay --version` prints the version; `medassay --install-completion` lets the shell \
complete verbs and options.
"""
_EVERYWHERE: Final = ("-h, --help", "--help-all", "--json")


@dataclass(frozen=True)
class Help:
    """What one command's help says."""

    words: tuple[str, ...]
    usage: str
    told: str
    lists: dict[str, dict[str, str]] = field(default_factory=dict)
    """Arguments, Options and Commands, each with what is said of it."""
    examples: tuple[str, ...] = ()
    """Lines as they can be typed."""


def helps() -> list[Help]:
    """Read the help of every command that does something by itself."""
    return [_read(words) for words in _leaves(get_command(app), ())]


def page() -> str:
    """Write down every command."""
    found = helps()
    table = ["| verb | what it does |", "| --- | --- |"]
    table += [f"| [`{' '.join(h.words)}`](#{anchor(h.words)}) | {_first(h)} |" for h in found]
    return "\n".join([_HEAD, *table, "", *map(_section, found)])


def _leaves(command: object, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if isinstance(command, TyperGroup):
        for name, below in command.commands.items():
            yield from _leaves(below, (*words, name))
        return
    yield words
    if isinstance(command, FormatCommand):
        yield from ((*words, command.way, name) for name in command.commands())


def _read(words: tuple[str, ...]) -> Help:
    done = CliRunner().invoke(app, [*words, "--help"], prog_name="medassay")
    if "--help-all" in done.output:
        done = CliRunner().invoke(app, [*words, "--help-all"], prog_name="medassay")
    head, *parts = re.split(r"^(?=\w+:$)", done.output, flags=re.MULTILINE)
    usage, _, told = head.partition("\n\n")
    sections = {part.partition(":\n")[0]: part.partition(":\n")[2] for part in parts}
    lines = tuple(
        line.strip() for line in sections.pop("Examples", "").splitlines() if line.strip()
    )
    lists = {name: _entries(block) for name, block in sections.items()}
    said = "\n\n".join(" ".join(one.split()) for one in told.strip().split("\n\n"))
    return Help(words, " ".join(usage.removeprefix("Usage:").split()), said, lists, lines)


def _entries(block: str) -> dict[str, str]:
    """Read names and what is said of them; what goes on in the next line is indented further."""
    found: dict[str, str] = {}
    for line in filter(str.strip, block.splitlines()):
        entry = re.match(r"  (\S.*?)(?:  +(.*))?$", line)
        if entry:
            found[entry[1]] = entry[2] or ""
        else:
            last = list(found)[-1]
            found[last] = f"{found[last]} {line.strip()}".strip()
    return found


def _section(one: Help) -> str:
    lines = [f"## {' '.join(one.words)} {{#{anchor(one.words)}}}", "", one.told, ""]
    lines += ["```text", one.usage, "```", ""]
    lines += ["```text", *one.examples, "```", ""] if one.examples else []
    for name, entries in one.lists.items():
        shown = {key: said for key, said in entries.items() if key not in _EVERYWHERE}
        if shown:
            lines += [f"| {name.lower().removesuffix('s')} | |", "| --- | --- |"]
            lines += [f"| `{_cell(key)}` | {_cell(said)} |" for key, said in shown.items()]
            lines.append("")
    return "\n".join(lines)


def anchor(words: tuple[str, ...]) -> str:
    """Give the place of a command on the page."""
    return "-".join(word.lstrip("-") for word in words)


def _first(one: Help) -> str:
    return one.told.partition("\n\n")[0]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.name}, {len(helps())} commands")
