"""How far do the raters agree?"""

from medassay.agreement import Agreement, Slice
from medassay.analyses.builtin.agreement.parts import bands_table, part_tables
from medassay.analyses.builtin.agreement.passages import passage_table
from medassay.analyses.builtin.agreement.picture import agreement_picture
from medassay.analyses.builtin.agreement.tables import every_coefficient, main_agreement
from medassay.analyses.builtin.agreement.words import (
    agreement_cautions,
    agreement_findings,
    agreement_notes,
)
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.rater_agreement import Agreed
from medassay.analyses.results.records import Records

__all__ = ["agreement", "panel_in", "parts_in"]


@analysis(
    Declaration(
        id="agreement",
        title="How far the raters agree",
        question="How far do the raters agree, in pairs, with themselves and on each dimension?",
        section="panel",
        part="panel-agreement",
        infers=False,
        reader="organiser",
        place=20,
        finding_place=100,
        tables=lambda agreed, names: [
            main_agreement(agreed, names),
            *([every_coefficient(agreed.panel, names)] if agreed.panel else []),
            *part_tables(agreed.parts, names),
            *([bands_table(agreed.panel, names)] if agreed.panel else []),
            *([passage_table(agreed.passages, names)] if agreed.passages else []),
        ],
        pictures=lambda agreed, names: agreement_picture(agreed.panel, names),
        notes=agreement_notes,
        cautions=agreement_cautions,
        finding=agreement_findings,
    )
)
def agreement(agreed: Agreed) -> Agreed | None:
    """Give what was found of the panel; nothing where nobody judged."""
    return agreed if agreed.judgements else None


def panel_in(records: Records) -> tuple[Agreement, ...]:
    """Give the panel's coefficients of a run; nothing where it was not asked."""
    agreed = records.of(agreement)
    return agreed.panel if agreed else ()


def parts_in(records: Records) -> tuple[Slice, ...]:
    """Give the coefficients of parts of the panel; nothing where a run was not asked."""
    agreed = records.of(agreement)
    return agreed.parts if agreed else ()
