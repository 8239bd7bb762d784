"""Shares of bad answers corrected for the errors of who flags them, computed and laid out."""

import numpy as np

from medassay.analyses.all_cases import AllCases
from medassay.analyses.bad_answers import nearer_to_worst, targets_of
from medassay.judgements import HARM_READINGS, units
from medassay.scores import Grid
from medassay.study.folder import Study
from medassay.validity import Flag, JudgedShare, Source, Target, judged_shares

__all__ = ["judged_shares_of"]


def judged_shares_of(study: Study, held: AllCases) -> tuple[JudgedShare, ...]:
    """Correct what thresholded metrics and model judges say of each system's share of bad answers.

    A judge whose labels count as people's is no flag: it would be held against itself.
    """
    if not held.joined:
        return ()
    targets = targets_of(study, held.joined, held.columns)
    metrics = [
        _of_metric(held.sources[name], limit)
        for name, limit in sorted(study.config.validity.thresholds.items())
        if name in held.sources
    ]
    shares = judged_shares(
        targets,
        {(t.dimension, t.kind): [*metrics, *_of_judges(study, t)] for t in targets},
        clusters=held.clusters,
    )
    return tuple(shares)


def _of_metric(source: Source, limit: float) -> Flag:
    grid = source.grid
    fails = source.sign * grid.values < source.sign * limit
    values = np.where(grid.known & fails, 1.0, 0.0)
    return Flag(source.name, "metric", Grid(grid.systems, grid.cases, values, grid.known))


def _of_judges(study: Study, target: Target) -> list[Flag]:
    """Read what each judge calls bad by the same rule as what people call so."""
    import polars as pl

    dimension = study.rubric.dimension(target.dimension)
    scores = sorted(set(dimension.scores or ()))
    flags = []
    for judge in study.judges.raters:
        if study.counts(judge, dimension.id):
            continue
        frame = study.everyone.frame.filter(pl.col("rater") == judge)
        judgements = study.everyone.of_rows(frame)
        harm = target.kind in HARM_READINGS
        read = units(judgements, dimension.id, target.kind if harm else "full")
        counts = read.counts
        total = counts.sum(axis=1)
        if harm:
            share = counts[:, read.labels.index(target.kind)] / np.maximum(total, 1)
            bad = 2 * share >= 1
        else:
            of_label = dict(zip(dimension.names, dimension.scores or (), strict=True))
            worth = np.array([of_label[label] for label in read.labels])
            means = counts @ worth / np.maximum(total, 1)
            bad = nearer_to_worst(means, scores, dimension.better)
        of = {pair: float(bad[unit]) for pair, unit in read.worst(bad).items()}
        grid = target.grid
        cells = np.array([[of.get((s, c), -1.0) for c in grid.cases] for s in grid.systems])
        cells = cells.reshape(grid.values.shape)
        known = cells >= 0
        values = np.where(known, cells, 0.0)
        flags.append(Flag(judge, "judge", Grid(grid.systems, grid.cases, values, known)))
    return [flag for flag in flags if flag.grid.known.any()]
