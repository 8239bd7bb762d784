"""Lexical support: which share of a statement's words does the source have?"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics.declaration import SPACED, SPACED_LETTERS, Declaration, Direction, Reads
from medassay.metrics.registry import Pair, metric
from medassay.metrics.statement_support import (
    AGAINST,
    OF,
    OF_ANSWER_OR_REASONING,
    SOURCES,
    STATES_NOTHING,
    sources_of,
    stated,
    statements_of,
)
from medassay.scores import Score, Unscored
from medassay.text import content_words

AUC_ON_CLAIMS: Final = "AUC 0.74 (95% 0.68 to 0.80)"
"""How well it tells claims that physicians call entailed from others; docs/support.md."""


def share_found(statement: str, known: Sequence[frozenset[str]]) -> float | None:
    """Give the share of a statement's words of content that any source has; None without any.

    Example:
        >>> share_found("Rest helps the ankle.", words_known(["The ankle needs rest.", "Ice it."]))
        0.6666666666666666
    """
    words = content_words(statement)
    if not words:
        return None
    # A statement has few words and a source many: to join the sources first takes far longer.
    return (len(words) - len(words.difference(*known))) / len(words)


def words_known(sources: Sequence[str]) -> list[frozenset[str]]:
    """Give the words of content of each source."""
    return [_words(source) for source in sources]


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    """Read a document once, however many answers are held against it."""
    return content_words(text)


def _pool(sums: NDArray[np.float64], _: Mapping[str, str]) -> NDArray[np.float64]:
    shares, of = sums[..., 0], sums[..., 1]
    return np.divide(shares, of, out=np.full_like(of, np.nan), where=of > 0)


def _sources(case: Case, answer: Answer, arguments: Mapping[str, str]) -> tuple[str, ...]:
    texts = [text for _, text in sources_of(case, answer, arguments["against"])]
    return ("\n".join(texts),) if texts else ()


def _said(answer: Answer, arguments: Mapping[str, str]) -> str:
    said = answer.reasoning if arguments["of"] == "reasoning" else answer.text
    return said or ""


@metric(
    Declaration(
        name="lexical_support",
        title="Lexical support",
        question="Which share of what the answer says, word by word, does the source have?",
        unit="a fraction of a statement's words of content, averaged over the answer's statements",
        low=0,
        high=1,
        direction=Direction.HIGHER,
        needs=(*SOURCES, *OF_ANSWER_OR_REASONING),
        parameters=(AGAINST, OF),
        if_no_answer=0,
        if_empty=0,
        odd=STATES_NOTHING,
        reads=Reads(what=SPACED, share=SPACED_LETTERS, of_case=_sources, of_answer=_said),
        version=3,
        undefined_when="the source is mostly in a script without blanks between words",
        reference="The share of words that a source has is the K-precision of Adlakha et al. 2024,"
        " doi:10.1162/tacl_a_00667; here over words of content, plural endings folded, each counted"
        " once, statement by statement",
        parts=("shares", "statements"),
        pool=_pool,
        parallel=lambda _: True,
        blind_spots=(
            (
                "It sees words and no meaning: a 'not' or another number changes little, and the"
                " same said in other words is not found."
            ),
            (
                f"It is the baseline that a judge of support must beat: {AUC_ON_CLAIMS} on 399"
                " claims labelled by physicians (docs/support.md)."
            ),
            "The longer the source, the more words it has by chance: compare like with like.",
        ),
    )
)
def lexical_support(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Average over the statements; those without a word of content count nowhere."""
    scores: list[Score | Unscored] = []
    for case, answer in stated(pairs, arguments):
        sources = sources_of(case, answer, arguments["against"])
        known = words_known([text for _, text in sources])
        shares_found = [share_found(statement, known) for statement, _ in statements_of(answer)]
        shares = [share for share in shares_found if share is not None]
        total = sum(shares)
        scores.append(Score(total / len(shares) if shares else 0.0, (total, float(len(shares)))))
    return scores
