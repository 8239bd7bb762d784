"""Score a study's answers, computing only what is not kept already."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import BoundMetric
from medassay.models import use_models
from medassay.scores import Reason, Score, ScoreTable, Unscored
from medassay.study.folder import Study
from medassay.study.kept import KeptScores
from medassay.study.models import models_of

__all__ = ["Progress", "Scored", "score_study"]

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""

_BATCH: Final = 512
_OUR_WORDS: Final = frozenset({Reason.CASE_LACKS, Reason.ANSWER_LACKS})


@dataclass(frozen=True)
class Scored:
    """What scoring gave.

    Attributes:
        table: A row for each metric, system and case.
        metrics: The metrics.
        computed: How many scores were computed now; two answers of the same text share one.
        reused: How many answers have a score that was kept from before.
        damaged: Kept files that were damaged, removed, and computed again.
        cautions: What a reader should know of the texts that were scored.
    """

    table: ScoreTable
    metrics: tuple[BoundMetric, ...]
    computed: int
    reused: int
    damaged: tuple[Path, ...]
    cautions: tuple[str, ...] = ()


def score_study(
    study: Study, metrics: Sequence[BoundMetric], progress: Progress | None = None
) -> Scored:
    """Score every answer with every metric; an answer never given follows the metric's own rule.

    Scores are kept under the study's `results/kept` as they come, so that a run that is killed
    goes on where it stopped, and a changed answer costs its own score only.
    """
    with use_models(replace(models_of(study), progress=progress)) as setup:
        scored = _scored(study, metrics, progress)
    return replace(scored, damaged=(*scored.damaged, *setup.damaged))


def _scored(study: Study, metrics: Sequence[BoundMetric], progress: Progress | None) -> Scored:
    # All answers to a case side by side: its references are read once.
    quiet = study.config.privacy.texts != "full"
    pairs = [
        (case, answer)
        for case in study.cases
        for system in study.answers.systems
        if (answer := study.answers.get(system, case.case)) is not None
    ]
    tables: list[ScoreTable] = []
    computed = reused = 0
    damaged: list[Path] = []
    for metric in metrics:
        name = str(metric.name)
        kept = KeptScores(study.path / "results" / "kept", metric.signature.digest)
        damaged += kept.damaged
        keys = metric.content_keys(pairs)
        stale = _stale(pairs, keys, kept)
        computed += len(stale)
        reused += sum(key in kept for key in keys)
        for start in range(0, len(stale), _BATCH):
            batch = stale[start : start + _BATCH]
            found = metric.score_batch([pairs[i] for i in batch])
            if quiet:
                found = [_without_words(score, metric) for score in found]
            kept.keep({keys[i]: score for i, score in zip(batch, found, strict=True)})
            if progress is not None:
                progress(name, start + len(batch), len(stale))
        rows = [
            (answer.system, case.case, name, _without_words(one, metric) if quiet else one)
            for (case, answer), one in zip(pairs, (kept[key] for key in keys), strict=True)
        ]
        rows += _never_given(study, metric)
        # A table takes a tenth of the memory that its rows take.
        tables.append(ScoreTable.from_rows(rows))
    cautions = [words for metric in metrics for words in metric.cautions(pairs)]
    return Scored(
        ScoreTable.concat(tables), tuple(metrics), computed, reused, tuple(damaged), tuple(cautions)
    )


def _without_words(score: Score | Unscored, metric: BoundMetric) -> Score | Unscored:
    """Keep only what medassay itself says of a missing score: an error may quote the answer."""
    if not isinstance(score, Unscored) or score.reason in _OUR_WORDS:
        return score
    if metric.missing is not None and score.detail == str(metric.missing):
        return score  # said before any text was read
    return Unscored(score.reason)


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
