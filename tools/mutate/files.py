"""Mutants and what became of them, as files."""

import json
from collections.abc import Iterable
from pathlib import Path

from tools.mutate.mutant import Mutant
from tools.mutate.trying import Trial


def write_mutants(mutants: Iterable[Mutant], file: Path) -> None:
    """Write one a line."""
    lines = (json.dumps(one.as_json(), ensure_ascii=False) for one in mutants)
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def read_mutants(file: Path) -> list[Mutant]:
    """Read what `write_mutants` wrote."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [Mutant.from_json(json.loads(line)) for line in lines]


def add_trial(mutant: Mutant, trial: Trial, file: Path) -> None:
    """Add what became of one, at once: a run that is stopped goes on where it was."""
    line = json.dumps({"mutant": mutant.as_json(), "trial": trial.as_json()}, ensure_ascii=False)
    with file.open("a", encoding="utf-8") as out:
        out.write(f"{line}\n")


def read_trials(file: Path) -> dict[Mutant, Trial]:
    """Read what became of each; what was tried again counts as it was found last."""
    found: dict[Mutant, Trial] = {}
    if file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            told = json.loads(line)
            found[Mutant.from_json(told["mutant"])] = Trial(**told["trial"])
    return found
