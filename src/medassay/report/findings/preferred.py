"""The sentence about what raters preferred side by side."""

from medassay.analyses.results import PreferencesResult, Results
from medassay.exhibits.names import slug
from medassay.exhibits.numbers import PROPORTION, bounds, count_of, level
from medassay.report.names import Names

__all__ = ["basis", "sentence"]

_EVEN = 0.5


def sentence(results: Results) -> str:
    """Say which system was preferred most often, and whether more than half of the time."""
    found = _told(results)
    if found is None:
        return ""
    shares = [(s.share, s) for s in found.standings if s.share is not None]
    share, top = max(shares, key=lambda item: item[0])
    tied = [s for value, s in shares if value == share]
    seen = f"Side by side ({count_of(found.n, 'comparison')})"
    names = Names(results)
    if len(tied) > 1:
        return f"{seen}, no system was preferred more often than every other."
    text = (
        f"{seen}, {names.of_system(top.system)} was preferred most often: in "
        f"{PROPORTION(share)} {bounds(top.interval)} of its {count_of(top.n, 'comparison')}, ties "
        "counting one half"
    )
    if top.interval and top.interval.low <= _EVEN:
        text += f"; the {level(top.interval)} interval includes one half"
    return f"{' '.join(text.split())}."


def basis(results: Results) -> tuple[str, ...]:
    """Name the table that holds the sentence's numbers."""
    found = _told(results)
    return (f"preferences-{slug(found.dimension)}",) if found else ()


def _told(results: Results) -> PreferencesResult | None:
    valued = (p for p in results.preferences if any(s.share is not None for s in p.standings))
    return next(valued, None)
