"""Words for values of agreement, each with the publication that gives it."""

import math
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.scores import Reason, Unscored

__all__ = ["BandSource", "band", "band_sources"]


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
    asked = sources[source]
    rounded = round(value, asked.decimals)
    for word, low, high in asked.bands:
        if low <= rounded <= high:
            return word
    shown = f"{rounded:.{asked.decimals}f}"
    return Unscored(Reason.UNDEFINED, f"{asked.title} has no word for {shown}")


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
