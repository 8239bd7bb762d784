"""Run the steps of the example workflow on this machine, as its CI would."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

from tools.forked import write_program
from tools.gate_run.sample_studies import write_version

__all__ = ["WORKFLOW", "Step", "run_workflow"]

WORKFLOW: Final = Path(__file__).parents[2] / "examples" / "ci" / "medassay-gate.yml"
_MAKEFILE: Final = "answers:\n\tmv prepared studies/new\n"


@dataclass(frozen=True)
class Step:
    """One step that ran.

    Attributes:
        command: What the workflow says.
        code: How it ended.
        said: What it printed.
    """

    command: str
    code: int
    said: str


def run_workflow(place: Path, change: str) -> list[Step]:
    """Run every `run:` step in order; after a failure only those with `if: always()`.

    The steps of other people's actions are left out, and `pip install`: medassay is installed
    here. `make answers` is the user's own: here it puts a prepared study in its place.

    Args:
        place: An empty folder: the checkout.
        change: What the version under test did to the answers; see `write_version`.
    """
    (place / "studies").mkdir()
    write_version(place / "studies" / "main")
    write_version(place / "prepared", change)
    (place / "Makefile").write_text(_MAKEFILE, encoding="utf-8")
    steps = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]["gate"]["steps"]
    done: list[Step] = []
    for step in steps:
        command = step.get("run")
        failed = any(one.code for one in done)
        if (
            command is None
            or command.startswith("pip ")
            or (failed and step.get("if") != "always()")
        ):
            continue
        done.append(_run(command, place))
    return done


def _run(command: str, place: Path) -> Step:
    here, programs = str(Path(sys.executable).parent), place.with_name(f"{place.name}-bin")
    programs.mkdir(exist_ok=True)
    write_program(programs / "medassay")
    path = os.pathsep.join([str(programs), here, os.environ["PATH"]])
    environment = os.environ | {"PATH": path}
    for inherited in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):  # this may itself run under make
        environment.pop(inherited, None)
    found = subprocess.run(  # noqa: S602 - a shell, as CI has one, and our own commands
        command, shell=True, cwd=place, env=environment, capture_output=True, text=True, check=False
    )
    return Step(command, found.returncode, found.stdout + found.stderr)
