"""Show what an import would read, and ask: no column is guessed without a word."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from medassay.exchange import Format, Proposal, Question

__all__ = ["agreed"]


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
    from medassay.errors import InvalidInput, Problem

    if yes:
        return typed
    asks = _is_terminal() and not as_json
    while True:
        proposal = _proposal(format_, into, files, typed)
        if not as_json:
            _print(proposal)
        if not asks:
            problems = [question.problem() for question in proposal.questions]
            line = _line(into, files, typed)
            must = "be told --yes where nobody can be asked"
            hint = f"To have it read as shown, type: {line} --yes"
            if problems:
                hint = "Type the line anew, with --yes and one of these for each."
            got = "no terminal to ask on"
            raise InvalidInput([*problems, Problem("medassay import", must, got, hint)])
        if not proposal.questions:
            break
        for question in proposal.questions:
            typed = _answered(question, typed)
    if not typer.confirm("Read it so?", default=True):
        typer.echo("Nothing was written. Say what a column is, for example:")
        typer.echo(f"  {_line(into, files, typed)} --column question=THEIRS --column skip=THEIRS")
        raise typer.Exit(2)
    return typed


def _is_terminal() -> bool:
    """Say whether somebody sits there who can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _proposal(
    format_: "Format", into: Path, files: Sequence[Path], typed: dict[str, object]
) -> "Proposal":
    from medassay.cli.typed import values

    reads = format_.reads
    if reads is None or reads.propose is None:
        raise NotImplementedError  # only what proposes comes here
    return reads.propose(into, files, **values(reads.take, typed))


def _print(proposal: "Proposal") -> None:
    from medassay.cli.output import print_table

    for line in proposal.shown:
        if isinstance(line, str):
            typer.echo(line)
        else:
            print_table("", line.header, line.rows)


def _answered(question: "Question", typed: dict[str, object]) -> dict[str, object]:
    """Ask, and give what was typed with the answer's words behind its option."""
    answers = list(question.answers.items())
    typer.echo(f"{question.file}: {question.ask}")
    for number, (shown, _) in enumerate(answers, 1):
        typer.echo(f"  {number}  {shown}")
    chosen = 0
    while not 0 < chosen <= len(answers):
        chosen = typer.prompt(f"Which, 1 to {len(answers)}", type=int)
    before = typed.get(question.option) or []
    words = [*before, *answers[chosen - 1][1]] if isinstance(before, list) else []
    return {**typed, question.option: words}


def _line(into: Path, files: Sequence[Path], typed: dict[str, object]) -> str:
    """Give the line that says the same without asking."""
    line = ["medassay", "import", *map(str, files), "--into", str(into)]
    for name, value in typed.items():
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, list):
            line += [word for word_given in value for word in (option, str(word_given))]
        elif value is True:
            line.append(option)
        elif value not in {None, False}:
            line += [option, str(value)]
    return shlex.join(line)
