"""Write answers in the form that `read_answers` reads."""

from collections.abc import Iterable
from pathlib import Path

from medassay.answers.record import Answer
from medassay.errors import InvalidInput, Problem
from medassay.tables import write_rows

__all__ = ["answer_row", "write_answers"]


def write_answers(path: Path | str, answers: Iterable[Answer]) -> None:
    """Write answers to one file, or to a folder with a JSONL file for each system.

    Args:
        path: A file ending in .jsonl, .csv or .parquet, or a folder.
        answers: The answers; their order is kept.

    Raises:
        InvalidInput: A system's name cannot be a file's name, CSV cannot hold these answers, or a
            file cannot be written.
    """
    path, listed = Path(path), list(answers)
    if path.suffix.lower() in {".jsonl", ".csv", ".parquet"} and not path.is_dir():
        if path.suffix.lower() == ".csv":
            _check_for_csv(path, listed)
        write_rows(path, [answer_row(answer) for answer in listed])
        return
    by_system: dict[str, list[dict[str, object]]] = {}
    for answer in listed:
        row = answer_row(answer)
        by_system.setdefault(str(row.pop("system")), []).append(row)
    problems = [
        Problem(
            f"{path.name}/", "name systems so that a file can", f'"{system}"', "Write one file."
        )
        for system in by_system
        if system.startswith(".") or any(sign in system for sign in '/\\:*?"<>|')
    ]
    if problems:
        raise InvalidInput(problems)
    for system, rows in by_system.items():
        write_rows(path / f"{system}.jsonl", rows)


def answer_row(answer: Answer) -> dict[str, object]:
    """Give an answer as a row: what was not given and what follows from the rest is left out."""
    row = answer.model_dump(mode="json", exclude_none=True)
    if answer.statements is not None or answer.turns is not None:
        del row["text"]
    if answer.held:
        del row["held"]
    if not answer.sample:
        del row["sample"]
    return row


def _check_for_csv(path: Path, answers: list[Answer]) -> None:
    """Refuse what an empty cell would turn into something else."""
    with_text = [
        a for a in answers if a.text is not None and a.statements is None and a.turns is None
    ]
    without = [a for a in answers if a.text is None and a.held]
    if with_text and without:
        got = f"{len(with_text)} with a text and {len(without)} without"
        raise InvalidInput(
            Problem(path.name, "hold answers with a text or without", got, "Write JSONL instead.")
        )
