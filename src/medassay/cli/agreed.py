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
            open_ = proposal.questions
            raise InvalidInput(undecided(format_, into, files, typed, open_, proposal.refused))
        if proposal.questions:
            changed = _answered_all(format_, proposal.questions, changed)
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
    from medassay.exchange import asked_at_once, problem_of
    from medassay.text import count_of

    for question in questions:
        typed = _with(format_, question, question.likeliest, typed)
    line = f"{_line(into, files, typed)} --yes"
    asked = asked_at_once(questions)
    told = "Not running in a terminal, so nobody can agree to this."
    hint = f"To have it read as shown, type: {line}"
    if asked:
        told = f"{count_of(len(asked), 'question is', 'questions are')} open."
        hint = f"With the likeliest reading, type: {line}"
    if refused:
        told = f"{told.removesuffix('.')}, and with the likeliest answers the files are refused."
        hint = "The reason follows. Mend that, or give other answers."
    must = "be agreed to before anything is written"
    whole = Problem("medassay import", must, told, hint, asks=True)
    return [*map(problem_of, asked), whole, *refused]


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
    return _answered_all(format_, open_.questions, typed)


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
    from medassay.cli.output import print_lines

    print_lines((closely and proposal.closely) or proposal.shown)


def _answered_all(
    format_: "Format", questions: "Sequence[ImportQuestion]", typed: dict[str, object]
) -> dict[str, object]:
    """Ask until all is answered, or until an answer is not the likeliest: others may follow."""
    from medassay.exchange import asked_at_once

    for together in asked_at_once(questions):
        answers = _answered_together(together) if together[1:] else [_answered(together[0])]
        for question, answer in zip(together, answers, strict=True):
            typed = _with(format_, question, answer, typed)
        if answers != [question.likeliest for question in together]:
            break
    return typed


def _answered_together(questions: "Sequence[ImportQuestion]") -> list[str]:
    """Ask whether the likeliest answers to several questions are right; Enter takes them all."""
    answers = [question.likeliest for question in questions]
    while True:
        typer.echo("Is all of this right?")
        for number, (question, answer) in enumerate(zip(questions, answers, strict=True), 1):
            typer.echo(f"  {number}  {question.ask}{_cells(question)}\n     {answer}")
        chosen = _number(len(questions), "Enter if so, or the number of a line to change it")
        if chosen is None:
            return answers
        answers[chosen] = _answered(questions[chosen])


def _answered(question: "ImportQuestion") -> str:
    """Ask; Enter takes the first answer, which is the likeliest."""
    answers = list(question.answers)
    typer.echo(f"{question.file}: {question.ask}{_cells(question)}")
    for number, shown in enumerate(answers, 1):
        typer.echo(f"  {number}  {shown}")
    which = f"Which, 1 to {len(answers)}; Enter for 1" if answers[1:] else "Enter if so"
    return answers[_number(len(answers), which) or 0]


def _cells(question: "ImportQuestion") -> str:
    short = (shorten(cell, 60, placeholder=" ...") for cell in question.examples)
    return f" Cells: {' | '.join(short)}" if question.examples else ""


def _row_to_change(rows: "Sequence[EditableLine]") -> "EditableLine | None":
    """Ask which line is wrong; Enter takes all as they are.

    Raises:
        Exit: Whoever was asked wants nothing written.
    """
    number = f" a number from 1 to {len(rows)} to change that line," if rows else ""
    known = f"Enter to read it so,{number} n to leave"
    while True:
        said = typer.prompt(known, default="", show_default=False).strip().casefold()
        if said in {"", "y", "yes"}:
            return None
        if said in {"n", "no", "q"}:
            typer.echo("Nothing was written.")
            raise typer.Exit(2)
        if said.isdecimal() and 0 < int(said) <= len(rows):
            return rows[int(said) - 1]
        typer.echo(f'"{said}" is none of these.')


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
        typer.echo(f'"{said}" is no number from 1 to {most}. Type one of these, or Enter.')


def _with(
    format_: "Format", question: "ImportQuestion", answer: str, typed: dict[str, object]
) -> dict[str, object]:
    """Give what was typed with an answer behind its option: one word where it takes one."""
    words = list(question.answers[answer])
    before = typed.get(question.option)
    if question.option in _single(format_):
        return {**typed, question.option: words[-1]}
    from medassay.exchange.proposal import about

    spoken_of = {about(question.option, word) for word in words}
    kept = before if isinstance(before, list) else []
    kept = [word for word in kept if about(question.option, word) not in spoken_of]
    return {**typed, question.option: [*kept, *words]}


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
