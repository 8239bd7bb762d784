"""ROUGE through rouge-score-rs, which gives the values of Google's rouge-score.

Precision is the share of the answer's units that the reference has, recall the share of the
reference's units that the answer has, F = 2PR / (P + R) and 0 where both are 0. Units are n-grams
(ROUGE-1, ROUGE-2) or the longest common subsequence of words (ROUGE-L), taken over lines and their
union in ROUGE-Lsum. Words are runs of a–z and 0–9 after lower-casing: other scripts have none.

Source: Lin 2004, https://aclanthology.org/W04-1013.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from rouge_score_rs import RougeScorer

__all__ = ["KINDS", "Measure", "count_words", "has_words", "rouge"]

KINDS: Final = ("rouge1", "rouge2", "rougeL", "rougeLsum")
Measure = Literal["precision", "recall", "fmeasure"]

_WORD: Final = re.compile("[a-z0-9]")
_WORDS: Final = re.compile("[a-z0-9]+")


def has_words(text: str) -> bool:
    """Say whether ROUGE sees any word in a text.

    Example:
        >>> has_words("Ruhe!"), has_words("راحة")
        (True, False)
    """
    return _WORD.search(text.lower()) is not None


def count_words(text: str) -> int:
    """Count the words that ROUGE sees in a text.

    Example:
        >>> count_words("Rest, 2 days!")
        3
    """
    return len(_WORDS.findall(text.lower()))


def rouge(
    kind: str,
    answers: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    measure: Measure = "fmeasure",
    stemmer: bool = False,
) -> list[float]:
    """Compute one kind of ROUGE for many answers.

    Args:
        kind: One of `KINDS`.
        answers: Texts.
        references: For each answer one or more texts; the one with the highest F counts, the first
            of equals, as rouge-score's `score_multi` does.
        measure: Which of the three numbers.
        stemmer: Whether words longer than three letters are stemmed (Porter).

    Example:
        >>> rouge("rouge1", ["rest at home"], [["rest at home", "go home"]])
        [1.0]
    """
    targets = [text for texts in references for text in texts]
    repeated = [a for a, texts in zip(answers, references, strict=True) for _ in texts]
    scored = iter(_scorer(kind, stemmer).score_batch(targets, repeated))
    values = []
    for texts in references:
        candidates = [next(scored)[kind] for _ in texts]
        best = max(candidates, key=lambda candidate: candidate.fmeasure)
        values.append(float(getattr(best, measure)))
    return values


@cache
def _scorer(kind: str, stemmer: bool) -> "RougeScorer":  # noqa: FBT001 - the key of a cache
    from rouge_score_rs import RougeScorer

    return RougeScorer([kind], use_stemmer=stemmer)
