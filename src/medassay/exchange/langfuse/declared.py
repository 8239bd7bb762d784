"""Langfuse's exports."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from medassay.exchange.declaration import Format, Glimpse, Reads
from medassay.exchange.tool_rows.files import records_of
from medassay.exchange.tool_rows.payload import (
    Told,
    Verdict,
    answered,
    asked,
    beside,
    count_said,
    first_names,
    parsed,
    said_by,
    take_row,
    taker,
)
from medassay.exchange.tool_rows.rows import ToolRows, Use, left, named_id, readable

_NOTE, _HOW = left("ids, times, counts and settings"), left("how and when a score was given")
_STEPS: Final = left("the steps behind the answer")
_NONE: Final = "a trace that asks nothing"
_USES: Final[Mapping[str, Use]] = {
    "tags": Use("tag", "tags"), "traceTags": Use("tag", "tags"), "observations": _STEPS,
    "comments": left("a remark without a rating"), "userIds": _NOTE, "toolCalls": _STEPS,
    "toolCallNames": _STEPS, "toolDefinitions": _STEPS, "latency": Use("seconds"),
    "totalCost": Use("cost"), "calculatedTotalCost": Use("cost"),
}  # fmt: skip
"""Every other column of lists holds scores, by the name that it has."""
_MARKS: Final = {"sessionId", "userId", "release", "public", "htmlPath", "projectId", "traceId"}
_SAID: Final = {"input", "output"}
_SCORE: Final = frozenset({"traceId", "name", "source", "dataType"})


def _rows(files: Sequence[Path], system: str) -> ToolRows:
    """Read traces, and the scores of each, in whichever of the files they stand."""
    rows = ToolRows("Langfuse")
    given: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
    traces = []
    for file in files:
        for row, record in _records(file, rows):
            if record.keys() >= _SCORE:
                about = str(record.get("observationId") or record["traceId"])
                given.setdefault(about, []).append((file.name, record))
            else:
                traces.append((file, row, record))
    for file, row, record in traces:
        with readable(file.name, row, "Langfuse"):
            own = given.pop(str(record.get("id")), [])
            step = record.get("type") not in {None, "", "GENERATION"}
            if step or not parsed(record.get("input")):
                rows.leave(file.name, record, "a step of a trace" if step else _NONE)
                continue
            model = record.get("providedModelName") or record.get("model") or record.get("name")
            version = record.get("version") or record.get("release") or ""
            named = named_id(system or f"{model or file.stem} {version}")
            _trace(rows, (file.name, row), record, own, named)
    for name, score in (pair for pairs in given.values() for pair in pairs):
        rows.leave(name, score, "of no answer in these files")
    return rows


def _records(file: Path, rows: ToolRows) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Give traces and generations; of a trace that asks nothing itself the generations in it."""
    for row, held in records_of(file, rows.beside, "data"):
        trace = held.get("trace")  # one that was downloaded has its observations beside it
        whole = {**trace, **held, "trace": None} if isinstance(trace, dict) else held
        steps = [s for s in parsed(whole.get("observations")) or () if isinstance(s, dict)]
        said = [own for own in steps if own.get("type") == "GENERATION" and own.get("input")]
        if parsed(whole.get("input")) or not said:
            yield row, whole
        elif len(said) == 1:  # what is said of the trace is said of its only answer
            yield row, {**whole, **{n: said[0].get(n) for n in ("input", "output", "model")}}
        else:
            rows.leave(file.name, {n: v for n, v in whole.items() if n != "observations"}, _NONE)
            yield from ((row, own) for own in steps)


def _trace(
    rows: ToolRows, place: tuple[str, int], record: Mapping[str, Any],
    given: Sequence[tuple[str, Mapping[str, Any]]], system: str,
) -> None:  # fmt: skip
    """Take one trace: what was asked and answered, ratings of people, and scores."""
    told: list[Told] = [*asked(record["input"], "input"), *answered(record.get("output"), "output")]
    verdicts = [_verdict(rows, *own) for own in given]
    flat = {
        name: parsed(value) for name, value in record.items() if name not in {"input", "output"}
    }
    scores = flat.pop("scores", None)
    flat |= scores if isinstance(scores, dict) else {"scores": scores}
    for name, value in flat.items():
        if name in _USES:
            held = ", ".join(map(str, value)) if isinstance(value, list) else value
            told += [(name, held, _USES[name])] if held not in (None, "") else []
        elif isinstance(value, list):
            verdicts += _listed(rows, place[0], name, value, told, again=bool(given))
        else:
            told += beside(value, name, why=_NOTE)
    take_row(rows, place, told, verdicts, system=system)


def _listed(
    rows: ToolRows, file: str, name: str, values: Sequence[Any], told: list[Told], *, again: bool
) -> Iterator[Verdict]:
    """Read a column of scores. Of a word the export does not say whose it is: that is asked."""
    for value in values:
        if again:
            told.append((name, value, left("said again in the scores")))
        elif isinstance(value, dict):
            yield _verdict(rows, file, value)
        elif name == "scores":
            told.append((name, value, left("an id without what it names")))
        else:
            yield Verdict(name, name, value, "" if isinstance(value, str) else None)


def _verdict(rows: ToolRows, file: str, score: Mapping[str, Any]) -> Verdict:
    """Read a score: an annotator is a person, an evaluator is none, what came by the API may be."""
    words = score.get("dataType") in {"CATEGORICAL", "BOOLEAN", "TEXT"}
    value = "stringValue" if words and score.get("stringValue") else "value"
    source, name = score.get("source"), str(score["name"])
    names = (score.get("authorUserName"), score.get("authorUserId"), "langfuse-user")
    who, person = next(filter(None, names)), source == "ANNOTATION"
    rater = said_by(name, who, person=person, program=source == "EVAL")
    rest = {own: held for own, held in score.items() if own != value}
    count_said(rows, file, "scores[].", rest, "comment" if rater else "", _HOW)
    comment = str(score.get("comment") or "")
    return Verdict(f"scores[].{value}", name, score.get(value), rater, comment, person=person)


def _is_one(seen: Glimpse) -> bool:
    none = seen.first.get("data") == [] and seen.first.keys() == {"data", "meta"}
    names = first_names(seen, "data", "trace")
    return none or names >= _SCORE or ({"id", *_SAID} <= names and len(names & _MARKS) > 1)


LANGFUSE: Final = Format(
    id="langfuse",
    title="Langfuse",
    reads=Reads(
        about="Langfuse: traces or generations, ratings of annotators, and scores.",
        files="Exports of traces, observations and scores, as .json, .jsonl or .csv; one trace.",
        is_one=_is_one,
        take=taker(_rows),
    ),
)
