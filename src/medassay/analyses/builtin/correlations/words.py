"""Sentences about which metric ranks systems as raters do, and whether a control does better."""

from typing import Final

from medassay.analyses.builtin.correlations.record import Correlations
from medassay.analyses.builtin.correlations.tables import ALPHA, significant_pairs
from medassay.exhibits import Names
from medassay.exhibits.finding import Finding, ReaderQuestion
from medassay.exhibits.numbers import (
    PROPORTION,
    level,
    listed,
    number_word,
    p_value,
    p_way,
    reliability,
)
from medassay.exhibits.sentences import as_sentence, stopped
from medassay.stats import Interval
from medassay.validity import Validity

__all__ = ["correlation_findings"]

_BASIS: Final = ("tau", "correlations")
_ONLY_CONTROLS: Final = (
    "Only controls were held against the raters, so no metric is borne out or refuted."
)
_UNRATED: Final = "Without ratings, no metric here is borne out or refuted"
_NOBODY: Final = (
    "Nobody rated these answers. Without ratings, no metric here is borne out or refuted: the "
    "system that one puts first need not be the better."
)
_NO_PERSON: Final = (
    "No person rated these answers, and what models said of them is in no score: it would be, and "
    'the report would say so, with models = "counted" under [raters] in study.toml. No metric here '
    "is borne out or refuted: the system that one puts first need not be the better."
)
_LACKS: Final = {
    "metrics": "No metric was computed, so none can be held against the raters.",
    "ratings": _NOBODY,
    "ratings of people": _NO_PERSON,
    "ratings, gold decides": f"{_UNRATED}; accuracy needs no rater: gold answers decide it.",
    "systems": "One system makes no ranking, so no metric can be held against the raters.",
    "texts": "The texts of the answers are not held, so no metric of text could be tested.",
    "": "No metric was held against the raters.",
}
_FEW: Final = 10
_UNSURE: Final = 0.5
"""A reliability below: more than half of the spread between means is luck of the cases."""
_ALIKE: Final = 1e-12
"""Two values of tau nearer than this are the same fraction, computed in another order."""


def correlation_findings(correlations: Correlations, names: Names) -> list[Finding]:
    """Say which metric goes furthest with the raters, and whether a control does as well."""
    # What may be done with a metric comes first; what its tau is stands behind.
    question = ReaderQuestion.FURTHER if correlations.metrics else ReaderQuestion.METRICS
    if correlations.lacks in {"ratings", "ratings of people"}:
        # Whoever reads who is highest by a metric has to know that first.
        question = ReaderQuestion.WHOSE
    texts = (
        ("validity", _sentence(correlations, names)),
        ("controls", _controls(correlations, names)),
    )
    return [Finding(name, text, _BASIS, question) for name, text in texts if text]


def _sentence(correlations: Correlations, names: Names) -> str:
    """Say which metric goes furthest with the raters, and all that p and interval leave open."""
    if not correlations.metrics:
        return (
            _LACKS[correlations.lacks]
            if correlations.lacks or not correlations.controls
            else _ONLY_CONTROLS
        )
    valued = [c for c in correlations.metrics if c.tau is not None]
    if not valued and correlations.lacks == "texts":
        return _LACKS["texts"]
    if not valued:
        why = stopped(correlations.metrics[0].undefined)
        return f"No metric can be held against the raters: {why}".strip()
    strongest = _strongest(correlations, valued)
    on = names.of_dimension(strongest[0].dimension)
    text = f"On {on}, {_ways(names, strongest)} ({_numbers(strongest)}): {_verdict(strongest)}."
    elsewhere = [c for c in valued if c.dimension != strongest[0].dimension]
    rest = [
        _unsure(names, strongest), _by_case(strongest), _range(elsewhere), significant_pairs(valued)
    ]  # fmt: skip
    return f"{text} {as_sentence('; '.join(filter(None, rest)))}".strip()


def _controls(correlations: Correlations, names: Names) -> str:
    """Say on which dimensions a control goes with the raters more closely than every metric."""
    lines = []
    metrics = [c for c in correlations.metrics if c.tau is not None]
    controls = [c for c in correlations.controls if c.tau is not None]
    for dimension in dict.fromkeys(c.dimension for c in correlations.metrics):
        own = [_strength(c) for c in metrics if c.dimension == dimension]
        against = [c for c in controls if c.dimension == dimension]
        if not own or not against:
            continue
        best = max(against, key=_strength)
        if _strength(best) > max(own) + _ALIKE:
            lines.append(
                (
                    dimension,
                    best,
                    f"tau {PROPORTION(_tau(best))}; metrics to {PROPORTION(max(own))}",
                )
            )
    if not lines:
        return ""
    first = _dimension(correlations, correlations.metrics)
    lines.sort(key=lambda item: item[0] != first)
    (dimension, best, numbers), *more = lines
    text = (
        f"The control {names.of_source(best.metric)}, which knows nothing of what an answer says, "
        f"reaches as much on {names.of_dimension(dimension)} as any metric ({numbers})"
    )
    if more:
        others = [f"{names.of_dimension(d)} ({numbers})" for d, _, numbers in more]
        text += f"; so does a control on {listed(others)}"
    systems = best.n_systems
    few = f": with {_systems(systems)} this is a warning, not a finding" if systems < _FEW else ""
    return f"{text}{few}."


def _dimension(correlations: Correlations, validities: list[Validity]) -> str:
    """Take the dimension of the leaderboard where it has one, else the first compared."""
    known = list(dict.fromkeys(c.dimension for c in validities))
    return correlations.dimension if correlations.dimension in known else next(iter(known), "")


def _tau(correlation: Validity) -> float:
    return correlation.tau if correlation.tau is not None else 0.0


def _strength(correlation: Validity) -> float:
    return abs(_tau(correlation))


def _method(correlation: Validity) -> str:
    return (
        f"{p_way(correlation.p_method)} "
        if correlation.p_method and " " not in correlation.p_method
        else ""
    )


def _interval(correlation: Validity) -> tuple[str, Interval | None]:
    """Choose the widest honest interval: over systems and cases, where it can be had."""
    kinds = (
        ("over systems and cases", correlation.over_both),
        ("over systems", correlation.over_systems),
        ("over cases", correlation.over_cases),
    )
    return next(((label, i) for label, i in kinds if i is not None), ("", None))


def _contradicts(correlation: Validity, interval: Interval) -> bool:
    """Say whether a bootstrap of few systems claims what the test of all orders does not."""
    without_zero = not interval.low <= 0 <= interval.high
    return without_zero and correlation.p is not None and correlation.p > ALPHA


def _strongest(correlations: Correlations, valued: list[Validity]) -> list[Validity]:
    """Choose the metrics with the largest tau in size: several where they are alike.

    Of dimensions that are alike the leaderboard's is told, else the first.
    """
    largest = max(map(_strength, valued))
    alike = [c for c in valued if _strength(c) >= largest - _ALIKE]
    dimension = _dimension(correlations, alike)
    return [c for c in alike if c.dimension == dimension]


def _range(elsewhere: list[Validity]) -> str:
    if not elsewhere:
        return ""
    low, high = min(map(_tau, elsewhere)), max(map(_tau, elsewhere))
    count = len({c.dimension for c in elsewhere})
    which = "the other dimension" if count == 1 else f"the other {number_word(count)} dimensions"
    return f"on {which} tau runs from {PROPORTION(low)} to {PROPORTION(high)}"


def _ways(names: Names, strongest: list[Validity]) -> str:
    """Say how many pairs of systems each metric puts in the raters' order."""
    parts: list[str] = []
    by_order: dict[tuple[int, int], list[Validity]] = {}
    for c in sorted(strongest, key=_tau, reverse=True):
        by_order.setdefault((c.pairs_alike or 0, c.pairs_reversed or 0), []).append(c)
    pairs = strongest[0].n_systems * (strongest[0].n_systems - 1) // 2
    for (same, opposite), own in by_order.items():
        who = listed([names.of_source(c.metric) for c in own])
        alone = len(own) == 1
        whole = abs(_tau(own[0])) > 1 - _ALIKE
        if parts:
            parts.append(f"{who} the other way round" if whole else f"{who} {same}")
        elif whole:
            way = "as the raters do" if _tau(own[0]) > 0 else "against the raters"
            systems = _systems(strongest[0].n_systems)
            parts.append(f"{who} {'ranks' if alone else 'rank'} the {systems} {way}")
        else:
            rest = f" and {opposite} the other way" if same + opposite < pairs else ""
            of = f"{same} of {pairs} pairs of systems"
            parts.append(f"{who} {'orders' if alone else 'order'} {of} as the raters do{rest}")
    return ", ".join(parts)


def _numbers(alike: list[Validity]) -> str:
    """Print tau; with one metric also its interval, unless the test does not bear it out."""
    values = list(dict.fromkeys(PROPORTION(_tau(c)) for c in sorted(alike, key=_tau, reverse=True)))
    each = " each" if len(alike) > len(values) == 1 else ""
    parts = [f"tau {listed(values)}{each}"]
    label, interval = _interval(alike[0])
    if len(alike) == 1 and interval is not None and not _contradicts(alike[0], interval):
        ends = f"{PROPORTION(interval.low)} to {PROPORTION(interval.high)}"
        parts.append(f"{level(interval)} {ends} for this tau alone, {label}")
    return ", ".join(parts)


def _unsure(names: Names, strongest: list[Validity]) -> str:
    """Name the metrics whose own means would come out otherwise on new cases."""
    known = ((c, c.metric_reliability.value) for c in strongest)
    low = [(c, value) for c, value in known if value is not None and value < _UNSURE]
    if not low:
        return ""
    who = listed([names.of_source(c.metric) for c, _ in low])
    values = listed(list(dict.fromkeys(reliability(value) for _, value in low)))
    return f"the means of {who} are themselves unsure (reliability {values})"


def _by_case(strongest: list[Validity]) -> str:
    if not any(c.adjusted for c in strongest):
        return ""
    return "means are adjusted by case, since not every system has a value on every case"


def _systems(count: int) -> str:
    return f"{number_word(count)} {'system' if count == 1 else 'systems'}"


def _verdict(strongest: list[Validity]) -> str:
    """Say what follows; the strongest of many was picked, so the adjusted p decides.

    It is adjusted over the metrics of the dimension, as in the trust table. Where that is not
    enough for one picked from all dimensions, the sentence says so.
    """
    c = max(strongest, key=lambda c: (c.p_adjusted is None, c.p_adjusted or 0.0))
    decides = c.p_adjusted if c.p_adjusted is not None else c.p
    intervals = [i for _, i in map(_interval, strongest) if i is not None]
    open_ = any(i.low <= 0 <= i.high for i in intervals)
    adjusted = (
        f" (adjusted {_method(c)}{p_value(c.p_adjusted)})" if c.p_adjusted is not None else ""
    )
    if decides is not None and decides <= ALPHA:
        if open_:
            stands = f"the test stands after Holm's correction{adjusted}{_of_all(c)}"
            return f"{stands}, but the interval includes 0"
        return f"this stands at the 5 % level after Holm's correction{adjusted}{_of_all(c)}"
    if c.n_systems < _FEW:
        word = "a hint" if all(_tau(c) > 0 for c in strongest) else "a warning"
        return f"with {_systems(c.n_systems)} this is {word}, not a finding"
    return f"these systems do not settle it{adjusted}"


def _of_all(correlation: Validity) -> str:
    p = correlation.p_adjusted_everywhere
    if p is None or p <= ALPHA:
        return ""
    return f" over the metrics of this dimension, not over all dimensions ({p_value(p)})"
