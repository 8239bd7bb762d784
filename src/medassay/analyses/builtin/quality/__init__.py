"""What does each way of joining labels make of each rater?"""

from medassay.analyses.builtin.quality.table import quality_table
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.consensus_fits import Fitted
from medassay.analyses.results.records import Records
from medassay.consensus import RaterQuality, rater_qualities
from medassay.marks import record

__all__ = ["RaterQualities", "qualities_in", "quality"]


@record(infers=True)
class RaterQualities:
    """Each rater under each way of joining labels, by dimension."""

    raters: tuple[RaterQuality, ...]


@analysis(
    Declaration(
        id="quality",
        title="What each consensus makes of each rater",
        question="How far does each way of joining labels trust each rater?",
        section="panel",
        part="panel-consensus",
        infers=True,
        reader="organiser",
        place=29,
        tables=lambda qualities, names: [quality_table(qualities.raters, names)],
    )
)
def quality(fitted: Fitted) -> RaterQualities | None:
    """Lay out what the fitted ways say of the raters."""
    qualities = tuple(rater_qualities(fitted.ways))
    return RaterQualities(qualities) if qualities else None


def qualities_in(records: Records) -> tuple[RaterQuality, ...]:
    """Give what a run says of the raters; nothing where it was not asked."""
    qualities = records.of(quality)
    return qualities.raters if qualities else ()
