"""Sentences about which metric ranks systems as raters do, and whether a control does better."""

from collections.abc import Iterator
from typing import Final

from medassay.analyses.builtin.correlations.record import FEWEST_TOLD, Correlations
from medassay.analyses.builtin.correlations.tables import ALPHA
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.finding import Finding, ReaderQuestion
from medassay.exhibits.numbers import (
    PROPORTION,
    level,
    listed,
    number_word,
    reliability,
)
from medassay.exhibits.sentences import as_sentence, stopped
from medassay.stats import Interval
from medassay.validity import Validity

__all__ = ["correlation_claims", "correlation_findings"]

_FINDING: Final = "validity"
_ABOUT: Final = "metrics and raters"

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
_UNSURE: Final = 0.5
"""A reliability below: more than half of the spread between means is luck of the cases."""
_ALIKE: Final = 1e-12
"""Two values of tau nearer than this are the same fraction, computed in another order."""


def correlation_claims(correlations: Correlations, _: Names) -> Iterator[Claim]:
    """Claim that some metric ranks the systems as the raters do, the best of all tried."""
    chance = correlations.by_chance
    if chance is not None and any(c.tau is not None for c in correlations.metrics):
        each = (c.p_adjusted_everywhere for c in correlations.metrics)
        yield Claim.of(
            _FINDING, _ABOUT, VerdictKind.CLAIM, [chance.share, *each], row=VerdictRow.FOLLOWS
        )


def correlation_findings(correlations: Correlations, names: Names) -> list[Finding]:
    """Say which metric goes furthest with the raters, and whether a control does as well."""
    # What may be done with a metric comes first; what its tau is stands behind.
    question = ReaderQuestion.FURTHER if correlations.metrics else ReaderQuestion.METRICS
    if correlations.lacks in {"ratings", "ratings of people"}:
        # Whoever reads who is highest by a metric has to know that first.
        question = ReaderQuestion.WHOSE
    texts = (
        (_FINDING, _sentence(correlations, names)),
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
    if max(c.n_systems for c in valued) < FEWEST_TOLD:
        return ""  # what the metrics may be used for says that so few systems tell nothing
    strongest = _strongest(correlations, valued)
    on = names.of_dimension(strongest[0].dimension)
    text = f"On {on}, {_ways(names, strongest)} ({_numbers(strongest)})."
    text = f"{text} {_verdict(correlations, strongest, names)}."
    elsewhere = [c for c in valued if c.dimension != strongest[0].dimension]
    rest = [_unsure(names, strongest), _by_case(strongest), _range(elsewhere)]
    return f"{text} {as_sentence('; '.join(filter(None, rest)))}".strip()


def _controls(correlations: Correlations, names: Names) -> str:
    """Say on which dimensions a control goes with the raters more closely than every metric."""
    lines = []
    chance = correlations.by_chance
    if chance is None:
        return ""
    shares = {own.dimension: own.share for own in chance.controls}
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
                    f"tau {PROPORTION(_tau(best))}; metrics to {PROPORTION(max(own))}"
                    + (f"; {_percent(shares[dimension])} by chance" if dimension in shares else ""),
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
    return f"{text}."


def _dimension(correlations: Correlations, validities: list[Validity]) -> str:
    """Take the dimension of the leaderboard where it has one, else the first compared."""
    known = list(dict.fromkeys(c.dimension for c in validities))
    return correlations.dimension if correlations.dimension in known else next(iter(known), "")


def _tau(correlation: Validity) -> float:
    return correlation.tau if correlation.tau is not None else 0.0


def _strength(correlation: Validity) -> float:
    return abs(_tau(correlation))


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


def _verdict(correlations: Correlations, strongest: list[Validity], names: Names) -> str:
    """Say what follows: the strongest of all was picked, so what all reach by chance decides."""
    chance = correlations.by_chance
    if chance is None:
        return "What the metrics reach by chance is not known, so this is not tested"
    tried = "the one metric tried" if chance.metrics == 1 else f"the best of {chance.metrics:,}"
    luck = f"{tried} reaches as much by chance in {_percent(chance.share)} of such studies"
    if chance.share > names.level(_FINDING, _ABOUT):
        return f"Whether this is more than chance is undecided ({luck})"
    intervals = [i for _, i in map(_interval, strongest) if i is not None]
    but = "; yet the interval includes 0" if any(i.low <= 0 <= i.high for i in intervals) else ""
    return f"This is more than chance ({luck}{but})"


def _percent(share: float) -> str:
    """Print a share of studies, and never as none."""
    return "under 1\u00a0%" if share < 0.005 else f"{100 * share:.0f}\u00a0%"  # noqa: PLR2004
