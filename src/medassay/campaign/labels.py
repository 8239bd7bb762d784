"""What a rater typed, as one of the labels that a dimension has."""

from collections.abc import Collection, Mapping
from math import isfinite
from typing import Final

from medassay.campaign.rating_sheet import REASON_WORDS
from medassay.errors import nearest
from medassay.judgements import Dimension
from medassay.tables import folded

__all__ = ["Said", "read_label", "read_number", "read_word"]

Said = tuple[str | None, str | None]
"""A label (or a number in its shortest form), or the reason why there is none."""

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
    return read_word(text, dimension.words, REASON_WORDS)


def read_word(text: str, words: Mapping[str, str], reasons: Collection[str]) -> Said | str:
    """Read one of some words, or one of the reasons why there is none.

    Args:
        text: What was typed.
        words: The words, to what they stand for.
        reasons: The reasons that are offered in place of a word.

    Returns:
        The word or the reason; or, where the text is neither, what to try.
    """
    if text in words:
        return words[text], None
    for same in (_plain, _number):
        key = same(text)
        meant = {label for word, label in words.items() if key and same(word) == key}
        if len(meant) == 1:
            return meant.pop(), None
    reason = _reason(text) if reasons else None
    return nearest(text, [*words, *reasons]) if reason is None else (None, reason)


def read_number(
    text: str, bounds: tuple[float | None, float | None], reasons: Collection[str] = ()
) -> Said | str:
    """Read a number of a range, or one of the reasons why there is none.

    Returns:
        The number in its shortest form, or the reason; or, where it is neither, what to try.

    Example:
        >>> read_number("7,50", (0, 10)), read_number("11", (0, 10))
        (('7.5', None), '')
        >>> read_number("not applicable", (0, None), REASON_WORDS)
        (None, 'not_applicable')
    """
    try:
        number = float(_plain(text).replace(",", "."))
    except ValueError:
        reason = _reason(text) if reasons else None
        return nearest(text, reasons) if reason is None else (None, reason)
    low, high = bounds
    inside = (low is None or number >= low) and (high is None or number <= high)
    return (f"{number:.15g}", None) if inside and isfinite(number) else ""


def _reason(text: str) -> str | None:
    return _REASONS.get(_plain(text).replace("_", " ").replace("'", ""))


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
