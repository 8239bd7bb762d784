"""A rubric in a rater's language: what the catalogue or the rubric itself has of it."""

from collections.abc import Iterable

from medassay.campaign.catalogues import Texts
from medassay.campaign.subjects import PREFERENCES
from medassay.judgements import Dimension, DimensionTranslation, Label, Rubric, Translation


def translation_of(rubric: Rubric, texts: Texts) -> Translation | None:
    """Give a rubric in a rater's language; None where nobody has translated it.

    The question that pairs of answers are compared by is medassay's own, so the catalogue has it.
    """
    if rubric.name != PREFERENCES.name:
        return rubric.translations.get(texts.language)
    (question,) = PREFERENCES.dimensions
    words = {label: texts(f"pairs.{label.lower()}") for label in question.names}
    told = {label: texts(f"pairs.{label.lower()}_told") for label in question.names}
    translated = DimensionTranslation(
        title=texts("pairs.title"),
        question=texts("pairs.question"),
        words=words,
        descriptions=told,
    )
    return Translation(by=texts("about.made"), dimensions={question.id: translated})


def rubric_in(rubric: Rubric, texts: Texts) -> Rubric:
    """Give a rubric as somebody reads it: labels and all by the words that are shown."""
    translation = translation_of(rubric, texts)
    if translation is None:
        return rubric
    told = {
        "rationale": translation.rationale or rubric.rationale,
        "keep_open": translation.keep_open or rubric.keep_open,
        "dimensions": tuple(
            _shown(dimension, translation.dimensions[dimension.id])
            if dimension.id in translation.dimensions
            else dimension
            for dimension in rubric.dimensions
        ),
    }
    return rubric.model_copy(update=told)


def _shown(dimension: Dimension, translated: DimensionTranslation) -> Dimension:
    def words(kept: Iterable[str]) -> tuple[str, ...]:
        return tuple(translated.words.get(word, word) for word in kept)

    def labels(kept: Iterable[Label]) -> tuple[Label, ...]:
        return tuple(
            label.model_copy(
                update={
                    "label": translated.words.get(label.label, label.label),
                    "description": translated.descriptions.get(label.label, label.description),
                }
            )
            for label in kept
        )

    told = {
        "title": translated.title,
        "question": translated.question,
        "labels": labels(dimension.labels),
        "kinds": labels(dimension.kinds),
        "severities": labels(dimension.severities),
        "confidence": words(dimension.confidence),
        "precedence": words(dimension.precedence),
    }
    return dimension.model_copy(update=told)
