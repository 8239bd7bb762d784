"""What an import of 100,000 rows of each evaluation tool's format costs: 20 s of processor each.

The records of the samples that come with medassay are written again and again, each time with other
words and ids, as a set of that size has; RAGAS's are those of `import_ragas`.

    python bench/import_formats.py            every format
    python bench/import_formats.py opik helm  some of them
"""

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from import_ragas import write_results
from import_table import cost

from medassay.exchange.registry import formats

ROWS: Final = 100_000
EXAMPLES: Final = Path(__file__).parents[1] / "examples"
TOOLS: Final = EXAMPLES / "evaluation-tools"
HELM: Final = "helm/clinic_qa:model=example_clinic-bot"
FILES: Final[dict[str, dict[str, str]]] = {
    "promptfoo": {"promptfoo/results.json": "results.results"},
    "inspect": {"../other-tools/inspect/log.json": "samples"},
    "label-studio": {"label-studio/tasks.json": ""},
    "helm": {f"{HELM}/scenario_state.json": "request_states",
             f"{HELM}/per_instance_stats.json": ""},
    "lm-eval": {"lm-eval/example__clinic-bot/samples_clinic_2025-03-01T10-00-00.000000.jsonl": ""},
    "arena": {"arena/battles.json": ""},
    "deepeval": {"deepeval/clinic-bot.json": "testRunData.testCases"},
    "langfuse": {"langfuse/traces.json": ""},
    "phoenix": {"phoenix/clinic-bot.json": ""},
    "mlflow": {"mlflow/traces.json": ""},
    "opik": {"opik/experiment_clinic-bot.json": "items"},
    "argilla": {"argilla/records.json": ""},
    "bioasq": {"bioasq/clinic-bot.json": "questions"},
    "evalport": {"evalport/suite.json": "test_cases", "evalport/clinic-bot.json": "results"},
}  # fmt: skip
"""The files of each format, with where their records lie; every record is a row."""
ELSEWHERE: Final = "ragas"
IDS: Final = frozenset({
    "id", "doc_id", "question_id", "instance_id", "trace_id", "traceId", "example_id",
    "dataset_item_id", "test_case_id",
})  # fmt: skip
WORDS: Final = frozenset({
    "question", "input", "prompt", "query", "request", "body", "text", "content", "response",
    "output", "answer", "actualOutput", "actual_output", "ideal_answer", "resps", "raw",
})  # fmt: skip


def again(held: Any, at: int, name: str = "") -> Any:  # noqa: ANN401 - whatever stands there
    """Give a record with ids and words of its own, the same each time."""
    if isinstance(held, dict):
        return {key: again(own, at, key) for key, own in held.items()}
    if isinstance(held, list):
        return [again(own, at, name) for own in held]
    if name in IDS and held not in (None, ""):
        return held + at * 1000 if isinstance(held, int) else f"{held}-{at}"
    return f"{held} ({at})" if name in WORDS and isinstance(held, str) else held


def write_many(source: Path, part: str, into: Path) -> None:
    """Write a sample with as many records as a large set has."""
    text = source.read_text(encoding="utf-8")
    lines = source.suffix == ".jsonl"
    held: Any = [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)
    inside = held
    for name in filter(None, part.split(".")):
        inside = inside[name]
    times = -(-ROWS // len(inside))
    inside[:] = [again(record, at) for at in range(times) for record in inside][:ROWS]
    into.parent.mkdir(parents=True, exist_ok=True)
    written = "\n".join(map(json.dumps, held)) if lines else json.dumps(held)
    into.write_text(written, encoding="utf-8")


def written(name: str, folder: Path) -> list[Path]:
    """Write the files of a format; give what is imported."""
    if name == ELSEWHERE:
        write_results(folder / "results.csv", np.random.default_rng(1))
        return [folder / "results.csv"]
    for file, part in FILES[name].items():
        write_many(TOOLS / file, part, folder / file.removeprefix("../"))
    files = [folder / file.removeprefix("../") for file in FILES[name]]
    return files[:1] if name == "helm" else files


ANSWERS: Final = {
    "arena": ["--rater", "people"], "bioasq": ["--system", "clinic-bot"],
}  # fmt: skip


def main(names: Sequence[str] = ()) -> dict[str, float]:
    """Print and return the seconds of processor of each format."""
    known = {own.id for own in formats("--from")}
    seconds = {}
    with tempfile.TemporaryDirectory() as folder:  # what Python compiles is there for all
        small = [str(TOOLS / "ragas" / "clinic-bot.csv"), "--into", str(Path(folder) / "study")]
        cost([sys.executable, "-m", "medassay", "import", *small])
    for name in names or [ELSEWHERE, *FILES]:
        if name not in known:
            sys.exit(f"{name}: not known; there are {', '.join(sorted(known))}")
        with tempfile.TemporaryDirectory() as folder:
            files = [str(file) for file in written(name, Path(folder))]
            into = ["--into", str(Path(folder) / "study"), *ANSWERS.get(name, [])]
            took, megabytes = cost([sys.executable, "-m", "medassay", "import", *files, *into])
        seconds[f"{name}: seconds of processor"] = took
        print(f"{name:<14}{took:7.1f} s of processor {megabytes:8,.0f} MB", flush=True)
    return seconds


if __name__ == "__main__":
    main(sys.argv[1:])
