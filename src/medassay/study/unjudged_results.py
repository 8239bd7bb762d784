"""What the answers that nobody judged do to the ranking, computed and laid out."""

from dataclasses import asdict

import numpy as np

from medassay.study.analysis import Gathered, scale_ends
from medassay.study.folder import Study
from medassay.study.human_results import all_sources, leading_columns
from medassay.study.unjudged_models import UnjudgedResult
from medassay.validity import unjudged_ranks
from medassay.validity.source import in_canonical_order

__all__ = ["unjudged_results"]


def unjudged_results(study: Study, gathered: Gathered) -> list[UnjudgedResult]:
    """Rank by three rules where some answers lack a judgement, on all cases.

    Where half of the answers or more lack one, judgements are a sample: nobody would count the rest
    as wrong, and the human scores say what the sample is worth.
    """
    joined = leading_columns(study, gathered)
    if not joined:
        return []
    sources = all_sources(study, gathered)
    found = []
    for column in joined:
        dimension = column.dimension or ""
        ends = scale_ends(study, dimension, column.method)
        if ends is None:
            continue
        source = sources[column.name]
        grid = in_canonical_order(source.grid)
        given = np.array(
            [
                [not len(study.answers) or study.answers.get(s, c) is not None for c in grid.cases]
                for s in grid.systems
            ],
            dtype=np.bool_,
        ).reshape(grid.known.shape)
        lacking = int((given & ~grid.known).sum())
        if not 0 < 2 * lacking < int((given | grid.known).sum()):
            continue
        found += [
            UnjudgedResult(dimension=dimension, moves=one.moves, **asdict(one))
            for one in unjudged_ranks(source, given, ends[1 if column.direction == "lower" else 0])
        ]
    return found
