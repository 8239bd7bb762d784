"""No verb, argument or option goes undocumented."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from tools.make_commands_page import PAGE, anchor, helps, page
from tools.read_sentences import MOST_WORDS, sentences
from typer.main import get_command
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.cli.format_command import FormatCommand


@pytest.mark.slow
def test_the_page_is_what_the_commands_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.slow
def test_everything_that_can_be_typed_says_what_it_is_for() -> None:
    silent = [
        (*one.words, name, entry)
        for one in helps()
        for name, entries in one.lists.items()
        for entry, said in entries.items()
        if not re.search(r"\w{2}", said)
    ]
    assert silent == []
    assert [one.words for one in helps() if not one.told] == []


@pytest.mark.slow
def test_no_sentence_of_a_help_is_long() -> None:
    said = [
        sentence
        for one in helps()
        for text in (one.told, *(told for own in one.lists.values() for told in own.values()))
        for paragraph in re.sub(r"\s*\[[^\]]*\]$", "", text).split("\n\n")
        for sentence in sentences(paragraph)
        if not sentence.startswith("Our OURS is their column THEIRS: ")  # a list of names
    ]
    assert len(said) > 300
    assert [own for own in said if len(re.sub(r"\([^()]*\)", "", own).split()) > MOST_WORDS] == []


@pytest.mark.slow
def test_every_option_that_exists_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for one in helps():
        command = get_command(app)
        for word in one.words:
            if isinstance(command, FormatCommand):
                command = command.commands().get(word, command)
            else:
                command = command.commands[word]  # type: ignore[attr-defined]  # a group
        section = text.partition(f"{{#{anchor(one.words)}}}")[2].partition("\n## ")[0]
        names = [name for param in command.params for name in param.opts if name.startswith("--")]
        assert [n for n in names if n not in {"--json", "--help"} and n not in section] == []


@pytest.mark.slow
def test_there_are_few_things_to_know() -> None:
    """A format is the value of --from or --to; its options are those of `import` or `export`.

    The steps of a campaign are one thing to know, and so is an option that they share.
    """
    verbs: set[str] = set()
    options: set[tuple[str, str]] = set()
    for one in helps():
        verb = one.words[0]
        verbs.add(verb)
        names = {re.findall(r"--[\w-]+", entry)[0] for entry in one.lists.get("Options", ())}
        options |= {(verb, name) for name in names - {"--help", "--help-all", "--json"}}
    assert len(verbs) <= 30
    # An import asks, and each of its questions has an option that answers it.
    assert len(options) <= 129


@pytest.mark.slow
def test_every_verb_shows_examples_that_can_be_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    book = Path(__file__).parents[2] / "examples" / "chatbots" / "wide.xlsx"
    (tmp_path / "chatbots.xlsx").write_bytes(book.read_bytes())
    for one in helps():
        if {"--from", "--to"} & {*one.words}:
            continue
        assert one.examples, one.words
        for line in one.examples:
            typed = shlex.split(line)
            assert tuple(typed[1 : len(one.words) + 1]) == one.words
            command: Any = get_command(app)
            for word in one.words:
                command = command.commands[word]
            rest = typed[len(one.words) + 1 :]
            assert command.make_context(one.words[-1], rest, resilient_parsing=False), line


@pytest.mark.slow
def test_the_verbs_on_the_page_are_those_of_the_command() -> None:
    listed = re.findall(
        r"^  (\w[\w-]*)  ", CliRunner().invoke(app, ["--help"]).output, re.MULTILINE
    )
    assert {one.words[0] for one in helps()} == set(listed)
