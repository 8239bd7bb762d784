"""DeepEval's test runs."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Format, Glimpse, Reads
from medassay.exchange.spreadsheet.headers import metric_called
from medassay.exchange.spreadsheet.words import Metric
from medassay.exchange.tool_rows.files import first_record, json_of
from medassay.exchange.tool_rows.payload import Verdict, take_row, taker
from medassay.exchange.tool_rows.rows import LEFT, ToolRows, Use, cells_of, left, number_said, used

_LISTS: Final = ("testCases", "conversationalTestCases", "test_results")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_REASON, _JUDGE = left("a judge's reason"), left("the judge's name, cost and threshold")
_TEST, _STEPS = left("a name or a place of the test"), left("the steps behind the answer")
_USES: Final[Mapping[str, Use]] = {
    "input": Use("question"), "scenario": Use("question"), "turns": Use("said"),
    "actual_output": Use("answer"), "expected_output": Use("reference"),
    "expected_outcome": Use("reference"), "context": Use("evidence"),
    "retrieval_context": Use("contexts"), "token_cost": Use("cost"),
    "completion_time": Use("seconds"), "success": Use("score", "deepeval_pass"),
    "run_duration": left("what the test took"), "evaluation_cost": _JUDGE, "name": _TEST,
    "order": _TEST, "index": _TEST, "tools_called": _STEPS, "expected_tools": _STEPS,
    "trace": _STEPS, "comments": left("a remark without a rating"),
    "user_description": left("who asks"), "metrics_data.success": left("what its score says"),
    "metrics_data.reason": _REASON, "metrics_data.verbose_logs": _REASON,
    "metrics_data.error": left("why there is no score"),
}  # fmt: skip


def _rows(files: Sequence[Path], system: str) -> ToolRows:
    """Read test runs; a run is one system's."""
    rows = ToolRows("DeepEval")
    runs = []
    for file in files:
        held = json_of(file)
        runs.append((file, _run(held)))
        if runs[-1][1] is not held:
            rows.beside(file.name, held, "testRunData")
    better = _better([own for _, run in runs for test in _tests(run) for own in _metrics(test)])
    for file, run in runs:
        tests = _tests(run)
        if not tests:
            linked = isinstance(run, dict) and "testRunLink" in run
            hint = _LINK if linked else ""
            hint += "Import .deepeval/.latest_run_full.json, or what evaluate() gives, as JSON."
            raise InvalidInput(Problem(file.name, "hold test cases of DeepEval", "none", hint))
        facts = run if isinstance(run, dict) else {}
        rows.beside(file.name, facts, *_LISTS)
        told = facts.get("hyperparameters") or {}
        models = [str(told[name]) for name in told if name.casefold() in {"model", "system"}]
        named = system or next(iter(models), file.stem.strip("."))
        rows.each(file.name, enumerate(tests, 1), partial(_test, rows, named, better))
    return rows


def _run(held: Any) -> Any:  # noqa: ANN401 - whatever stands there
    return held.get("testRunData", held) if isinstance(held, dict) else held


def _tests(run: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - whatever stands there
    """Give the test cases of a run, of whichever version; none of another file."""
    held = [run.get(name) or [] for name in _LISTS] if isinstance(run, dict) else [run]
    tests = [test for listed in held if isinstance(listed, list) for test in listed]
    return tests if all(isinstance(t, dict) and _NAMES & t.keys() for t in tests) else []


_LINK: Final = "It holds the link to a run that was uploaded. "
_NAMES: Final = {"metricsData", "metrics_data", "actualOutput", "actual_output"}


def _metrics(test: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [*(test.get("metricsData") or test.get("metrics_data") or [])]


def _better(metrics: Sequence[Mapping[str, Any]]) -> dict[str, Metric]:
    """Say which way each metric is better: as it passes or fails beside its threshold."""
    votes = Counter[str]()
    for metric in metrics:
        score, least = number_said(metric.get("score")), number_said(metric.get("threshold"))
        passed = metric.get("success")
        if score is not None and least is not None and passed is not None and score != least:
            votes[str(metric.get("name"))] += 1 if bool(passed) is (score > least) else -1
    known = {name: metric_called(name) for name in votes}
    return {
        name: Metric(name, own.low, own.high, "higher" if votes[name] > 0 else "lower")
        if votes[name] else own
        for name, own in known.items()
    }  # fmt: skip


def _test(
    rows: ToolRows, system: str, better: Mapping[str, Metric], place: tuple[str, int],
    test: Mapping[str, Any],
) -> None:  # fmt: skip
    """Take one test case: what was asked, what the system answered, and a score a metric."""
    whole = {"turns": test.get("turns"), "trace": test.get("trace")}
    own = {name: held for name, held in test.items() if name not in whole}
    told = [(path, held) for path, held in cells_of(own) if not path.endswith("[].score")]
    told += [(name, held) for name, held in whole.items() if held]
    if whole["turns"] and not test.get("scenario"):
        users = (turn["content"] for turn in whole["turns"] if turn["role"] == "user")
        told.append(("scenario", next(users, "")))
    verdicts = [
        Verdict("metricsData[].score", str(own["name"]), own.get("score"),
                metric=better.get(str(own["name"])))
        for own in _metrics(test)
    ]  # fmt: skip
    take_row(rows, place, [(p, v, _use(p, v)) for p, v in told], verdicts, system=system)


@cache
def _name(path: str) -> str:
    """Give a path as this program names it, without camels."""
    return _CAMEL.sub("_", path.replace("[]", "")).lower()


def _use(path: str, value: object) -> Use:
    name = _name(path)
    start, _, end = name.partition(".")
    if start in {"metadata", "additional_metadata"}:  # a number there may be a score: it is no tag
        return used("tag", end) if number_said(value) is None else left("a number beside the test")
    return _USES.get(name, _JUDGE if start == "metrics_data" else LEFT)


def _is_one(seen: Glimpse) -> bool:
    run = _run(seen.json if seen.path.suffix.lower() == ".json" else first_record(seen))
    known = isinstance(run, dict) and bool(run.keys() & {"testRunLink", "metricsScores"})
    return known or bool(_tests(run) if isinstance(run, Mapping | list) and run else ())


DEEPEVAL: Final = Format(
    id="deepeval",
    title="DeepEval",
    reads=Reads(
        about="DeepEval: test runs, with a score a metric; a run is one system's.",
        files="Test runs as .json: .latest_run_full.json, or what evaluate() gives.",
        is_one=_is_one,
        take=taker(_rows, rated=False),
    ),
)
