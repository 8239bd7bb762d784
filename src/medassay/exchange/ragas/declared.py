"""RAGAS's results."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from medassay.errors import InvalidInput
from medassay.exchange.declaration import Format, Glimpse, Reads, list_inside
from medassay.exchange.spreadsheet.headers import metric_called, read_header
from medassay.exchange.spreadsheet.profile import is_blank, listed_text
from medassay.exchange.tool_rows.files import first_record, records_of
from medassay.exchange.tool_rows.payload import taker
from medassay.exchange.tool_rows.rows import (
    LEFT,
    ToolRows,
    Use,
    cells_of,
    left,
    number_said,
    turns_of,
)

_USES: Final[Mapping[str, Use]] = {
    "user_input": Use("question"), "user_input[]": Use("turns"), "question": Use("question"),
    "response": Use("answer"), "answer": Use("answer"),
    "retrieved_contexts": Use("contexts"), "contexts": Use("contexts"),
    "reference": Use("reference"), "ground_truth": Use("reference"),
    "ground_truths": Use("reference"), "reference_contexts": Use("evidence"),
    "rubrics": left("the judge's instructions"), "rubric": left("the judge's instructions"),
    "retrieved_context_ids": left("ids beside the texts"),
    "reference_context_ids": left("ids beside the texts"),
    "multi_responses": left("answers that were not scored"),
    "reference_tool_calls": left("calls of tools"), "reference_topics": left("topics"),
    "episode_done": left("a mark of the test set"), "metadata": left("notes of the test set"),
    "evolution_type": Use("tag", "evolution_type"),
    "synthesizer_name": Use("tag", "synthesizer_name"),
    "persona_name": Use("tag", "persona_name"), "query_style": Use("tag", "query_style"),
    "query_length": Use("tag", "query_length"),
}  # fmt: skip
_MINE: Final = {"user_input", "retrieved_contexts", "response", "reference", "reference_contexts"}
_OLD: Final = {"question", "answer", "contexts"}
_ROLES: Final = {"system": "system", "case": "case", "sample": "sample", "seconds": "seconds",
                 "cost": "cost", "tag": "tag"}  # fmt: skip
_APART: Final = frozenset({
    "question", "turns", "narrative", "reference", "answer", "contexts", "documents", "evidence",
    "reasoning", "choice", "gold", "confidence",
})  # fmt: skip
"""What RAGAS calls otherwise: a table with such a column is somebody's own."""
_PEOPLE: Final = {"rater", "comment", "label", "dimension", "winner"}


def _rows(files: Sequence[Path], system: str) -> ToolRows:
    """Read what files say; a file without a name of a system is one system's."""
    rows = ToolRows("RAGAS")
    for file in files:
        seen = Glimpse(file)
        records = [(row, _plain(own)) for row, own in records_of(file, rows.beside, *_lists(seen))]
        texts = _texts(record for _, record in records)
        empty = [name for name in seen.header if read_header(name).metric]
        empty = [name for name in empty if not any(name in record for _, record in records)]
        if empty:
            rows.notes.append(f"{file.name}: no row has a score of {', '.join(empty)}.")

        @cache
        def uses(path: str, texts: frozenset[str] = frozenset(texts)) -> Use:
            return _use(path, number=path not in texts)

        for row, record in records:
            cells = [(path, value) for path, value in cells_of(record) if not _is_nan(value)]
            cells = _conversation(cells)
            key = rows.add(file.name, row, cells, uses, system=system or file.stem)
            if key is None:
                continue
            for path in sorted({*record, *empty} - texts):
                if (use := uses(path)).role == "score":  # it has a reason where it has no number
                    rows.scores.setdefault((use.of, key), None)
                    rows.metrics.setdefault(use.of, metric_called(use.of))
    return rows


def _texts(records: Iterable[Mapping[str, Any]]) -> set[str]:
    """Name the columns of texts: in one of a known metric a text is a score that failed."""
    numbers, texts = Counter[str](), Counter[str]()
    for record in records:
        for path, value in record.items():
            if path in _USES:
                continue
            if number_said(value) is not None:
                numbers[path] += 1
            elif not is_blank(str(value).strip()):
                texts[path] += 1
    return {
        path
        for path, often in texts.items()
        if numbers[path] < (1 if read_header(path).metric else often + 1)
    }


def _plain(record: Mapping[str, Any]) -> dict[str, Any]:
    """Give a record whose lists are lists, though a table holds them as text, and flat."""
    flat: dict[str, Any] = {}
    for name, value in record.items():
        if type(value) is str and value[:1] == "[" and name in _LISTS:
            flat[name] = listed_text(value) or value
        elif isinstance(value, dict) and value and all(map(_is_score, value.values())):
            flat |= {own if own not in record else f"{name}.{own}": n for own, n in value.items()}
        else:
            flat[name] = str(value) if isinstance(value, dict) else value
    return flat


def _is_score(value: object) -> bool:
    return value is None or isinstance(value, int | float)


_LISTS: Final = {"user_input", "retrieved_contexts", "contexts", "ground_truths",
                 "reference_contexts", "ground_truth"}  # fmt: skip


def _is_nan(value: object) -> bool:
    return type(value) is str and value[:1] in " nN" and value.strip().casefold() == "nan"


def _conversation(cells: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Part a conversation into what led up to the system's last turn, and that turn."""
    at = next((i for i, (path, _) in enumerate(cells) if path.startswith("user_input[]")), None)
    if at is None:
        return cells
    parts: list[dict[str, Any]] = []
    for path, value in cells:
        if path.startswith("user_input[]."):
            name = path.removeprefix("user_input[].")
            if not parts or name in parts[-1]:
                parts.append({})
            parts[-1][name] = value
    turns, question = turns_of(parts)
    rest = [(path, value) for path, value in cells if not path.startswith("user_input[]")]
    said = parts if turns else []
    if said and turns[-1]["role"] == "assistant" and not any(p == "response" for p, _ in rest):
        rest.append(("response", turns[-1]["text"]))
        rest += [(f"user_input[].{n}", own) for n, own in said.pop().items()
                 if n not in {"content", "role", "type"}]  # fmt: skip
    return [("user_input[]", said) if said else ("user_input", question), *rest]


def _use(path: str, *, number: bool) -> Use:
    known = _USES.get(path)
    if known is not None:
        return known
    if path.startswith("user_input[]."):
        return left("no words of a message")
    header = read_header(path)
    role = next((role for role in header.roles if role in _ROLES), None)
    if role == "tag" or (role and not number) or role in {"case", "sample", "seconds", "cost"}:
        return Use(_ROLES[role], path if role == "tag" else "")  # type: ignore[arg-type] # as listed
    return Use("score", path) if number else LEFT


def _is_one(seen: Glimpse) -> bool:
    # RAGAS writes small letters: "Question" heads a column of somebody's own table.
    inside = _lists(seen)
    names = seen.names or frozenset(seen.json[inside[0]][0] if inside else first_record(seen))
    ours = ("user_input" in names and len(names & _MINE) > 1) or names >= _OLD
    if not ours:
        return False
    others = [read_header(name) for name in names - _USES.keys()]
    if any(h.people or _PEOPLE & set(h.roles) or h.ends or h.comment for h in others):
        return False
    if any(not _APART.isdisjoint(h.roles) for h in others):
        return False
    # Without a score it is a table of answers as any other.
    unnamed = [header for header in others if not header.roles]
    return any(h.metric for h in unnamed) or _has_number(seen, {h.name for h in unnamed})


def _lists(seen: Glimpse) -> list[str]:
    """Name the part of a file of JSON that holds its rows, where others stand beside it."""
    if _MINE & seen.first.keys() or _OLD & seen.first.keys():
        return []
    return list(filter(None, [list_inside(seen.json)]))


def _has_number(seen: Glimpse, names: Collection[str]) -> bool:
    """Say whether a cell of these columns is a number; a file that is broken is named later."""
    if not names:
        return False
    try:
        return any(
            name.strip() in names and number_said(value) is not None
            for _, record in records_of(seen.path, ToolRows().beside, *_lists(seen))
            for name, value in record.items()
        )
    except InvalidInput:
        return True


RAGAS: Final = Format(
    id="ragas",
    title="RAGAS",
    reads=Reads(
        about="RAGAS: results as to_pandas gives them, with a score a metric.",
        files="Tables of results: .csv, .json, .jsonl, .xlsx, .parquet; a file a system.",
        is_one=_is_one,
        take=taker(_rows, rated=False),
    ),
)
