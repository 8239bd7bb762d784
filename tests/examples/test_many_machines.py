"""The examples for batch queues score every shard, as a queue would start them."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from tools.forked import write_program

from medassay.study import new_study

EXAMPLES = Path(__file__).parents[2] / "examples" / "many-machines"
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="the examples are for bash")


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder with a study, where `medassay` can be typed."""
    new_study(tmp_path / "study", "ratings")
    (tmp_path / "bin").mkdir()
    write_program(tmp_path / "bin" / "medassay")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def done(command: list[str], folder: Path, **variables: str) -> str:
    completed = subprocess.run(  # noqa: S603 - our own examples
        command, cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr
    return completed.stdout


@needs_bash
def test_an_array_of_slurm_jobs_and_the_job_that_joins_them(typed: Path) -> None:
    for number in "12":
        told = done(
            ["bash", str(EXAMPLES / "shards.slurm"), "study"], typed,
            SLURM_ARRAY_TASK_ID=number, SLURM_ARRAY_TASK_COUNT="2",
        )  # fmt: skip
        assert told.startswith(f"Shard {number} of 2 of run ")
    assert "Report: study/results/" in done(["bash", str(EXAMPLES / "merge.slurm"), "study"], typed)


@needs_bash
def test_the_pods_of_an_indexed_job(typed: Path) -> None:
    job = yaml.safe_load((EXAMPLES / "kubernetes.yml").read_text(encoding="utf-8"))["spec"]
    pod = job["template"]["spec"]["containers"][0]
    variables = {entry["name"]: entry["value"] for entry in pod["env"]}
    assert variables["SHARDS"] == str(job["completions"]) == str(job["parallelism"])
    shards = {**variables, "STUDY": "study", "SHARDS": "2"}
    for index in "01":
        told = done(pod["command"], typed, **shards, JOB_COMPLETION_INDEX=index)
        assert told.startswith(f"Shard {int(index) + 1} of 2 of run ")
