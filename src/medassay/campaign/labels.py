"""What a rater typed, as one of the labels that a dimension has."""

from collections.abc import Iterable
from typing import Final

from medassay.campaign.rating_sheet import REASON_WORDS
from medassay.errors import nearest
from medassay.judgements import Dimension
from medassay.tables import folded

__all__ = ["Said", "read_label"]

Said = tuple[str | None, str | None]
"""A label, or the reason why there is none."""

_REASONS: Final = {
    **REASON_WORDS,
    "cant judge": "cannot_judge",
    "can not judge": "cannot_judge",
    "n/a": "not_applicable",
    "na": "not_applicable",
}


def read_label(text: str, dimension: Dimension) -> Said | str:
    """Read a label however a spreadsheet or a hand wrote it.

    Small and capital letters, blanks of any kind, composed or full-width letters, typographic
    quotes and dashes do not matter, and 1.0 is 1.
    What is nearly a label is none: the answer is then the sentence that suggests the nearest.

    Returns:
        The label or the reason; or, where the text is neither, what to try.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> asked = load_rubric("archehr").dimension("answers-question")
        >>> read_label(" yes", asked), read_label("cannot judge", asked)
        (('Yes', None), (None, 'cannot_judge'))
        >>> read_label("Partly", asked)
        'Did you mean "Partially"?'
        >>> read_label("4.0", load_rubric("likert5").dimensions[0])
        ('4', None)
    """
    words = dimension.words
    if text in words:
        return words[text], None
    plain = _plain(text)
    for same in (_plain, _number):
        key = same(text)
        found = {label for word, label in words.items() if key and same(word) == key}
        if len(found) == 1:
            return found.pop(), None
    reason = _REASONS.get(plain.replace("_", " ").replace("'", ""))
    if reason is not None:
        return None, reason
    return nearest(text, _offered(dimension))


def _offered(dimension: Dimension) -> Iterable[str]:
    return [*dimension.words, *REASON_WORDS]


def _plain(text: str) -> str:
    plain = folded(text)
    for sign, usual in (("’", "'"), ("‘", "'"), ("–", "-"), ("−", "-")):
        plain = plain.replace(sign, usual)
    return plain.casefold().rstrip(".")


def _number(text: str) -> str:
    """Give the shortest form of a number, or nothing; a comma may stand for the point."""
    try:
        return f"{float(_plain(text).replace(',', '.')):g}"
    except ValueError:
        return ""
