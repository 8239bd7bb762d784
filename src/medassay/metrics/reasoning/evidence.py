"""Which retrieved documents a chain of reasoning refers to, and by which words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from medassay.cases import Document
from medassay.metrics.reasoning.span import Span

__all__ = ["By", "Reference", "read_references"]

By = Literal["any", "published", "id", "title", "overlap"]
_RUN: Final = 8
"""So many words in a row are taken from a document, not alike by chance."""
_OPENING: Final = 50
_WORD: Final = re.compile(r"[^\W_]+")
_RANK: Final = re.compile(
    r"\[(\d{1,2}(?:\s*[,;]\s*\d{1,2})*)\]"
    r"|\b(?:document|doc|source|guideline|passage|reference|context)s?\s*(?:no\.?\s*|#\s*)?(\d{1,2})\b",
    re.IGNORECASE,
)
_LONGEST_ID: Final = 3
_FEWEST: Final = 2


@dataclass(frozen=True, slots=True)
class Reference:
    """One retrieved document, and where the chain refers to it.

    Attributes:
        document: Its id.
        by: How: `id`, `rank` (its number in the list), `title` or `overlap`; empty where it is not.
        span: The words of the chain; None where there are none.
    """

    document: str
    by: str
    span: Span | None


def read_references(
    chain: str, retrieved: Sequence[str], documents: Mapping[str, Document], by: By
) -> list[Reference]:
    """Say of each retrieved document whether the chain refers to it.

    By `id`: the id stands in the chain, as a word of its own with a digit or of more than three
    letters; or the document's place in the list does, as in "[2]" or "document 2", where no
    document has that number as its id. By `title`: the title of two words or more, without what
    stands in brackets, capitals and punctuation aside; or a title of one word beside "guideline" or
    the like. By `overlap`: eight words in a row. `any` takes the first of these that holds.
    `published` is the source's rule: the title as it is written, or the first fifty characters.

    Example:
        >>> documents = {"g1": Document(id="g1", title="Asthma Management (Adults)")}
        >>> [found] = read_references("By asthma management, give it.", ["g1"], documents, "any")
        >>> found.by, found.span.words
        ('title', 'asthma management')
    """
    if by == "published":
        return [_published(chain, one, documents.get(one)) for one in retrieved]
    words = list(_WORD.finditer(chain))
    lower = [word[0].casefold() for word in words]
    runs = {hash(tuple(lower[i : i + _RUN])): i for i in range(len(lower) - _RUN, -1, -1)}
    ranks = _ranks(chain, retrieved) if by in {"any", "id"} else {}
    found = []
    for place, id_ in enumerate(retrieved, 1):
        known = documents.get(id_)
        tries: Iterator[tuple[str, Span | None]] = (
            (how, span)
            for how, span in (
                ("id", _by_id(chain, id_) if by in {"any", "id"} else None),
                ("rank", ranks.get(place)),
                (
                    "title",
                    _by_title(chain, lower, words, known) if by in {"any", "title"} else None,
                ),
                (
                    "overlap",
                    _by_overlap(chain, runs, words, known) if by in {"any", "overlap"} else None,
                ),
            )
            if span is not None
        )
        how, span = next(tries, ("", None))
        found.append(Reference(id_, how, span))
    return found


def _span(chain: str, start: int, end: int) -> Span:
    return Span(start, end, chain[start:end])


def _published(chain: str, id_: str, document: Document | None) -> Reference:
    for how, words in (
        ("title", (document and document.title) or ""),
        ("overlap", ((document and document.text) or "")[:_OPENING]),
    ):
        start = chain.find(words) if words else -1
        if start >= 0:
            return Reference(id_, how, _span(chain, start, start + len(words)))
    return Reference(id_, "", None)


def _by_id(chain: str, id_: str) -> Span | None:
    if id_.isdigit() or (len(id_) <= _LONGEST_ID and not any(map(str.isdigit, id_))):
        return None  # a bare number is read as a place or an id in brackets, below
    found = re.search(rf"(?<![\w-]){re.escape(id_)}(?![\w-])", chain, re.IGNORECASE)
    return None if found is None else _span(chain, *found.span())


def _ranks(chain: str, retrieved: Sequence[str]) -> dict[int, Span]:
    """Give the places in the list that numbers of the chain mean, ids before places."""
    by_id = {id_: place for place, id_ in enumerate(retrieved, 1) if id_.isdigit()}
    found: dict[int, Span] = {}
    for one in _RANK.finditer(chain):
        for number in re.findall(r"\d+", one[1] or one[2]):
            place = by_id.get(number) if by_id else int(number)
            if place is not None and 1 <= place <= len(retrieved):
                found.setdefault(place, _span(chain, *one.span()))
    return found


def _by_title(
    chain: str, lower: list[str], words: list[re.Match[str]], document: Document | None
) -> Span | None:
    title = re.sub(r"\(.*?\)", " ", (document and document.title) or "")
    wanted = [word.casefold() for word in _WORD.findall(title)]
    if not wanted:
        return None
    for i in range(len(lower) - len(wanted) + 1):
        if lower[i : i + len(wanted)] != wanted:
            continue
        if len(wanted) < _FEWEST and not _named_as_document(lower, i):
            continue
        return _span(chain, words[i].start(), words[i + len(wanted) - 1].end())
    return None


def _named_as_document(lower: list[str], at: int) -> bool:
    return bool(
        {"guideline", "guidelines", "document", "protocol"} & set(lower[max(0, at - 2) : at + 2])
    )


def _by_overlap(
    chain: str, runs: dict[int, int], words: list[re.Match[str]], document: Document | None
) -> Span | None:
    if not runs or document is None or not document.text:
        return None
    shared = runs.keys() & _runs_of(document.text)
    if not shared:
        return None
    start = min(runs[one] for one in shared)
    return _span(chain, words[start].start(), words[start + _RUN - 1].end())


@lru_cache(maxsize=256)
def _runs_of(text: str) -> frozenset[int]:
    words = [word.casefold() for word in _WORD.findall(text)]
    return frozenset(hash(tuple(words[i : i + _RUN])) for i in range(len(words) - _RUN + 1))
