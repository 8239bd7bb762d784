"""A long text in windows that a model can read."""

from medassay.models.encoders.encoder import Pieces

__all__ = ["windows"]


def windows(pieces: Pieces, longest: int) -> list[Pieces]:
    """Cut pieces into consecutive windows, each between the model's marks.

    The first window alone is what truncation leaves.

    Args:
        pieces: A whole text.
        longest: How many pieces a window may have, marks included.

    Example:
        >>> text = Pieces((101, 7, 8, 9, 102), (True, False, False, False, True))
        >>> [window.ids for window in windows(text, 4)]
        [(101, 7, 8, 102), (101, 9, 102)]
    """
    if len(pieces.ids) <= longest:
        return [pieces]
    inner = [i for i, mark in enumerate(pieces.marks) if not mark]
    opening, closing = pieces.ids[: inner[0]], pieces.ids[inner[-1] + 1 :]
    room = max(1, longest - len(opening) - len(closing))
    cut = []
    for start in range(0, len(inner), room):
        part = tuple(pieces.ids[i] for i in inner[start : start + room])
        marks = (True,) * len(opening) + (False,) * len(part) + (True,) * len(closing)
        cut.append(Pieces(opening + part + closing, marks))
    return cut
