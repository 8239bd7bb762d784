"""Names in running text."""

import re
from collections.abc import Mapping

__all__ = ["called_otherwise"]


def called_otherwise(text: str, of: Mapping[str, str]) -> str:
    """Put other names in the place of names wherever they stand as words, in whatever case.

    Args:
        text: The text.
        of: Each name, and what stands in its place.

    Returns:
        The text; names that are parts of longer words stay.

    Example:
        >>> called_otherwise("KLEIN said so; Kleinert did not.", {"Klein": "rater-1"})
        'rater-1 said so; Kleinert did not.'
    """
    if not of:
        return text
    longest = sorted(of, key=len, reverse=True)
    anybody = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", re.IGNORECASE)
    folded = {name.casefold(): other for name, other in of.items()}
    return anybody.sub(lambda name: folded[name[0].casefold()], text)
