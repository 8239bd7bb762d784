"""Does each system reach what the study wants it to?"""

from medassay.analyses.builtin.targets.compute import intervals_together, reached
from medassay.analyses.builtin.targets.record import Target
from medassay.analyses.builtin.targets.tables import targets_table
from medassay.analyses.builtin.targets.words import targets_claims, targets_finding
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Columns, Design, Randomness, Rules
from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.analyses.results import SourceResult
from medassay.exhibits import VerdictKind
from medassay.stats import Interval

__all__ = ["targets"]


@analysis(
    Declaration(
        id="targets",
        title="Targets",
        question="Which of its own targets does the study reach, and by which systems?",
        section="leaders",
        part="leaderboards",
        infers=True,
        reader="developer",
        place=1,
        tables=lambda record, names: [targets_table(record, names)],
        finding=targets_finding,
        verdicts=(VerdictKind.CLAIM,),
        claims=lambda record, _: targets_claims(record),
        finding_place=30,
    )
)
def targets(
    rules: Rules,
    columns: Columns,
    sources: tuple[SourceResult, ...],
    ranked: Leaderboards,
    design: Design,
    randomness: Randomness,
) -> tuple[Target, ...]:
    """Hold each system's mean against each target; whether it is reached its interval says."""
    ends = {
        source.name: (source.low, source.high)
        for source in sources
        if source.low is not None and source.high is not None
    }

    def together(column: str) -> dict[str, Interval | None]:
        return intervals_together(
            columns.sources[column],
            ranked.by(column),
            design.clusters,
            ends.get(column),
            rng=randomness.stream("s66", column),
        )

    return tuple(
        reached(rules.targets, columns.score_columns.columns, ends, ranked.standings, together)
    )
