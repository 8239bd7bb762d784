"""How hard each ranking case is, by what the raters jointly say of its answers."""

from typing import Final

from medassay.analyses.inputs.readable import Columns, Randomness
from medassay.judgements import Judgements, Rubric, units
from medassay.stats.kendall import side_by_side
from medassay.validity import Difficulty, Source, case_difficulty

__all__ = ["difficulty_of"]

_SUM: Final = "label_sum"
_MEAN: Final = "mean"


def difficulty_of(
    rubric: Rubric, judgements: Judgements, columns: Columns, randomness: Randomness
) -> tuple[Difficulty, ...]:
    """Say how hard each ranking case is by each dimension.

    By the label sum where the study has it and every answer has as many labels; else by the mean.
    """
    asked: list[tuple[Source, tuple[float, float]]] = []
    for dimension in rubric.dimensions:
        # A case whose answers do harm is not for that a case that is hard to answer.
        if dimension.ends is None or dimension.better == "lower":
            continue
        low, high = map(float, dimension.ends)
        chosen = _choose(judgements, columns, dimension.id)
        if chosen is not None:
            source, labels = chosen
            asked.append((source, (low * labels, high * labels)))

    def difficulty(of: tuple[Source, tuple[float, float]]) -> Difficulty:
        source, scale = of
        rng = randomness.stream("s33", str(source.name))
        return case_difficulty(source, scale, rng=rng, replicates=randomness.replicates)

    return tuple(side_by_side(difficulty, asked))


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
