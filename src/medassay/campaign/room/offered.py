"""What a rater can choose on a dimension, and what each choice is in a judgement."""

from medassay.campaign.room.records import ExampleShown, LabelShown, NumberShown
from medassay.judgements import NO_SPAN, Dimension
from medassay.judgements.rubric import Label

__all__ = ["columns_of", "labels_offered", "number_offered", "words_taken"]


def labels_offered(dimension: Dimension) -> tuple[LabelShown, ...]:
    """Give what a rater chooses from: labels, or kinds of spans, each as bad as it can be.

    Where spans have a severity too, one choice says both, so that a mark is one press.
    """
    if not dimension.kinds:
        return tuple(map(_shown, dimension.labels))
    if not dimension.severities:
        return tuple(map(_shown, dimension.kinds))
    return tuple(
        LabelShown(
            f"{kind.label}, {severity.label}",
            " ".join(filter(None, (kind.description, severity.description))),
            _shown(kind).examples,
        )
        for kind in dimension.kinds
        for severity in dimension.severities
    )


def number_offered(dimension: Dimension) -> NumberShown | None:
    """Give the range of the number that a dimension asks for; None where it asks for another."""
    scale = dimension.number
    return None if scale is None else NumberShown(scale.low, scale.high, scale.unit, str(scale))


def words_taken(dimension: Dimension) -> dict[str, str]:
    """Map every word that may come back to the word that is kept."""
    if not dimension.kinds:
        return dimension.words
    offered = [label.label for label in labels_offered(dimension)]
    return {word: word for word in (*offered, NO_SPAN)}


def columns_of(dimension: Dimension, word: str | None) -> dict[str, object]:
    """Give what columns of a judgement hold where a rater chose a word.

    Example:
        >>> from medassay.judgements import Dimension
        >>> marks = Dimension(id="errors", question="What is wrong?", about="span",
        ...     kinds=[{"label": "dose"}], severities=[{"label": "mild", "score": 1}])
        >>> columns_of(marks, "dose, mild")
        {'kind': 'dose', 'severity': 'mild'}
    """
    if word is None or not dimension.kinds:
        return {"label": word}
    if word == NO_SPAN or not dimension.severities:
        return {"kind": word}
    said = {
        f"{kind.label}, {severity.label}": {"kind": kind.label, "severity": severity.label}
        for kind in dimension.kinds
        for severity in dimension.severities
    }
    return dict(said[word])


def _shown(label: Label) -> LabelShown:
    return LabelShown(
        label.label,
        label.description,
        tuple(
            ExampleShown(example.answer, example.why, example.question)
            for example in label.examples
            if not example.disputed
        ),
    )
