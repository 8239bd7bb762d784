"""Golden values of lines over systems and what they foretell, from statsmodels 0.15.0.

In an environment with numpy and statsmodels run

    python tests/golden/make_line_over_systems.py > tests/golden/line_over_systems.json

The difference of two new systems is foretold by a model of all differences of two systems: each
observed pair gives (x_i - x_j, y_i - y_j) with errors that two pairs share where they share a
system, which generalised least squares without intercept takes into account. Its slope and error
are those of the line, and the prediction variance of a further pair is d² error² + 2 s². The
threshold is the zero of the upper end of that interval, found by bisection.
"""

import json
from itertools import combinations

import numpy as np

SEED = 20_27


def main() -> None:
    """Print data and results."""
    # Inside, since the tests look at every file here and do not have it.
    import statsmodels.api as sm
    from scipy import optimize, stats

    def p_of(x: np.ndarray, y: np.ndarray) -> float:
        fit = sm.OLS(y, sm.add_constant(x)).fit()
        return float(stats.t.sf(fit.tvalues[1], fit.df_resid))

    rng = np.random.default_rng(SEED)
    made = []
    for systems, slope in ((12, 2.0), (25, 0.8), (13, 0.1), (14, -1.0)):
        x = rng.normal(size=systems).round(3)
        y = (slope * x + 0.5 * rng.normal(size=systems)).round(3)
        fit = sm.OLS(y, sm.add_constant(x)).fit()
        # All pairs with the first system hold the same information as all pairs.
        pairs = [(0, j) for j in range(1, systems)]
        design = np.zeros((len(pairs), systems))
        for row, (i, j) in enumerate(pairs):
            design[row, i], design[row, j] = 1, -1
        by_pairs = sm.GLS(design @ y, design @ x, sigma=design @ design.T).fit()
        variance, error = float(by_pairs.scale), float(by_pairs.bse[0])
        quantile = float(stats.t.ppf(0.975, by_pairs.df_resid))

        def upper(
            loss: float,
            slope: float = float(by_pairs.params[0]),
            parts: tuple[float, float, float] = (variance, error, quantile),
        ) -> float:
            return float(-loss * slope + parts[2] * np.sqrt(2 * parts[0] + (loss * parts[1]) ** 2))

        far = 1e6
        made.append(
            {
                "x": x.tolist(),
                "y": y.tolist(),
                "slope": float(fit.params[1]),
                "error": float(fit.bse[1]),
                "by_pairs": [float(by_pairs.params[0]), error],
                "p": p_of(x, y),
                "p_without": max(
                    p_of(np.delete(x, out), np.delete(y, out))
                    for count in (0, 1, 2)
                    for out in map(list, combinations(range(systems), count))
                ),
                "not_excluded": float(upper(0.0)),
                "threshold": optimize.brentq(upper, 0, far, xtol=1e-13) if upper(far) < 0 else None,
            }
        )
    print(json.dumps({"tool": "statsmodels 0.15.0", "sets": made}))  # noqa: T201 - a generator prints what it made


main()
