"""How far can the confidence of systems be believed?"""

from medassay.analyses.builtin.calibration.compute import calibration_of
from medassay.analyses.builtin.calibration.pictures import calibration_pictures
from medassay.analyses.builtin.calibration.record import Calibration
from medassay.analyses.builtin.calibration.tables import calibration_tables
from medassay.analyses.builtin.calibration.words import (
    calibration_claims,
    calibration_finding,
    calibration_notes,
)
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.answer_choices import Choices
from medassay.analyses.inputs.readable import Design, Randomness
from medassay.exhibits import VerdictKind

__all__ = ["calibration"]


@analysis(
    Declaration(
        id="calibration",
        title="How far the confidence can be believed",
        question="Is a confidence of 0.80 right four times of five, and does it tell right answers "
        "from wrong ones?",
        section="clinical",
        part="clinical-calibration",
        infers=True,
        reader="developer",
        place=4,
        apart=True,
        finding_place=60,
        tables=lambda record, names: calibration_tables(record.systems, names),
        pictures=lambda record, names: calibration_pictures(record.systems, names),
        notes=lambda record, names: calibration_notes(record.systems, names),
        finding=lambda record, names: calibration_finding(record.systems, names),
        verdicts=(VerdictKind.CLAIM,),
        claims=lambda record, _: calibration_claims(record.systems),
    )
)
def calibration(choices: Choices, design: Design, randomness: Randomness) -> Calibration | None:
    """Measure each system that gives confidences, over multiple-choice questions."""
    calibrations = calibration_of(choices, design, randomness)
    return Calibration(calibrations) if calibrations else None
