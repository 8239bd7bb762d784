"""Words of other rooms made into sentences of the page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from medassay.study.results import ShortenedResult

__all__ = ["as_sentence", "long_texts", "stopped", "upper_first"]


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


def long_texts(found: "ShortenedResult") -> str:
    """Say how many texts were longer than a model reads at once.

    Example:
        >>> from medassay.study.results import ShortenedResult
        >>> long_texts(ShortenedResult(metric="m", scored=9, cut=2, in_windows=0))
        '2 cut'
    """
    said = [f"{found.cut:,} cut"] * (found.cut > 0)
    said += [f"{found.in_windows:,} in windows"] * (found.in_windows > 0)
    return ", ".join(said)
