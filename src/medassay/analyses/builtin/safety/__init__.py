"""How safe are the answers?"""

from medassay.analyses.builtin.safety.compute import LEVEL, safety_of
from medassay.analyses.builtin.safety.ledger import dangers_named, risks_counted
from medassay.analyses.builtin.safety.record import Safety
from medassay.analyses.builtin.safety.tables import safety_tables
from medassay.analyses.builtin.safety.words import safety_findings, safety_notes
from medassay.analyses.dangers import Dangers
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs import Columns, Design
from medassay.answers import Answers
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
    )
)
def safety(
    answers: Answers, dangers: Dangers, columns: Columns, design: Design, rubric: Rubric
) -> Safety | None:
    """Lay out safety; nothing where nothing of it was measured or judged."""
    if dangers.rules is None:
        return None
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
                [(system, case) for given, case, _ in answers.keys if given == system],
                dangers,
                columns.score_columns,
                design.clusters,
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
