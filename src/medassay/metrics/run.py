"""Score answers by metrics, with the corpora that their references make."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from medassay.answers import Answers
from medassay.api_checks import checked
from medassay.cases import Case, Cases
from medassay.errors import InvalidInput, Problem
from medassay.metrics.batch import Batch
from medassay.metrics.bound import BoundMetric
from medassay.metrics.declaration import Level, references
from medassay.metrics.registry import Pair
from medassay.metrics.resolve import resolve
from medassay.models import model_setup, use_models
from medassay.scores import Score, ScoreTable, Unscored

_BATCH: Final = 1024
Progress = Callable[[str, int, int], None]
"""Called with a metric's name, the answers done and the answers in all."""
_KINDS = ("human", "note")


@checked
def score(
    cases: Cases,
    answers: Answers,
    names: Sequence[str | BoundMetric],
    systems: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> ScoreTable:
    """Score every answer of every system with every metric; a row for each, scored or not.

    An answer never given takes the metric's declared value for no answer, or its reason; one that
    was not asked for (`answers.asked`) has no row. Nothing that is wrong with one case, answer or
    metric stops the run: its rows say why they lack a value.

    Args:
        cases: What was asked.
        answers: What was answered.
        names: Metrics, by canonical name or resolved.
        systems: The systems to score; all that answered if not given. A system named here that
            gave no answer at all is scored as never answering.
        progress: Told after every batch.

    Returns:
        Rows for (system, case, canonical name), sorted.

    Raises:
        UnknownName: There is no such metric.
        InvalidInput: A name does not resolve, or names a metric of whole systems.

    Example:
        >>> from medassay.answers import Answer
        >>> from medassay.cases import Case
        >>> cases = Cases.of([Case(case="1", references=[{"text": "Rest at home."}])])
        >>> answers = Answers.of([Answer(system="A", case="1", text="Rest at home today.")])
        >>> table = score(cases, answers, ["rouge1(ref=human)"], systems=["A", "B"])
        >>> [(s, round(v, 3)) for s, v in table.frame.select("system", "value").iter_rows()]
        [('A', 0.857), ('B', 0.0)]
    """
    metrics = {str(m.name): m for m in map(_resolved, names)}
    with use_models(replace(model_setup(), corpora=reference_corpora(cases))):
        return _scored(cases, answers, metrics, systems, progress)


def _scored(
    cases: Cases,
    answers: Answers,
    metrics: Mapping[str, BoundMetric],
    systems: Sequence[str] | None,
    progress: Progress | None,
) -> ScoreTable:
    whole = [n for n, m in metrics.items() if m.declaration.level is not Level.ANSWER]
    if whole:
        must = "be metrics of single answers"
        raise InvalidInput(
            [Problem("metrics", must, f'"{name}", of whole systems') for name in whole]
        )
    chosen = answers.systems if systems is None else tuple(dict.fromkeys(systems))
    # All answers to a case side by side: its references are counted once.
    pairs = [(c, a) for c in cases for s in chosen for a in answers.samples(s, c.case)]
    rows = [*_given(metrics, pairs, progress)]
    for name, metric in metrics.items():
        rows += [
            (system, case.case, name, metric.score_no_answer(case))
            for case in cases
            for system in chosen
            if answers.lacks(system, case.case)
        ]
    return ScoreTable.from_rows(rows)


def _resolved(metric: str | BoundMetric) -> BoundMetric:
    return resolve(metric) if isinstance(metric, str) else metric


def _given(
    metrics: Mapping[str, BoundMetric], pairs: Sequence[Pair], progress: Progress | None
) -> Iterator[tuple[str, str, str, Score | Unscored]]:
    for start in range(0, len(pairs), _BATCH):
        batch = Batch(pairs[start : start + _BATCH])  # what metrics share is read once
        for name, metric in metrics.items():
            for (case, answer), score_or_reason in zip(
                batch, metric.score_batch(batch), strict=True
            ):
                yield answer.system, case.case, name, score_or_reason
            if progress is not None:
                progress(name, start + len(batch), len(pairs))


def reference_corpora(cases: Iterable[Case]) -> Mapping[str, Sequence[str]]:
    """Give every reference once a case, in the order of the cases, by what `ref=` calls it.

    Example:
        >>> cases = [Case(case="1", references=[{"text": "Rest."}, {"text": "Sleep."}])]
        >>> reference_corpora(cases)["human"]
        ('Rest.', 'Sleep.')
    """
    return _Corpora(cases)


class _Corpora(Mapping[str, Sequence[str]]):
    """Collected when asked for: few metrics do."""

    def __init__(self, cases: Iterable[Case]) -> None:
        self._cases = cases

    def __getitem__(self, kind: str) -> Sequence[str]:
        if kind not in _KINDS:
            raise KeyError(kind)
        return self._texts[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(_KINDS)

    def __len__(self) -> int:
        return len(_KINDS)

    @cached_property
    def _texts(self) -> dict[str, Sequence[str]]:
        return {
            kind: tuple(text for case in self._cases for text in references(case, kind))
            for kind in _KINDS
        }
