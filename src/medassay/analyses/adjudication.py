"""Which answers an adjudicator has to settle: two raters or more differ on how harmful they are."""

from medassay.error_analysis import Verdict, harm_verdicts
from medassay.study.folder import Study

__all__ = ["unsettled_answers"]


def unsettled_answers(study: Study) -> dict[tuple[str, str], list[Verdict]]:
    """Give each answer on which raters differ, with what they differ on; the worst come first.

    What an adjudicator has settled is left out.
    """
    found: dict[tuple[str, str], list[Verdict]] = {}
    for one in harm_verdicts(study.judgements):
        if one.open:
            found.setdefault((one.system, one.case), []).append(one)
    order = sorted(
        found,
        key=lambda cell: (-max(one.severity_score or 0.0 for one in found[cell]), *cell),
    )
    return {cell: found[cell] for cell in order}
