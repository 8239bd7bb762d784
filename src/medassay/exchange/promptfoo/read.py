"""promptfoo's results: one system a provider and prompt, one case a test."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.spreadsheet.headers import read_header
from medassay.exchange.spreadsheet.words import Metric
from medassay.exchange.tool_rows.files import json_of
from medassay.exchange.tool_rows.rows import (
    LEFT,
    ToolRows,
    Use,
    cells_of,
    left,
    named_id,
    numbered,
    readable,
    used,
)
from medassay.tables import decode, file_bytes

OUTPUT: Final = re.compile(r"\[([^\]]+)\] ?(.*)", re.DOTALL)
"""The head of a column of outputs: `[provider] prompt`."""
_CELL: Final = re.compile(
    r"\[(PASS|FAIL|ERROR)\]\s*(?:\((-?[\d.]+)(?:,\s*([^)]*))?\))?\s*(.*?)"
    r"(?:\n+(?:Pass|Fail) Reason: (.*))?",
    re.DOTALL,
)
_BESIDE: Final = ("Status", "Score", "Named Scores", "Grader Reason", "Comment")
_REFERENCES: Final = frozenset({"equals", "similar", "factuality", "model-graded-factuality",
                                "rouge-n", "bleu", "meteor", "levenshtein"})  # fmt: skip
_CRITERIA: Final = frozenset({"llm-rubric", "g-eval", "model-graded-closedqa"})
_SHORT: Final = 80
_PART: Final = "gradingResult.componentResults[]."
_PART_SCORE, _PART_PASS, _PART_SET = f"{_PART}score", f"{_PART}pass", f"{_PART}assertion."
_PART_VALUE: Final = f"{_PART_SET}value"
_USES: Final[Mapping[str, Use]] = {
    "response.output": Use("answer"), "success": Use("score", "promptfoo_pass"),
    "score": Use("score", "promptfoo_score"), "cost": Use("cost"), "latencyMs": Use("seconds"),
    "error": left("what went wrong, or which assertion failed"),
    "gradingResult.reason": left("a grader's reason"),
    "gradingResult.comment": Use("comment"), "provider": Use("system"),
    "provider.id": Use("system"), "provider.label": Use("system"),
    "prompt.label": Use("system"), "prompt.raw": left("the prompt, with the question in it"),
    "namedScores": left("sums of scores that are taken one by one"),
}  # fmt: skip
_SAME: Final = left("said again: what it repeats is taken")
_in_order: Final = json.JSONEncoder(sort_keys=True, default=str).encode
_ANSWERED: Final = ("success", "score", "cost", "latencyMs", "response.output")


def header_of(path: Path) -> list[str]:
    """Give the names of a table's columns, those of one name too; none of another file."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as opened:
            return next(csv.reader(opened), [])
    except (OSError, csv.Error):
        return []


def results_of(held: object) -> list[Any]:
    """Give the results of a file of JSON, of whichever version; none of another file."""
    for _ in range(3):
        held = held.get("results") if isinstance(held, dict) else held
    rows = held if isinstance(held, list) else []
    return rows if rows and all(isinstance(row, dict) and "vars" in row for row in rows) else []


def has_none(held: object) -> bool:
    """Say whether it is a file of promptfoo's that holds no result at all.

    Example:
        >>> has_none({"evalId": "eval-1", "results": {"version": 3, "results": []}})
        True
    """
    inside = held.get("results") if isinstance(held, dict) else None
    return isinstance(inside, dict) and inside.get("results") == [] and "version" in inside


def read_promptfoo(files: Sequence[Path]) -> ToolRows:
    """Read files of results.

    Raises:
        InvalidInput: A file holds none.
    """
    rows, reader = ToolRows("promptfoo", labels=["pass.good=yes"]), _Reader()
    for file in files:
        if file.suffix.lower() == ".csv":
            reader.table(rows, file)
            continue
        held = json_of(file)
        results = results_of(held)
        while results and isinstance(held, dict):
            rows.beside(file.name, held, "results")
            held = held["results"]
        if not results:
            hint = "Write it with: promptfoo eval --output results.json"
            if has_none(held):
                hint = "Its list of results is empty: did the evaluation stop? Run it again."
            raise InvalidInput(Problem(file.name, "hold results of promptfoo", "none", hint))
        reader.prompts = Counter(
            (provider, label) for provider, label in {_about(result) for result in results}
        )
        several = {p for p, n in Counter(p for p, _ in reader.prompts).items() if n > 1}
        for row, result in enumerate(results, 1):
            with readable(file.name, row, "promptfoo"):
                reader.result(rows, file.name, row, result, several)
    return rows


def _about(result: Mapping[str, Any]) -> tuple[str, str]:
    provider = result.get("provider")
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    prompt = result.get("prompt") or {}
    label = prompt.get("label") or prompt.get("display") or "" if isinstance(prompt, dict) else ""
    place = result.get("promptIdx", 0)
    return str(provider or "system"), label if 0 < len(label) <= _SHORT and "\n" not in label \
        else f"prompt {int(place or 0) + 1}"  # fmt: skip


def _prompt(result: Mapping[str, Any]) -> Any:  # noqa: ANN401 - text, or the messages of a chat
    prompt = result.get("prompt")
    raw = prompt.get("raw", "") if isinstance(prompt, dict) else prompt or ""
    try:
        held = json.loads(raw) if str(raw).lstrip()[:1] == "[" else None
    except ValueError:
        held = None
    chat = isinstance(held, list) and all(isinstance(m, dict) and "role" in m for m in held)
    return held if chat else str(raw)


class _Reader:
    """Numbers tests by their variables, and a system's answers to each."""

    def __init__(self) -> None:
        self.cases: dict[str, str] = {}
        self.samples: Counter[tuple[str, str]] = Counter()
        self.prompts: Counter[tuple[str, str]] = Counter()
        self.uses: dict[tuple[_Shape, bool, bool, frozenset[str]], _Uses] = {}

    def key(self, system: str, variables: Mapping[str, Any]) -> tuple[str, int]:
        """Give the case of a test's variables, and which answer of the system to it this is."""
        whole = _in_order(variables)
        case = self.cases.setdefault(whole, str(len(self.cases) + 1))
        self.samples[system, case] += 1
        return case, self.samples[system, case] - 1

    def result(
        self, rows: ToolRows, file: str, row: int, result: Mapping[str, Any], several: set[str]
    ) -> None:
        provider, label = _about(result)
        variables, prompt = result.get("vars") or {}, _prompt(result)
        variant = provider in several and bool(variables)
        system = named_id(f"{provider} [{label}]" if variant else provider)
        case, sample = self.key(system, variables or {"prompt": prompt})
        response = result.get("response") or {}
        output = response.get("output") if isinstance(response, dict) else response
        failed = output is None or result.get("failureReason") == 2  # noqa: PLR2004 - promptfoo's own code
        grading = result.get("gradingResult") or {}
        parts = [part for part in grading.get("componentResults") or [] if isinstance(part, dict)]
        whole = cells_of(_flat(result, output))
        if not variables:  # each prompt is a question of its own
            whole = [(p, prompt if p == "prompt.raw" else value) for p, value in whole]
        whole += [("response.output", "")] if output == "" else []  # it was given
        shape = tuple([(name, _is_long(value)) for name, value in variables.items()])
        sums = frozenset([str((part.get("assertion") or {}).get("metric")) for part in parts])
        about = shape, isinstance(prompt, str), failed, sums
        uses = self.uses.get(about)
        if uses is None:
            uses = self.uses[about] = _Uses(*about)
        whose = [path for path, _ in whole if uses[path].role == "system"]
        rows.count_all(file, whose, [uses[path] for path in whose])
        key = rows.add(
            file, row, [cell for cell in whole if cell[0] not in whose], uses.__getitem__,
            system="" if failed else system, case=case, sample=sample,
        )  # fmt: skip
        if failed:
            rows.notes.append(f"{file}: results of {system} that ended in an error have no answer.")
        _components(rows, file, row, key, parts, grading)

    def table(self, rows: ToolRows, file: Path) -> None:
        """Read a table: columns of variables, then of each prompt its outputs and what is beside.

        Raises:
            InvalidInput: No column holds outputs.
        """
        text, _ = decode(file_bytes(file, file.name), file.name)
        lines = list(csv.reader(io.StringIO(text, newline="")))
        header = lines[0] if lines else []
        outputs = [at for at, name in enumerate(header) if OUTPUT.match(name)]
        if not outputs:
            hint = "Its columns of outputs are called [provider] prompt."
            raise InvalidInput(Problem(file.name, "hold outputs of promptfoo", "none", hint))
        about = [OUTPUT.match(header[at]).groups() for at in outputs]  # type: ignore[union-attr] # they matched
        often = Counter(provider for provider, _ in about)
        front = [at for at in range(outputs[0]) if header[at] != "Description"]
        for row, line in enumerate(lines[1:], 2):
            cells = dict(enumerate(line))
            variables = {header[at]: cells.get(at, "") for at in front}
            if not any(line):
                continue
            uses = _vars(tuple((name, _is_long(value)) for name, value in variables.items()))
            for place, (at, (provider, _)) in enumerate(zip(outputs, about, strict=True)):
                system = provider if often[provider] == 1 else f"{provider} [prompt {place + 1}]"
                end = outputs[place + 1] if at != outputs[-1] else len(header)
                beside = {header[i]: cells.get(i, "") for i in range(at + 1, end)}
                case, sample = self.key(system, variables)
                own = [(f"vars.{n}", v) for n, v in variables.items() if v and not place]
                own += list(_output(header[at], cells.get(at, ""), beside))
                told = {**uses, **_of_output(header[at], own)}
                failed = any(path.endswith("[ERROR]") for path, _ in own)
                rows.add(
                    file.name, row, own, partial(_told, told),
                    system="" if failed else named_id(system), case=case, sample=sample,
                )  # fmt: skip


def _told(uses: Mapping[str, Use], path: str) -> Use:
    return uses.get(path, LEFT)


_Shape = tuple[tuple[str, bool], ...]
"""The variables of a test, each with whether it is long."""


class _Uses(dict[str, Use]):
    """What the cells of a result are: its variables by their names, all else by where it stands.

    Args:
        variables: Its variables.
        plain: Whether its prompt is a text, and no messages of a chat.
        failed: Whether it ended in an error.
        sums: Which of its named scores repeat those of components.
    """

    def __init__(
        self, variables: _Shape, plain: bool, failed: bool, sums: frozenset[str]  # noqa: FBT001 - a key
    ) -> None:  # fmt: skip
        super().__init__({**_vars(variables), **_USES})
        self.sums = sums
        if not variables:
            self["prompt.raw"] = used("question" if plain else "turns")
        if failed:
            self.update(dict.fromkeys(_ANSWERED, left("of no answer")))

    def __missing__(self, path: str) -> Use:
        repeats = path.startswith(("testCase.", "gradingResult."))
        use = _SAME if repeats else LEFT
        if path.startswith("namedScores."):
            name = path.partition(".")[2]
            use = self["namedScores"] if name in self.sums else _score(name)
        self[path] = use
        return use


@cache
def _score(name: str) -> Use:
    return Use("score", named_id(name))


@cache
def _metric(name: str) -> Metric:
    return Metric(name, None, None, "higher")


def _flat(result: Mapping[str, Any], output: object) -> dict[str, Any]:
    """Give a result whose output is one text, though a provider gave an object.

    What each assertion says is left out: it is read apart.
    """
    response = result.get("response")
    own = dict(response) if isinstance(response, dict) else {}
    if output is not None:
        own["output"] = (
            output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
        )
    whole, grading = {**result, "response": own}, result.get("gradingResult")
    if seconds := result.get("latencyMs"):
        whole["latencyMs"] = float(seconds) / 1000
    grading = grading if isinstance(grading, dict) else {}
    parts = grading.get("componentResults")
    if isinstance(parts, list) and all(isinstance(part, dict) for part in parts):
        whole["gradingResult"] = {n: v for n, v in grading.items() if n != "componentResults"}
    return whole


def _is_long(value: object) -> bool:
    return isinstance(value, list | dict) or len(str(value)) > _SHORT or "\n" in str(value)


@cache
def _vars(variables: _Shape) -> Mapping[str, Use]:
    """Say what each variable of a test is, by its name; the only one is the question."""
    uses: dict[str, Use] = {}
    asks = [name for name, _ in variables if "question" in read_header(name).roles]
    asked = asks[:1] or [name for name, _ in variables[:1]]
    for name, long in variables:
        roles = read_header(name).roles
        if name in asked:
            use = used("question")
        elif "reference" in roles or "answer" in roles:
            use = used("reference")
        elif {"contexts", "evidence", "narrative"} & set(roles):
            use = used("evidence")
        else:
            use = used("narrative") if long else used("tag", name)
        for path in (f"vars.{name}", f"vars.{name}[]"):
            uses[path] = use
    return uses


def _components(
    rows: ToolRows, file: str, row: int, key: tuple[str, str, int] | None,
    parts: Sequence[Mapping[str, Any]], grading: Mapping[str, Any],
) -> None:  # fmt: skip
    """Take what each assertion says: a score by its metric; of a person, a rating."""
    names = Counter[tuple[str, str]]()
    for part in parts:
        assertion = part.get("assertion") or {}
        kind = str(assertion.get("type", ""))
        name = str(assertion.get("metric") or kind or "assertion")
        name = numbered(names, name)
        words = assertion.get("value")
        words = words if isinstance(words, str) and words.strip() else ""
        paths = [path for path, _ in cells_of(part, _PART)]
        uses = _PartUses.of(kind, name, told=bool(words), given=key is not None)
        rows.count_all(file, paths, [uses[path] for path in paths])
        if key is None:
            continue
        if kind != "human" and _PART_SCORE in paths:
            rows.score(key, named_id(name), part["score"], _metric(name))
        if kind == "human" and _PART_PASS in paths:
            said = "yes" if part["pass"] else "no"
            comment = str(grading.get("comment") or part.get("reason") or "")
            place = (file, row, _PART_PASS)
            rows.rate(place, "promptfoo-user", "person", key, "pass", said, comment)
        case = rows.asked[key[1]]
        if words and kind in _REFERENCES:
            case.references += [words] if words not in case.references else []
        elif words and kind in _CRITERIA:
            weight = assertion.get("weight", 1)
            points = float(weight) if isinstance(weight, int | float) else 1.0
            case.criteria.setdefault(words.strip(), points)


class _PartUses(dict[str, Use]):
    """What the cells of an assertion's result are."""

    @classmethod
    @cache
    def of(cls, kind: str, name: str, *, told: bool, given: bool) -> "_PartUses":
        """Say it of an assertion of a type and a name, whose value is a text, of an answer."""
        uses = cls()
        if not given:
            return uses
        if kind == "human":
            uses[_PART_PASS] = used("rating", "overall", "person")
        else:
            uses[_PART_SCORE] = used("score", name)
        if told and kind in _REFERENCES:
            uses[_PART_VALUE] = used("reference")
        elif told and kind in _CRITERIA:
            uses[_PART_VALUE] = used("criterion")
        return uses

    def __missing__(self, path: str) -> Use:
        if not self:
            return left("of no answer")
        use = self[path] = left("how an assertion was set") if path.startswith(_PART_SET) else LEFT
        return use


def _output(name: str, cell: str, beside: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """Give what a cell of an output says, and the columns beside it."""
    match = _CELL.fullmatch(cell.strip())
    text = cell.strip()
    if match:
        state, score, named, text, reason = match.groups()
        yield f"{name} [{state}]" if state == "ERROR" else f"{name} pass", state == "PASS"
        yield from _numbers(name, score, named)
        if reason:
            yield f"{name} reason", reason
    if text:
        yield name, text
    status = beside.get("Status", "").strip()
    if status:
        yield f"{name} [ERROR]" if status == "ERROR" else f"{name} pass", status == "PASS"
    if beside.get("Score"):
        yield f"{name} score", beside["Score"]
    try:
        more = json.loads(beside.get("Named Scores") or "{}")
    except ValueError:
        more = {}
    if isinstance(more, dict):
        yield from ((f"{name} metric {metric}", value) for metric, value in more.items())
    for word in ("Grader Reason", "Comment"):
        if beside.get(word):
            yield f"{name} {word.casefold()}", beside[word]
    others = ((n, v) for n, v in beside.items() if n not in _BESIDE and v)
    yield from ((f"{name} {other}", value) for other, value in others)


def _numbers(name: str, score: str | None, named: str | None) -> Iterator[tuple[str, Any]]:
    if score:
        yield f"{name} score", score
    for pair in (named or "").split(","):
        metric, colon, value = pair.rpartition(":")
        if colon:
            yield f"{name} metric {metric.strip()}", value.strip()


def _of_output(name: str, cells: Iterable[tuple[str, Any]]) -> dict[str, Use]:
    uses = {
        name: Use("answer"), f"{name} pass": Use("score", "promptfoo_pass"),
        f"{name} score": Use("score", "promptfoo_score"),
        f"{name} reason": left("a grader's reason"), f"{name} [ERROR]": left("of no answer"),
        f"{name} grader reason": left("a grader's reason"),
        f"{name} comment": left("a remark without a rating"),
    }  # fmt: skip
    start = f"{name} metric "
    for path, _ in cells:
        if path.startswith(start):
            metric = named_id(path.removeprefix(start))
            uses[path] = Use("score", metric, metric=_metric(metric))
    return uses
