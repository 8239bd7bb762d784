"""What a campaign asks of its raters."""

import hashlib
import json

from medassay.errors import InvalidInput, Problem
from medassay.judgements import Dimension, Label, Rubric
from medassay.judgements.campaign import Kind
from medassay.study.folder import Study

__all__ = ["asked_parts", "asked_rubric", "hash_of"]

PREFERENCES = Rubric(
    name="preferences",
    dimensions=(
        Dimension(
            id="overall",
            title="Which is better?",
            question="Which of the two answers would you rather give to the person who asked?",
            scale="nominal",
            labels=(
                Label(label="A", description="Answer A is better.", aliases=("Answer A",)),
                Label(label="B", description="Answer B is better.", aliases=("Answer B",)),
                Label(
                    label="tie",
                    description="Neither is better: they are equally good, or equally bad.",
                    aliases=("equal", "same"),
                ),
            ),
        ),
    ),
)


def asked_rubric(study: Study, kind: Kind) -> Rubric:
    """Give the dimensions that raters are asked directly; derived ones follow from others.

    Raises:
        InvalidInput: Every dimension of the study is derived.
    """
    if kind == "preferences":
        return PREFERENCES
    asked = tuple(dimension for dimension in study.rubric.dimensions if not dimension.derived)
    if not asked:
        must = "have a dimension that raters are asked about"
        raise InvalidInput(Problem("study.toml", must, "derived ones only", "", None, "dimensions"))
    return study.rubric.model_copy(update={"dimensions": asked})


def asked_parts(study: Study, kind: Kind) -> tuple[Rubric, ...]:
    """Part what is asked: first what is judged blind, then what needs the system's confidence.

    There is one part where no system says how confident it is, or no question is about that.
    """
    rubric = asked_rubric(study, kind)
    blind = tuple(dimension for dimension in rubric.dimensions if not dimension.after_reveal)
    revealed = tuple(dimension for dimension in rubric.dimensions if dimension.after_reveal)
    has_levels = any(answer.confidence_label is not None for answer in study.answers)
    if not (blind and revealed and has_levels):
        return (rubric,)
    return tuple(rubric.model_copy(update={"dimensions": some}) for some in (blind, revealed))


def hash_of(value: object) -> str:
    """Give a short SHA-256 of plain data."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
