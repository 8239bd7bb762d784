"""Could labels that are missing turn who is ahead, or who gave more harmful answers?"""

from medassay.analyses.builtin.tipping.compute import harm_turned, lead_turned
from medassay.analyses.builtin.tipping.record import TippingPoint
from medassay.analyses.builtin.tipping.words import harm_words, lead_words
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_all_cases import AllCases
from medassay.analyses.inputs.readable import Columns, Leading
from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.analyses.inputs.system_harm import HarmFound

__all__ = ["tipping_harm", "tipping_lead"]


@analysis(
    Declaration(
        id="tipping_lead",
        title="Whether missing ratings could turn the lead",
        question="How many unjudged answers would have to go against the leader?",
        section="leaders",
        part="leaderboards",
        infers=False,
        shown_in="compared",
        reader="methodologist",
        place=98,
        finding=lead_words,
        finding_place=21,
    )
)
def tipping_lead(ranked: Leaderboards, columns: Columns, leading: Leading) -> TippingPoint | None:
    """Count the unjudged answers that could turn the first place; None where none could."""
    return lead_turned(ranked, columns, leading)


@analysis(
    Declaration(
        id="tipping_harm",
        title="Whether missing ratings could turn who gave more harmful answers",
        question="How many unjudged answers would have to be harmful, or harmless, to turn it?",
        section="ratings",
        part="ratings-given",
        infers=False,
        shown_in="compared",
        reader="methodologist",
        place=99,
        finding=harm_words,
    )
)
def tipping_harm(harm: HarmFound, every: AllCases) -> tuple[TippingPoint, ...]:
    """Count the unjudged answers that could turn which system was most often harmful."""
    return harm_turned(harm, every)
