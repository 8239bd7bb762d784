"""Is a system's confidence in words that of the experts?"""

from medassay.analyses.builtin.alignment.compute import align
from medassay.analyses.builtin.alignment.record import Alignment, Alignments
from medassay.analyses.builtin.alignment.tables import alignment_tables
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Design, Rules
from medassay.analyses.results.records import Records
from medassay.answers import Answers
from medassay.cases import Cases
from medassay.judgements import Judgements, Rubric

__all__ = ["alignment", "alignments_in"]


@analysis(
    Declaration(
        id="alignment",
        title="System and expert confidence",
        question="Is a system's confidence in words that of the experts?",
        section="ratings",
        infers=False,
        reader="clinician",
        place=13,
        shown_in="described",
        tables=lambda record, names: alignment_tables(record.systems, names),
        notes=lambda record, _: list(
            dict.fromkeys(entry.note for entry in record.systems if entry.note)
        ),
    )
)
def alignment(
    rules: Rules,
    design: Design,
    cases: Cases,
    answers: Answers,
    judgements: Judgements,
    rubric: Rubric,
) -> Alignments | None:
    """Hold each system's levels beside the experts' majority, where the protocol has a rule."""
    rule = rules.confidence
    if rule is None or rule.dimension not in rubric.ids:
        return None
    return Alignments(
        tuple(align(rule, design.systems, cases, answers, judgements, rubric)),
        rule.thresholds,
        rule.fixed,
    )


def alignments_in(records: Records) -> tuple[Alignment, ...]:
    """Give each system by each rule; nothing where a run was not asked."""
    record = records.of(alignment)
    return record.systems if record else ()
