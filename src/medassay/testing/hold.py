"""What a check says of what does not hold."""

__all__ = ["hold"]


def hold(holds: object, who: str, must: str, got: object) -> None:
    """Raise where something does not hold.

    Raises:
        AssertionError: Who must do what, and what was got instead.

    Example:
        >>> hold(1 + 1 == 2, "arithmetic", "hold", "nothing")
        >>> hold(False, "bleu", "stay within 0 to 1", 1.5)
        Traceback (most recent call last):
        AssertionError: bleu must stay within 0 to 1; got 1.5
    """
    if not holds:
        message = f"{who} must {must}; got {got}"
        raise AssertionError(message)
