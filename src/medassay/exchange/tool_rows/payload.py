"""What tools that trace share: inputs and outputs of any shape, verdicts on an answer, options."""

import json
from ast import literal_eval
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Function, Glimpse
from medassay.exchange.outcome import Outcome
from medassay.exchange.spreadsheet.collected import Key
from medassay.exchange.spreadsheet.headers import read_header
from medassay.exchange.spreadsheet.profile import is_blank, listed_text
from medassay.exchange.spreadsheet.words import Metric, form
from medassay.exchange.tool_rows.files import first_record
from medassay.exchange.tool_rows.making import (
    ImportOptions,
    LabelWords,
    Rater,
    Scale,
    Synthetic,
    System,
    make_study,
)
from medassay.exchange.tool_rows.rows import (
    ToolRows,
    Use,
    cells_of,
    left,
    named_id,
    no_words,
    numbered,
    turns_of,
    used,
)

Told = tuple[str, Any, Use]
"""A cell: its path, what it holds, and what that is."""
_ASKS: Final = ("messages", "question", "query", "input", "prompt", "text", "content", "inputs",
                "kwargs", "args")  # fmt: skip
_ANSWERS: Final = ("answer", "output", "response", "text", "content", "message", "messages",
                   "choices", "result", "outputs", "output_text")  # fmt: skip
_BY_NAME: Final[Mapping[str, Use]] = {
    "contexts": Use("contexts"), "documents": Use("contexts"), "reference": Use("reference"),
    "evidence": Use("evidence"),
}  # fmt: skip
_BESIDE: Final = left("beside the question and the answer")
_CHAT: Final = frozenset({"system", "developer", "user", "assistant", "human", "ai", "tool",
                          "model", "bot"})  # fmt: skip


def parsed(value: Any) -> Any:  # noqa: ANN401 - whatever stands there
    """Give what a text of JSON holds, as tables keep it; anything else as it is.

    Example:
        >>> parsed('{"question": "Why?"}'), parsed("Why?"), parsed("['a', 'b']")
        ({'question': 'Why?'}, 'Why?', ['a', 'b'])
    """
    if type(value) is not str or value.lstrip()[:1] not in {"{", "[", '"'}:
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        pass
    try:  # as pandas writes an object
        return literal_eval(value)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return listed_text(value) or value


def asked(value: Any, path: str) -> Iterator[Told]:  # noqa: ANN401 - whatever stands there
    """Give the cells of an input: the question or the turns, and what stands beside them.

    Example:
        >>> [(path, use.role) for path, _, use in asked({"q": "Why?", "user": 1}, "input")]
        [('input', 'question')]
        >>> [(path, use.role) for path, _, use in asked({"query": "Why?", "user": 1}, "input")]
        [('input.query', 'question'), ('input.user', 'left')]
    """
    value = parsed(value)
    if _is_chat(value):
        _, question = turns_of(value)
        yield path, question or value, used("question" if question else "turns")
        if question:
            yield from ((at, leaf, _BESIDE) for at, leaf in no_words(value, path))
    else:
        yield from _part(value, path, _ASKS, "question")


def answered(value: Any, path: str) -> Iterator[Told]:  # noqa: ANN401 - whatever stands there
    """Give the cells of an output: the answer, texts retrieved, and what stands beside them.

    Example:
        >>> said = {"choices": [{"message": {"role": "assistant", "content": "So."}}]}
        >>> [(path, text) for path, text, use in answered(said, "output") if use.role == "answer"]
        [('output.choices[].message.content', 'So.')]
    """
    value = parsed(value)
    if _is_chat(value):  # the last one who speaks is the system
        turns = [
            turn for turn in value if turn.get("role", turn.get("type")) not in {"user", "human"}
        ]
        for turn in value:
            said = turn is (turns[-1] if turns else None)
            for name, text, _ in _leaves(turn, f"{path}[]."):
                use = used("answer") if said and name.endswith(("content", "text")) else _BESIDE
                yield name, text, use
    elif isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        yield from answered(value[0], f"{path}[]")
    else:
        yield from _part(value, path, _ANSWERS, "answer")


def wanted(value: Any, path: str) -> Iterator[Told]:  # noqa: ANN401 - whatever stands there
    """Give the cells of an output that was wanted: the reference, and what stands beside it."""
    for at, held, use in answered(value, path):
        yield at, held, used("reference") if use.role == "answer" else use


@lru_cache(maxsize=4096)
def _reads_as(name: str, role: str) -> bool:
    return role in read_header(name).roles


@lru_cache(maxsize=4096)
def _told_by(name: str) -> Use | None:
    """Say by its name what a field of a question or an answer holds."""
    return next((_BY_NAME[role] for role in read_header(name).roles if role in _BY_NAME), None)


def _part(value: Any, path: str, names: Iterable[str], role: str) -> Iterator[Told]:  # noqa: ANN401 - whatever stands there
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, dict):
        if value is not None and value not in ("", []):
            yield path, value if isinstance(value, str) else _json(value), used(role)
        return
    filled = [name for name, held in value.items() if held not in (None, "", [], {})]
    known = [name for name in names if name in filled]
    known += [n for n in filled if _reads_as(n, role) and value[n] and n not in known]
    known = known or (filled if len(filled) == 1 and type(value[filled[0]]) is str else [])
    if not known:
        if value:
            yield path, _json(value), used(role)
        return
    yield from (asked if role == "question" else answered)(value[known[0]], f"{path}.{known[0]}")
    for name, held in value.items():
        if name != known[0]:
            yield from beside(held, name, f"{path}.")


def beside(value: Any, name: str, start: str = "", why: Use = _BESIDE) -> Iterator[Told]:  # noqa: ANN401 - whatever stands there
    """Give the cells of what stands beside a question or an answer, by its name.

    Example:
        >>> [(path, use.role) for path, _, use in beside(["A text."], "contexts", "output.")]
        [('output.contexts', 'contexts')]
    """
    use = _told_by(name) or why
    if isinstance(value, dict):
        for inside, held in value.items():
            yield from beside(held, inside, f"{start}{name}.", why)
    elif use is why:
        yield from ((path, leaf, why) for path, leaf in cells_of({name: value}, start))
    elif value not in (None, "", []):
        yield f"{start}{name}", parsed(value), use


def _leaves(held: Mapping[str, Any], path: str) -> Iterator[Told]:
    yield from ((at, leaf, _BESIDE) for at, leaf in cells_of(held, path))


def _json(value: Any) -> str:  # noqa: ANN401 - whatever stands there
    return json.dumps(value, ensure_ascii=False, default=str)


def _is_chat(value: Any) -> bool:  # noqa: ANN401 - whatever stands there
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(t, dict) and t.get("role", t.get("type")) in _CHAT for t in value)
    )


@dataclass(frozen=True, slots=True)
class Verdict:
    """What somebody or something says of an answer.

    Attributes:
        path: Where it stands.
        name: What was judged.
        value: What was said; None where there is no score.
        rater: Who said so, empty where the file names nobody; None for a program or a model, whose
            word is a score.
        comment: Their words.
        metric: Which way a score is better, where the tool says so; by its name else.
        person: Whether the file says that the rater is a person.
    """

    path: str
    name: str
    value: object
    rater: str | None = None
    comment: str = ""
    metric: Metric | None = None
    person: bool = True


def said_by(name: str, who: object, *, person: bool, program: bool) -> str | None:
    """Say who gave a verdict, as `Verdict` has it.

    A score that a program handed in may be what people said in it: then its name says so.

    Args:
        name: What was judged.
        who: Whom the file names, or what anybody of the tool is called.
        person: Whether the file says that a person gave it.
        program: Whether it says that a model or a program did, and not only handed it in.

    Example:
        >>> said_by("relevance", "anna", person=True, program=False)
        'anna'
        >>> said_by("relevance", "api", person=False, program=False) is None
        True
        >>> said_by("user-feedback", "api", person=False, program=False)
        'api'
    """
    return named_id(who) if person or (not program and _is_of_people(name)) else None


@cache
def _is_of_people(name: str) -> bool:
    words = set(form(name))
    return bool(words & _PEOPLE or (words & _ASKED and words & _SAY))


def count_said(
    rows: ToolRows, file: str, start: str, said: Mapping[str, Any], remark: str, how: Use
) -> None:
    """Count the other cells of a verdict's record.

    Args:
        rows: What is taken.
        file: Where it stands.
        start: What its paths begin with.
        said: The record without its verdict.
        remark: What the words of who judged are called; empty where they are a program's.
        how: What all else is.
    """
    paths = [path for path, _ in cells_of(said, start)]
    words = f"{start}{remark}" if remark else ""
    rows.count_all(file, paths, [used("comment") if path == words else how for path in paths])


_PEOPLE: Final = frozenset({
    "human", "humans", "people", "annotator", "expert", "clinician", "physician", "doctor", "nurse",
    "reviewer", "thumb", "thumbs", "feedback",
})  # fmt: skip
_ASKED: Final = frozenset({"user", "users", "customer", "patient"})
_SAY: Final = frozenset({"score", "rating", "vote", "satisfaction"})
"""What those who were asked give: a user's intent or query is no verdict."""


def take_row(
    rows: ToolRows, place: tuple[str, int], told: Iterable[Told], verdicts: Sequence[Verdict], *,
    system: str, case: str = "", sample: int | None = None,
) -> Key | None:  # fmt: skip
    """Take a record, with what was said of its answer: ratings of people, and scores.

    Args:
        rows: What is taken.
        place: The file, and which of its records it is.
        told: Its cells.
        verdicts: What was said of its answer.
        system: Whose the answer is.
        case: The case's id, where the record has one.
        sample: Which of the system's answers it is.
    """
    cells: list[tuple[str, Any]] = []
    uses: dict[str, Use] = {}
    for path, value, use in [*told, *_scores(verdicts)]:
        known = uses.get(path, use)
        alike = known is use or known.fate == use.fate
        at = path if alike else f"{path} ({use.role})"
        cells.append((at, value))
        uses[at] = use
    key = rows.add(*place, cells, uses.__getitem__, system=system, case=case, sample=sample)
    for verdict in verdicts:
        name = named_id(verdict.name)
        if verdict.rater is None:
            if key and verdict.value is None:
                rows.score(key, name, None, verdict.metric)
        elif not is_blank(str(verdict.value).strip()):
            kind: Literal["person", ""] = "person" if verdict.rater and verdict.person else ""
            use = used("rating", name, kind) if key else left("of no answer")
            rows.count(place[0], verdict.path, use)
            if key:
                where = (*place, f"{verdict.path} {name} {verdict.rater}")
                rows.rate(where, verdict.rater, kind, key, name, verdict.value, verdict.comment)
    return key


def _scores(verdicts: Iterable[Verdict]) -> Iterator[Told]:
    """Give scores as cells; the second of one name is called so."""
    names = Counter[tuple[str, str]]()
    for own in verdicts:
        if own.rater is None and own.value is not None:
            name = named_id(numbered(names, own.name, own.path))
            yield f"{own.path} {name}", own.value, used("score", name, metric=own.metric)


def taker(read: Callable[[Sequence[Path], str], ToolRows], *, rated: bool = True) -> Function:
    """Give the function that takes files, with the options that tools share.

    Args:
        read: Reads files; the system is empty where nobody typed one.
        rated: Whether files may hold ratings.
    """

    def take(into: Path, files: Sequence[Path], said: ImportOptions, system: str | None) -> Outcome:
        rows = read(files, system or "")
        if not rows.asked and not rows.problems:
            shown = ", ".join(file.name for file in files)
            hint = "Import the file of what was asked and answered beside the file of its scores."
            raise InvalidInput(Problem(shown, "hold a question or an answer", "none", hint))
        return make_study(into, files, rows, said)

    def plain(
        into: Path, files: Sequence[Path], *, system: System = None, synthetic: Synthetic = False
    ) -> Outcome:
        return take(into, files, ImportOptions(synthetic=synthetic), system)

    def with_ratings(
        into: Path, files: Sequence[Path], *, system: System = None, rater: Rater = None,
        scale: Scale = None, label: LabelWords = None, synthetic: Synthetic = False,
    ) -> Outcome:  # fmt: skip
        said = ImportOptions(rater or (), scale or (), label or (), synthetic)
        return take(into, files, said, system)

    return with_ratings if rated else plain


def first_names(seen: Glimpse, *lists: str) -> frozenset[str]:
    """Give the columns of a table, or the paths that the first record of a list has.

    Args:
        seen: The file.
        lists: Keys under which a JSON object may hold the list, or its only record.
    """
    first: Any = first_record(seen)
    for key in lists:
        held = first.get(key)
        held = held[0] if isinstance(held, list) and held else held
        first = held if isinstance(held, dict) else first
    return seen.names or frozenset(first) | {path for path, _ in cells_of(_begun(first))}


def _begun(held: Any) -> Any:  # noqa: ANN401 - whatever stands there
    """Give a record with the first of each list alone: a file may be one record of many."""
    if isinstance(held, dict):
        return {name: _begun(own) for name, own in held.items()}
    return [_begun(held[0])] if isinstance(held, list) and held else held
