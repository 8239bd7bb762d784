"""What other people's code raised, in one line."""

__all__ = ["words_of"]


def words_of(error: BaseException) -> str:
    r"""Say what was raised: its kind, and its words where it has any.

    It is written into tables and files, where half of a character cannot stand.

    Example:
        >>> words_of(ValueError("no\nmark\n")), words_of(SystemExit()), words_of(OSError("\ud83d"))
        ('ValueError: no mark', 'SystemExit', 'OSError: \\ud83d')
    """
    kind = type(error).__name__
    try:
        words = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - it may raise anything where it is asked for its words
        return kind
    return f"{kind}: {words}".removesuffix(": ").encode(errors="backslashreplace").decode()
