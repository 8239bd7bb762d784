"""EvalPort's suites and sets of results."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Format, Glimpse, Reads
from medassay.exchange.spreadsheet.collected import Key
from medassay.exchange.spreadsheet.words import Metric
from medassay.exchange.tool_rows.files import json_of
from medassay.exchange.tool_rows.payload import taker
from medassay.exchange.tool_rows.rows import (
    LEFT,
    ToolRows,
    Use,
    cells_of,
    left,
    named_id,
    numbered,
    used,
)

_SET, _RUN = left("how a grader or a case was set"), left("how the run went")
_USES: Final[Mapping[str, Use]] = {
    "id": Use("case"), "input": Use("question"), "turns": Use("turns"),
    "expected_output": Use("reference"), "context": Use("evidence"),
    "retrieval_context": Use("evidence"), "tags": Use("tag", "tags"), "weight": _SET,
    "graders": _SET, "timeout_ms": _SET, "test_case_id": Use("case"),
    "actual_output": Use("answer"), "passed": Use("score", "evalport_pass"),
    "duration_ms": Use("seconds"), "metadata.cost": Use("cost"), "attempt": Use("sample"),
    "tools_called": left("calls of tools"), "expected_tools": left("calls of tools"),
}  # fmt: skip
_RATER: Final = ("rater", "reviewer", "annotator", "annotator_id", "reviewer_id", "user")


def _rows(files: Sequence[Path], system: str) -> ToolRows:
    """Read suites, and the results to their test cases; a set of results is one system's."""
    rows = ToolRows("EvalPort")
    held = {file: json_of(file) for file in files}
    for file, suite in held.items():
        if "test_cases" in suite:
            rows.beside(file.name, suite, "test_cases")
            rows.each(file.name, enumerate(suite["test_cases"], 1), partial(_case, rows))
    results = {file: own for file, own in held.items() if "results" in own}
    if results and not rows.asked:
        hint = f"Import its suite too: medassay import SUITE.json {next(iter(results)).name}."
        must = "come with the suite whose questions it answers"
        raise InvalidInput(Problem(next(iter(results)).name, must, "results alone", hint))
    for file, run in results.items():
        rows.beside(file.name, run, "results")
        model = (run.get("provider") or {}).get("model")
        take = partial(_result, rows, named_id(system or model or file.stem))
        rows.each(file.name, enumerate(run["results"], 1), take)
    _tell_shares(rows)
    return rows


def _tell_shares(rows: ToolRows) -> None:
    """Say of what people gave more than yes and no of that it is a share from 0 to 1."""
    names = {own.dimension for own in rows.ratings if own.said not in {"yes", "no"}}
    rows.ratings = [own._replace(said={"yes": "1", "no": "0"}.get(own.said, own.said))
                    if own.dimension in names else own for own in rows.ratings]  # fmt: skip
    rows.labels = [word for word in rows.labels if word.partition(".")[0] not in names]
    rows.scales = [f"{name}=0-1" for name in sorted(names)]


def _case(rows: ToolRows, place: tuple[str, int], case: Mapping[str, Any]) -> None:
    """Take a test case; several inputs are the turns of a user."""
    asked = case["input"]
    told = {**case, "tags": ", ".join(map(str, case.get("tags") or []))}
    turns = [{"role": "user", "content": own} for own in asked] if isinstance(asked, list) else []
    cells = [*cells_of(told | ({"input": None} if turns else {}))]
    cells += [("turns", turns)] if turns else []
    facts = case.get("metadata") or {}
    uses = {f"metadata.{n}": used("tag", n) for n, own in facts.items() if isinstance(own, str)}
    rows.add(*place, cells, lambda path: _use(path, uses))


def _result(rows: ToolRows, system: str, place: tuple[str, int], result: Mapping[str, Any]) -> None:
    """Take what a system answered to a test case, and a score or a person's rating a grader."""
    if named_id(result["test_case_id"]) not in rows.asked:
        got = f'"{result["test_case_id"]}"'
        rows.problem(place[0], "answer a test case of the suites", got, "Import its suite too.",
                     place[1], "test_case_id")  # fmt: skip
        return
    told = {name: own for name, own in result.items() if name != "grader_results"}
    if result.get("attempt"):
        told["attempt"] = int(result["attempt"]) - 1
    if isinstance(result.get("duration_ms"), int | float):
        told["duration_ms"] = float(result["duration_ms"]) / 1000
    failed = result.get("error") or result.get("actual_output") is None
    empty = result.get("actual_output") == ""  # an answer that was given
    cells = [*cells_of(told), *([("actual_output", "")] if empty else [])]
    key = rows.add(*place, cells, lambda path: _use(path, {}), system="" if failed else system)
    names = Counter[tuple[str, str]]()
    for grade in result.get("grader_results") or []:
        name = named_id(numbered(names, grade["grader_id"]))
        human = grade.get("type") == "human"
        use = used("rating", name, "person") if human else used("score", name)
        use = use if key is not None else left("of no answer")
        for path, _ in cells_of(dict(grade), "grader_results[]."):
            rows.count(place[0], path, use if path.endswith("].score") else _SET)
        if key is not None:
            _grade(rows, (*place, f"grader_results[].{name}"), key, use, grade)


def _grade(
    rows: ToolRows, place: tuple[str, int, str], key: Key, use: Use, grade: Mapping[str, Any]
) -> None:
    """Take what a grader said: of a person a rating, else a score."""
    name, value = use.of, grade.get("score")
    if use.role == "score":
        rows.score(key, name, value, Metric(name, 0.0, 1.0, "higher"))
    elif value is not None:
        if value in {0, 1}:
            rows.labels += [f"{name}.good=yes"] * (f"{name}.good=yes" not in rows.labels)
            value = "yes" if value else "no"
        facts = grade.get("metadata") or {}
        rater = next((named_id(facts[own]) for own in _RATER if facts.get(own)), "")
        rows.rate(place, rater, "person", key, name, value, str(grade.get("reason") or ""))


def _use(path: str, known: Mapping[str, Use]) -> Use:
    rest = _SET if path.startswith(("graders", "params", "provider")) else LEFT
    rest = _RUN if path.startswith(("metadata", "error")) else rest
    return known.get(path) or _USES.get(path, rest)


def _is_one(seen: Glimpse) -> bool:
    held = seen.json if isinstance(seen.json, dict) else {}
    suite, run = held.get("test_cases"), held.get("results")
    listed = suite if isinstance(suite, list) else run if isinstance(run, list) else []
    first = listed[0] if listed and isinstance(listed[0], dict) else {}
    ours = {"suite_id", "run_id"} <= held.keys() and {"test_case_id", "passed"} <= first.keys()
    return ours or ({"id", "version"} <= held.keys() and {"id", "input", "graders"} <= first.keys())


EVALPORT: Final = Format(
    id="evalport",
    title="EvalPort",
    reads=Reads(
        about="EvalPort: suites with their results, a score a grader and the ratings of people.",
        files="Suites and sets of results, as .json; a set is one system's.",
        is_one=_is_one,
        take=taker(_rows),
    ),
)
