"""Who is ahead of whom, by each column of scores?"""

from dataclasses import replace

from medassay.analyses.builtin.leaderboards.tables import leaderboard_picture, leaderboard_tables
from medassay.analyses.builtin.leaderboards.words import (
    apart_by_harm,
    leaderboards_in,
    leaders_claims,
    leaders_finding,
    ordered,
    smallest_p,
)
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.analyses.inputs.system_harm import HarmFound
from medassay.exhibits import VerdictKind

__all__ = ["leaderboards", "leaderboards_in", "ordered"]


@analysis(
    Declaration(
        id="leaderboards",
        title="Leaderboard",
        question="Which system is ahead of which, by how much, and what is undecided?",
        section="leaders",
        part="leaderboards",
        infers=False,
        shown_in="compared",
        reader="organiser",
        place=2,
        tables=leaderboard_tables,
        pictures=leaderboard_picture,
        finding=leaders_finding,
        verdicts=tuple(VerdictKind),
        claims=leaders_claims,
        finding_place=20,
    )
)
def leaderboards(ranked: Leaderboards, harm: HarmFound) -> Leaderboards:
    """Give each system's place by each column, and each pair of systems compared."""
    return replace(ranked, apart_by_harm=apart_by_harm(harm), harm_p=smallest_p(harm))
