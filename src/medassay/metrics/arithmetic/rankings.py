"""What trec_eval says of a batch of rankings, through ir-measures, all measures in one go."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final, cast

import numpy as np

if TYPE_CHECKING:
    from ir_measures.measures import Measure
    from ir_measures.providers.pytrec_eval_provider import PytrecEvalEvaluator

__all__ = ["Rankings"]

# trec_eval reads a ranking once for all of these, which the clinical protocol asks for.
_USUAL: Final = (
    *(f"{word}@{cut}" for word in ("P", "R") for cut in (1, 3, 5, 10)),
    *("nDCG@10", "Success@10", "AP", "RR", "Rprec", "Bpref"),
)


class Rankings:
    """The scores of retrieved documents, the grades of their topics, and what follows from both.

    As in trec_eval, scores are compared in single precision and equal ones are ranked by id, from
    last to first.

    Example:
        >>> rankings = Rankings([{"a": 0.5, "b": 0.5}], [{"a": 1, "c": 0}], rel=1)
        >>> rankings.values("RR"), rankings.values("Judged@2")
        ([0.5], [0.5])
    """

    def __init__(
        self, scores: Sequence[Mapping[str, float]], grades: Sequence[Mapping[str, int]], rel: int
    ) -> None:
        self._scores, self._grades, self._rel = scores, grades, rel
        self._values: dict[str, list[float]] = {}

    def values(self, measure: str) -> list[float]:
        """Give a measure's value for every ranking.

        Args:
            measure: As ir-measures names it, without the least grade that counts.
        """
        if measure.startswith("Judged@"):
            return self._judged(int(measure.removeprefix("Judged@")))
        if measure not in self._values:
            usual = _USUAL if not self._values and measure in _USUAL else (measure,)
            self._values |= self._evaluated(usual)
        return self._values[measure]

    def _evaluated(self, measures: Sequence[str]) -> dict[str, list[float]]:
        from ir_measures import pytrec_eval

        if not self._scores:
            return {measure: [] for measure in measures}
        topics = _topics(len(self._scores))
        run = dict(zip(topics, self._scores, strict=True))
        qrels = dict(zip(topics, self._grades, strict=True))
        asked = {_measure(measure, self._rel): measure for measure in measures}
        by_measure: dict[str, list[float]] = {}
        # Asked for all at once by `iter_calc`, ir-measures spends ten times trec_eval's own time.
        evaluator = cast("PytrecEvalEvaluator", pytrec_eval.evaluator(list(asked), qrels))
        for invoker in evaluator.invokers:
            made = invoker.evaluator.evaluate(run)
            rows = [made[topic] for topic in topics]
            # Every row has its measures in the same order; to look each up takes four times longer.
            flat = [*chain.from_iterable([row.values() for row in rows])]
            for start, word in enumerate(rows[0]):
                by_measure[asked[invoker.measure_map[word][0]]] = flat[start :: len(rows[0])]
        return by_measure

    def _judged(self, k: int) -> list[float]:
        first = (_ranked(scores)[:k] for scores in self._scores)
        return [
            sum(document in grades for document in top) / len(top)
            for top, grades in zip(first, self._grades, strict=True)
        ]


@lru_cache(maxsize=2)
def _topics(n: int) -> tuple[str, ...]:
    return tuple(map(str, range(n)))


@lru_cache(maxsize=256)
def _measure(word: str, rel: int) -> "Measure":
    from ir_measures import parse_measure

    if word.startswith("nDCG"):
        return parse_measure(word)  # its gain is the grade, whatever counts as relevant
    name, _, cut = word.partition("@")
    return parse_measure(f"{name}(rel={rel}){'@' * bool(cut)}{cut}")


def _ranked(scores: Mapping[str, float]) -> list[str]:
    with np.errstate(over="ignore", under="ignore"):
        single = np.array([*scores.values()], np.float32).tolist()
    return [document for _, document in sorted(zip(single, scores, strict=True), reverse=True)]
