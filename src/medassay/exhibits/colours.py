"""The few colours of the report, safe for colour-blind readers, shared by page and figures."""

from bisect import bisect_right
from typing import Final

__all__ = ["OKABE_ITO", "contrast", "diverging", "ink_on"]

OKABE_ITO: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")
"""Okabe & Ito (2008), Color Universal Design; black last. At most these seven in one figure."""

# Red-orange against, white at nothing, blue for agreement; equal lightness at equal distance.
_ANCHORS: Final = (
    (-1.0, (158, 52, 12)),
    (-0.5, (240, 158, 116)),
    (0.0, (255, 255, 255)),
    (0.5, (132, 178, 222)),
    (1.0, (20, 84, 148)),
)
_DARK, _LIGHT = "#000000", "#ffffff"


def diverging(value: float) -> str:
    """Colour a correlation: -1 red-orange, 0 white, 1 blue.

    Example:
        >>> diverging(0), diverging(1), diverging(-3) == diverging(-1)
        ('#ffffff', '#145494', True)
    """
    value = min(1.0, max(-1.0, value))
    right = min(bisect_right([at for at, _ in _ANCHORS], value), len(_ANCHORS) - 1)
    (x0, low), (x1, high) = _ANCHORS[right - 1], _ANCHORS[right]
    share = (value - x0) / (x1 - x0)
    return "#" + "".join(
        f"{round(a + (b - a) * share):02x}" for a, b in zip(low, high, strict=True)
    )


def ink_on(background: str) -> str:
    """Choose the ink, dark or light, that stands out more."""
    return max((_DARK, _LIGHT), key=lambda ink: contrast(ink, background))


def contrast(first: str, other: str) -> float:
    """Contrast of two colours, 1 (the same) to 21 (black on white).

    Source: W3C (2018), Web Content Accessibility Guidelines 2.1, 'contrast ratio'.

    Example:
        >>> contrast("#000000", "#ffffff")
        21.0
    """
    dark, light = sorted((_luminance(first), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]  # noqa: PLR2004 - the constants of sRGB
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
