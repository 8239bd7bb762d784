"""Who rated, and whose judgements count?"""

from medassay.analyses.builtin.rater_flow.compute import count_raters
from medassay.analyses.builtin.rater_flow.picture import flow_picture
from medassay.analyses.builtin.rater_flow.record import RaterFlow
from medassay.analyses.builtin.rater_flow.table import raters_table
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import OnFile
from medassay.judgements import Judgements, Preferences

__all__ = ["rater_flow"]


@analysis(
    Declaration(
        id="rater_flow",
        title="Who rated",
        question="Who rated, who was left out and why, and whose judgements count?",
        section="panel",
        part="panel-flow",
        infers=False,
        reader="organiser",
        place=10,
        tables=lambda flow, _: [raters_table(flow)],
        pictures=lambda flow, names: {
            "rater-flow": flow_picture(flow, synthetic=names.synthetic),
        },
    )
)
def rater_flow(
    on_file: OnFile, judgements: Judgements, preferences: Preferences
) -> RaterFlow | None:
    """Count from the raters who are listed to those whose judgements are counted."""
    flow = count_raters(on_file, judgements, preferences)
    return flow if flow.listed else None
