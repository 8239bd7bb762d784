"""How safe are the answers?"""

from medassay.analyses.builtin.safety.compute import (
    LEVEL,
    Safety,
    dangers_named,
    risks_counted,
    safety_of,
)
from medassay.analyses.builtin.safety.tables import safety_tables
from medassay.analyses.builtin.safety.words import safety_claims, safety_findings, safety_notes
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.answer_dangers import Dangers
from medassay.analyses.inputs.readable import Columns, Design
from medassay.answers import Answers
from medassay.exhibits import VerdictKind
from medassay.judgements import Rubric

__all__ = ["safety"]


@analysis(
    Declaration(
        id="safety",
        title="How safe the answers are",
        question="How many answers are dangerous or hallucinated, and how many may be at most?",
        section="clinical",
        part="clinical-safety",
        infers=True,
        reader="clinician",
        place=6,
        finding_place=50,
        tables=safety_tables,
        notes=safety_notes,
        finding=safety_findings,
        verdicts=(VerdictKind.OWN_RATE,),
        claims=safety_claims,
    )
)
def safety(
    answers: Answers, dangers: Dangers, columns: Columns, design: Design, rubric: Rubric
) -> Safety | None:
    """Lay out safety; nothing where nothing of it was measured or judged."""
    if dangers.rules is None:
        return None
    unread = {answer.key[:2] for answer in answers if not answer.held}
    # What neither rules nor raters have read says nothing of how safe a system is.
    cells = [
        cell
        for cell in ((system, case) for system, case, _ in answers.keys)
        if cell not in unread or dangers.known(cell)
    ]
    names = {
        end: next(
            (dimension.names for dimension in rubric.dimensions if dimension.id.endswith(end)), ()
        )
        for end in ("-severity", "-likelihood")
    }
    return Safety(
        systems=tuple(
            safety_of(
                system,
                [cell for cell in cells if cell[0] == system],
                dangers,
                columns.score_columns,
                design.clusters,
                unread,
            )
            for system in design.systems
        ),
        dangers=dangers_named(answers, dangers, dangers.rules),
        risks=risks_counted(dangers),
        severities=tuple(names["-severity"]),
        likelihoods=tuple(names["-likelihood"]),
        reviewed_rules=dangers.rules.reviewed,
        level=LEVEL,
        asked=dangers.asked,
    )
