"""Words for a value of agreement, given only where its interval bears them out."""

import math
from typing import Final

from medassay.agreement.bands import BandSource, band, band_sources
from medassay.scores import Name, Reason, Unscored
from medassay.stats import Interval

__all__ = ["bands_of", "borne_out_band"]

_MOST: Final = 2


def bands_of(coefficient: Name, value: float | None, interval: Interval | None) -> dict[str, str]:
    """Give the word of each publication that speaks of the coefficient and that may be said here.

    Of a value without an interval nothing is said, nor where the interval reaches over more than
    two of a publication's words, or of its words and what it has none for.
    """
    if value is None:
        return {}
    words_of = {
        source.title: borne_out_band(value, interval, source.name)
        for source in band_sources(coefficient.base)
    }
    return {title: word for title, word in words_of.items() if isinstance(word, str)}


def borne_out_band(value: float, interval: Interval | None, source: str) -> str | Unscored:
    """Give the word that one publication has for a value, where its interval bears it out.

    Raises:
        UnknownName: No such source.
        InvalidInput: The value is not finite.

    Example:
        >>> tight = Interval(0.31, 0.48, 0.95, "percentile", "new cases")
        >>> borne_out_band(0.4, tight, "landis-koch")
        'fair'
        >>> print(borne_out_band(0.4, None, "landis-koch"))
        undefined here: a value without an interval is called by no word
    """
    word = band(value, source)
    if isinstance(word, Unscored):
        return word
    if interval is None:
        return Unscored(Reason.UNDEFINED, "a value without an interval is called by no word")
    asked = next(band_source for band_source in band_sources() if band_source.name == source)
    reached = _reached(interval, asked)
    if reached > _MOST:
        why = f"the interval reaches over {reached} of the words of {asked.title}"
        return Unscored(Reason.UNDEFINED, why)
    return word


def _reached(interval: Interval, source: BandSource) -> int:
    """Count the words that the interval touches, by ends that are rounded as values are.

    What a publication leaves without a word counts as one, but for a single value between two.
    """
    low, high = (round(end, source.decimals) for end in (interval.low, interval.high))
    step = 10.0**-source.decimals
    ends = [-math.inf, *(end for _, *both in source.bands for end in both), math.inf]
    holes = [
        (before + step, after - step)
        for before, after in zip(ends[::2], ends[1::2], strict=True)
        if after - before > 2.5 * step  # more than one value, rounding aside
    ]
    bands = [(first, last) for _, first, last in source.bands]
    edge = step / 2  # rounded values are whole steps: half a step is nobody's
    return sum(low < last + edge and first - edge < high for first, last in (*bands, *holes))
