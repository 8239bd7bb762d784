"""Label Studio's tasks as the rows of a new study: what was shown, and what annotators said."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any, Final, get_args

from medassay.errors import InvalidInput, Problem
from medassay.exchange.proposal import ImportQuestion, Undecided
from medassay.exchange.spreadsheet.headers import read_header
from medassay.exchange.tool_rows.files import json_of
from medassay.exchange.tool_rows.rows import (
    LEFT,
    Kind,
    Role,
    ToolRows,
    Use,
    cells_of,
    left,
    named_id,
    readable,
    used,
)
from medassay.text import first_of

SUGGESTED: Final = "suggested by people"
UNSAID: Final = "suggested by nobody says whom"
SAID_BY: Final[Mapping[str, Kind]] = {
    "annotations": "person", "predictions": "model", SUGGESTED: "person", UNSAID: "",
}  # fmt: skip
"""The lists of what was said of a task, each with what those are who said it.

Label Studio has two of them; Argilla's suggestions may be of people, or of nobody knows whom.
"""

_KEYS: Final = {"choices": "choices", "rating": "rating", "number": "number", "textarea": "text",
                "pairwise": "selected"}  # fmt: skip
_TAKEN: Final = frozenset(get_args(Role)) & {
    "case", "question", "turns", "narrative", "reference", "gold", "system", "sample", "answer",
    "contexts", "evidence", "tag",
}  # fmt: skip
_RESULT: Final = frozenset({"from_name", "to_name", "type", "value"})
_TEXTS: Final = frozenset({"case", "question", "turns", "answer"})
_SIDES: Final = {"left": "a", "right": "b", "equal": "tie", "tie": "tie"}
_WON: Final = {
    "a_winner": "a", "b_winner": "b", "tie": "tie",
    **{f"{word}_{side}": side for side in "ab" for word in ("model", "response", "answer")},
}  # fmt: skip
"""Labels of a choice between two answers, one of a field ..._a and one of ..._b."""
_FACTS: Final = left("a fact of the project or of the annotation")
_OUTPUTS: Final = frozenset(
    {"text", "output", "completion", "generated", "generation", "prediction"}
)
_INPUTS: Final = frozenset({"prompt", "instruction", "input"})
_MEDIA: Final = re.compile(
    r"\S.*\.(?:jpe?g|png|gif|webp|bmp|tiff?|svg|dcm|pdf|wav|mp3|ogg|flac|m4a|mp4|webm|avi|mov)(?:\?.*)?",
    re.IGNORECASE,
)
"""A place of a picture, a sound or another file, which is no text."""
_NUMBERED: Final = frozenset({"case", "system", "sample", "gold", "tag"})
"""What a field of numbers alone may be."""
_ALONE: Final = left("a remark without a rating")
_META: Final = "metadata."
_NUMBER: Final = left("a number of no known metric")
_OPEN: Final = left("a text that may be the question or the answer")
_PICTURE: Final = left("the place of a picture, a sound or another file")
_LONG: Final = 40
"""Signs of a text that may be an answer, and no tag."""


def read_names(words: Sequence[str]) -> dict[str, str]:
    """Read pairs OURS=THEIRS, our name to theirs.

    Raises:
        InvalidInput: A word is no such pair, or one of ours stands twice.
    """
    names: dict[str, str] = {}
    for pair in words:
        ours, equals, theirs = pair.partition("=")
        if not (ours and equals and theirs) or (ours in names and ours not in {"skip", "tag"}):
            must = "name each of our columns once" if theirs else "have the form OURS=THEIRS"
            got = f'"{ours}" twice' if theirs else f'"{pair}"'
            hint = "" if theirs else "For example --column text=model_answer."
            raise InvalidInput(Problem("--column", must, got, hint))
        names[ours] = theirs
    return names


def asks_itself(files: Sequence[Path], words: Sequence[str]) -> bool:
    """Say whether tasks hold their questions, and no codes of a study that handed them out."""
    names = {theirs: ours for ours, theirs in read_names(words).items()}
    for file in files:
        held = json_of(file)
        tasks = [task for task in held if isinstance(task, dict)] if isinstance(held, list) else []
        data = [task["data"] for task in tasks if isinstance(task.get("data"), dict)]
        if not data or any("code" in own for own in data):
            return False
        uses = _fields([{"data": own} for own in data], names)
        asks = any(use.role in {"question", "turns"} for use in uses.values())
        if not asks and _OPEN not in uses.values():
            return False
    return True


def rows_of_tasks(files: Sequence[Path], system: str, names: Mapping[str, str]) -> ToolRows:
    """Read exports: a task is a question with what one or more systems answered.

    An annotation is of a person, a prediction of a model, as Label Studio has it.

    Args:
        files: Exports as JSON.
        system: Whose the answers are, where no field says so.
        names: What a user says that fields are, our word to theirs.

    Raises:
        InvalidInput: A file is no list of tasks, or somebody has to say what its text is.
    """
    rows = ToolRows("Label Studio")
    for file in files:
        tasks = json_of(file)
        if not isinstance(tasks, list) or not all(
            isinstance(task, dict) and isinstance(task.get("data"), dict) for task in tasks
        ):
            hint = "In Label Studio: Export, then JSON."
            raise InvalidInput(Problem(file.name, "be a list of tasks", "something else", hint))
        take_tasks(rows, file, tasks, system, names)
    return rows


def take_tasks(
    rows: ToolRows, file: Path, tasks: Sequence[Mapping[str, Any]], system: str,
    names: Mapping[str, str],
) -> None:  # fmt: skip
    """Take the tasks of one file; arguments are those of `rows_of_tasks`.

    Raises:
        InvalidInput: A task cannot be read, or somebody has to say what its text is.
    """
    fields = _fields(tasks, {theirs: ours for ours, theirs in names.items()})
    _refuse_open(file, fields)
    if fields and not any(use.role in _TEXTS for use in fields.values()):
        got = f"the fields {first_of(list(fields), 5)}"
        hint = "Where a field holds a text: --column question=FIELD or --column answer=FIELD."
        rows.problem(file.name, "hold questions or answers in text", got, hint)
        return
    if not _TEXTS & {ours.partition(".")[0] for ours in names} and _marks_alone(tasks, fields):
        text = next(name for name, use in fields.items() if use.role in _TEXTS)
        ask = f"People marked passages of {text}, and rated nothing: what is that text?"
        ways = {"an answer": [f"answer={text}"], "a question": [f"question={text}"]}
        raise Undecided([ImportQuestion(file.name, ask, "column", ways)])
    for row, task in enumerate(tasks, 1):
        with readable(file.name, row, "its tool"):
            _task(rows, file, row, task, fields, system)


def _refuse_open(file: Path, fields: Mapping[str, Use]) -> None:
    """Ask which of several texts, whose names do not say it, is the question and the answer.

    Raises:
        Undecided: There are some.
    """
    texts = [name for name, use in fields.items() if use is _OPEN]
    if not texts:
        return
    wanted = [role for role in ("question", "answer")
              if all(use.role != role for use in fields.values())]  # fmt: skip
    ways: dict[str, list[str]] = {}
    for chosen in list(permutations(texts, len(wanted)))[:_WAYS]:
        told = dict(zip(wanted, chosen, strict=True))
        rest = [f"skip={name}" for name in texts if name not in chosen]
        shown = ", ".join(f"{name} is the {role}" for role, name in told.items())
        ways[shown] = [*(f"{role}={name}" for role, name in told.items()), *rest]
    for role in wanted:
        for name in texts[: _WAYS // 2] if wanted[1:] else ():
            rest = [f"skip={other}" for other in texts if other != name]
            ways[f"{name} is the {role}, and there is no other"] = [f"{role}={name}", *rest]
    ways["none of them"] = [f"skip={name}" for name in texts]
    ask = f"Which field is the {' and which the '.join(wanted)}: {first_of(texts, 6)}?"
    raise Undecided([ImportQuestion(file.name, ask, "column", ways)])


_WAYS: Final = 4


def _marks_alone(tasks: Sequence[Mapping[str, Any]], fields: Mapping[str, Use]) -> bool:
    """Say whether all that was said of tasks without a question are passages that were marked."""
    if any(use.role in {"question", "turns"} for use in fields.values()):
        return False
    results = [
        result
        for task in tasks
        for annotation in [*(task.get("annotations") or []), *(task.get("predictions") or [])]
        if isinstance(annotation, dict)
        for result in annotation.get("result") or []
        if isinstance(result, dict)
    ]
    return bool(results) and not any(result.get("type") in _KEYS for result in results)


def _fields(tasks: Sequence[Mapping[str, Any]], said: Mapping[str, str]) -> dict[str, Use]:
    """Say what each field of the tasks' data is: as typed, by its cells, its name, what is left."""
    held: dict[str, list[Any]] = {}
    for task in tasks:
        for name, value in task["data"].items():
            held.setdefault(name, []).extend([] if value in (None, "", []) else [value])
    uses: dict[str, Use] = {}
    for name, values in held.items():
        ours = said.get(name, "")
        use = None if ours or not values else _by_cells(name.removeprefix(_META), values)
        role = ours.partition(".")[0] or _role(name.removeprefix(_META))
        if use is not None:
            uses[name] = use
        elif role in _TAKEN:
            uses[name] = Use(role, name if role == "tag" else "")  # type: ignore[arg-type] # one of these
    long = {n for n, own in held.items() if any(map(_is_text, own))}
    lacking = [n for n in held if n in long and n not in uses and said.get(n) != "skip"]
    wanted = [r for r in ("answer", "question") if all(use.role != r for use in uses.values())]
    if wanted and lacking:  # of one text what it is follows, of several nothing does
        alone = Use(wanted[0]) if len(lacking) == 1 else _OPEN  # type: ignore[arg-type] # one of these
        uses |= dict.fromkeys(lacking, alone)
    for name in [name for name in held if name not in uses]:
        skipped = said.get(name) == "skip" or name in long
        tag = Use("tag", name.removeprefix(_META))
        uses[name] = left("no role is known for it") if skipped else tag
    return {name: uses[name] for name in held}


def _is_text(value: object) -> bool:
    """Say whether a cell may be what was asked or answered: an address is neither."""
    return isinstance(value, str) and len(value) > _LONG and not _ADDRESS.fullmatch(value)


_ADDRESS: Final = re.compile(r"[a-z]+://\S+")


def _role(name: str) -> str:
    """Say what a field is by its name; nothing where the name does not say it."""
    header = read_header(name)
    role = next((own for own in header.roles if own in _TAKEN), "")
    role = role or ("answer" if header.answers or name in _OUTPUTS else "")
    return role or ("question" if name in _INPUTS else "")


def _by_cells(name: str, values: Sequence[Any]) -> Use | None:
    """Say what a field of pictures or of numbers alone is: a fact, a score, or a tag if whole."""
    if all(_MEDIA.fullmatch(str(own)) for own in values):
        return _PICTURE
    if not all(type(own) in {int, float} for own in values):
        return None
    header = read_header(name)
    role = next((own for own in header.roles if own in _NUMBERED), "")
    if role:
        return Use(role, name if role == "tag" else "")  # type: ignore[arg-type] # one of these
    if header.metric is not None:
        return Use("score", name)
    return Use("tag", name) if all(own == int(own) for own in values) else _NUMBER


def _task(
    rows: ToolRows, file: Path, row: int, task: Mapping[str, Any], fields: Mapping[str, Use],
    system: str,
) -> None:  # fmt: skip
    data = {name: value for name, value in task["data"].items() if value not in (None, "", [])}
    answers = [name for name in data if fields[name].role == "answer"]
    known = any(fields[name].role in {"case", "question", "turns"} for name in data)
    case = "" if known else named_id(task.get("id", row))
    keys: dict[str, tuple[str, str, int]] = {}
    for name in answers or [""]:
        of = named_id(name) if len(answers) > 1 else named_id(system or file.stem)
        first = name in {"", *answers[:1]}
        own = [
            (f"data.{n}", value)
            for n, value in data.items()
            if n == name or (first and fields[n].role != "answer")
        ]
        key = rows.add(
            file.name, row, own, lambda path: fields[path.removeprefix("data.")],
            system=of, case=case or (next(iter(keys.values()))[1] if keys else ""),
        )  # fmt: skip
        if key is not None:
            keys[name] = key
    kept = {"data", *SAID_BY}
    for path, _ in cells_of({name: value for name, value in task.items() if name not in kept}):
        rows.count(file.name, path, _FACTS)
    for list_of, kind in SAID_BY.items():
        for annotation in task.get(list_of) or []:
            if isinstance(annotation, dict):
                _said(rows, (file.name, row, list_of), annotation, kind, keys)
            else:
                rows.count(file.name, f"{list_of}[]", left("an id without what it names"))


_RATED: Final = frozenset(_KEYS.keys() - {"textarea"})


def _said(
    rows: ToolRows, place: tuple[str, int, str], annotation: Mapping[str, Any], kind: Kind,
    keys: Mapping[str, tuple[str, str, int]],
) -> None:  # fmt: skip
    file, row, start = place
    rater = _rater(annotation.get("completed_by") or annotation.get("model_version"))
    kind = kind if rater or kind == "model" else ""  # who is not named may be no person
    results = [result for result in annotation.get("result") or [] if isinstance(result, dict)]
    comment = " ".join(_texts(results))
    rated = any(result.get("type") in _RATED for result in results)
    skipped = bool(annotation.get("was_cancelled"))
    by = annotation.get("completed_by")
    told: list[tuple[str, Use]] = []
    if rater:
        told.append(("completed_by", used("rater") if results and not skipped else _FACTS))
    names = {"result", "completed_by"}
    rest = {n: v for n, v in annotation.items() if n not in names}
    if isinstance(by, dict):  # the first of these names the rater
        named = next((n for n in ("email", "username", "id") if by.get(n)), "")
        rest["completed_by"] = {n: v for n, v in by.items() if n != named}
    told += [(path, _FACTS) for path, _ in cells_of(rest)]
    ab = sorted(keys)
    sides = [name[-2:] for name in ab] == ["_a", "_b"]
    for result in results:
        told += [(path, _FACTS) for path in _beside(result)]
        name = str(result.get("from_name", ""))
        path = f"{start}[].{name}"
        words = _words(result)
        use = _use(result, words, skipped=skipped, known=bool(keys))
        use = use if use.role != "comment" or rated else _ALONE
        told.append((name, use))
        to = result.get("to_name")
        key = keys.get(str(to)) or next(iter(keys.values()), None)
        if use.role != "rating" or key is None:
            continue
        if result.get("type") == "pairwise" and len(keys) == 2:  # noqa: PLR2004 - a pair
            pair = tuple(own[0] for own in keys.values())
            choice = _SIDES[words[0]]
            rows.prefer((file, row, path), rater, kind, key[1], pair, choice, comment)  # type: ignore[arg-type] # two
            continue
        if sides and words[0] in _WON:
            pair = (keys[ab[0]][0], keys[ab[1]][0])
            rows.prefer((file, row, path), rater, kind, key[1], pair, _WON[words[0]], comment)
            continue
        asked = str(result.get("from_name"))
        rows.rate((file, row, path), rater, kind, key, asked, words[0], comment)
    rows.count_all(file, [f"{start}[].{path}" for path, _ in told], [use for _, use in told])


def _use(result: Mapping[str, Any], words: Sequence[str], *, skipped: bool, known: bool) -> Use:
    if skipped:
        return left("an annotation that was skipped")
    if result.get("type") == "textarea":
        return used("comment")
    if result.get("type") not in _KEYS:
        return left(f"a result of the type {result.get('type')}")
    if len(words) != 1:
        return left("several choices at once") if words else LEFT
    if result.get("type") == "pairwise" and words[0] not in _SIDES:
        return left("neither side of a pair")
    return _rating(str(result.get("from_name"))) if known else left("of no answer")


def _rating(name: str) -> Use:
    return _RATINGS.setdefault(name, Use("rating", name))


_RATINGS: Final[dict[str, Use]] = {}


def _beside(result: Mapping[str, Any]) -> Iterator[str]:
    """Name the cells of a result beside what was said, and beside what it is of."""
    value, kind = result.get("value"), str(result.get("type"))
    if result.keys() - _RESULT:
        yield from (p for p, _ in cells_of({n: v for n, v in result.items() if n not in _RESULT}))
    if isinstance(value, dict) and len(value) > 1:
        own = _KEYS.get(kind, kind)
        yield from (p for p, _ in cells_of({n: v for n, v in value.items() if n != own}))


def _words(result: Mapping[str, Any]) -> list[str]:
    key = _KEYS.get(str(result.get("type")), "")
    value = (result.get("value") or {}).get(key)
    listed = value if isinstance(value, list) else [value]
    return [f"{v:g}" if isinstance(v, float) else str(v) for v in listed if v is not None]


def _texts(results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for result in results:
        if result.get("type") == "textarea":
            yield from _words(result)


def _rater(by: object) -> str:
    if isinstance(by, dict):
        by = by.get("email") or by.get("username") or by.get("id")
    return "" if by is None else named_id(by)
