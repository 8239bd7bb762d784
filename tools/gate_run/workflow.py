"""Run the steps of the example workflows on this machine, as their CI would."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

from tools.forked import write_program
from tools.gate_run.sample_studies import write_version

_CI: Final = Path(__file__).parents[2] / "examples" / "ci"
WORKFLOW: Final = _CI / "medassay-gate.yml"
"""GitHub's."""
PIPELINE: Final = _CI / "medassay-gate.gitlab-ci.yml"
"""GitLab's."""
COMMENT: Final = "comment.md"
"""Holds what a run wrote under the pull request."""
SUMMARY: Final = "summary.md"
"""Holds what a run wrote into its summary."""
_GH: Final = f"""\
#!/bin/sh
test "$1 $2" = "pr comment" || exit 64
while [ "$1" != "--body-file" ]; do shift; done
cp "$2" {COMMENT}
"""
_CURL: Final = f"""\
#!/bin/sh
for word; do
    case "$word" in
        body@*) cp "${{word#body@}}" {COMMENT} ;;
        */notes) echo "$word" ;;
    esac
done
"""
_MAKEFILE: Final = "answers:\n\tmv prepared studies/new\n"


@dataclass(frozen=True)
class Step:
    """One step that ran.

    Attributes:
        command: What the workflow says.
        code: How it ended.
        said: What it printed, into a file too.
    """

    command: str
    code: int
    said: str


def run_workflow(place: Path, change: str) -> list[Step]:
    """Run every `run:` step in order; after a failure only those whose `if:` begins with always().

    The steps of other people's actions are left out, and `pip install`: medassay is installed
    here. `make answers` is the user's own: here it puts a prepared study in its place. GitHub's own
    `gh` leaves the comment that it is given in `COMMENT`.

    Args:
        place: An empty folder: the checkout.
        change: What the version under test did to the answers; see `write_version`.
    """
    _check_out(place, change)
    steps = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]["gate"]["steps"]
    done: list[Step] = []
    for step in steps:
        command = step.get("run")
        failed = any(one.code for one in done)
        if (
            command is None
            or command.startswith("pip ")
            or (failed and not step.get("if", "").startswith("always()"))
        ):
            continue
        done.append(_run(command, place))
    return done


def run_pipeline(place: Path, change: str) -> list[Step]:
    """Run GitLab's job likewise: its script up to what fails, and its after_script in any case."""
    _check_out(place, change)
    job = yaml.safe_load(PIPELINE.read_text(encoding="utf-8"))["answers"]
    done: list[Step] = []
    for command in job["script"]:
        if not command.startswith("pip "):
            done.append(_run(command, place))
            if done[-1].code:
                break
    return [*done, *(_run(command.strip(), place) for command in job["after_script"])]


def _check_out(place: Path, change: str) -> None:
    (place / "studies").mkdir()
    for name in ("main", "release"):
        write_version(place / "studies" / name)
    write_version(place / "prepared", change)
    (place / "Makefile").write_text(_MAKEFILE, encoding="utf-8")


def _run(command: str, place: Path) -> Step:
    here, programs = str(Path(sys.executable).parent), place.with_name(f"{place.name}-bin")
    programs.mkdir(exist_ok=True)
    write_program(programs / "medassay")
    for name, text in (("gh", _GH), ("curl", _CURL)):
        (programs / name).write_text(text, encoding="utf-8")
        (programs / name).chmod(0o755)
    path = os.pathsep.join([str(programs), here, os.environ["PATH"]])
    told = {"GITHUB_STEP_SUMMARY": str(place / SUMMARY), "PULL_REQUEST": "1"}
    told |= {
        "GATE_TOKEN": "token", "CI_API_V4_URL": "https://gitlab.example/api/v4",
        "CI_PROJECT_ID": "7", "CI_MERGE_REQUEST_IID": "8",
    }  # fmt: skip
    environment = os.environ | {"PATH": path} | told
    for inherited in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):  # this may itself run under make
        environment.pop(inherited, None)
    found = subprocess.run(  # noqa: S602 - a shell, as CI has one, and our own commands
        command, shell=True, cwd=place, env=environment, capture_output=True, text=True, check=False
    )
    said = found.stdout + found.stderr
    into = command.rpartition(" > ")[2] if " > " in command else ""
    if into:
        said += (place / into).read_text(encoding="utf-8")
    return Step(command, found.returncode, said)
