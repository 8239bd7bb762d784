"""How much of what a question is about the retrieved documents speak of, graded 0, 1 or 2."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics.batch import Batch
from medassay.metrics.declaration import (
    SPACED,
    SPACED_LETTERS,
    Content,
    Declaration,
    Direction,
    Need,
    Reads,
)
from medassay.metrics.registry import Pair, metric
from medassay.scores import Reason, Score, Unscored
from medassay.text import content_words

_SOMEWHAT: Final = 0.4
_HIGHLY: Final = 0.8


def _prompt(case: Case) -> Content | None:
    return case.prompt


def _documents(case: Case) -> Content | None:
    known = tuple(_row(d.id, d.title or "", d.text) for d in case.documents if d.text is not None)
    return known or None


@lru_cache(maxsize=4096)
def _row(document: str, title: str, text: str) -> tuple[str, str, str]:
    """Keep one row of a document, however many cases share it."""
    return document, title, text


def _found(answer: Answer) -> Content | None:
    if answer.retrieved is None:
        return None
    return tuple(retrieved.document for retrieved in answer.retrieved)


PROMPT: Final = Need(words="question", of_case=_prompt)
READABLE: Final = Need(words="document that can be read", of_case=_documents)
FOUND: Final = Need(words="retrieved documents", of_answer=_found)


def _declare(name: str, *, graded: bool) -> Declaration:
    return Declaration(
        name=name,
        title="Context relevance" if graded else "Context coverage",
        question="Do the documents that were found speak of what the question is about?"
        if graded
        else "How much of what the question is about do the documents that were found have?",
        unit="a grade: 2 from a coverage of 0.8, 1 from 0.4, else 0"
        if graded
        else "the share of the question's content words that the documents have",
        low=0,
        high=2 if graded else 1,
        direction=Direction.HIGHER,
        needs=(PROMPT, READABLE, FOUND),
        takes_k=True,
        reads=Reads(
            what=SPACED,
            share=SPACED_LETTERS,
            of_case=lambda case, *_: (case.prompt or "",),
        ),
        version=2,
        if_no_answer=0,
        undefined_when="the question has no content word or is mostly in a script without blanks"
        " between words, or a document among the first k has no"
        " text in the case",
        reference="The 0 / 1 / 2 scale with thresholds 0.4 and 0.8 over the question's concepts, as"
        " clinical retrieval pipelines define it; the concepts are the question's content words,"
        " plurals folded",
        parallel=lambda _: True,
        blind_spots=(
            "Synonyms: a document on 'myocardial infarction' has no word of 'heart attack'.",
            "Whether the documents answer the question, or merely speak of the same things.",
        ),
    )


@lru_cache(maxsize=4096)
def _words_of(title: str, text: str) -> frozenset[str]:
    """Read a document once, however many answers found it."""
    return content_words(f"{title} {text}")


def _coverage(case: Case, answer: Answer, k: int) -> float | Unscored:
    prompt = content_words(case.prompt or "")
    if not prompt:
        return Unscored(Reason.UNDEFINED, "the question has no content word")
    known = {document.id: document for document in case.documents}
    first = []
    for retrieved in (answer.retrieved or ())[:k]:
        document = known.get(retrieved.document)
        if document is None or document.text is None:
            return Unscored(Reason.UNDEFINED, "a retrieved document has no text in the case")
        first.append(_words_of(document.title or "", document.text))
    return (len(prompt) - len(prompt.difference(*first))) / len(prompt)


@lru_cache(maxsize=4)
def _coverages(batch: Batch, k: int) -> list[float | Unscored]:
    """Look at a batch once for both metrics."""
    return [_coverage(case, answer, k) for case, answer in batch]


@metric(_declare("context_coverage", graded=False))
def context_coverage(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Give the share of the question's content words among the first k documents."""
    shares = _coverages(Batch.of(pairs), int(arguments["k"]))
    return [share if isinstance(share, Unscored) else Score(share) for share in shares]


@metric(_declare("context_relevance", graded=True))
def context_relevance(
    pairs: Sequence[Pair], arguments: Mapping[str, str]
) -> list[Score | Unscored]:
    """Grade the coverage."""
    shares = _coverages(Batch.of(pairs), int(arguments["k"]))
    return [
        share
        if isinstance(share, Unscored)
        else Score(float((share >= _SOMEWHAT) + (share >= _HIGHLY)))
        for share in shares
    ]
