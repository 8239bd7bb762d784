"""Answers that are there gain what they lack: nothing that they say is replaced."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from medassay.answers import Answer, Retrieved
from medassay.errors import InvalidInput, Problem
from medassay.tables import jsonl_bytes

__all__ = ["completed", "other_than", "rewritten"]

_Key = tuple[str, str, int]
_HINT: Final = "Add the column there, or keep the answers as JSON lines."


def other_than(ours: Answer, theirs: Answer) -> list[str]:
    """Name what two records say of one answer and do not say alike; lacking it is no word on it.

    Example:
        >>> ours = Answer(system="a", case="1", choice="A", confidence=0.5)
        >>> other_than(ours, Answer(system="a", case="1", choice="B", reasoning="Rest."))
        ['choice']
    """
    # A record without `ended` says that the answer is whole, and no answer has both forms of parts.
    # Whether a record holds a text says nothing of the answer.
    taken = {
        "ended",
        *({"turns"} if ours.statements else ()),
        *({"statements"} if ours.turns else ()),
    }
    both = ((name, getattr(ours, name), getattr(theirs, name)) for name in Answer.model_fields)
    return [
        name
        for name, our, their in both
        if their is not None
        and name != "held"
        and our != their
        and (our is not None or name in taken)
        and not (name == "retrieved" and _with_scores(our, their))
    ]


def completed(ours: Answer, theirs: Answer) -> Answer:
    """Give our record with what only theirs says.

    Example:
        >>> ours = Answer(system="a", case="1", choice="A")
        >>> completed(ours, Answer(system="a", case="1", reasoning="Rest.")).reasoning
        'Rest.'
        >>> bare = Answer(system="a", case="1", held=False)
        >>> completed(bare, Answer(system="a", case="1", text="Rest.")).held
        True
    """
    said = {name: value for name, value in dict(ours).items() if value is not None}
    said["held"] = ours.held or (theirs.text, theirs.raw) != (None, None)
    if ours.retrieved and theirs.retrieved:
        said["retrieved"] = _with_scores(ours.retrieved, theirs.retrieved) or ours.retrieved
    return Answer.model_validate({**dict(theirs), **said})


def _with_scores(
    ours: Sequence[Retrieved], theirs: Sequence[Retrieved]
) -> tuple[Retrieved, ...] | None:
    """Give our ranking with the scores that only theirs has; None where they are two rankings.

    They are two where a document, its place or a score differs, and where the scores gained would
    rank the documents otherwise than they are listed.
    """
    if [one.document for one in ours] != [one.document for one in theirs]:
        return None
    pairs = list(zip(ours, theirs, strict=True))
    if any(None not in (o.score, t.score) and o.score != t.score for o, t in pairs):
        return None
    joined = tuple(t if o.score is None else o for o, t in pairs)
    scores = [(one.score, one.document) for one in joined if one.score is not None]
    # As soon as every document has a score, the scores rank them, and equal ones their ids.
    gained = joined != tuple(ours) and len(scores) == len(joined)
    return None if gained and scores != sorted(scores, reverse=True) else joined


def rewritten(folder: Path, fuller: Mapping[_Key, Mapping[str, object]]) -> dict[Path, bytes]:
    """Give the files that hold these answers, with what they gained; every other line is as it was.

    Args:
        folder: The study's answers.
        fuller: The cells that answers gain, by system, case and sample; `held` goes where None.

    Raises:
        InvalidInput: One of them stands in a table that is no JSON lines.
    """
    files: dict[Path, bytes] = {}
    left = dict(fuller)
    for path in sorted(folder.glob("*.jsonl")) if fuller else ():
        lines = _lines(path)
        changed = False
        for place, line in enumerate(lines):
            row = json.loads(line) if line.strip() else {}
            gained = left.pop(_key(path.stem, row), None) if row else None
            if gained is not None:
                cells = {**row, **gained}
                if cells.get("held") is None:
                    cells.pop("held", None)
                lines[place] = jsonl_bytes([cells]).decode().removesuffix("\n")
                changed = True
        if changed:
            files[path] = "\n".join(lines).encode()
    if left:
        system, case, _ = next(iter(left))
        must = f'be JSON lines where the answer of "{system}" to "{case}" gains something'
        raise InvalidInput(Problem(folder.name, must, "another form of table", _HINT))
    return files


def _lines(path: Path) -> list[str]:
    """Give the lines of a file; none where it is not in UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        return []


def _key(stem: str, row: Mapping[str, object]) -> _Key:
    system = row.get("system")
    given = {"system": stem if system is None else system, "case": row.get("case"), "text": ""}
    return Answer.model_validate({**given, "sample": row.get("sample") or 0}).key
