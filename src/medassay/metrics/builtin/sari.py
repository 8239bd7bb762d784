"""SARI of single answers: what they keep, add and delete, seen from the question."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import fsum
from typing import Final

from medassay.cases import Case
from medassay.metrics.concept_overlap import ORDER, Ngrams, count_ngrams
from medassay.metrics.declaration import (
    LIMIT,
    SPACED,
    SPACED_LETTERS,
    TEXT,
    WORDS,
    Declaration,
    Direction,
    Need,
    Parameter,
    Reads,
    answer_text,
    essential_text,
    references,
)
from medassay.metrics.registry import Pair, metric
from medassay.scores import Score, Unscored
from medassay.text import tokenize_13a


def _source(case: Case, kind: str) -> str | None:
    if kind == "narrative":
        return case.narrative
    if case.prompt is None:
        return None
    return "\n\n".join([*([] if case.narrative is None else [case.narrative]), case.prompt])


def _references(case: Case, ref: str) -> tuple[str, ...]:
    if ref == "note":
        essential = essential_text(case)
        return () if essential is None else (essential,)
    return references(case, ref)


_NEEDS: Final = (
    Need(
        words="reference of kind human",
        of_case=lambda case: _references(case, "human") or None,
        when=("ref", "human"),
    ),
    Need(
        words="essential evidence",
        of_case=lambda case: _references(case, "note") or None,
        when=("ref", "note"),
    ),
    Need(
        words="question",
        of_case=lambda case: _source(case, "question"),
        when=("source", "question"),
    ),
    Need(
        words="narrative",
        of_case=lambda case: _source(case, "narrative"),
        when=("source", "narrative"),
    ),
    TEXT,
)


def _settings(_: Mapping[str, str]) -> Mapping[str, str]:
    return {
        "tokenizer": "13a",
        "case": "lowered",
        "order": str(ORDER),
        "zero_by_zero": "1",
        "delete": "precision",
    }


_DECLARATION = Declaration(
    name="sari",
    title="SARI",
    question="Does the answer keep, add and delete the words that the references do, seen from the"
    " question?",
    unit="a fraction; the shared tasks' scorers and papers print it times 100",
    low=0,
    high=1,
    direction=Direction.HIGHER,
    needs=_NEEDS,
    parameters=(
        Parameter(
            name="ref",
            says="What the answer is compared with: all experts' answers together (human), or the"
            " essential evidence alone, in document order (note).",
            values=("human", "note"),
        ),
        Parameter(
            name="source",
            says="What is rewritten: narrative and question (question, as in 2025), or the"
            " narrative alone (narrative, as in 2026).",
            values=("question", "narrative"),
            default="question",
        ),
        LIMIT,
        WORDS,
    ),
    if_no_answer=0,
    if_empty=0,
    reads=Reads(
        what=SPACED,
        share=SPACED_LETTERS,
        of_case=lambda case, _, arguments: _references(case, arguments["ref"]),
        of_answer=answer_text,
    ),
    version=2,
    undefined_when="each reference is mostly in a script without blanks between words. By"
    " the formula an empty answer gets about 0.3 for deleting all of the question; here it is 0",
    reference="Xu et al. 2016, doi:10.1162/tacl_a_00107; values of evaluate 0.4 and so of the"
    " ArchEHR-QA scorers, divided by 100",
    parallel=lambda _: True,
    blind_spots=(
        "Meaning said in other words: only equal words count.",
        "Negation, doses and numbers: one word among many.",
        "Whether what is added is true.",
    ),
    settings=_settings,
    libraries=("numpy", "sacrebleu"),
)


@metric(_DECLARATION)
def sari(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Compute SARI of each answer; each distinct source with its references is counted once."""
    sources = [_source(case, arguments["source"]) or "" for case, _ in pairs]
    lines = [_references(case, arguments["ref"]) for case, _ in pairs]
    texts = [answer_text(answer, arguments) for _, answer in pairs]
    every = list(dict.fromkeys([*sources, *chain.from_iterable(lines), *texts]))
    counted = count_ngrams(tokenize_13a(text.lower()) for text in every)
    grams = dict(zip(every, counted, strict=True))
    edits: dict[tuple[str, tuple[str, ...]], Edits] = {}
    scores: list[Score | Unscored] = []
    for text, source, each in zip(texts, sources, lines, strict=True):
        if (source, each) not in edits:
            edits[source, each] = count_edits(
                grams[source], [grams[reference] for reference in each]
            )
        score = sari_of_ngrams(grams[text], edits[source, each]) if grams[text].length else 0.0
        scores.append(Score(score))
    return scores


@dataclass(frozen=True, slots=True)
class _Order:
    """What one order of n-grams needs of a source and its references, whatever the answer.

    Of a gram that the source has once, all copies are kept by an answer that has it, and none by
    one that lacks it, however often it has it. So such grams can be counted as sets; only those
    that the source has more often are looked at one by one.

    Attributes:
        distinct: The grams of the source.
        once: Those that it has once, by how many of their k copies the references have.
        often: Count of each gram that it has more often, times the number of references.
        references: Count of each gram over all references.
        keepable: Σ min(ks, r) over the grams of the source.
        addable: Grams that the references have and the source lacks.
        deleted: Grams of the source that no reference has: deleting one is right in full.
        part: How far deleting all of a gram is right, where it is so in part.
        partial: The grams of `part`, as a set.
    """

    distinct: frozenset[int]
    once: tuple[frozenset[int], ...]
    often: Mapping[int, int]
    references: Counter[int]
    keepable: int
    addable: frozenset[int]
    deleted: int
    part: Mapping[int, float]
    partial: frozenset[int]


@dataclass(frozen=True, slots=True)
class Edits:
    """A source and its references, counted once for all answers.

    Attributes:
        times: The number of references.
        orders: What each order of n-grams needs.
    """

    times: int
    orders: tuple[_Order, ...]


def count_edits(source: Ngrams, references: Sequence[Ngrams]) -> Edits:
    """Put the counted n-grams of a source and its references together, for all answers."""
    orders = []
    for n, distinct in enumerate(source.distinct):
        times = {gram: source.repeated[n].get(gram, 1) * len(references) for gram in distinct}
        theirs: Counter[int] = Counter()
        for reference in references:
            theirs.update(reference.distinct[n])
            theirs.update({gram: count - 1 for gram, count in reference.repeated[n].items()})
        part = {g: (k - theirs[g]) / k for g, k in times.items() if 0 < theirs[g] < k}
        once: list[set[int]] = [set() for _ in range(len(references) + 1)]
        for gram in distinct - source.repeated[n].keys():
            once[min(theirs[gram], len(references))].add(gram)
        orders.append(
            _Order(
                distinct=distinct,
                once=tuple(map(frozenset, once)),
                often={gram: times[gram] for gram in source.repeated[n]},
                references=theirs,
                keepable=sum(min(count, theirs[gram]) for gram, count in times.items()),
                addable=frozenset(theirs) - distinct,
                deleted=sum(gram not in theirs for gram in times),
                part=part,
                partial=frozenset(part),
            )
        )
    return Edits(len(references), tuple(orders))


def sari_of_ngrams(answer: Ngrams, edits: Edits) -> float:
    """Compute SARI of an answer's n-grams, from 0 (worst) to 1.

    Example:
        >>> from medassay.metrics.concept_overlap import count_ngrams
        >>> texts = ["a b c", "a b d"]
        >>> source, reference = count_ngrams(text.split() for text in texts)
        >>> sari_of_ngrams(reference, count_edits(source, [reference]))
        1.0
    """
    values = [
        _of_order(distinct, repeated, edits.times, order)
        for distinct, repeated, order in zip(
            answer.distinct, answer.repeated, edits.orders, strict=True
        )
    ]
    return min(1.0, sum(values) / len(values))


def _of_order(
    distinct: frozenset[int], repeated: Mapping[int, int], times: int, order: _Order
) -> float:
    shared = distinct & order.distinct
    shared_counts = [len(shared & grams) for grams in order.once]
    kept_good = sum(good * grams for good, grams in enumerate(shared_counts))
    # Added up at the end, exactly: the order of a set must not reach the last digit.
    kept_shares = [kept_good / times]
    # Deletions, had the answer none of the source's grams; corrected for those that it has.
    deletions, deleted = len(order.distinct) - sum(shared_counts), order.deleted - shared_counts[0]
    deleted_shares = [order.part[gram] for gram in order.partial - shared]
    for gram in order.often.keys() & shared:
        here, theirs = order.often[gram], order.references[gram]
        answered = repeated.get(gram, 1) * times
        mine = min(here, answered)
        good = min(mine, theirs)
        kept_good += good
        kept_shares.append(good / mine)
        deleted -= theirs == 0
        left = here - answered
        if left <= 0:
            deletions -= 1
        elif theirs < left:
            deleted_shares.append((left - theirs) / left)
    added, good_added = len(distinct) - len(shared), len(distinct & order.addable)
    keep = _f(_ratio(fsum(kept_shares), len(shared)), _ratio(kept_good, order.keepable))
    add = _f(_ratio(good_added, added), _ratio(good_added, len(order.addable)))
    return (keep + _ratio(fsum([deleted, *deleted_shares]), deletions) + add) / 3


def _ratio(part: float, whole: int) -> float:
    return part / whole if whole else 1.0


def _f(precision: float, recall: float) -> float:
    both = precision + recall
    return 2 * precision * recall / both if both else 0.0
