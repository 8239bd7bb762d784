"""What coefficients of two labels ask for."""

from medassay.judgements import Units

__all__ = ["two_labels"]


def two_labels(units: Units, _parameters: dict[str, str]) -> str:
    """Say why a coefficient of two labels is not for these units, or nothing."""
    if len(units.labels) != 2:  # noqa: PLR2004 - its name says so
        return f"it is about two labels; the scale has {len(units.labels)}"
    return ""
