"""How hard each ranking case is, by what the raters jointly say of its answers."""

from collections.abc import Callable
from functools import partial
from typing import Final

from medassay.analyses.inputs import Columns, Randomness
from medassay.judgements import Judgements, Rubric, units
from medassay.study.processes import parallel_map, usable_processes
from medassay.validity import Difficulty, Source, case_difficulty

__all__ = ["difficulty_of"]

_SUM: Final = "label_sum"
_MEAN: Final = "mean"
_WORTH_SHARING: Final = 1_000_000
"""Scores to be drawn that take longer than to copy the process: a tenth of a second."""


def difficulty_of(
    rubric: Rubric, judgements: Judgements, columns: Columns, randomness: Randomness
) -> tuple[Difficulty, ...]:
    """Say how hard each ranking case is by each dimension.

    By the label sum where the study has it and every answer has as many labels; else by the mean.
    """
    tasks = []
    for dimension in rubric.dimensions:
        # A case whose answers do harm is not for that a case that is hard to answer.
        if dimension.ends is None or dimension.better == "lower":
            continue
        low, high = map(float, dimension.ends)
        chosen = _choose(judgements, columns, dimension.id)
        if chosen is None:
            continue
        source, labels = chosen
        rng = randomness.stream("s33", str(source.name))
        tasks.append(partial(case_difficulty, source, (low * labels, high * labels), rng=rng))
    cells = sum(task.args[0].grid.known.size for task in tasks) * randomness.replicates
    processes = min(usable_processes(), len(tasks)) if cells > _WORTH_SHARING else 1

    def run(task: Callable[..., Difficulty]) -> Difficulty:
        return task(replicates=randomness.replicates)

    return tuple(parallel_map(run, tasks, processes))


def _choose(judgements: Judgements, columns: Columns, dimension: str) -> tuple[Source, int] | None:
    """Choose the column, and how many labels of an answer it adds up."""
    own = {
        column.method: columns.sources[column.name]
        for column in columns.score_columns.columns
        if column.dimension == dimension
    }
    if _SUM in own and own[_SUM].grid.known.any():
        sizes = set(units(judgements, dimension).counts.sum(axis=1).tolist()) - {0}
        if len(sizes) == 1:
            return own[_SUM], int(sizes.pop())
    return (own[_MEAN], 1) if _MEAN in own else None
