"""Show what an import would read, and ask: no column is guessed without a word."""

import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from medassay.errors import Problem
    from medassay.exchange import EditableLine, Format, ImportQuestion, Proposal, Undecided


def agreed(
    format_: "Format",
    into: Path,
    files: Sequence[Path],
    typed: dict[str, object],
    *,
    yes: bool,
    as_json: bool,
) -> dict[str, object]:
    """Give what was typed and what was answered, once somebody has agreed to what would be read.

    Args:
        format_: The format, which proposes.
        into: The study's folder.
        files: The files.
        typed: What was typed behind its options.
        yes: Whether that was agreed to beforehand.
        as_json: Whether only JSON may be printed.

    Raises:
        InvalidInput: Nobody can be asked and nobody agreed; the line to type is named.
        Exit: Whoever was asked did not agree.
    """
    from medassay.errors import InvalidInput
    from medassay.exchange.outcome import folded

    if yes:
        return typed
    asks = _is_terminal() and not as_json
    changed = typed
    while True:
        try:
            proposal = _proposal(format_, into, files, changed)
        except InvalidInput as error:
            if changed is typed:
                raise
            # What was answered last cannot be: everything before it stands.
            typer.echo("\n".join(map(str, folded(error.problems))))
            changed = typed
            continue
        typed = changed
        if not as_json:
            _print(proposal, closely=asks)
        if not asks:
            raise InvalidInput(undecided(format_, into, files, typed, proposal.questions))
        for question in proposal.questions:
            changed = _with(format_, question, _answered(question), changed)
        if proposal.questions:
            continue
        row = _row_to_change(proposal.rows)
        if row is None:
            return typed
        changed = _with_row(row, typed)


def undecided(
    format_: "Format",
    into: Path,
    files: Sequence[Path],
    typed: dict[str, object],
    questions: "Sequence[ImportQuestion]",
    refused: "Sequence[Problem]" = (),
) -> "list[Problem]":
    """Say what is open where nobody can be asked, and the very line to type.

    A line that does not bring the files in is not named.

    Args:
        format_: The format.
        into: The study's folder.
        files: The files.
        typed: What was typed behind its options.
        questions: What has to be decided, the likeliest answer first; none where all that lacks is
            that somebody agrees.
        refused: Why the files are refused even with the first answers.
    """
    from medassay.errors import Problem
    from medassay.text import count_of

    for question in questions:
        typed = _with(format_, question, next(iter(question.answers)), typed)
    line = f"{_line(into, files, typed)} --yes"
    must, got = "run in a terminal or with --yes", "neither"
    hint = f"To have it read as shown, type: {line}"
    if questions:
        must, got = "be answered before anything is read", count_of(len(questions), "open question")
        hint = f"With the first answer of each, type: {line}"
    if refused:
        got += "; with the first answer of each, the files are refused"
        hint = "The next lines say why. Mend that, or give other answers."
    problems = [question.problem() for question in questions]
    return [*problems, Problem("medassay import", must, got, hint), *refused]


def answered(
    format_: "Format",
    into: Path,
    files: Sequence[Path],
    typed: dict[str, object],
    open_: "Undecided",
    *,
    as_json: bool,
) -> dict[str, object]:
    """Give what was typed with the answers to questions that came up while files were read.

    Raises:
        InvalidInput: Nobody can be asked; the line to type is named.
    """
    from medassay.errors import InvalidInput

    if as_json or not _is_terminal():
        raise InvalidInput(undecided(format_, into, files, typed, open_.questions, open_.refused))
    for question in open_.questions:
        typed = _with(format_, question, _answered(question), typed)
    return typed


def _is_terminal() -> bool:
    """Say whether somebody sits there who can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _proposal(
    format_: "Format", into: Path, files: Sequence[Path], typed: dict[str, object]
) -> "Proposal":
    from medassay.cli.output import progress
    from medassay.cli.typed import values
    from medassay.exhibits.numbers import count_of

    reads = format_.reads
    if reads is None or reads.propose is None:
        raise NotImplementedError  # only what proposes comes here
    with progress(f"reading {count_of(len(files), 'file')}"):
        return reads.propose(into, files, **values(reads.take, typed))


def _print(proposal: "Proposal", *, closely: bool) -> None:
    from medassay.cli.output import print_table

    for line in (closely and proposal.closely) or proposal.shown:
        if isinstance(line, str):
            typer.echo(line)
        else:
            print_table("", line.header, line.rows)


def _answered(question: "ImportQuestion") -> str:
    """Ask; Enter takes the first answer, which is the likeliest."""
    answers = list(question.answers)
    short = (shorten(cell, 60, placeholder=" ...") for cell in question.examples)
    cells = f" Cells: {' | '.join(short)}" if question.examples else ""
    typer.echo(f"{question.file}: {question.ask}{cells}")
    for number, shown in enumerate(answers, 1):
        typer.echo(f"  {number}  {shown}")
    chosen = 0
    while not 0 < chosen <= len(answers):
        chosen = typer.prompt(f"Which, 1 to {len(answers)}", type=int, default=1)
    return answers[chosen - 1]


def _row_to_change(rows: "Sequence[EditableLine]") -> "EditableLine | None":
    """Ask which line is wrong; Enter takes all as they are.

    Raises:
        Exit: Whoever was asked wants nothing written.
    """
    ask = "Enter to read it so, the number of a line to change it, n to leave"
    while True:
        said = typer.prompt(ask, default="", show_default=False).strip().casefold()
        if said in {"", "y", "yes"}:
            return None
        if said in {"n", "no", "q"}:
            typer.echo("Nothing was written.")
            raise typer.Exit(2)
        if said.isdecimal() and 0 < int(said) <= len(rows):
            return rows[int(said) - 1]


def _with_row(row: "EditableLine", typed: dict[str, object]) -> dict[str, object]:
    """Ask what the columns of a line are; Enter changes nothing."""
    columns = row.columns
    if len(columns) > 1:
        for number, name in enumerate(columns, 1):
            typer.echo(f"  {number}  {name}")
        chosen = _number(len(columns), "Which of them, or Enter for all")
        columns = columns if chosen is None else (columns[chosen],)
    typer.echo(f"What is {', '.join(columns)}?")
    ways = list(row.ways.items())
    for number, (said, _) in enumerate(ways, 1):
        typer.echo(f"  {number}  {said}")
    chosen = _number(len(ways), "Which, or Enter to leave it")
    if chosen is None:
        return typed
    word = ways[chosen][1]
    if word.endswith("."):
        word += typer.prompt("Called")
    before = typed.get("column") or []
    said_before = before if isinstance(before, list) else []
    return {**typed, "column": [*said_before, *(f"{word}={name}" for name in columns)]}


def _number(most: int, ask: str) -> int | None:
    """Ask for a number from 1 on, and give its place; None for Enter."""
    while True:
        said = typer.prompt(ask, default="", show_default=False).strip()
        if not said:
            return None
        if said.isdecimal() and 0 < int(said) <= most:
            return int(said) - 1


def _with(
    format_: "Format", question: "ImportQuestion", answer: str, typed: dict[str, object]
) -> dict[str, object]:
    """Give what was typed with an answer behind its option: one word where it takes one."""
    words = list(question.answers[answer])
    before = typed.get(question.option)
    if question.option in _single(format_):
        return {**typed, question.option: words[-1]}
    return {**typed, question.option: [*(before if isinstance(before, list) else []), *words]}


def _single(format_: "Format") -> set[str]:
    """Name the options that may be given once."""
    from medassay.exchange.declaration import options

    if format_.reads is None:
        raise NotImplementedError  # only what is read comes here
    return {one.parameter for one in options(format_.reads.take) if one.kind in {str, str | None}}


def _line(into: Path, files: Sequence[Path], typed: dict[str, object]) -> str:
    """Give the line that says the same without asking."""
    from medassay.text import shell_line

    named = [f"./{file}" if str(file).startswith("-") else str(file) for file in files]
    line = ["medassay", "import", *named, "--into", str(into)]
    for name, value in typed.items():
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, list):
            line += [word for word_given in value for word in (option, str(word_given))]
        elif value is True:
            line.append(option)
        elif value not in {None, False}:
            line += [option, str(value)]
    return shell_line(line)
