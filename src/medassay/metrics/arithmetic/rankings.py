"""What trec_eval says of a batch of rankings, through ir-measures, all measures in one go."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

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
    """Rankings with the grades of their topics, and what was computed of them.

    Example:
        >>> rankings = Rankings([("b", "a")], [{"a": 1, "c": 0}], rel=1)
        >>> rankings.values("RR"), rankings.values("Judged@2")
        ([0.5], [0.5])
    """

    def __init__(
        self, rankings: Sequence[tuple[str, ...]], grades: Sequence[Mapping[str, int]], rel: int
    ) -> None:
        self._rankings, self._grades, self._rel = rankings, grades, rel
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

        topics = [str(place) for place in range(len(self._rankings))]
        # Ranks instead of scores: trec_eval keeps scores in single precision.
        run = {
            topic: {document: -float(rank) for rank, document in enumerate(ranking)}
            for topic, ranking in zip(topics, self._rankings, strict=True)
        }
        qrels = dict(zip(topics, self._grades, strict=True))
        asked = {self._measure(one): one for one in measures}
        found: dict[str, list[float]] = {}
        # Asked for all at once by `iter_calc`, ir-measures spends ten times trec_eval's own time.
        evaluator = cast("PytrecEvalEvaluator", pytrec_eval.evaluator(list(asked), qrels))
        for invoker in evaluator.invokers:
            made = invoker.evaluator.evaluate(run)
            for word, (measure, _) in invoker.measure_map.items():
                found[asked[measure]] = [made[topic][word] for topic in topics]
        return found

    def _measure(self, word: str) -> "Measure":
        from ir_measures import parse_measure

        if word.startswith("nDCG"):
            return parse_measure(word)  # its gain is the grade, whatever counts as relevant
        name, _, cut = word.partition("@")
        return parse_measure(f"{name}(rel={self._rel}){'@' * bool(cut)}{cut}")

    def _judged(self, k: int) -> list[float]:
        return [
            sum(document in grades for document in ranking[:k]) / len(ranking[:k])
            for ranking, grades in zip(self._rankings, self._grades, strict=True)
        ]
