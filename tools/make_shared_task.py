"""Write examples/shared-task: a made-up shared task in its own files, cut from the synthetic study.

    python -m tools.make_shared_task

Eight systems answer twenty cases; three raters judge every answer. All of it is invented.
"""

import csv
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import numpy as np

from medassay.study import write_demo

# Of the 28 those that cite a sentence in each of these answers, as the official scorer demands.
SYSTEMS: Final = ("S01", "S03", "S09", "S11", "S19", "S21", "S24", "S27")
_CASES: Final = 20
_SEED: Final = 2025
_SETTINGS: Final = """\
schema = 1
title = "A made-up shared task"
synthetic = true

[protocol]
name = "archehr"
"""
_TARGET: Final = Path(__file__).parents[1] / "examples" / "shared-task"


def write_task(target: Path) -> None:
    """Write cases, key, submissions and judgements, and say where they are from."""
    with tempfile.TemporaryDirectory() as folder:
        study = Path(folder) / "study"
        write_demo(study, "archehr-synthetic")
        kept = _cut(study)
        submissions = target / "submissions"
        submissions.mkdir(parents=True, exist_ok=True)
        _export(study, "--cases", str(target))
        for system in SYSTEMS:
            _export(study, "--system", system, "--into", str(submissions / f"{system}.json"))
        _cut_table(study / "judgements.csv", target / "judgements.csv", kept)
    _invent_scores(target / "bertscore.csv", sorted(kept))
    (target / "SOURCE.txt").write_text(
        "Made up: cut from the synthetic study that comes with medassay by\n"
        "`python -m tools.make_shared_task`. Nothing here is about a real system, rater or\n"
        "patient. The scores in bertscore.csv are drawn at random: no model computed them.\n"
        "Apache-2.0, like medassay.\n",
        encoding="utf-8",
    )


def _cut(study: Path) -> set[str]:
    """Leave the first cases and the chosen systems in the study; give the cases' ids."""
    lines = (study / "cases.jsonl").read_text(encoding="utf-8").splitlines()[:_CASES]
    # The shared task's files have no place for tags.
    cases = [{k: v for k, v in json.loads(line).items() if k != "tags"} for line in lines]
    kept = {case["case"] for case in cases}
    _write(study / "cases.jsonl", [json.dumps(case, ensure_ascii=False) for case in cases])
    for path in (study / "answers").iterdir():
        if path.stem not in SYSTEMS:
            path.unlink()
            continue
        answers = path.read_text(encoding="utf-8").splitlines()
        _write(path, [line for line in answers if json.loads(line)["case"] in kept])
    _cut_table(study / "judgements.csv", study / "judgements.csv", kept)
    (study / "raters.csv").unlink()
    (study / "study.toml").write_text(_SETTINGS, encoding="utf-8")
    return kept


def _cut_table(source: Path, target: Path, kept: set[str]) -> None:
    with source.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with target.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(r for r in rows if r["case"] in kept and r["system"] in SYSTEMS)


def _invent_scores(path: Path, cases: list[str]) -> None:
    """Draw what a machine with the model might send, against both references."""
    rng = np.random.default_rng(_SEED)
    level = rng.normal(0, 0.04, size=(2, len(SYSTEMS), 1))
    drawn = 0.36 + level + rng.normal(0, 0.07, size=(2, len(SYSTEMS), len(cases)))
    drawn[1] -= 0.08  # notes share fewer words with an answer than the clinician's does
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["system", "case", "source", "value"])
        for ref, of_ref in zip(("human", "note"), drawn, strict=True):
            for system, of_system in zip(SYSTEMS, of_ref, strict=True):
                for case, value in zip(cases, of_system.tolist(), strict=True):
                    table.writerow([system, case, f"bertscore_f1(ref={ref})", f"{value:.4f}"])


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _export(study: Path, *words: str) -> None:
    command = [sys.executable, "-m", "medassay", "export", "--to", "archehr", str(study), *words]
    subprocess.run(command, check=True)  # noqa: S603 - our own command


if __name__ == "__main__":
    shutil.rmtree(_TARGET, ignore_errors=True)
    write_task(_TARGET)
    print(f"wrote {_TARGET.name}")
