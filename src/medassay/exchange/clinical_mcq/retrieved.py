"""What a pipeline retrieved for a question, as its results list it."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.clinical_mcq.guidelines import guideline_number

__all__ = ["RETRIEVED", "ranked", "scores_of", "unread"]

RETRIEVED: Final = ("retrieved_docs", "retrieved_documents")
"""The keys that the source's programs write a ranking under; both may be there, and agree."""
_NAMED_BY: Final = ("guideline_id", "document_id", "doc_id", "id", "guideline", "document")
_SCORE: Final = "score"
_HINT: Final = (
    'List guidelines as ["GL_001", "GL_002"] or [{"guideline_id": "GL_001"}, ...], the first first.'
)


def unread(cells: Mapping[str, Any]) -> set[str]:
    """Name what a ranking holds beside its documents and their scores, such as their texts."""
    read = {*_NAMED_BY, *([_SCORE] if scores_of(cells) else [])}
    lists = {key: cells[key] for key in RETRIEVED if isinstance(cells.get(key), list)}
    return {
        f"{key}.{name}"
        for key, documents in lists.items()
        for document in documents
        if isinstance(document, Mapping)
        for name in document.keys() - read
    }


def ranked(cells: Mapping[str, Any], file: str, row: int) -> tuple[list[str], int] | None:
    """Give the ids of the documents by rank, each at its first place, and how often one came again.

    None where the results say nothing of it.

    Raises:
        InvalidInput: A list is none, names something that is no document, or two lists differ.

    Example:
        >>> found = [{"guideline_id": "GL_002"}, {"guideline": "guideline_01_a.txt"}]
        >>> ranked({"retrieved_documents": [*found, {"id": "GL_002"}]}, "r.json", 1)
        (['GL_002', 'GL_001'], 1)
    """
    lists = {
        key: _ids(cells[key], file, row, key) for key in RETRIEVED if cells.get(key) is not None
    }
    if not lists:
        return None
    ids, *others = lists.values()
    if any(other != ids for other in others):
        must = f"name the documents of {RETRIEVED[0]} in their order"
        raise InvalidInput(Problem(file, must, "another list", "", row, RETRIEVED[1]))
    first = list(dict.fromkeys(ids))
    return first, len(ids) - len(first)


def scores_of(cells: Mapping[str, Any]) -> dict[str, float]:
    """Give the score of each document at its first place; nothing where they rank otherwise.

    Example:
        >>> rows = [{"id": "GL_002", "score": 0.9}, {"id": "GL_001", "score": 0.4}]
        >>> scores_of({"retrieved_documents": rows})
        {'GL_002': 0.9, 'GL_001': 0.4}
        >>> scores_of({"retrieved_documents": rows[::-1]})
        {}
    """
    for documents in (cells.get(key) for key in RETRIEVED):
        if not isinstance(documents, list):
            continue
        scores: dict[str, float] = {}
        for document in documents:
            score = document.get(_SCORE) if isinstance(document, Mapping) else None
            name = _id(document)
            if name is None or isinstance(score, bool) or not isinstance(score, int | float):
                break
            scores.setdefault(name, float(score))
        else:
            # Where every document has a score, the scores rank them, and equal ones their ids.
            ranking = [(score, name) for name, score in scores.items()]
            if all(map(isfinite, scores.values())) and ranking == sorted(ranking, reverse=True):
                return scores
    return {}


def _ids(value: object, file: str, row: int, key: str) -> list[str]:
    if not isinstance(value, list):
        got = f'"{value}"' if isinstance(value, str) else "no list"
        raise InvalidInput(Problem(file, "be a list of documents", got, _HINT, row, key))
    ids = [_id(document) for document in value]
    if None in ids:
        must, place = "name each document", f"none at place {ids.index(None) + 1}"
        raise InvalidInput(Problem(file, must, place, _HINT, row, key))
    return [name for name in ids if name is not None]


def _id(document: object) -> str | None:
    if isinstance(document, Mapping):
        names: Sequence[object] = [document.get(key) for key in _NAMED_BY]
        document = next((name for name in names if name is not None), None)
    if not isinstance(document, str | int) or isinstance(document, bool):
        return None
    name = str(document).strip()
    number = guideline_number(name)
    return f"GL_{number}" if number else name or None
