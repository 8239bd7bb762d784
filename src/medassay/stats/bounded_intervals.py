"""Intervals for means on a scale with two ends, such as shares: they never leave the scale."""

from medassay.stats.intervals import Interval
from medassay.stats.standard_error import Moments, t_intervals

__all__ = ["bounded_intervals"]


def bounded_intervals(
    moments: Moments, bounds: tuple[float, float], *, estimand: str, level: float = 0.95
) -> list[tuple[Interval | None, str]]:
    """Which means on a scale from a to b are compatible with these, clusters being independent?

    Wilson's interval with the effective n of the clustered standard error: p = (x̄ − a)/(b − a), n =
    p(1 − p)(b − a)²/SE², and t for z, with the error's degrees of freedom: C − 1 for clusters of
    one size, fewer where they differ. For independent shares n is one less than their number. Where
    all values lie at one end no error can be seen: n is the number of clusters, on C − 1 degrees.
    Where of five clusters or more fewer than five hold what is rare, it may come in clumps that no
    error shows: the error is never less than that of clusters whose units are all alike. Where all
    values are equal within the scale, or the means of all clusters, there is none, as in
    `t_intervals`.

    Source: Wilson (1927), doi:10.1080/01621459.1927.10502953; the effective n as in Kish (1965),
        Survey Sampling, chapter 8.

    Example:
        >>> import numpy as np
        >>> from medassay.stats import moments
        >>> rows = np.array([[1.0, 0, 0, 0, 0], [0.0, 0, 0, 0, 0]])
        >>> found = moments(rows, np.ones((2, 5), dtype=bool))
        >>> for one, _ in bounded_intervals(found, (0, 1), estimand="an example"):
        ...     print(round(one.low, 3), round(one.high, 3))
        0.018 0.777
        0.0 0.607
    """
    from scipy.special import stdtrit

    low, high = bounds
    width = high - low
    made: list[tuple[Interval | None, str]] = []
    plain = t_intervals(moments, estimand=estimand, level=level)
    rows = zip(
        plain,
        moments.mean.tolist(),
        moments.clumped_error.tolist(),
        moments.freedom.tolist(),
        moments.clusters.tolist(),
        strict=True,
    )
    for (interval, why), mean, error, freedom, clusters in rows:
        share = (mean - low) / width
        at_end = share in {0.0, 1.0}
        if clusters < 2 or (interval is None and not at_end):  # noqa: PLR2004 - one has no spread
            made.append((None, why))
            continue
        n = clusters if at_end else share * (1 - share) * (width / error) ** 2
        t = float(stdtrit(clusters - 1 if at_end else freedom, (1 + level) / 2))
        shrink = 1 + t * t / n
        centre = (share + t * t / (2 * n)) / shrink
        half = t * (share * (1 - share) / n + t * t / (4 * n * n)) ** 0.5 / shrink
        ends = max(0.0, centre - half), min(1.0, centre + half)
        method = "Wilson with clustered effective n"
        ends_on_scale = Interval(
            low + width * ends[0], low + width * ends[1], level, method, estimand
        )
        made.append((ends_on_scale, ""))
    return made
