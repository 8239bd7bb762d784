"""Sentences about which metric ranks systems as raters do, and whether a control does better."""

from typing import Final

from medassay.report.names import Names
from medassay.report.numbers import PROPORTION, count_of, level, listed, number_word, p_value
from medassay.study.results import CorrelationResult, IntervalResult, Results

__all__ = ["controls_sentence", "sentence"]

_ALPHA: Final = 0.05
_FEW: Final = 10
_ALIKE: Final = 1e-12
"""Two values of tau nearer than this are the same fraction, computed in another order."""


def sentence(results: Results) -> str:
    """Say which metric goes furthest with the raters, and all that p and interval leave open."""
    metrics, controls = _split(results)
    if not metrics:
        return _nothing_to_compare(results, controls)
    names, valued = Names(results), [c for c in metrics if c.tau is not None]
    if not valued:
        return f"No metric can be held against the raters: {metrics[0].reason}".strip()
    furthest = max(map(_strength, valued))
    reached = [c.dimension for c in valued if _strength(c) > furthest - _ALIKE]
    first = _dimension(results, valued)
    dimension = first if first in reached else reached[0]
    here = [c for c in valued if c.dimension == dimension]
    elsewhere = [c for c in valued if c.dimension != dimension]
    text = f"{_extremes(names, here)}. {_range(elsewhere)} {_everywhere(valued)}"
    return " ".join(text.split())


def controls_sentence(results: Results) -> str:
    """Say on which dimensions a control goes with the raters more closely than every metric."""
    metrics, controls = _split(results)
    names, said = Names(results), []
    compared = list(dict.fromkeys(c.dimension for c in metrics))
    for dimension in compared:
        own = [_strength(c) for c in metrics if c.dimension == dimension and c.tau is not None]
        against = [c for c in controls if c.dimension == dimension and c.tau is not None]
        if not own or not against:
            continue
        best = max(against, key=_strength)
        if _strength(best) > max(own) + _ALIKE:
            p = f", {_method(best)}{p_value(best.p)}" if best.p is not None else ""
            said.append((dimension, best, f"tau {PROPORTION(_tau(best))}{p}"))
    if not said:
        return ""
    first = _dimension(results, metrics)
    said.sort(key=lambda item: item[0] != first)
    (dimension, best, numbers), *more = said
    text = (
        f"{names.of_source(best.metric)}, a control that knows nothing of what an answer says, "
        f"predicts {names.of_dimension(dimension)} better than every metric ({numbers})"
    )
    if more:
        others = [f"{names.of_dimension(d)} ({numbers})" for d, _, numbers in more]
        text += f"; so does a control on {listed(others)}"
    systems = best.n_systems
    few = f": with {_systems(systems)} this is a warning, not a finding" if systems < _FEW else ""
    return f"{text}{few}."


def _split(results: Results) -> tuple[list[CorrelationResult], list[CorrelationResult]]:
    """Part metrics from controls, by the consensus method of the primary source."""
    names = Names(results)
    primary = names.sources.get(results.primary)
    methods = list(dict.fromkeys(c.method for c in results.correlations))
    method = primary.method if primary and primary.method in methods else next(iter(methods), "")
    chosen = [c for c in results.correlations if c.method == method]
    known = {name: source.control for name, source in names.sources.items()}
    metrics = [c for c in chosen if not known.get(c.metric, False)]
    return metrics, [c for c in chosen if known.get(c.metric, False)]


def _nothing_to_compare(results: Results, controls: list[CorrelationResult]) -> str:
    if not any(s.kind != "consensus" and not s.control for s in results.sources):
        return "No metric was computed, so none can be held against the raters."
    if not any(s.kind == "consensus" for s in results.sources):
        return "Without ratings, no metric here is borne out or refuted."
    if len(results.systems) < 2:  # noqa: PLR2004 - a ranking needs two
        return "One system makes no ranking, so no metric can be held against the raters."
    if controls:
        return "Only controls were held against the raters, so no metric is borne out or refuted."
    return "No metric was held against the raters."


def _dimension(results: Results, found: list[CorrelationResult]) -> str:
    """Take the dimension of the leaderboard where it has one, else the first compared."""
    primary = Names(results).sources.get(results.primary)
    known = list(dict.fromkeys(c.dimension for c in found))
    return primary.dimension if primary and primary.dimension in known else next(iter(known), "")


def _tau(found: CorrelationResult) -> float:
    return found.tau if found.tau is not None else 0.0


def _strength(found: CorrelationResult) -> float:
    return abs(_tau(found))


def _method(found: CorrelationResult) -> str:
    return f"{found.p_method} " if found.p_method and " " not in found.p_method else ""


def _interval(found: CorrelationResult) -> tuple[str, IntervalResult | None]:
    """Choose the interval that says most about other systems."""
    kinds = (
        ("over systems", found.over_systems),
        ("over cases and systems", found.over_both),
        ("over cases", found.over_cases),
    )
    return next(((label, i) for label, i in kinds if i is not None), ("", None))


def _extremes(names: Names, here: list[CorrelationResult]) -> str:
    """Say which metrics go furthest against the raters and with them, on one dimension."""
    lowest, highest = min(map(_tau, here)), max(map(_tau, here))
    furthest = max(-lowest, highest)
    strongest = max(here, key=lambda c: (_strength(c) > furthest - _ALIKE, -_tau(c)))
    ends = [lowest, highest] if -lowest > highest - _ALIKE else [highest, lowest]
    told = [end for i, end in enumerate(ends) if end and (i == 0 or end * ends[0] < 0)] or [0.0]
    parts = []
    for end in told:
        of = [c for c in here if abs(_tau(c) - end) < _ALIKE]
        parts.append(f"{_ranked(names, of)} ({_numbers(of)})")
    text = f"On {names.of_dimension(strongest.dimension)}, {', while '.join(parts)}"
    return f"{text}: {_verdict(strongest)}"


def _ranked(names: Names, of: list[CorrelationResult]) -> str:
    who = listed([names.of_source(c.metric) for c in of])
    verb = "ranks" if len(of) == 1 else "rank"
    way = "as the raters do" if _tau(of[0]) > 0 else "against the raters"
    if not _tau(of[0]):
        way = "neither as the raters do nor against them"
    return f"{who} {verb} the {_systems(of[0].n_systems)} {way}"


def _numbers(of: list[CorrelationResult]) -> str:
    """Give tau, its interval (over all of them, where several share one tau) and p."""
    parts = [f"tau {PROPORTION(_tau(of[0]))}"]
    intervals = [_interval(c) for c in of]
    label, interval = intervals[0]
    if interval and all(other and name == label for name, other in intervals):
        known = [other for _, other in intervals if other]
        low, high = min(i.low for i in known), max(i.high for i in known)
        within = "within " if len(of) > 1 else ""
        parts.append(f"{level(interval)} {within}{PROPORTION(low)} to {PROPORTION(high)} {label}")
    if of[0].p is not None:
        parts.append(f"{_method(of[0])}{p_value(of[0].p)}")
    return ", ".join(parts)


def _range(elsewhere: list[CorrelationResult]) -> str:
    if not elsewhere:
        return ""
    low, high = min(map(_tau, elsewhere)), max(map(_tau, elsewhere))
    count = len({c.dimension for c in elsewhere})
    which = "the other dimension" if count == 1 else f"the other {number_word(count)} dimensions"
    return f"On {which} tau runs from {PROPORTION(low)} to {PROPORTION(high)}."


def _systems(count: int) -> str:
    return f"{number_word(count)} {'system' if count == 1 else 'systems'}"


def _verdict(c: CorrelationResult) -> str:
    """Say what follows; the strongest of several was picked, so the adjusted p decides."""
    decides = c.p_adjusted if c.p_adjusted is not None else c.p
    _, interval = _interval(c)
    settled = decides is not None and decides <= _ALPHA
    open_ = interval is not None and interval.low <= 0 <= interval.high
    adjusted = f" (adjusted {p_value(c.p_adjusted)})" if c.p_adjusted is not None else ""
    if settled and not open_:
        return f"this stands at the 5 % level after Holm's correction{adjusted}"
    if settled:
        return f"the test stands after Holm's correction{adjusted}, but the interval includes 0"
    if c.n_systems < _FEW:
        word = "a warning" if _tau(c) < 0 else "a hint"
        return f"with {_systems(c.n_systems)} this is {word}, not a finding"
    return f"these systems do not settle it{adjusted}"


def _everywhere(valued: list[CorrelationResult]) -> str:
    """Say how much of all that was tried stands, with the smallest p."""
    tested = [c.p for c in valued if c.p is not None]
    adjusted = [c.p_adjusted for c in valued if c.p_adjusted is not None]
    if len(tested) < 2:  # noqa: PLR2004 - said already of the one
        return ""
    smallest = f"the smallest p is {p_value(min(tested)).removeprefix('p ').removeprefix('= ')}"
    tried = f"Of {count_of(len(tested), 'pair')} of metric and dimension"
    if not adjusted:
        return f"{tried}, {smallest}."
    stand = sum(p <= _ALPHA for p in adjusted)
    many = number_word(stand) if stand else "none"
    return (
        f"{tried}, {many} {'stands' if stand < 2 else 'stand'} after Holm's correction; {smallest}."  # noqa: PLR2004 - one or none: singular
    )
