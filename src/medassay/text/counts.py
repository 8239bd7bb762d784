"""A count and its noun."""

__all__ = ["count_of", "plural"]


def plural(count: int, one: str, many: str = "") -> str:
    """Choose the word's form.

    Example:
        >>> plural(1, "case"), plural(2, "case"), plural(2, "study", "studies")
        ('case', 'cases', 'studies')
    """
    return one if count == 1 else many or f"{one}s"


def count_of(count: int, one: str, many: str = "") -> str:
    """Print a count with its noun.

    Example:
        >>> count_of(1, "case"), count_of(7045, "system")
        ('1 case', '7,045 systems')
    """
    return f"{count:,} {plural(count, one, many)}"
