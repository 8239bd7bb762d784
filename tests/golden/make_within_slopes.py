"""Golden values of slopes inside groups, from statsmodels 0.15.0.

In an environment with numpy and statsmodels run

    python tests/golden/make_within_slopes.py > tests/golden/within_slopes.json

statsmodels is given a dummy for each group. It has no bias-reduced errors.
"""

import json

import numpy as np

SEED = 20_26


def main() -> None:
    """Print data and results."""
    # Inside, since the tests look at every file here and do not have it.
    import statsmodels.api as sm

    rng = np.random.default_rng(SEED)
    made = []
    for columns, merged in ((1, 1), (2, 1), (2, 3)):
        groups = np.repeat(np.arange(15), rng.integers(2, 6, 15))
        clusters = groups // merged
        x = rng.normal(size=(groups.size, columns)).round(3)
        y = (x.sum(axis=1) + clusters + rng.normal(size=groups.size)).round(3)
        dummies = (groups[:, None] == np.arange(15)).astype(float)
        fit = sm.OLS(y, np.column_stack([x, dummies])).fit()
        made.append(
            {"y": y.tolist(), "x": x.tolist(), "groups": groups.tolist(),
             "clusters": clusters.tolist(), "slopes": fit.params[:columns].tolist()}
        )  # fmt: skip
    print(json.dumps({"tool": "statsmodels 0.15.0", "sets": made}))  # noqa: T201 - a generator prints what it made


main()
