"""What a format of another package does, held: it fails in one line, and tells what it may.

Who sits at the terminal has the files and is told what stands there. JSON is passed on: of a study
that keeps its texts it holds no word that another package wrote.
"""

import json
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from medassay.errors import InvalidInput, MedassayError, Problem
from medassay.exchange.declaration import Format
from medassay.exchange.outcome import Outcome, Overview
from medassay.plugins import REMEDY, Raised, attempt


def held(
    file_format: Format,
    package: str,
    call: Callable[[], object],
    *,
    files: Collection[Path] = (),
    quoted: bool = True,
) -> Outcome:
    """Let a format of another package do its work; what it prints is dropped.

    Args:
        file_format: The format.
        package: Which package, of which version, it is from.
        call: Takes or gives.
        files: What it is given: a problem may name these.
        quoted: Whether its words may be passed on.

    Raises:
        InvalidInput: It found problems in the files, or failed, or gave something else.
    """
    name = f'format "{file_format.id}"' + (f" of {package}" if package else "")

    def failed(must: str, raised: Raised) -> InvalidInput:
        got = raised.words if quoted else type(raised.error).__name__
        return InvalidInput(Problem(name, must, got, REMEDY))

    outcome = attempt(call)
    if isinstance(outcome, Raised):
        error = outcome.error
        if quoted and isinstance(error, MedassayError | OSError):
            raise error
        if isinstance(error, InvalidInput):
            raise InvalidInput(_hushed(error, name, files)) from None
        raise failed("do its work without an error", outcome) from None
    lacks = attempt(lambda: _lacks(outcome))
    if isinstance(lacks, Raised):
        raise failed("say what it did in facts fit for JSON", lacks) from None
    if lacks or not isinstance(outcome, Outcome):
        raise InvalidInput(Problem(name, "say what it did in lines of an Outcome", lacks, REMEDY))
    return outcome if quoted else Outcome([], {"format": file_format.id})


def _lacks(outcome: object) -> str:
    """Say what stands where an outcome should; nothing where it is one."""
    if not isinstance(outcome, Outcome):
        return type(outcome).__name__
    json.dumps(outcome.facts, allow_nan=False)
    lines: Sequence[object] = outcome.said
    strange = [line for line in lines if not isinstance(line, str | Overview)]
    return type(strange[0]).__name__ if strange else ""


def _hushed(error: InvalidInput, name: str, files: Collection[Path]) -> list[Problem]:
    """Say where each problem is: no other word of it is ours."""
    known = {path_name for file in files for path_name in (str(file), file.name)}
    must = f"be as the {name} has it"
    return [
        Problem(
            problem.file if problem.file in known else name, must, "", row=problem.row
        ).without_quotes()
        for problem in error.problems
    ]
