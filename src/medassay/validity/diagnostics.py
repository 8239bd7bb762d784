"""What each rater does that the others do not: reversed, milder, copied, one label for all.

Does a rater grow stricter or milder along the order? A test over all raters and dimensions.

Effect sizes from sums, so that resampling cases is one matrix product.

Each of their functions takes sums whose last axis holds the columns that its docstring names, and
gives the effect for every leading index; NaN where it is undefined.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, RaterName, SystemName, Words, record
from medassay.consensus import (
    ConsensusDetails,
    consensus_details,
    fit_mace,
    mace_settings,
    title_of,
)
from medassay.judgements import Judgements
from medassay.stats import Interval, bootstrap_counts, group_labels, holm, percentile_interval
from medassay.stats.intervals import blown_up, cluster_index
from medassay.stats.randomness import Rng, as_generator, drawn_seed, stream
from medassay.validity.rater_rows import RaterRows, rater_rows
from medassay.validity.strictness import strictness_p

_Floats = NDArray[np.float64]

Effect = Callable[[_Floats], _Floats]

_FLAT = 1e-12


def ratio(sums: _Floats) -> _Floats:
    """Give Σx / n. Columns: x, 1."""
    return _divide(sums[..., 0], sums[..., 1])


def difference_of_means(sums: _Floats) -> _Floats:
    """Give the mean of x less the mean of y. Columns: x, its 1, y, its 1."""
    return ratio(sums[..., :2]) - ratio(sums[..., 2:])


def sd_ratio(sums: _Floats) -> _Floats:
    """Give SD(x) / SD(y). Columns: x, x², its 1, y, y², its 1."""
    first, other = (_variance(sums[..., i], sums[..., i + 1], sums[..., i + 2]) for i in (0, 3))
    squared = _divide(first, np.where(other > _FLAT, other, 0.0))
    return np.sqrt(np.maximum(squared, 0.0))


def slope(sums: _Floats) -> _Floats:
    """Give the least-squares slope of y on x. Columns: x, y, xy, x², y², 1."""
    x, y, xy, xx, _, n = np.moveaxis(sums, -1, 0)
    spread = _variance(x, xx, n)
    return _divide(_divide(xy, n) - ratio2(x, y, n), np.where(spread > _FLAT, spread, 0.0))


def correlation(sums: _Floats) -> _Floats:
    """Give Pearson's r of x and y. Columns: x, y, xy, x², y², 1."""
    x, y, xy, xx, yy, n = np.moveaxis(sums, -1, 0)
    product = _variance(x, xx, n) * _variance(y, yy, n)
    return _divide(
        _divide(xy, n) - ratio2(x, y, n), np.sqrt(np.where(product > _FLAT, product, 0.0))
    )


def ratio2(x: _Floats, y: _Floats, n: _Floats) -> _Floats:
    """Give the product of the means of x and y."""
    return _divide(x, n) * _divide(y, n)


def _variance(x: _Floats, xx: _Floats, n: _Floats) -> _Floats:
    return _divide(xx, n) - _divide(x, n) ** 2


def _divide(above: _Floats, below: _Floats) -> _Floats:
    quotient = np.full(np.broadcast(above, below).shape, np.nan)
    np.divide(above, below, out=quotient, where=below > 0)
    return quotient


_FEWEST_POINTS: Final = 10
"""With fewer cases, or clusters of cases, a slope's error is too uncertain for a test."""
_LINE: Final = 2
"""What a line takes of the degrees of freedom."""
_DIGITS: Final = 9
"""A slope that is nothing but rounding points no way."""
_TREND: Final = 0.2
"""Under it answers are taken to get better or worse along the order: to ask costs little."""
_STRETCH: Final = 3
"""Labels in a stretch of the order, where that makes ten to twenty."""


def drift_p(
    dimensions: Mapping[str, RaterRows], *, clusters: Mapping[str, str] | None = None
) -> dict[tuple[str, str], float]:
    """Could a rater's labels move against the others' so far by luck, where nobody drifts?

    The slope of the gap g to the others on the place x in the order is Σ_c S_c / Σ (xᵢ − x̄)², where
    S_c = Σ_{i∈c} (xᵢ − x̄)(gᵢ − ḡ) is what case c (or a cluster of cases) moves it by. Where nobody
    drifts each S_c is 0 on average: a t test over the C of them, with C − 2 degrees of freedom
    since ḡ is estimated. A label may lean on the one before too, so the same is done over 10 to 20
    stretches of the order, and the larger p counts.

    Where the others' scores rise or fall along the order (p < .2), whoever uses a narrower or a
    wider part of the scale moves against them too, and drifts not. One who falls behind may use a
    narrower part, one who runs ahead a wider one; so the slope must stand once more, and point the
    same way, in what the others' mean, or the rater's own scores, leave of x and g: of labels with
    errors the truth lies between the two lines (Frisch 1934). The larger p counts. Two-sided, after
    Holm over all raters and dimensions.

    Args:
        dimensions: Dimension to its rows.
        clusters: Case to cluster; cases without one are apart.

    Returns:
        (dimension, rater) to p, right over all of them together; raters whose places are unknown,
        or who share fewer than ten cases with others, are not in it.

    Source: Liang & Zeger (1986), doi:10.1093/biomet/73.1.13; bounds where both variables have
        errors: Frisch (1934), Statistical Confluence Analysis; Klepper & Leamer (1984),
        doi:10.2307/1911466.

    Example:
        >>> import medassay as ma
        >>> rows = [
        ...     {"rater": r, "system": "s", "case": f"{c:02}", "dimension": "quality",
        ...      "label": str(3 + c % 2 - (r == "ann" and c > 19)), "position": c}
        ...     for r in ("ann", "ben", "eve") for c in range(40)
        ... ]
        >>> judgements = ma.Judgements.from_rows(rows, ma.load_rubric("likert5"))
        >>> from medassay.validity.rater_rows import rater_rows
        >>> p = drift_p({"quality": rater_rows(judgements, "quality")})
        >>> p["quality", "ann"] < 0.01
        True
    """
    p = {
        (name, rater): own
        for name, rows in dimensions.items()
        for place, rater in enumerate(rows.raters)
        if (own := _p(rows, place, clusters)) is not None
    }
    return dict(zip(p, map(float, holm(list(p.values()))), strict=True)) if p else {}


def _p(rows: RaterRows, rater: int, clusters: Mapping[str, str] | None) -> float | None:
    """Give one rater's p; None where there is none."""
    mine = (rows.rater == rater) & (rows.others_n > 0) & ~np.isnan(rows.position)
    cases = [rows.cases[case] for case in rows.case[mine].tolist()]
    at = cluster_index(group_labels(cases, clusters), len(cases))
    many = int(at.max(initial=-1)) + 1
    x, own, others = rows.position[mine], rows.score[mine], rows.others[mine]
    if many < _FEWEST_POINTS or np.ptp(x) == 0:
        return None
    # Rows of one rater are in the order of positions.
    stretches = np.clip(x.size // _STRETCH, _FEWEST_POINTS, 2 * _FEWEST_POINTS)
    stretch = np.arange(x.size) * stretches // x.size
    gap = own - others

    def luck(of: _Floats, scores: list[_Floats], *apart: NDArray[np.intp]) -> tuple[float, float]:
        along, left = _left(x, scores), _left(of, scores)
        p = [
            _luck(np.bincount(units, along * left).astype(np.float64), _LINE + len(scores))
            for units in apart
        ]
        return float(np.sign(np.round(along @ left, _DIGITS))), max(p)

    way, p = luck(gap, [], at, stretch)
    risen, by_luck = luck(others, [], at)
    if by_luck >= _TREND:
        return p
    again, guarded = luck(gap, [own if way == risen else others], at, stretch)
    return max(p, guarded) if again == way else 1.0


def _left(values: _Floats, scores: list[_Floats]) -> _Floats:
    """Give what a constant and a line of scores leave of values."""
    values = values - values.mean()
    for along in (one - one.mean() for one in scores):
        if (size := float(along @ along)) > 0:
            values = values - along * (along @ values / size)
    return values


def _luck(moved: _Floats, taken: int) -> float:
    """Give the p of a t test of what each unit moves the slope by."""
    from scipy.special import stdtr

    error = float(moved.std(ddof=1)) / moved.size**0.5
    if error == 0:
        return 0.0 if moved.any() else 1.0
    return 2 * float(stdtr(moved.size - taken, -abs(float(moved.mean())) / error))


_FEWEST_CASES: Final = 10
"""With fewer cases nothing short of the exact reverse could be told from luck."""
_TWO: Final = 2


def read_backwards(
    laid_out: Mapping[str, RaterRows], *, level: float = 0.95
) -> dict[tuple[str, str], float]:
    """Whose scores fall where the others' rise, on which dimension?

    For each rater r is Pearson's correlation of own scores with the mean of the others' on the same
    answers. t = r · √(f / (1 − r²)) with f = the cases less 2, though there are more answers, since
    answers to one case are alike. One stands whose two-sided p, after Holm over all raters and
    dimensions, is at most 1 less the level, and whose r is below 0. Raters who share fewer than 10
    cases with others are not tested. Of two raters both stand, or none: which of them it was
    cannot be told.

    Args:
        laid_out: Dimension to what each rater and the others gave.
        level: 1 less the chance that anybody is named where nobody read it so.

    Returns:
        Dimension and rater, and the adjusted p.

    Example:
        >>> from medassay.judgements import Judgements, load_rubric
        >>> from medassay.validity.rater_rows import rater_rows
        >>> said = {"ann": "1234512345", "ben": "1234412345", "eve": "5432154321"}
        >>> rows = [{"rater": who, "system": "A", "case": str(i), "dimension": "quality",
        ...          "label": label} for who, all_ in said.items() for i, label in enumerate(all_)]
        >>> judgements = Judgements.from_rows(rows, load_rubric("likert5"))
        >>> [*read_backwards({"quality": rater_rows(judgements, "quality")})]
        [('quality', 'eve')]
    """
    from scipy.special import stdtr

    keys, p, below = [], [], []
    for dimension, rows in laid_out.items():
        raters = [
            place
            for place in range(len(rows.raters))
            if (rows.others_n[rows.rater == place] > 0).any()
        ]
        # Two raters have one correlation.
        for place in raters[:1] if len(raters) == _TWO else raters:
            shared = (rows.rater == place) & (rows.others_n > 0)
            own, others = rows.score[shared], rows.others[shared]
            cases = len(np.unique(rows.case[shared]))
            if cases < _FEWEST_CASES or np.ptp(own) == 0 or np.ptp(others) == 0:
                continue
            r = float(np.corrcoef(own, others)[0, 1])
            t = abs(r) * (cases - 2) ** 0.5 / max(1 - r * r, 1e-12) ** 0.5
            whose = raters if len(raters) == _TWO else [place]
            keys.append([(dimension, rows.raters[one]) for one in whose])
            p.append(2 * float(stdtr(cases - 2, -t)))
            below.append(r < 0)
    found = zip(keys, holm(p) if p else (), below, strict=True)
    return {
        key: float(adjusted)
        for whose, adjusted, low in found
        if low and adjusted <= 1 - level
        for key in whose
    }


_RESTARTS: Final = 2
"""Of each resample: enough, since only the parts that resampling moves are wanted."""


def competences(
    fitted: ConsensusDetails, rng: np.random.Generator, replicates: int, level: float
) -> Iterator[tuple[str, float | None, Interval | None, int, str]]:
    """Give each rater's competence, its interval, labels, and why there is no interval.

    The competence is that of the fit itself. For the interval cases are resampled as weights of
    their answers, and the same model, with its parameters, control items and priors, is fitted
    anew each time. Where labels do not show how often a rater knows there is neither, and a reason.
    Of a method that is no MACE, or that had nothing to fit, nothing is given.
    """
    settings, model, read = mace_settings(fitted.method), fitted.joined.model, fitted.units
    if settings is None or model is None:
        return
    weights = bootstrap_counts(len(read.cases), replicates, rng)[:, read.case]
    few = replace(settings, restarts=min(settings.restarts, _RESTARTS))
    known = {key: label for key, label in zip(read.keys, model.known, strict=True) if label}
    drawn = np.array(
        [
            fit_mace(
                read, rng=rng, settings=few, known=known, priors=model.priors, weights=row
            ).competence
            for row in weights
        ]
    )
    labels_by = np.bincount(read.rater, minlength=len(read.raters))
    for j, rater in enumerate(read.raters):
        if model.unknown[j]:
            yield rater, None, None, int(labels_by[j]), model.unknown[j]
            continue
        # Where none of a rater's answers was drawn, the fit knows the prior alone.
        there = weights[:, read.unit[read.rater == j]].sum(axis=1) > 0
        values = drawn[there, j]
        interval, why = None, "every resample has the same competence"
        if values.size and np.ptp(values) > 0:
            interval = percentile_interval(values, estimand="this rater, new cases", level=level)
            why = ""
        yield rater, fitted.joined.quality[j], interval, int(labels_by[j]), why


_FEWEST_CLUSTERS: int = 2


def gap_interval(
    sums: NDArray[np.float64], *, estimand: str, level: float = 0.95
) -> Interval | None:
    """Which differences of two means are compatible with sums by case?

    The difference of means x̄ − ȳ is linearised: case c adds a_c − b_c, with a_c = Σ_c(x − x̄)/(n √(1
    − h_c)), h_c being the case's share of the n labels x, and b_c likewise. SE² = Σ (a_c − b_c)²,
    and t has the fewer degrees of freedom of the two (`bias_reduced`): where each of K cases holds
    as many, K − 1, and one system's labels are few. A
    percentile bootstrap of as few is too narrow, since it resamples no spread that it has not seen
    and knows no t; `simulations/coverage-favouring.md` has both.

    Args:
        sums: Shape (cases, 4): Σx, how many x, Σy, how many y.
        estimand: What it is an interval of.
        level: Nominal coverage.

    Returns:
        The interval; None where x or y lie in one case, or nothing varies.

    Example:
        >>> sums = np.array([[1.0, 1, 0, 1], [0.0, 1, 0, 1], [2.0, 1, 1, 1], [1.0, 1, -1, 1]])
        >>> found = gap_interval(sums, estimand="an example")  # 1 ± 3.18 · √(1/6)
        >>> round(found.low, 2), round(found.high, 2)
        (-0.3, 2.3)
    """
    from scipy.special import stdtrit

    if min(int((sums[:, 1] > 0).sum()), int((sums[:, 3] > 0).sum())) < _FEWEST_CLUSTERS:
        return None
    first, free = _parts(sums[:, 0], sums[:, 1])
    other, free_other = _parts(sums[:, 2], sums[:, 3])
    error = float(np.sqrt(((first - other) ** 2).sum()))
    if error == 0:
        return None
    total = sums.sum(axis=0)
    effect = float(total[0] / total[1] - total[2] / total[3])
    half = float(stdtrit(min(free, free_other), (1 + level) / 2)) * error
    return Interval(effect - half, effect + half, level, "t over cases", estimand)


def _parts(
    values: NDArray[np.float64], n: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    """Give what each case adds to the mean's error, and its degrees of freedom."""
    mean = values.sum() / n.sum()
    sums, freedom = blown_up(values - mean * n, n)
    return sums / n.sum(), freedom


@dataclass(frozen=True, slots=True, eq=False)
class HaloColumns:
    """Moments of one rater's scores of two dimensions, then of the others' mean scores.

    Attributes:
        case: For each answer the position of its case in the first dimension's cases.
        values: Shape (answers, 12): x, y, xy, x², y², 1 twice.
    """

    case: NDArray[np.int64]
    values: NDArray[np.float64]


def halo_columns(
    laid_out: Mapping[str, RaterRows],
) -> dict[tuple[str, str], dict[str, HaloColumns]]:
    """Pair up dimensions, and within them each rater's answers that the others scored as well."""
    by_pair: dict[tuple[str, str], dict[str, HaloColumns]] = {}
    for first, second in combinations(laid_out, 2):
        rater_rows, other = laid_out[first], laid_out[second]
        here, there = _by_answer(rater_rows), _by_answer(other)
        of_raters: dict[str, HaloColumns] = {}
        for rater in rater_rows.raters:
            keys = [key for key in here if key[0] == rater and key in there]
            left = np.array([here[key] for key in keys], dtype=np.int64)
            right = np.array([there[key] for key in keys], dtype=np.int64)
            values = np.concatenate(
                [
                    _moments(rater_rows.score[left], other.score[right]),
                    _moments(rater_rows.others[left], other.others[right]),
                ],
                axis=1,
            )
            of_raters[rater] = HaloColumns(rater_rows.case[left], values)
        by_pair[first, second] = of_raters
    return by_pair


def _by_answer(rows: RaterRows) -> dict[tuple[str, str, str], int]:
    """Map rater, system and case to the row, where others scored the answer too."""
    return {
        (rows.raters[rater], system, rows.cases[case]): i
        for i, (rater, system, case, n) in enumerate(
            zip(
                rows.rater.tolist(),
                rows.system,
                rows.case.tolist(),
                rows.others_n.tolist(),
                strict=True,
            )
        )
        if n
    }


def _moments(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.stack([x, y, x * y, x * x, y * y, np.ones(len(x))], axis=1)


def longest_run(
    rows: RaterRows,
    own: NDArray[np.bool_],
    rng: np.random.Generator,
    replicates: int,
    level: float,
) -> tuple[float | None, Interval | None, int, str]:
    """Give the excess of a rater's longest run over chance, its range by chance, n, and why not.

    The same labels are put in random order many times. The interval is the central share of the
    longest runs found so, less their mean: an effect above it is longer than chance makes.
    """
    placed = own & ~np.isnan(rows.position)
    scores = rows.score[placed]
    if not len(scores):
        return None, None, 0, "positions are not known"
    if len(scores) < _FEWEST:
        return None, None, len(scores), f"fewer than {_FEWEST} labels ({len(scores)})"
    if np.ptp(scores) == 0:
        return None, None, len(scores), f"all {len(scores)} labels are the same, in any order"
    shuffled = rng.permuted(np.broadcast_to(scores, (replicates, len(scores))), axis=1)
    by_chance = _runs(shuffled)
    mean = float(by_chance.mean())
    low, high = np.quantile(by_chance - mean, [(1 - level) / 2, (1 + level) / 2]).tolist()
    estimand = "the same labels in random order"
    band = Interval(low, high, level, "permutation range", estimand, replicates)
    return float(_runs(scores[None])[0]) - mean, band, len(scores), ""


def _runs(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Give the longest run of equal values in each row."""
    longest = np.ones(len(scores), dtype=np.int64)
    current = longest.copy()
    for before, after in zip(scores.T[:-1], scores.T[1:], strict=True):
        current = np.where(before == after, current + 1, 1)
        np.maximum(longest, current, out=longest)
    return longest


Kind = Literal[
    "severity",
    "central tendency",
    "halo",
    "anchoring",
    "drift",
    "favouring",
    "identical run",
    "speed",
    "competence",
    "reversed",
]

KINDS: Final[dict[Kind, str]] = {
    "severity": "points above (+) or below (−) the others on the same answers",
    "central tendency": "spread of the rater's scores over that of the others; below 1: nearer "
    "to the middle",
    "halo": "correlation of the rater's scores of two dimensions, less that of the others' "
    "means; above 0: they move together more",
    "anchoring": "correlation of a label's distance from the others' mean with that of the label "
    "before; above 0: it leans on it",
    "drift": "points moved, against the others, over a hundred ratings",
    "favouring": "points above the others for this system, less the same for the other systems",
    "identical run": "longest run of one label, less its average in random order",
    "speed": "share of judgements faster than a fifth of the panel's median",
    "competence": "how often the rater knows rather than guesses",
    "reversed": "correlation of the rater's scores with the others' mean scores of the same "
    "answers, where it lies so far below 0 that the scale may have been read the other way round",
}
"""What each effect is, and what its sign means."""

BACKWARDS: Final = "a rater may have read the scale the other way round"
"""Why nobody is called severe, or mild, on a dimension."""
_ESTIMAND: Final = "this rater, new cases"
_FEWEST: Final = 5
_FAST: Final = 0.2


@record(infers=True)
class RaterDiagnostic:
    """One thing that a rater does and the others do not.

    Attributes:
        rater: The rater.
        dimension: The dimension; for a halo two of them, as "a, b".
        kind: One of `KINDS`.
        meaning: What the effect is, and what its sign means.
        about: The system, where the kind is favouring; the MACE that was fitted, by its canonical
            name, where it is competence; else empty.
        effect: Its size; None where undefined.
        interval: Of the effect, over new cases; of an identical run, what random orders give.
        n: Labels that it rests on.
        reason: Why there is no effect or no interval; empty where both are there.
        p: That luck makes one of all raters and dimensions stand as far apart: of a severity
            (`strictness_p`), a drift (`drift_p`) and a reversed scale (`read_backwards`); None of
            other kinds, and of raters with too few labels.
    """

    rater: RaterName
    dimension: DesignName
    kind: Kind
    meaning: Words
    about: SystemName
    effect: float | None
    interval: Interval | None
    n: int
    reason: Words = ""
    p: float | None = None


def diagnose_raters(
    judgements: Judgements,
    *,
    rng: Rng,
    fits: Sequence[ConsensusDetails] | None = None,
    phases: Sequence[str] | None = None,
    clusters: Mapping[str, str] | None = None,
    replicates: int = 1000,
    level: float = 0.95,
) -> list[RaterDiagnostic]:
    """Who is severe, timid, carried along, tired, partial, careless or hasty, and by how much?

    Every effect compares a rater with the other raters of the same answers, so that a rater who got
    the harder answers is not called severe. Intervals resample cases; for favouring, which rests on
    the labels of one system, they are t intervals over cases. They are not adjusted for how many
    raters and effects are looked at: with twenty raters one in twenty stands out by luck; the p of
    a severity, a drift and a reversed scale is. One whose
    scores fall where the others' rise (`read_backwards`) has an effect of its own, and on that
    dimension nobody is severe: how far who reads a scale backwards lies from the others is neither
    that rater's severity nor theirs.

    Args:
        judgements: What the raters said.
        rng: One number is drawn from it, which seeds everything else.
        fits: The fitted models whose competences stand among the effects, as `consensus_details`
            gives them for the same phases; methods other than MACE are passed over. MACE with its
            defaults is fitted here where none are given.
        phases: Which phases to read.
        clusters: Case to cluster, whose answers are moved together by the test of severity; cases
            without one are apart.
        replicates: Resamples of the cases; for the competence, which is fitted anew each time, a
            tenth of them.
        level: Coverage of the intervals.

    Returns:
        Sorted by dimension in the rubric's order, rater and kind.

    Source: for severity, central tendency, halo and drift: Saal, Downey & Lahey (1980), Rating the
        ratings, doi:10.1037/0033-2909.88.2.413.
    """
    rng = as_generator(rng)
    seed = drawn_seed(rng)
    if fits is None:
        fits = consensus_details(judgements, ["mace"], phases=phases, rng=rng)
    judged = set(judgements.frame["dimension"])
    rater_diagnostics: list[RaterDiagnostic] = []
    laid_out = {}
    for dimension in judgements.rubric.ids:
        rows = rater_rows(judgements, dimension, phases) if dimension in judged else None
        if rows is not None and rows.raters:
            laid_out[dimension] = rows
    turned = read_backwards(laid_out, level=level)
    backward = {asked for asked, _ in turned}
    upright = {name: rows for name, rows in laid_out.items() if name not in backward}
    luck: dict[Kind, Mapping[tuple[str, str], float]] = {
        "severity": strictness_p(upright, rng=stream(seed, "s69"), clusters=clusters),
        "drift": drift_p(upright, clusters=clusters),
        "reversed": turned,
    }
    for dimension, rows in laid_out.items():
        drawn = stream(seed, "s05", dimension)
        weights = bootstrap_counts(len(rows.cases), replicates, drawn)
        for place, rater in enumerate(rows.raters):
            own = rows.rater == place
            backwards = (dimension, rater) in turned
            for plan in _plans(rows, own, backwards=backwards):
                diagnostic = _measure(plan, rows, weights, level)
                p = luck.get(plan.kind, {}).get((dimension, rater))
                diagnostic = _tested(diagnostic, p, turned=dimension in backward)
                rater_diagnostics.append(replace(diagnostic, rater=rater, dimension=dimension))
            drawn = stream(seed, "s06", dimension, rater)
            run = longest_run(rows, own, drawn, replicates, level)
            rater_diagnostics.append(_told(rater, dimension, "identical run", "", *run))
        few = max(20, replicates // 10)
        rater_diagnostics += [
            _told(rater, dimension, "competence", fit.method, effect, interval, n, why)
            for fit in fits
            if fit.units.dimension == dimension
            for rater, effect, interval, n, why in competences(
                fit, stream(seed, "s07", dimension), few, level
            )
        ]
    for (first, second), columns in halo_columns(laid_out).items():
        drawn = stream(seed, "s08", first, second)
        weights = bootstrap_counts(len(laid_out[first].cases), replicates, drawn)
        for rater, rows_of in columns.items():
            plan = _Plan("halo", "", rows_of.case, rows_of.values, _halo)
            diagnostic = _measure(plan, laid_out[first], weights, level)
            rater_diagnostics.append(
                replace(diagnostic, rater=rater, dimension=f"{first}, {second}")
            )
    order = {kind: i for i, kind in enumerate(KINDS)}
    rank = {name: i for i, name in enumerate(judgements.rubric.ids)}
    rater_diagnostics.sort(
        key=lambda d: (
            rank[d.dimension.split(", ")[0]],
            d.rater,
            order[d.kind],
            d.dimension,
            d.about,
        )
    )
    return rater_diagnostics


def _tested(diagnostic: RaterDiagnostic, p: float | None, *, turned: bool) -> RaterDiagnostic:
    """Give an effect its p; it is no severity where somebody may have read the scale backwards."""
    if turned and diagnostic.kind == "severity":
        return replace(diagnostic, effect=None, interval=None, reason=BACKWARDS)
    return diagnostic if diagnostic.effect is None else replace(diagnostic, p=p)


def _told(
    rater: str,
    dimension: str,
    kind: Kind,
    about: str,
    effect: float | None,
    interval: Interval | None,
    n: int,
    reason: str,
) -> RaterDiagnostic:
    """Give the effect with what it means; of a competence also by which fit it is."""
    meaning = f"{KINDS[kind]}, by {title_of(about)}" if kind == "competence" else KINDS[kind]
    return RaterDiagnostic(rater, dimension, kind, meaning, about, effect, interval, n, reason)


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """Columns to add up by case, and the effect that their sums give."""

    kind: Kind
    about: str
    case: NDArray[np.int64]
    columns: _Floats
    effect: Effect
    lacking: str = ""


def _plans(rows: RaterRows, own: NDArray[np.bool_], *, backwards: bool) -> Iterator[_Plan]:
    shared = own & (rows.others_n > 0)
    case, score = rows.case[shared], rows.score[shared]
    gap = score - rows.others[shared]
    ones = np.ones(len(gap))
    alone = "" if len(gap) else "nobody else judged this rater's answers"

    def plan(kind: Kind, columns: Sequence[_Floats], effect: Effect, about: str = "") -> _Plan:
        return _Plan(kind, about, case, np.stack(columns, axis=1), effect, alone)

    yield plan("severity", (gap, ones), ratio)
    if backwards:
        others = rows.others[shared]
        together = (score, others, score * others, score**2, others**2, ones)
        yield plan("reversed", together, correlation)
    sums, squares, n = (
        column[shared] for column in (rows.others_sum, rows.others_squares, rows.others_n)
    )
    yield plan("central tendency", (score, score**2, ones, sums, squares, n), sd_ratio)
    at = rows.position[shared]
    placed = ~np.isnan(at)
    unplaced = alone or ("" if placed.any() else "positions are not known")
    # Rows of one rater are in the order of positions.
    before, after = gap[placed][:-1], gap[placed][1:]
    yield _Plan("anchoring", "", case[placed][1:], _pairs(before, after), correlation, unplaced)
    drift = _pairs(at[placed] / 100, gap[placed])
    yield _Plan("drift", "", case[placed], drift, slope, unplaced)
    systems = np.array(rows.system)[shared]
    for system in np.unique(systems) if len(set(systems)) > 1 else ():
        here = (systems == system).astype(np.float64)
        columns = (gap * here, here, gap * (1 - here), 1 - here)
        yield plan("favouring", columns, difference_of_means, str(system))
    took = rows.seconds[own]
    timed = ~np.isnan(took)
    limit = _FAST * float(np.median(rows.seconds[~np.isnan(rows.seconds)])) if timed.any() else 0.0
    quick = np.stack([(took[timed] < limit).astype(np.float64), np.ones(timed.sum())], axis=1)
    untimed = "" if timed.any() else "seconds are not known"
    yield _Plan("speed", "", rows.case[own][timed], quick, ratio, untimed)


def _pairs(x: _Floats, y: _Floats) -> _Floats:
    return np.stack([x, y, x * y, x * x, y * y, np.ones(len(x))], axis=1)


def _halo(sums: _Floats) -> _Floats:
    return correlation(sums[..., :6]) - correlation(sums[..., 6:])


def _measure(plan: _Plan, rows: RaterRows, weights: _Floats, level: float) -> RaterDiagnostic:
    n = len(plan.case)
    if plan.lacking or n < _FEWEST:
        why = plan.lacking or f"fewer than {_FEWEST} labels ({n})"
        return _told("", "", plan.kind, plan.about, None, None, n, why)
    by_case = np.zeros((len(rows.cases), plan.columns.shape[1]))
    np.add.at(by_case, plan.case, plan.columns)
    effect = float(plan.effect(by_case.sum(axis=0)))
    if np.isnan(effect):
        why = "what is compared does not vary"
        return _told("", "", plan.kind, plan.about, None, None, n, why)
    if plan.kind == "favouring":
        around = gap_interval(by_case, estimand=_ESTIMAND, level=level)
        why = "" if around else "the labels of one system lie in one case, or do not vary"
        return _told("", "", plan.kind, plan.about, effect, around, n, why)
    drawn = plan.effect(weights @ by_case)
    values = drawn[~np.isnan(drawn)]
    interval, why = None, ""
    if 2 * values.size < drawn.size:
        why = "more than half of the resamples have no effect"
    elif np.ptp(values) == 0:
        why = "every resample has the same effect: that does not show how far it could lie"
    else:
        interval = percentile_interval(values, estimand=_ESTIMAND, level=level)
    return _told("", "", plan.kind, plan.about, effect, interval, n, why)
