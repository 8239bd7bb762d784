"""Inspect's logs as the rows of a new study: their questions, targets and choices, too."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Final

from medassay.exchange.inspect.log import whole_log
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

_ATTACHED: Final = "attachment://"
_WORDS: Final = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_RATED: Final = {"raters", "labels", "kinds"}
_TOLD: Final = left("how the run went")
_USES: Final[Mapping[str, Use]] = {
    "id": Use("case"), "epoch": Use("sample"), "input": Use("turns"), "question": Use("question"),
    "target": Use("reference"), "gold": Use("gold"), "completion": Use("answer"),
    "choice": Use("choice"), "reasoning": Use("reasoning"), "total_time": Use("seconds"),
    "error.message": left("of no answer"),
}  # fmt: skip
_SAID: Final = "output.choices[].message.content"
_EMPTY: Final = ("completion", "")
_RUN: Final = ("messages", "events", "model_usage", "role_usage", "store", "attachments", "output.",
               "uuid", "working_time", "timelines", "error.", "error_retries", "started_at",
               "completed_at", "sandbox", "files", "setup", "limit")  # fmt: skip


def rows_of_logs(files: Sequence[Path], system: str) -> ToolRows:
    """Read logs with their questions; a sample of another epoch is a repeated answer.

    Args:
        files: `.eval` or `.json`.
        system: What the system is called; as each log calls its model if not given.

    Raises:
        InvalidInput: A file is no log, or holds no samples.
    """
    rows = ToolRows("Inspect")
    logs = [(file, *whole_log(file)) for file in files]
    tasks = {str(header["eval"].get("task", "")) for _, header, _ in logs}
    for file, header, samples in logs:
        model = str(system or header["eval"].get("model") or file.stem)
        task = str(header["eval"].get("task", "")) if len(tasks) > 1 else ""
        if header.get("status", "success") != "success":
            rows.notes.append(f"{file.name}: ended as {header['status']}; its samples were taken.")
        rows.beside(file.name, header, "samples")
        for row, sample in enumerate(samples, 1):
            with readable(file.name, row, "Inspect"):
                _take(rows, file.name, row, sample, model, task)
    return rows


def _take(
    rows: ToolRows, file: str, row: int, sample: Mapping[str, Any], model: str, task: str
) -> None:
    letters = dict(zip(ascii_uppercase, sample.get("choices") or [], strict=False))
    held = partial(_held, attachments=sample.get("attachments") or {})
    scores = {n: s for n, s in (sample.get("scores") or {}).items() if isinstance(s, dict)}
    own: dict[str, Any] = {"id": f"{task} {sample.get('id')}" if task else sample.get("id")}
    own["epoch"] = max(int(sample.get("epoch") or 1) - 1, 0)
    asked = sample.get("input")
    asked = [{**m, "content": held(_content(m))} for m in asked] if isinstance(asked, list) \
        else held(asked)  # fmt: skip
    own["input" if isinstance(asked, list) else "question"] = asked
    target = sample.get("target")
    target = target[0] if isinstance(target, list) and len(target) == 1 else target
    own["gold" if letters and target in letters else "target"] = target
    output = sample.get("output") or {}
    text: str | None = held(_completion(output))
    silent = not text and not output.get("choices") and not sample.get("error")
    if silent:
        rows.notes.append(f"{file}: samples whose model gave no output have no answer.")
    if silent or (sample.get("metadata") or {}).get("text_held") is False:
        text = None
    own |= {"completion": text, "total_time": sample.get("total_time")}
    own["reasoning"] = held(_reasoning(output))
    for kind in _no_text(sample.get("input")):
        rows.count(file, f"input[].{kind}", left("a part of a question that is no text"))
    chosen = next((s.get("answer") for s in scores.values() if s.get("answer") in letters), None)
    own["choice"] = chosen if letters else None
    failed = bool(sample.get("error"))
    # An empty completion is an answer that was given.
    cells = [(p, v) for p, v in own.items() if v not in (None, "", []) or (p, v) == _EMPTY]
    cells += [(f"choices.{letter}", option) for letter, option in letters.items()]
    cells += [(p, v) for p, v in cells_of(sample.get("metadata") or {}, "metadata.")]
    key = rows.add(file, row, cells, partial(_use, failed=failed), system="" if failed else model)
    known = {"id", "epoch", "input", "target", "choices", "metadata", "scores", "total_time"}
    beside = cells_of({n: v for n, v in sample.items() if n not in known})
    paths = [p for p, _ in beside if not p.startswith(("output.completion", _SAID))]
    rows.count_all(file, paths, [_TOLD if p.startswith(_RUN) else LEFT for p in paths])
    rest = {n: s for n, s in (sample.get("scores") or {}).items() if n not in scores}
    for path, _ in cells_of(rest, "scores."):
        rows.count(file, path, LEFT)
    for scorer, score in scores.items():
        _score(rows, file, row, key, scorer, score)


def _use(path: str, *, failed: bool) -> Use:
    if failed and path in {"completion", "choice", "reasoning", "total_time", "epoch"}:
        return left("of no answer")
    if path.startswith("choices."):
        return _option(path[-1])
    if path.startswith("metadata."):
        return _tag(path.removeprefix("metadata."))
    return _USES[path]


def _option(letter: str) -> Use:
    return _OPTIONS.setdefault(letter, Use("option", letter))


def _tag(name: str) -> Use:
    return _TAGS.setdefault(name, Use("tag", name))


_OPTIONS: Final[dict[str, Use]] = {}
_TAGS: Final[dict[str, Use]] = {}


def _score(
    rows: ToolRows, file: str, row: int, key: tuple[str, str, int] | None, scorer: str,
    score: Mapping[str, Any],
) -> None:  # fmt: skip
    """Take a scorer's score; where its metadata name raters, their ratings."""
    facts = score.get("metadata") or {}
    start = f"scores.{scorer}."
    rated = isinstance(facts, dict) and facts.keys() >= {"raters", "labels"}
    for path, value in cells_of(dict(score), start):
        use = left("a scorer's words")
        if key is None:
            use = left("of no answer")
        elif path.startswith(f"{start}metadata.") and rated and path.rpartition(".")[2] in _RATED:
            use = Use("rating", scorer)
        elif path.startswith(f"{start}value"):
            use = left("the labels, as numbers") if rated else LEFT
            name = named_id(".".join([scorer, *path.removeprefix(f"{start}value").split(".")[1:]]))
            if not rated and not isinstance(value, list):
                said = _WORDS.get(value, value) if isinstance(value, str) else value
                use = left("no number") if number_said(said) is None else Use("score", name)
                if use.role == "score":
                    rows.score(key, name, said)
            elif not rated:
                use = left("ratings that name no raters")
        rows.count(file, path, use)
    if key is None or not rated:
        return
    for at, (rater, label, kind) in enumerate(_ratings(facts)):
        place = (file, row, f"{start}metadata.labels[{at + 1}]")
        rows.rate(place, rater, kind, key, str(facts.get("dimension", scorer)), label)  # type: ignore[arg-type] # person or model


def _ratings(facts: Mapping[str, Any]) -> Iterator[tuple[str, object, str]]:
    kinds = list(facts.get("kinds") or [])
    kinds += [""] * (len(facts["raters"]) - len(kinds))
    for rater, label, kind in zip(facts["raters"], facts["labels"], kinds, strict=False):
        yield named_id(rater), label, kind if kind in {"person", "model"} else ""


def _completion(output: Mapping[str, Any]) -> str:
    if output.get("completion"):
        return str(output["completion"])
    choices = output.get("choices") or [{}]
    return _content(choices[0].get("message") or {})


def _content(message: Mapping[str, Any]) -> str:
    content = message.get("content", "")
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content)


def _reasoning(output: Mapping[str, Any]) -> str:
    """Give what the model reasoned before it answered, where a provider shows it."""
    message = (output.get("choices") or [{}])[0].get("message") or {}
    parts = message.get("content")
    told = [
        str(part.get("reasoning") or part.get("summary") or "")
        for part in (parts if isinstance(parts, list) else [])
        if isinstance(part, dict) and part.get("type") == "reasoning"
    ]
    return "\n\n".join(filter(None, [*told, str(message.get("reasoning") or "")]))


def _no_text(asked: Any) -> list[str]:  # noqa: ANN401 - text, or the messages of a chat
    """Name the kinds of parts of a question that are no text: images, sounds, documents."""
    messages = asked if isinstance(asked, list) else []
    parts = [p for m in messages if isinstance(m.get("content"), list) for p in m["content"]]
    kinds = [str(part.get("type")) for part in parts if isinstance(part, dict)]
    return [kind for kind in kinds if kind not in {"text", "reasoning"}]


def _held(text: Any, attachments: Mapping[str, str]) -> Any:  # noqa: ANN401 - whatever stands there
    if isinstance(text, str) and text.startswith(_ATTACHED):
        return attachments.get(text.removeprefix(_ATTACHED), text)
    return text
