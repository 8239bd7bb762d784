"""Citation precision, recall and F1: are the sentences cited the ones that bear on the question?"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics.declaration import Declaration, Direction, Need, Parameter
from medassay.metrics.registry import Pair, metric
from medassay.scores import Score, Unscored

_PARAMETERS: Final = (
    Parameter(
        name="gold",
        says="Which sentences are relevant: the essential ones (strict), or supplementary ones too"
        " (lenient, as `rules` has it).",
        values=("strict", "lenient"),
    ),
    Parameter(
        name="rules",
        says="Whose rules: archehr2025 (lenient adds supplementary sentences to the relevant ones;"
        " 0/0 is 0) or archehr2026 (lenient leaves them out of the count; nothing cited where"
        " nothing is relevant is 1).",
        values=("archehr2025", "archehr2026"),
    ),
)
_Measure = Literal["precision", "recall", "f1"]
_PARTS: Final = ("tp", "fp", "fn")


_ASKS: Final[dict[_Measure, str]] = {
    "precision": "How many of the sentences that the answer cites are relevant?",
    "recall": "How many of the relevant sentences does the answer cite?",
    "f1": "Does the answer cite the relevant sentences, all of them and no others?",
}


def _relevance(case: Case) -> tuple[tuple[str, str], ...] | None:
    """Give every sentence with its word; None where one has none."""
    relevance = tuple((e.id, e.relevance) for e in case.evidence if isinstance(e.relevance, str))
    return relevance if relevance and len(relevance) == len(case.evidence) else None


def _cited(answer: Answer) -> tuple[str, ...] | None:
    """Give what the answer cites; an answer that is a bare list of evidence cites that list."""
    if answer.statements is not None:
        return answer.citations
    if answer.text is None and answer.retrieved is not None:
        return tuple(retrieved.document for retrieved in answer.retrieved)
    return () if answer.is_blank else None


_NEEDS: Final = (
    Need(words="relevance in words for every sentence of the evidence", of_case=_relevance),
    Need(words="citations", of_answer=_cited),
)


def _declare(measure: _Measure) -> Declaration:
    def pool(sums: NDArray[np.float64], arguments: Mapping[str, str]) -> NDArray[np.float64]:
        return measure_citations(sums, measure, rules=arguments["rules"])

    return Declaration(
        name=f"citation_{measure}",
        title=f"Citation {'F1' if measure == 'f1' else measure}",
        question=_ASKS[measure],
        unit="a fraction; papers print it times 100",
        low=0,
        high=1,
        direction=Direction.HIGHER,
        needs=_NEEDS,
        usual=tuple({"gold": gold, "rules": "archehr2026"} for gold in ("strict", "lenient")),
        parameters=_PARAMETERS,
        if_no_answer=0,
        undefined_when="never; see `rules` for 0/0",
        reference="Soni & Demner-Fushman 2025, overview of the ArchEHR-QA 2025 shared task;"
        " archehr-qa at 771b948 and archehr-qa-2026 at 344b67e. The 2025 scorer stops at an answer"
        " without citations; here it is scored 0",
        parts=_PARTS,
        libraries=("numpy",),
        pool=pool,
        blind_spots=(
            "Whether a sentence says what the evidence it cites says: only ids are compared.",
            "Which sentence of the answer cites what.",
        ),
    )


def _compute_with(measure: _Measure) -> Callable[..., list[Score | Unscored]]:
    def compute(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
        gold, rules = arguments["gold"], arguments["rules"]
        known: dict[int, dict[str, str]] = {}
        rows = []
        for case, answer in pairs:
            if id(case) not in known:
                known[id(case)] = dict(_relevance(case) or ())
            cited = _cited(answer) or ()
            rows.append(count_citations(cited, known[id(case)], gold=gold, rules=rules))
        values = measure_citations(np.asarray(rows).reshape(-1, len(_PARTS)), measure, rules=rules)
        return [Score(v, parts) for v, parts in zip(values.tolist(), rows, strict=True)]

    return compute


for _measure in _ASKS:
    metric(_declare(_measure))(_compute_with(_measure))


def count_citations(
    cited: Collection[str], relevance: Mapping[str, str], *, gold: str, rules: str
) -> tuple[float, float, float]:
    """Count (tp, fp, fn) of one answer; a citation counts once, one of no sentence is wrong.

    Args:
        cited: Ids that the answer cites.
        relevance: Every sentence's id to essential, supplementary or not-relevant.
        gold: `strict`: essential sentences are relevant. `lenient`: under `archehr2025`
            supplementary ones are relevant too; under `archehr2026` they are no longer held
            against an answer that cites them, and count for nothing.
        rules: `archehr2025` or `archehr2026`.

    Example:
        >>> note = {"1": "essential", "2": "supplementary", "3": "supplementary"}
        >>> [count_citations(["1", "2"], note, gold=gold, rules=rules) for gold, rules in [
        ...     ("strict", "archehr2025"), ("lenient", "archehr2025"), ("lenient", "archehr2026")]]
        [(1.0, 1.0, 0.0), (2.0, 0.0, 1.0), (1.0, 0.0, 0.0)]
    """
    mine = set(cited)
    relevant = {sentence for sentence, word in relevance.items() if word == "essential"}
    if gold == "lenient":
        supplementary = {
            sentence for sentence, word in relevance.items() if word == "supplementary"
        }
        if rules == "archehr2025":
            relevant |= supplementary
        else:
            mine -= supplementary
    right = len(mine & relevant)
    return float(right), float(len(mine) - right), float(len(relevant) - right)


def measure_citations(
    parts: NDArray[np.float64], measure: _Measure, *, rules: str
) -> NDArray[np.float64]:
    """Compute one measure from counts, of one answer or summed over many.

    Args:
        parts: Shape (..., 3), in the order of `_PARTS`.
        measure: Which of the three.
        rules: Decides the value where all counts are 0.

    Returns:
        Shape (...), from 0 to 1.

    Example:
        >>> measure_citations(np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]), "f1",
        ...                   rules="archehr2026").round(3).tolist()
        [0.667, 1.0]
    """
    right, wrong, missed = parts[..., 0], parts[..., 1], parts[..., 2]
    # 2PR / (P + R) is 2tp / (2tp + fp + fn), and 0 where either is 0.
    whole = {
        "precision": right + wrong,
        "recall": right + missed,
        "f1": 2 * right + wrong + missed,
    }[measure]
    share = (2 * right if measure == "f1" else right) / np.maximum(whole, 1)
    if rules == "archehr2026":
        share = np.where(parts.sum(axis=-1) == 0, 1.0, share)
    value: NDArray[np.float64] = np.asarray(share)
    return value
