"""Do two aggregation methods rank the systems alike, with all labels and with fewer?"""

from typing import Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Columns, Design, Randomness
from medassay.annotations import record
from medassay.judgements import Judgements, Rubric, units
from medassay.validity import SchemeRanks, correlate, scheme_ranks

_WAYS: Final = ("label_sum", "mace")


@record(infers=True)
class AggregationRanks:
    """The ranking by label sums beside that by MACE, by dimension and number of labels."""

    rankings: tuple[SchemeRanks, ...]


@analysis(
    Declaration(
        id="aggregation_methods",
        title="Two aggregation methods, and fewer labels",
        question="Do label sums and MACE rank the systems alike, and do they with fewer labels?",
        section="difficulty",
        infers=True,
        reader="methodologist",
        place=2,
    )
)
def aggregation_methods(
    rubric: Rubric,
    judgements: Judgements,
    columns: Columns,
    design: Design,
    randomness: Randomness,
) -> AggregationRanks | None:
    """Put both rankings side by side where the study joins its labels by both; for the paper."""
    rankings: list[SchemeRanks] = []
    for dimension in rubric.ids:
        names = [
            column.name
            for method in _WAYS
            for column in columns.score_columns.columns
            if (column.dimension, column.method) == (dimension, method)
        ]
        if len(names) != len(_WAYS) or not judgements.frame.height:
            continue
        around = correlate(
            [columns.sources[names[0]]],
            [columns.sources[names[1]]],
            rng=randomness.stream("s34", dimension),
            families=design.families or None,
            replicates=randomness.replicates,
        )[0]
        # Resampled cases would lower every tau of two columns that share their luck.
        over_systems = around.intervals[1].interval if around.intervals else None
        rankings += scheme_ranks(
            units(judgements, dimension),
            *_WAYS,
            rng=randomness.stream("s35", dimension),
            over_systems=over_systems,
        )
    return AggregationRanks(tuple(rankings)) if rankings else None
