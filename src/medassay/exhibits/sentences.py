"""Words made into sentences."""

__all__ = ["as_sentence", "stopped", "upper_first"]


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
