"""How hard the cases are, and whether two ways of joining labels rank systems alike."""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.analyses.gathered import Column, Gathered, sources_of, step_rng
from medassay.judgements import units
from medassay.study.folder import Study
from medassay.validity import (
    Difficulty,
    SchemeRanks,
    Source,
    case_difficulty,
    correlate,
    scheme_ranks,
)

__all__ = ["difficulty_results", "scheme_ranks_results"]

_SUM: Final = "label_sum"
_MEAN: Final = "mean"
_MACE: Final = "mace"


def difficulty_results(study: Study, gathered: Gathered) -> list[Difficulty]:
    """Say how hard each ranking case is by each dimension.

    By the label sum where the study has it and every answer has as many labels; else by the mean.
    """
    sources = sources_of(study, gathered)
    found = []
    for dimension in study.rubric.dimensions:
        # A case whose answers do harm is not for that a case that is hard to answer.
        if dimension.scores is None or dimension.better == "lower":
            continue
        low, high = float(min(dimension.scores)), float(max(dimension.scores))
        chosen = _choose(study, gathered.columns, sources, dimension.id)
        if chosen is None:
            continue
        source, labels = chosen
        found.append(
            case_difficulty(
                source,
                (low * labels, high * labels),
                rng=step_rng(study, "s33", str(source.name)),
                replicates=study.config.run.replicates,
            )
        )
    return found


def scheme_ranks_results(study: Study, gathered: Gathered) -> list[SchemeRanks]:
    """Put the ranking by label sums beside that by MACE, where the study joins labels by both."""
    sources = sources_of(study, gathered)
    found = []
    for dimension in study.rubric.ids:
        names = [
            column.name
            for method in (_SUM, _MACE)
            for column in gathered.columns
            if (column.dimension, column.method) == (dimension, method)
        ]
        if len(names) != len((_SUM, _MACE)) or not study.judgements.frame.height:
            continue
        read = units(study.judgements, dimension)
        around = correlate(
            [sources[names[0]]],
            [sources[names[1]]],
            rng=step_rng(study, "s34", dimension),
            families=study.families or None,
            replicates=study.config.run.replicates,
        )[0]
        # Resampled cases would lower every tau of two columns that share their luck.
        over_systems = around.intervals[1].interval if around.intervals else None
        found += scheme_ranks(
            read, _SUM, _MACE, rng=step_rng(study, "s35", dimension), over_systems=over_systems
        )
    return found


def _choose(
    study: Study, columns: Sequence[Column], sources: Mapping[str, Source], dimension: str
) -> tuple[Source, int] | None:
    """Choose the column, and how many labels of an answer it adds up."""
    own = {
        column.method: sources[column.name] for column in columns if column.dimension == dimension
    }
    if _SUM in own and own[_SUM].grid.known.any():
        sizes = set(units(study.judgements, dimension).counts.sum(axis=1).tolist()) - {0}
        if len(sizes) == 1:
            return own[_SUM], int(sizes.pop())
    return (own[_MEAN], 1) if _MEAN in own else None
