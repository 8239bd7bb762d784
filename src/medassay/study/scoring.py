"""Score a study's answers, computing only what is not kept already."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import InvalidInput, MedassayError, Problem
from medassay.metrics import BoundMetric, Level, resolve
from medassay.scores import Score, ScoreTable, Unscored
from medassay.study.folder import Study
from medassay.study.kept import KeptScores

__all__ = ["Progress", "Scored", "resolve_metrics", "score_study"]

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""

_BATCH: Final = 512


@dataclass(frozen=True)
class Scored:
    """What scoring gave.

    Attributes:
        table: A row for each metric, system and case.
        metrics: The metrics.
        computed: How many scores were computed now.
        reused: How many were kept from before.
        damaged: Kept files that were damaged, removed, and computed again.
    """

    table: ScoreTable
    metrics: tuple[BoundMetric, ...]
    computed: int
    reused: int
    damaged: tuple[Path, ...]


def resolve_metrics(names: Sequence[str], file: str = "study.toml") -> tuple[BoundMetric, ...]:
    """Resolve metrics by name; every wrong name is reported at once.

    Raises:
        InvalidInput: A name is unknown, lacks a parameter, or means what another one means.
    """
    found: dict[str, BoundMetric] = {}
    problems = []
    for name in names:
        try:
            metric = resolve(name)
        except InvalidInput as error:
            problems += [
                Problem(file, one.must, one.got, one.try_, None, f"metrics, {name}")
                for one in error.problems
            ]
            continue
        except MedassayError as error:
            problems.append(
                Problem(file, "name a metric", f'"{name}"', str(error), None, "metrics")
            )
            continue
        if metric.declaration.level is not Level.ANSWER:
            must = "name metrics of single answers"
            problems.append(Problem(file, must, f'"{name}"', "", None, "metrics"))
        found.setdefault(str(metric.name), metric)
    if problems:
        raise InvalidInput(problems)
    return tuple(found.values())


def score_study(
    study: Study, metrics: Sequence[BoundMetric], progress: Progress | None = None
) -> Scored:
    """Score every answer with every metric; an answer never given follows the metric's own rule.

    Scores are kept under the study's `results/kept` as they come, so that a run that is killed
    goes on where it stopped, and a changed answer costs its own score only.
    """
    # All answers to a case side by side: its references are read once.
    pairs = [
        (case, answer)
        for case in study.cases
        for system in study.answers.systems
        if (answer := study.answers.get(system, case.case)) is not None
    ]
    rows: list[tuple[str, str, str, Score | Unscored]] = []
    computed = 0
    damaged: list[Path] = []
    for metric in metrics:
        name = str(metric.name)
        kept = KeptScores(study.path / "results" / "kept", metric.signature.digest)
        damaged += kept.damaged
        keys = metric.content_keys(pairs)
        stale = _stale(pairs, keys, kept)
        computed += len(stale)
        for start in range(0, len(stale), _BATCH):
            batch = stale[start : start + _BATCH]
            found = metric.score_batch([pairs[i] for i in batch])
            kept.keep({keys[i]: score for i, score in zip(batch, found, strict=True)})
            if progress is not None:
                progress(name, start + len(batch), len(stale))
        rows += [
            (answer.system, case.case, name, kept[key])
            for (case, answer), key in zip(pairs, keys, strict=True)
        ]
        rows += _never_given(study, metric)
    table = ScoreTable.from_rows(rows)
    reused = len(pairs) * len(metrics) - computed
    return Scored(table, tuple(metrics), computed, reused, tuple(damaged))


def _stale(
    pairs: Sequence[tuple[Case, Answer]], keys: Sequence[str], kept: KeptScores
) -> list[int]:
    """Give the first place of each content that has no kept score."""
    first: dict[str, int] = {}
    for i in range(len(pairs)):
        if keys[i] not in kept:
            first.setdefault(keys[i], i)
    return list(first.values())


def _never_given(study: Study, metric: BoundMetric) -> list[tuple[str, str, str, Score | Unscored]]:
    name = str(metric.name)
    return [
        (system, case.case, name, metric.score_no_answer(case, system))
        for case in study.cases
        for system in study.answers.systems
        if study.answers.get(system, case.case) is None
    ]
