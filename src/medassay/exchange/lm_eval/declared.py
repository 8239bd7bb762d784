"""lm-evaluation-harness's samples."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from math import isnan
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Format, Glimpse, Reads
from medassay.exchange.spreadsheet.headers import metric_called, read_header
from medassay.exchange.spreadsheet.words import Metric
from medassay.exchange.tool_rows.files import first_record, json_of, records_of
from medassay.exchange.tool_rows.payload import taker
from medassay.exchange.tool_rows.rows import (
    LEFT,
    ToolRows,
    Use,
    cells_of,
    left,
    named_id,
    number_said,
    readable,
)

_NAMED: Final = re.compile(r"samples_(.+?)_\d{4}-\d\d-\d\dT[\d.:-]+|samples_(.+)|(.+)")
_KNOWN: Final = frozenset({
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics",
    "doc_hash", "prompt_hash", "target_hash",
})  # fmt: skip
_ASKS: Final = ("question", "query", "QUESTION", "input", "prompt", "instruction", "problem",
                "text", "sent1", "ctx")  # fmt: skip
_LIKELIHOOD: Final = re.compile(r"-\d+\.\d{6,}(?:e[-+]?\d+)?")
_OPTIONS: Final = ("choices", "options", "endings")
_DOC: Final = left("a fact of the data set")
_USES: Final[Mapping[str, Use]] = {
    "question": Use("question"), "gold": Use("gold"), "reference": Use("reference"),
    "answer": Use("answer"), "choice": Use("choice"), "contexts": Use("evidence"),
    "arguments": left("the prompt, with the question in it"), "doc_hash": left("a hash"),
    "prompt_hash": left("a hash"), "target_hash": left("a hash"),
    "metrics": left("names of the metrics"), "doc_id": Use("case"),
    "filter": left("part of the metric's name"),
    "filtered_resps": left("what a filter made of the answer"),
}  # fmt: skip


def _rows(files: Sequence[Path], system: str) -> ToolRows:
    """Read samples; results beside them name the model, and say which way a metric is better."""
    rows = ToolRows("lm-evaluation-harness")
    rows.not_read(files, _inside(files))
    samples, results = [], {}
    for file in _inside(files):
        held = first_record(Glimpse(file))
        if "results" in held and "doc_id" not in held:
            results[file.parent] = json_of(file)
            rows.beside(file.name, results[file.parent])
        else:
            samples.append(file)
    if not samples:
        hint = "Run lm_eval with --log_samples, and import samples_*.jsonl too."
        shown = ", ".join(file.name for file in files)
        raise InvalidInput(Problem(shown, "hold samples", "results alone", hint))
    tasks = {_task(file) for file in samples}
    taken: Counter[tuple[str, str]] = Counter()
    for file in samples:
        beside = results.get(file.parent) or _beside(file)
        model = system or _model(beside) or named_id(file.parent.resolve().name.replace("__", "/"))
        task = _task(file)
        better = (beside.get("higher_is_better") or {}).get(task) or {}
        before = taken[model, task]  # the same task again is another run, and no other filter
        told: Counter[tuple[str, str]] = Counter()
        for row, sample in records_of(file, rows.beside):
            with readable(file.name, row, "lm-evaluation-harness"):
                about = str(sample["doc_id"]), str(sample.get("filter"))
                first = before + told[about]  # so is the same document again in one file
                count = _sample(
                    rows, file.name, row, sample, model, task if len(tasks) > 1 else "", better,
                    first,
                )  # fmt: skip
                if told[about]:
                    rows.notes.append(f"{file.name}: documents that come again: further samples.")
                told[about] += count
                taken[model, task] = max(taken[model, task], first + count)
    return rows


def _inside(files: Sequence[Path]) -> list[Path]:
    return [
        own
        for file in files
        for own in ([*sorted(file.rglob("results*.json")), *sorted(file.rglob("samples_*.json*"))]
                    if file.is_dir() else [file])
    ]  # fmt: skip


def _task(file: Path) -> str:
    match = _NAMED.fullmatch(file.stem)
    return next(filter(None, match.groups()), file.stem) if match else file.stem


def _beside(file: Path) -> Mapping[str, Any]:
    """Give the results of the same run, which lie beside its samples."""
    time = re.search(r"\d{4}-\d\d-\d\dT[\d.:-]+", file.stem)
    own = sorted(file.parent.glob(f"results_{time[0]}*.json")) if time else []
    held = json_of(own[0]) if own else {}
    return held if isinstance(held, dict) else {}


def _model(results: Mapping[str, Any]) -> str:
    config = results.get("config") or {}
    arguments = config.get("model_args") or ""
    named = (
        re.search(r"(?:pretrained|model)=([^,]+)", arguments)
        if isinstance(arguments, str)
        else None
    )
    if isinstance(arguments, dict):
        return named_id(arguments.get("pretrained") or arguments.get("model") or "")
    return named_id(results.get("model_name") or (named[1] if named else config.get("model") or ""))


def _sample(  # noqa: C901 - each part of a sample is one step
    rows: ToolRows, file: str, row: int, sample: Mapping[str, Any], model: str, task: str,
    better: Mapping[str, Any], first: int,
) -> int:  # fmt: skip
    """Take one sample; give how many answers it holds."""
    held = sample.get("doc")
    doc: Mapping[str, Any] = held if isinstance(held, dict) else {"text": held}
    arguments = _arguments(sample.get("arguments"))
    options = _options(doc, arguments, sample.get("resps"))
    asked = next((name for name in _ASKS if _is_asked(doc.get(name), arguments[0][0])), "")
    cells: list[tuple[str, Any]] = [("question", doc[asked] if asked else arguments[0][0])]
    cells += [(f"option.{letter}", text) for letter, text in options.items()]
    target = sample.get("target")
    texts = _chosen(sample, options)
    several = _several(doc, options)
    letter = "" if several else _letter(target, options)
    right = _right(doc, target)
    target = several or (doc[right] if right else target)
    if letter:
        cells.append(("gold", letter))
    elif target not in {None, ""} if not isinstance(target, list) else target:
        cells.append(("reference", target))
    contexts = next(
        (n for n in doc if {"contexts", "evidence", "narrative"} & set(read_header(n).roles)), ""
    )
    if contexts and doc[contexts]:
        cells.append(("contexts", doc[contexts]))
    case = f"{task} {sample['doc_id']}" if task else str(sample["doc_id"])
    key = None if texts else rows.add(file, row, cells, _use, case=case, system=model, sample=first)
    for place, (role, text) in enumerate(texts, first):
        told = [*cells, (role, text)] if place == first else [(role, text)]
        known = rows.answers.get((named_id(model), named_id(case), place))
        if known is not None:  # another filter of the same answer
            told = [] if place > first else cells
        own = rows.add(file, row, told, _use, case=case, system=model, sample=place)
        key = key or own
    if options and not texts:
        rows.count(file, "resps", left("likelihoods of which one is no number"))
    taken = {asked, contexts, right, *([n for n in _OPTIONS if n in doc] if options else [])}
    for path, _ in cells_of({n: v for n, v in doc.items() if n not in taken}, "doc."):
        rows.count(file, path, _DOC)
    for path, _ in cells_of({n: v for n, v in sample.items() if n in _USES and n != "arguments"}):
        rows.count(file, path, _use(path))
    rows.count(file, "arguments", _USES["arguments"])
    for name, value in sample.items():
        if name in _KNOWN:
            continue
        filtered = sample.get("filter")
        metric = named_id(name if filtered in {None, "none", ""} else f"{name} ({filtered})")
        use = _score(metric, better.get(name))
        if number_said(value) is None or key is None:
            use = left("no number of one answer")
        else:
            rows.score(key, metric, value, use.metric)
        rows.count(file, name, use)
    return max(len(texts), 1)


@cache
def _score(metric: str, higher: bool | None) -> Use:  # noqa: FBT001 - as the results have it
    known = metric_called(metric)
    if higher is not None:
        known = Metric(metric, known.low, known.high, "higher" if higher else "lower")
    return Use("score", metric, metric=known)


@cache
def _use(path: str) -> Use:
    if path.startswith("option."):
        return Use("option", path[-1])
    return _USES.get(path, LEFT)


def _arguments(held: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - as versions have it
    """Give prompts and continuations: a list of pairs, or since 0.4.3 a mapping of mappings."""
    listed = list(held.values()) if isinstance(held, dict) else held or []
    pairs = []
    for own in listed:
        values = list(own.values()) if isinstance(own, dict) else own
        second = values[1] if len(values) > 1 else ""
        pairs.append((str(values[0]), second if isinstance(second, str) else ""))
    return pairs or [("", "")]


def _options(
    doc: Mapping[str, Any], arguments: Sequence[tuple[str, str]], resps: Any  # noqa: ANN401 - as versions have it
) -> dict[str, str]:  # fmt: skip
    """Give the options by letters: of the data set, else what the model was asked to weigh."""
    if not _is_weighed(resps):
        return {}
    held = next((doc[name] for name in _OPTIONS if doc.get(name)), None)
    if isinstance(held, dict) and isinstance(held.get("text"), list):
        held = held["text"]
    if isinstance(held, dict):
        held = list(held.values())
    if not held:
        held = [doc[name] for name in ("opa", "opb", "opc", "opd", "ope") if doc.get(name)]
    texts = [str(own.get("text", own) if isinstance(own, dict) else own) for own in held]
    if len(texts) != len(resps):
        texts = [second.strip() for _, second in arguments]
    known = len(texts) > 1 and all(map(str.strip, texts))
    return dict(zip(ascii_uppercase, texts, strict=False)) if known else {}


def _is_asked(text: Any, prompt: str) -> bool:  # noqa: ANN401 - whatever stands there
    """Say whether a field of a document is the question: its text stands in the prompt."""
    if not isinstance(text, str) or not text.strip():
        return False
    told = text.strip()
    return not prompt.strip() or told in prompt or json.dumps(told, ensure_ascii=False)[1:-1] \
        in prompt or json.dumps(told)[1:-1] in prompt  # fmt: skip


def _right(doc: Mapping[str, Any], target: object) -> str:
    """Name the field with right answers, where a task has no target of its own."""
    if str(target if target is not None else "").strip():
        return ""
    named = [name for name in doc if {"reference", "gold"} & set(read_header(name).roles)]
    return next((name for name in ["best_answer", *named] if doc.get(name)), "")


def _several(doc: Mapping[str, Any], options: Mapping[str, str]) -> list[str]:
    """Give the right options where there are several: then no letter is the right one."""
    texts = list(options.values())
    for own in doc.values():
        marks = own.get("labels") if isinstance(own, dict) else None
        if isinstance(marks, list) and own.get("choices") == texts and marks.count(1) > 1:
            return [text for text, mark in zip(texts, marks, strict=True) if mark == 1]
    return []


def _is_weighed(resps: Any) -> bool:  # noqa: ANN401 - as versions have it
    own = resps[0][0] if resps and isinstance(resps[0], list) and resps[0] else None
    if isinstance(own, float) or (isinstance(own, str) and _LIKELIHOOD.fullmatch(own)):
        return True  # of a whole text
    return isinstance(own, list) and len(own) == 2 and _weight(own[0]) is not None  # noqa: PLR2004 - a likelihood and whether it is greedy


def _weight(said: Any) -> float | None:  # noqa: ANN401 - whatever stands there
    """Give a likelihood, which may be infinite or NaN; None where it is none."""
    try:
        return None if isinstance(said, bool) else float(said)
    except (TypeError, ValueError):
        return None


def _chosen(sample: Mapping[str, Any], options: Mapping[str, str]) -> list[tuple[str, str]]:
    """Give the answers of a sample: the likeliest option, or each text that was generated."""
    resps = sample.get("resps") or []
    if _is_weighed(resps):
        firsts = [own[0][0] if isinstance(own[0], list) else own[0] for own in resps]
        weights = [own for own in map(_weight, firsts) if own is not None and not isnan(own)]
        if len(weights) < len(firsts):
            return []  # where one likelihood is none, nobody knows which is the highest
        place = weights.index(max(weights))
        if options:
            return [("choice", [*options][place])]
        return [("choice", str(place))] if weights[1:] else []  # what was weighed is no answer
    listed = resps[0] if resps and isinstance(resps[0], list) else resps
    return [("answer", str(text)) for text in listed]


def _letter(target: object, options: Mapping[str, str]) -> str:
    if not options:
        return ""
    text = str(target).strip()
    letters = list(options)
    if text in options:
        return text
    if text.isdigit() and int(text) < len(letters):
        return letters[int(text)]
    return next((letter for letter, own in options.items() if own.strip() == text), "")


def _is_one(seen: Glimpse) -> bool:
    if seen.path.is_dir():
        return any(seen.path.glob("samples_*.jsonl")) or any(seen.path.glob("*/samples_*.jsonl"))
    first = first_record(seen).keys()
    return {"doc_id", "resps"} <= first or {"results", "versions", "n-shot"} <= first \
        or {"results", "configs", "versions"} <= first  # fmt: skip


LM_EVAL: Final = Format(
    id="lm-eval",
    title="lm-evaluation-harness",
    reads=Reads(
        about="lm-evaluation-harness: samples with what a model answered, a score a metric.",
        files="samples_*.jsonl, results_*.json beside them, or their folder.",
        is_one=_is_one,
        take=taker(_rows, rated=False),
    ),
)
