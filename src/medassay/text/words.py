"""Count words, and cut a text after so many."""

__all__ = ["count_words", "first_words"]


def count_words(text: str) -> int:
    """Count words: runs of characters between white space, as the shared tasks' limits count them.

    Example:
        >>> count_words("He was given  1,000 mg.")
        5
    """
    return len(text.split())


def first_words(text: str, limit: int) -> str:
    """Cut a text after so many words, as the shared tasks' scorers do; a shorter one stays whole.

    Example:
        >>> first_words("He was  given it.", 2), first_words("He was  given it.", 4)
        ('He was', 'He was  given it.')
    """
    words = text.split()
    return text if len(words) <= limit else " ".join(words[:limit])
