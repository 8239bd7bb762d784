"""Which answers an adjudicator has to settle: two raters or more differ on how harmful they are."""

from medassay.error_analysis import ErrorVerdict, harm_verdicts
from medassay.scores import Unit
from medassay.study.folder import Study

__all__ = ["unsettled_answers"]


def unsettled_answers(study: Study) -> dict[Unit, list[ErrorVerdict]]:
    """Give each answer on which raters differ, with what they differ on; the worst come first.

    What an adjudicator has settled is left out.
    """
    by_answer: dict[Unit, list[ErrorVerdict]] = {}
    for harm_verdict in harm_verdicts(study.judgements):
        if harm_verdict.open:
            unit = Unit(harm_verdict.system, harm_verdict.case, harm_verdict.sample)
            by_answer.setdefault(unit, []).append(harm_verdict)
    order = sorted(
        by_answer,
        key=lambda cell: (
            -max(verdict.severity_score or 0.0 for verdict in by_answer[cell]),
            *cell,
        ),
    )
    return {cell: by_answer[cell] for cell in order}
