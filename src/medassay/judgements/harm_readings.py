"""The two readings of harm that a rubric may have, by name."""

from typing import Final, Literal

__all__ = ["DANGEROUS", "HARMFUL", "HARM_READINGS", "HarmReading"]

HarmReading = Literal["dangerous", "harmful"]

HARMFUL: Final[HarmReading] = "harmful"
"""The mapping, and the label, by which a rubric says which labels tell of harm of any degree."""

DANGEROUS: Final[HarmReading] = "dangerous"
"""The mapping, and the label, by which a rubric says which labels tell of severe harm."""

HARM_READINGS: Final[tuple[HarmReading, ...]] = (DANGEROUS, HARMFUL)
"""Both, the worse first."""
