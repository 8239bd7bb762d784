"""BLEU of single answers, with the parts that corpus BLEU pools."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.cases import Case
from medassay.metrics.concept_overlap import ORDER, Ngrams, count_ngrams
from medassay.metrics.declaration import (
    LIMIT,
    REF,
    REFERENCES,
    SPACED,
    SPACED_LETTERS,
    TEXT,
    WORDS,
    Declaration,
    Direction,
    answer_text,
    reads_references,
    references,
)
from medassay.metrics.registry import Pair, metric
from medassay.scores import Score, Unscored
from medassay.text import tokenize_13a

_PARTS: Final = (
    *(f"matches{n}" for n in range(1, ORDER + 1)),
    *(f"totals{n}" for n in range(1, ORDER + 1)),
    "answer_length",
    "reference_length",
)
"""What `compare` gives, in this order; sums of it over answers are what corpus BLEU needs."""


def _settings(_: Mapping[str, str]) -> Mapping[str, str]:
    return {
        "tokenizer": "13a",
        "case": "kept",
        "order": str(ORDER),
        "smoothing": "none",
        "effective_order": "no",
    }


def _tells(case: Case, arguments: Mapping[str, str]) -> bool:
    """Say whether a reference has four words in a row: without them even its own text is 0."""
    return any(len(tokenize_13a(text)) >= ORDER for text in references(case, arguments["ref"]))


_DECLARATION = Declaration(
    name="bleu",
    title="BLEU",
    question="How much of the answer's wording, up to four words in a row, is in the reference?",
    unit="a fraction; sacrebleu and papers print it times 100",
    low=0,
    high=1,
    direction=Direction.HIGHER,
    needs=(*REFERENCES, TEXT),
    parameters=(REF, LIMIT, WORDS),
    if_no_answer=0,
    if_empty=0,
    reads=reads_references(SPACED, SPACED_LETTERS, _tells),
    version=2,
    undefined_when="each reference is mostly in a script without blanks between words; without a"
    " match of four words in a row it is 0",
    reference="Papineni et al. 2002, doi:10.3115/1073083.1073135; settings of the ArchEHR-QA"
    " scorers, in sacrebleu's terms: smooth_method none, use_effective_order off",
    parts=_PARTS,
    pool=lambda sums, _: bleu_of_sums(sums),
    parallel=lambda _: True,
    blind_spots=(
        "Meaning said in other words: only equal words in one order count.",
        "Negation, doses and numbers: one word among many.",
        "References under four words: by its rule even the same words are 0.",
    ),
    settings=_settings,
    libraries=("numpy", "sacrebleu"),
)


@metric(_DECLARATION)
def bleu(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Compute BLEU of each answer; each distinct reference is counted once."""
    if not pairs:
        return []
    lines = [references(case, arguments["ref"]) for case, _ in pairs]
    texts = [answer_text(answer, arguments) for _, answer in pairs]
    every = list(dict.fromkeys([*chain.from_iterable(lines), *texts]))
    grams = dict(zip(every, count_ngrams(map(tokenize_13a, every)), strict=True))
    merged = {each: merge([grams[text] for text in each]) for each in dict.fromkeys(lines)}
    rows = [compare(grams[text], merged[each]) for text, each in zip(texts, lines, strict=True)]
    values = bleu_of_sums(np.asarray(rows))
    return [Score(v, parts) for v, parts in zip(values.tolist(), rows, strict=True)]


@dataclass(frozen=True, slots=True)
class References:
    """The references of one answer, put together: each n-gram as often as in the one with most.

    Attributes:
        distinct: For each order the n-grams that occur.
        repeated: For each order those that some reference repeats, and how often at most.
        lengths: Tokens of each reference.
    """

    distinct: tuple[frozenset[int], ...]
    repeated: tuple[Mapping[int, int], ...]
    lengths: tuple[int, ...]


def merge(references: Sequence[Ngrams]) -> References:
    """Put several references together: each n-gram as often as in the one that has most of it.

    Example:
        >>> from medassay.metrics.concept_overlap import count_ngrams
        >>> merge(count_ngrams(["a a".split(), "a b".split()])).repeated[0].values()
        dict_values([2])
    """
    lengths = tuple(reference.length for reference in references)
    if len(references) == 1:
        return References(references[0].distinct, references[0].repeated, lengths)
    orders = range(ORDER)
    repeated: list[dict[int, int]] = [{} for _ in orders]
    for reference in references:
        for most, counts in zip(repeated, reference.repeated, strict=True):
            most.update({g: max(c, most.get(g, 0)) for g, c in counts.items()})
    distinct = (frozenset[int]().union(*(r.distinct[n] for r in references)) for n in orders)
    return References(tuple(distinct), tuple(repeated), lengths)


def compare(answer: Ngrams, references: References) -> tuple[float, ...]:
    """Give the sufficient statistics of one answer; see `_PARTS`.

    With several references the length is that of the nearest, the shorter of two as near.

    Example:
        >>> from medassay.metrics.concept_overlap import count_ngrams
        >>> answer, reference = count_ngrams(["a b c".split(), "a b d".split()])
        >>> compare(answer, merge([reference]))
        (2.0, 1.0, 0.0, 0.0, 3.0, 2.0, 1.0, 0.0, 3.0, 3.0)
    """
    matches = []
    for n in range(ORDER):
        shared = answer.distinct[n] & references.distinct[n]
        mine, theirs = answer.repeated[n], references.repeated[n]
        # What only one of the two repeats matches once, as all else does.
        more = sum(min(mine[gram], theirs[gram]) - 1 for gram in mine.keys() & theirs)
        matches.append(float(len(shared) + more))
    length = answer.length
    totals = [float(max(length - n, 0)) for n in range(ORDER)]
    nearest = min(references.lengths, key=lambda other: (abs(other - length), other))
    return (*matches, *totals, float(length), float(nearest))


def bleu_of_sums(parts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute BLEU from sufficient statistics, of one answer or summed over many.

    Args:
        parts: Shape (..., 10), in the order of `_PARTS`.

    Returns:
        Shape (...), from 0 (some order has no match) to 1 (the answer is a reference).

    Example:
        >>> round(float(bleu_of_sums(np.array([4, 3, 2, 1, 4, 3, 2, 1, 4, 5.]))), 4)  # exp(1 − 5/4)
        0.7788
    """
    matches, totals = parts[..., :ORDER], parts[..., ORDER : 2 * ORDER]
    length, reference = parts[..., -2], parts[..., -1]
    matched: NDArray[np.bool_] = np.all(matches > 0, axis=-1, keepdims=True)
    # Where some order has no match the value is 0; ones keep the logarithm quiet there.
    precisions = np.where(matched, matches / np.maximum(totals, 1), 1.0)
    penalty = np.exp(np.minimum(0.0, 1 - reference / np.maximum(length, 1)))
    value: NDArray[np.float64] = np.exp(np.log(precisions).mean(axis=-1)) * penalty
    return np.minimum(value, 1.0) * matched[..., 0]
