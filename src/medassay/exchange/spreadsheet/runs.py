"""Answers that a system gave several times, a column each: "GPT-4 run 1", "GPT-4 run 2"."""

from collections.abc import Sequence
from dataclasses import replace

from medassay.exchange.spreadsheet.columns import ReadColumn
from medassay.exchange.spreadsheet.headers import without_answer
from medassay.exchange.spreadsheet.words import lexicon, tokens


def run_in(name: str) -> tuple[str, int] | None:
    """Part a name from the number of a run behind it or before it; None where there is none.

    Example:
        >>> run_in("GPT-4 run 1"), run_in("Durchlauf 2: Claude"), run_in("Claude (attempt 3)")
        (('GPT-4', 1), ('Claude', 2), ('Claude', 3))
        >>> run_in("GPT-4"), run_in("Run 2"), run_in("Llama 3")
        (None, None, None)
    """
    pieces = tokens(name)
    for word, number, rest in (
        (pieces[-2:-1], pieces[-1:], pieces[:-2]),
        (pieces[:1], pieces[1:2], pieces[2:]),
    ):
        counts = word and "sample" in lexicon().roles.get((word[0][0],), ())
        if counts and rest and number[0][0].isdecimal():
            return name[rest[0][1] : rest[-1][2]], int(number[0][0])
    return None


def _run_of(column: ReadColumn) -> tuple[str, int] | None:
    """Say which run a column holds: what all headers share may be no part of its system's name."""
    header = without_answer(column.name) or column.name
    return run_in(column.of) or (run_in(header) if column.of in column.name else None)


def with_runs(columns: Sequence[ReadColumn]) -> tuple[ReadColumn, ...]:
    """Let columns that count the runs of each system be its answers, first, second and so on.

    Each system has the same runs, and nothing else is headed by one of them.
    """
    answers = [column for column in columns if column.role == "answer" and column.of]
    parted = {column.name: _run_of(column) for column in answers}
    runs: dict[str, set[int]] = {}
    for pair in parted.values():
        if pair is None:
            return tuple(columns)
        runs.setdefault(pair[0], set()).add(pair[1])
    counts = sorted(next(iter(runs.values()), set()))
    crossed = len(counts) > 1 and all(sorted(own) == counts for own in runs.values())
    systems = {column.of for column in answers}
    headed = any(column.system in systems for column in columns)
    if not crossed or headed or len(answers) != len(runs) * len(counts):
        return tuple(columns)

    def counted(column: ReadColumn) -> ReadColumn:
        pair = parted.get(column.name)
        return replace(column, of=pair[0], sample=counts.index(pair[1])) if pair else column

    return tuple(map(counted, columns))
