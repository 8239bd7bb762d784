"""Which retrieved documents a chain of reasoning refers to, and by which words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple

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
        return [_published(chain, document, documents.get(document)) for document in retrieved]
    read = _Chain.of(chain)
    ranks = _ranks(chain, retrieved) if by in {"any", "id"} else {}
    references = []
    for place, id_ in enumerate(retrieved, 1):
        known = documents.get(id_)
        how, span = next(_tries(read, ranks.get(place), id_, known, by), ("", None))
        references.append(Reference(id_, how, span))
    return references


class _Chain(NamedTuple):
    """A chain, read once for all documents.

    Attributes:
        text: The chain.
        small: The same in small letters; empty where it is not plain ASCII.
        words: Its words.
        lower: The same, folded.
        places: Where each folded word stands.
        runs: Hashes of the words in a row, each with the place of the first.
    """

    text: str
    small: str
    words: list[re.Match[str]]
    lower: list[str]
    places: dict[str, list[int]]
    runs: dict[int, int]

    @classmethod
    def of(cls, text: str) -> "_Chain":
        words = list(_WORD.finditer(text))
        lower = [word[0].casefold() for word in words]
        places: dict[str, list[int]] = {}
        for place, word in enumerate(lower):
            places.setdefault(word, []).append(place)
        runs = {hash(tuple(lower[i : i + _RUN])): i for i in range(len(lower) - _RUN, -1, -1)}
        return cls(text, text.lower() if text.isascii() else "", words, lower, places, runs)


def _tries(
    chain: _Chain, rank: Span | None, id_: str, document: Document | None, by: By
) -> Iterator[tuple[str, Span]]:
    """Give each way by which the chain refers to a document, and by which words."""
    if by in {"any", "id"} and (span := _by_id(chain, id_)) is not None:
        yield "id", span
    if rank is not None:
        yield "rank", rank
    if by in {"any", "title"} and (span := _by_title(chain, document)) is not None:
        yield "title", span
    if by in {"any", "overlap"} and (span := _by_overlap(chain, document)) is not None:
        yield "overlap", span


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


def _by_id(chain: _Chain, id_: str) -> Span | None:
    if id_.isdigit() or (len(id_) <= _LONGEST_ID and not any(map(str.isdigit, id_))):
        return None  # a bare number is read as a place or an id in brackets, below
    if chain.small and id_.isascii() and id_.lower() not in chain.small:
        return None  # in plain ASCII, capitals are all that a pattern passes over
    match = re.search(rf"(?<![\w-]){re.escape(id_)}(?![\w-])", chain.text, re.IGNORECASE)
    return None if match is None else _span(chain.text, *match.span())


def _ranks(chain: str, retrieved: Sequence[str]) -> dict[int, Span]:
    """Give the places in the list that numbers of the chain mean, ids before places."""
    by_id = {id_: place for place, id_ in enumerate(retrieved, 1) if id_.isdigit()}
    spans: dict[int, Span] = {}
    for match in _RANK.finditer(chain):
        for number in re.findall(r"\d+", match[1] or match[2]):
            place = by_id.get(number) if by_id else int(number)
            if place is not None and 1 <= place <= len(retrieved):
                spans.setdefault(place, _span(chain, *match.span()))
    return spans


def _by_title(chain: _Chain, document: Document | None) -> Span | None:
    wanted = _title_words((document and document.title) or "")
    if not wanted:
        return None
    for i in chain.places.get(wanted[0], ()):
        if tuple(chain.lower[i : i + len(wanted)]) != wanted:
            continue
        if len(wanted) < _FEWEST and not _named_as_document(chain.lower, i):
            continue
        words = chain.words[i : i + len(wanted)]
        return _span(chain.text, words[0].start(), words[-1].end())
    return None


@lru_cache(maxsize=4096)
def _title_words(title: str) -> tuple[str, ...]:
    plain = re.sub(r"\(.*?\)", " ", title)
    return tuple(word.casefold() for word in _WORD.findall(plain))


def _named_as_document(lower: list[str], at: int) -> bool:
    return bool(
        {"guideline", "guidelines", "document", "protocol"} & set(lower[max(0, at - 2) : at + 2])
    )


def _by_overlap(chain: _Chain, document: Document | None) -> Span | None:
    if not chain.runs or document is None or not document.text:
        return None
    shared = _runs_of(document.text).intersection(chain.runs)
    if not shared:
        return None
    start = min(chain.runs[word] for word in shared)
    return _span(chain.text, chain.words[start].start(), chain.words[start + _RUN - 1].end())


@lru_cache(maxsize=256)
def _runs_of(text: str) -> frozenset[int]:
    words = [word.casefold() for word in _WORD.findall(text)]
    return frozenset(hash(tuple(words[i : i + _RUN])) for i in range(len(words) - _RUN + 1))
