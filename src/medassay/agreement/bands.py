"""Words for values of agreement, each with its publication, where the interval bears them out."""

import math
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.scores import Name, Reason, Unscored
from medassay.stats import Interval

_MOST: Final = 2


@dataclass(frozen=True, slots=True)
class BandSource:
    """A publication that gives words to values.

    Attributes:
        name: The word it is asked for by.
        title: What a table calls it.
        source: The publication.
        about: Coefficients that it speaks of.
        decimals: A value is rounded to so many before its band is looked up.
        bands: Word, lowest and highest rounded value, from low to high.
        note: What is odd about it: holes, ends that belong to two bands.
    """

    name: str
    title: str
    source: str
    about: tuple[str, ...]
    decimals: int
    bands: tuple[tuple[str, float, float], ...]
    note: str = ""


def band_sources(coefficient: str | None = None) -> tuple[BandSource, ...]:
    """List the publications, or those that speak of one coefficient, in the order of the file.

    Example:
        >>> [one.name for one in band_sources("icc")]
        ['cicchetti', 'koo-li']
    """
    known = _read()
    return known if coefficient is None else tuple(b for b in known if coefficient in b.about)


def band(value: float, source: str) -> str | Unscored:
    """Give the word that one publication has for a value, or the reason why it has none.

    Publications differ, and none of them derives its bounds: name the source beside the word, and
    read the interval before either.

    Args:
        value: Such as a kappa.
        source: The name of one of `band_sources()`.

    Raises:
        UnknownName: No such source.
        InvalidInput: The value is not finite.

    Example:
        >>> band(0.347, "med-gpt"), band(0.347, "archehr"), band(0.347, "fleiss")
        ('fair', 'moderate', 'poor')
        >>> print(band(0.2, "med-gpt"))
        undefined here: the med-gpt protocol has no word for 0.20
    """
    if not math.isfinite(value):
        raise InvalidInput(Problem("value", "be a finite number", str(value)))
    sources = {band_source.name: band_source for band_source in band_sources()}
    if source not in sources:
        raise UnknownName("source of bands", source, list(sources))
    publication = sources[source]
    rounded = round(value, publication.decimals)
    for word, low, high in publication.bands:
        if low <= rounded <= high:
            return word
    shown = f"{rounded:.{publication.decimals}f}"
    return Unscored(Reason.UNDEFINED, f"{publication.title} has no word for {shown}")


@cache
def _read() -> tuple[BandSource, ...]:
    text = (files("medassay") / "data" / "bands.toml").read_text(encoding="utf-8")
    return tuple(
        BandSource(
            name=entry["name"],
            title=entry["title"],
            source=entry["source"],
            about=tuple(entry["about"]),
            decimals=entry["decimals"],
            bands=tuple(
                (each["word"], each.get("low", -math.inf), each.get("high", math.inf))
                for each in entry["bands"]
            ),
            note=entry.get("note", ""),
        )
        for entry in tomllib.loads(text)["sources"]
    )


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
    publication = next(band_source for band_source in band_sources() if band_source.name == source)
    reached = _reached(interval, publication)
    if reached > _MOST:
        why = f"the interval reaches over {reached} of the words of {publication.title}"
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
