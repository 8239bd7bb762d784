"""Does each system reach what the study wants it to?"""

from medassay.analyses.builtin.targets.compute import reached
from medassay.analyses.builtin.targets.record import Target
from medassay.analyses.builtin.targets.tables import targets_table
from medassay.analyses.builtin.targets.words import targets_finding
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs import Columns, Rules
from medassay.analyses.leaderboards import Leaderboards
from medassay.analyses.results import SourceResult

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
        finding_place=30,
    )
)
def targets(
    rules: Rules, columns: Columns, sources: tuple[SourceResult, ...], ranked: Leaderboards
) -> tuple[Target, ...]:
    """Hold each system's mean against each target; whether it is reached its interval says."""
    spans = {
        source.name: source.high - source.low
        for source in sources
        if source.low is not None and source.high is not None
    }
    return tuple(reached(rules.targets, columns.score_columns.columns, spans, ranked.standings))
