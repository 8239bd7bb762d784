"""Words made into sentences."""

from collections.abc import Iterable

__all__ = ["adjusted_words", "as_sentence", "stopped", "upper_first"]


def stopped(text: str) -> str:
    """End with a full stop, once.

    Example:
        >>> stopped("the 50 cases"), stopped("Done."), stopped("")
        ('the 50 cases.', 'Done.', '')
    """
    text = text.strip()
    return text.rstrip(". ") + "." if text else ""


def as_sentence(text: str) -> str:
    """Begin with a capital and end with a full stop.

    Example:
        >>> as_sentence("no answer has two labels")
        'No answer has two labels.'
    """
    return upper_first(stopped(text))


def upper_first(text: str) -> str:
    """Begin with a capital, and leave the rest.

    Example:
        >>> upper_first("MACE"), upper_first("majority")
        ('MACE', 'Majority')
    """
    return text[:1].upper() + text[1:]


def adjusted_words(adjusted: Iterable[bool]) -> str:
    """Say of how many values means are adjusted by case; empty where of none.

    Example:
        >>> adjusted_words([False, False])
        ''
        >>> adjusted_words([True, False])
        'In 1 of 2 not every system has a value on every case: there means are adjusted by case \
(least squares, system + case), so that nobody is ahead for having had the easy ones.'
    """
    each = list(adjusted)
    many = sum(each)
    if not many:
        return ""
    where = "Not every system has a value on every case: means"
    if many < len(each):
        where = f"In {many} of {len(each)} not every system has a value on every case: there means"
    return (
        f"{where} are adjusted by case (least squares, system + case), so that nobody is ahead for "
        "having had the easy ones."
    )
