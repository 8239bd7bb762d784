"""Did the system find the documents that bear on the question, and how high does it rank them?

The arithmetic is trec_eval's, through ir-measures. Documents with equal scores are ranked as
trec_eval ranks them, by their ids from last to first; it keeps scores in single precision, so that
they are equal to it where they differ by less than one in about ten million. A system that does not
give all of its documents a score is taken at its own order. Judged is ranked like the others;
ir-measures itself compares in double precision there and puts the first of equal ids first.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics.batch import Batch
from medassay.metrics.declaration import Declaration, Direction, Need, Parameter
from medassay.metrics.registry import Pair, metric
from medassay.scores import Reason, Score, Unscored

if TYPE_CHECKING:
    from ir_measures.measures import Measure
    from ir_measures.providers.pytrec_eval_provider import PytrecEvalEvaluator

_MOST: Final = 10_000
"""trec_eval reserves memory for each grade up to the highest; at some billions it crashes."""
_REL: Final = Parameter(
    name="rel",
    says="The smallest grade that counts as relevant.",
    kind="integer",
    low=1,
    default="1",
)
_MANNING: Final = "Manning et al. 2008, Introduction to Information Retrieval, chapter 8"
_MEASURES: Final[dict[str, tuple[str, str, str, str]]] = {
    # name: (ir-measures' name, title, question, source)
    "precision": ("P", "Precision", "How many of the first k documents are relevant?", _MANNING),
    "recall": (
        "R",
        "Recall",
        "How many of the relevant documents are among the first k?",
        _MANNING,
    ),
    "success": ("Success", "Success", "Is any of the first k documents relevant?", _MANNING),
    "ndcg": (
        "nDCG",
        "nDCG",
        "Do the documents of the highest grades stand first, within the first k?",
        "Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418; gain is the grade, as in trec_eval",
    ),
    "average_precision": (
        "AP",
        "MAP",
        "Do the relevant documents stand before the others, all over the ranking?",
        _MANNING,
    ),
    "reciprocal_rank": (
        "RR",
        "MRR",
        "How high does the first relevant document stand?",
        "Voorhees 1999, The TREC-8 Question Answering Track Report",
    ),
    "r_precision": (
        "Rprec",
        "R-precision",
        "Of the first R documents, with R relevant ones in all, how many are relevant?",
        _MANNING,
    ),
    "bpref": (
        "Bpref",
        "bpref",
        "Do judged relevant documents stand before those judged not relevant?",
        "Buckley & Voorhees 2004, doi:10.1145/1008992.1009000",
    ),
    "judged": (
        "Judged",
        "Judged",
        "How many of the first k documents has anyone graded?",
        "MacAvaney et al. 2022, doi:10.1007/978-3-030-99739-7_38; ties as trec_eval breaks them",
    ),
}
_BLIND: Final = (
    "Documents that nobody graded count as not relevant, however good they are.",
    "It reads ids alone: the same passage under another id is another document.",
)
_WITH_K: Final = frozenset({"precision", "recall", "success", "ndcg", "judged"})
_WITHOUT_REL: Final = frozenset({"ndcg", "judged"})
_ZERO_BY_ZERO: Final = frozenset(
    {"recall", "ndcg", "average_precision", "reciprocal_rank", "r_precision", "bpref"}
)
"""Without a relevant document these have no value; trec_eval prints 0 there."""
# trec_eval reads a ranking once for all of these, which the clinical protocol asks for.
_USUAL: Final = (
    *(f"{word}@{cut}" for word in ("P", "R") for cut in (1, 3, 5, 10)),
    *("nDCG@10", "Success@10", "AP", "RR", "Rprec", "Bpref"),
)


def _grades(case: Case) -> dict[str, int] | None:
    """Give the graded documents; None where none has a grade, or one that trec_eval cannot hold."""
    grades: dict[str, int] = {}
    for document in case.documents:
        grade = document.grade
        if grade is not None:
            whole = int(grade)
            if whole != grade or whole > _MOST:
                return None
            grades[document.id] = whole
    return grades or None


def _scores(answer: Answer) -> dict[str, float] | None:
    """Give the scores of the retrieved documents; without them, falling numbers in their order."""
    retrieved = answer.retrieved
    if retrieved is None:
        return None
    scores = {
        document.document: score for document in retrieved if (score := document.score) is not None
    }
    if len(scores) < len(retrieved):
        return {document.document: -float(rank) for rank, document in enumerate(retrieved)}
    return scores


_GRADED: Final = Need(
    words=f"documents with whole-number grades of at most {_MOST:,}", of_case=_grades
)


_RANKED: Final = Need(words="retrieved documents", of_answer=_scores)


def _settings(_: Mapping[str, str]) -> Mapping[str, str]:
    return {"ties": "trec_eval, in single precision"}


def _declare(name: str) -> Declaration:
    _, title, question, source = _MEASURES[name]
    undefined = "no document of the case is relevant" if name in _ZERO_BY_ZERO else "never"
    if name == "judged":
        undefined = "the ranking is empty"
    return Declaration(
        name=name,
        title=title,
        question=question,
        unit="a fraction",
        low=0,
        high=1,
        direction=Direction.NONE if name == "judged" else Direction.HIGHER,
        needs=(_GRADED, _RANKED),
        parameters=() if name in _WITHOUT_REL else (_REL,),
        takes_k=name in _WITH_K,
        if_no_answer=Reason.NEVER_ANSWERED if name == "judged" else 0,
        undefined_when=undefined,
        reference=source,
        settings=_settings,
        libraries=("numpy",) if name == "judged" else ("ir-measures", "pytrec-eval-terrier"),
        parallel=lambda _: True,
        blind_spots=_BLIND,
    )


class _Made(dict[float, Score]):
    """A score for each value; most values come again and again."""

    def __missing__(self, value: float) -> Score:
        made = self[value] = Score(value)
        return made


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


@lru_cache(maxsize=1)
def _rankings(batch: Batch, rel: int) -> tuple[Rankings, list[int], list[bool]]:
    """Read a batch once for all measures: its rankings, their places, and where any counts."""
    scored = cast("Sequence[Mapping[str, float] | None]", batch.found(_RANKED))
    graded = cast("Sequence[Mapping[str, int] | None]", batch.found(_GRADED))
    runs, grades = (
        [by_document or {} for by_document in scored],
        [by_document or {} for by_document in graded],
    )
    places = [place for place, run in enumerate(runs) if run]
    relevant = [max(grade.values(), default=0) >= rel for grade in grades]
    rankings = Rankings([runs[i] for i in places], [grades[i] for i in places], rel)
    return rankings, places, relevant


def _score(
    name: str, pairs: Sequence[Pair], arguments: Mapping[str, str]
) -> list[Score | Unscored]:
    rankings, places, relevant = _rankings(Batch.of(pairs), int(arguments.get("rel", "1")))
    cut = f"@{arguments['k']}" if name in _WITH_K else ""
    values = rankings.values(f"{_MEASURES[name][0]}{cut}")
    scores: list[Score | Unscored] = [*map(_Made().__getitem__, values)]
    if len(scores) < len(pairs):
        nothing = Unscored(Reason.UNDEFINED, "the ranking is empty")
        of_place = dict(zip(places, scores, strict=True))
        empty = nothing if name == "judged" else Score(0.0)
        scores = [of_place.get(place, empty) for place in range(len(pairs))]
    if name in _ZERO_BY_ZERO and not all(relevant):
        nothing = Unscored(Reason.UNDEFINED, "no document of the case is relevant")
        return [score if some else nothing for score, some in zip(scores, relevant, strict=True)]
    return scores


for _name in _MEASURES:

    def _compute(
        pairs: Sequence[Pair], arguments: Mapping[str, str], name: str = _name
    ) -> list[Score | Unscored]:
        return _score(name, pairs, arguments)

    metric(_declare(_name))(_compute)


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
