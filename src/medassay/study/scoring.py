"""Score a study's answers, computing only what is not kept already."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Final

from medassay.metrics import BoundMetric, Contents, Need, Pair
from medassay.models import forget_revealing, use_models
from medassay.scores import Reason, Score, ScoreTable, Unscored
from medassay.study.folder import Study
from medassay.study.kept import KeptScores
from medassay.study.models import models_of

__all__ = ["Progress", "Scored", "score_study"]

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""

_BATCH: Final = 512
_MOST_IN_BATCH: Final = 2_048  # larger ones hold the words of too many answers at once
_QUICK: Final = 2.0  # seconds for a batch
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
    goes on where it stopped, and a changed answer costs its own score only. What was kept while
    texts could be, and reveals them, is removed where `[privacy]` no longer allows it.
    """
    with use_models(replace(models_of(study), progress=progress)) as setup:
        if setup.keep_in is not None and not setup.keep_texts:
            forget_revealing(setup.keep_in)
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
    folder, contents = study.path / "results" / "kept", Contents(pairs)
    for group in _reading_the_same(metrics):
        works = [
            _Work(metric, KeptScores(folder, metric.signature.digest), contents) for metric in group
        ]
        _compute(pairs, works, progress, quiet=quiet)
        for work in works:
            damaged += work.kept.damaged
            computed += work.computed
            reused += work.reused
            rows = [
                (
                    answer.system,
                    case.case,
                    work.name,
                    _without_words(one, work.metric) if quiet else one,
                )
                for (case, answer), one in zip(
                    pairs, (work.kept[key] for key in work.keys), strict=True
                )
            ]
            rows += _never_given(study, work.metric)
            # A table takes a tenth of the memory that its rows take.
            tables.append(ScoreTable.from_rows(rows))
    cautions = [words for metric in metrics for words in metric.cautions(pairs)]
    return Scored(
        ScoreTable.concat(tables), tuple(metrics), computed, reused, tuple(damaged), tuple(cautions)
    )


class _Work:
    """What one metric has to score: `stale` are the places without a kept score, in order."""

    def __init__(self, metric: BoundMetric, kept: KeptScores, contents: Contents) -> None:
        self.metric, self.kept, self.name = metric, kept, str(metric.name)
        self.keys = metric.content_keys(contents)
        self.stale = _stale(self.keys, kept)
        self.computed = len(self.stale)
        self.reused = sum(key in kept for key in self.keys)


def _reading_the_same(metrics: Sequence[BoundMetric]) -> list[list[BoundMetric]]:
    """Put metrics that read the same side by side: they share what they find in a batch."""
    groups: dict[tuple[Need, ...], list[BoundMetric]] = {}
    for metric in metrics:
        groups.setdefault(metric.needs, []).append(metric)
    return list(groups.values())


def _compute(
    pairs: Sequence[Pair], works: Sequence[_Work], progress: Progress | None, *, quiet: bool
) -> None:
    most = max(work.computed for work in works)
    start, size = 0, _BATCH
    while start < most:
        begun = monotonic()
        for work in works:
            places = work.stale[start : start + size]
            if not places:
                continue
            found = work.metric.score_batch([pairs[i] for i in places])
            if quiet:
                found = [_without_words(score, work.metric) for score in found]
            work.kept.keep({work.keys[i]: score for i, score in zip(places, found, strict=True)})
            if progress is not None:
                progress(work.name, start + len(places), work.computed)
        start += size
        if monotonic() - begun < _QUICK:
            size = min(2 * size, _MOST_IN_BATCH)  # fewer files; a killed run loses seconds


def _without_words(score: Score | Unscored, metric: BoundMetric) -> Score | Unscored:
    """Keep only what medassay itself says of a missing score: an error may quote the answer."""
    if not isinstance(score, Unscored) or score.reason in _OUR_WORDS:
        return score
    if metric.missing is not None and score.detail == str(metric.missing):
        return score  # said before any text was read
    return Unscored(score.reason)


def _stale(keys: Sequence[str], kept: KeptScores) -> list[int]:
    """Give the first place of each content that has no kept score."""
    first: dict[str, int] = {}
    for i, key in enumerate(keys):
        if key not in kept:
            first.setdefault(key, i)
    return list(first.values())


def _never_given(study: Study, metric: BoundMetric) -> list[tuple[str, str, str, Score | Unscored]]:
    name = str(metric.name)
    return [
        (system, case.case, name, metric.score_no_answer(case, system))
        for case in study.cases
        for system in study.answers.systems
        if study.answers.get(system, case.case) is None
    ]
