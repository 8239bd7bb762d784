"""Make allotted.json: systems whose cases chance allotted, by other tools and by brute force.

Run in an environment of its own (the versions used are written into the file):
    python -m venv oracle && oracle/bin/pip install statsmodels pandas scipy
    oracle/bin/python tests/golden/make_allotted.py

Means: statsmodels GLS with the whole covariance matrix, its ratio of variances by Henderson's third
method from statsmodels OLS fits with dummies; beside them statsmodels MixedLM (REML), whose ratio
is another. CR2 errors and their degrees of freedom: from dense matrices, by the definitions of
Pustejovsky and Tipton. The allotment drawn again: every pattern, one by one; Fisher's and McNemar's
tests by scipy and statsmodels where it comes to these; Boschloo's beside. Tango, and Miettinen and
Nurminen: the restricted likelihood maximised numerically. Max-T: the normal distribution of scipy,
integrated.
"""

import json
from importlib.metadata import version
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import boschloo_exact, fisher_exact, multivariate_normal, norm
from statsmodels.stats.contingency_tables import mcnemar

HERE = Path(__file__).parent


def long(values: np.ndarray, known: np.ndarray) -> pd.DataFrame:
    """Give one row a value."""
    case, system = np.nonzero(known.T)
    return pd.DataFrame({"y": values.T[known.T], "system": system, "case": case})


def ratio(rows: pd.DataFrame) -> float:
    """Give the variance of cases over the residual one, by the method of fitting constants."""
    whole = smf.ols("y ~ C(system)", data=rows).fit()
    both = smf.ols("y ~ C(system) + C(case)", data=rows).fit()
    return max(0.0, float(whole.mse_resid / both.mse_resid) - 1)


def power(matrix: np.ndarray, exponent: float) -> np.ndarray:
    """Give a power of a symmetric matrix; of directions that are 0 nothing."""
    value, vector = np.linalg.eigh(matrix)
    there = value > 1e-10
    scaled = vector * np.where(there, np.where(there, value, 1.0) ** exponent, 0.0)
    return np.asarray(scaled @ vector.T)


def dense(rows: pd.DataFrame, groups: np.ndarray, gamma: float) -> dict[str, object]:
    """Give GLS means, and of each difference the CR2 error and its degrees of freedom."""
    case = rows["case"].to_numpy()
    design = np.eye(rows["system"].max() + 1)[rows["system"]]
    covariance = np.eye(len(rows)) + gamma * (case[:, None] == case[None, :])
    fit = sm.GLS(rows["y"], design, sigma=covariance).fit()
    inverse = np.linalg.inv(covariance)
    bread = np.linalg.inv(design.T @ inverse @ design)
    hat = np.eye(len(rows)) - design @ bread @ design.T @ inverse
    residual = hat @ rows["y"].to_numpy()
    group = groups[case]
    pulls, filters, others = [], [], []
    for cluster in sorted(set(group.tolist())):
        mine = group == cluster
        own, front = covariance[np.ix_(mine, mine)], bread @ design[mine].T
        # What is left of a cluster's covariance, were the model true.
        left = hat[mine] @ covariance @ hat[mine].T
        root = power(own, 0.5)
        white = power(own, -0.5)
        adjust = root @ power(white @ left @ white, -0.5) @ white
        weight = front @ inverse[np.ix_(mine, mine)] @ adjust
        pulls.append(weight @ residual[mine])
        filters.append(weight @ hat[mine])
        # clubSandwich makes the same covariance whole again by a Cholesky root.
        upper = np.linalg.cholesky(own).T
        other = upper.T @ power(upper @ left @ upper.T, -0.5) @ upper
        others.append(front @ inverse[np.ix_(mine, mine)] @ other @ residual[mine])
    pairs = list(combinations(range(design.shape[1]), 2))
    errors, freedoms, by_cholesky = [], [], []
    for i, j in pairs:
        contrast = np.zeros(design.shape[1])
        contrast[[i, j]] = 1, -1
        errors.append(float(np.sqrt(sum((contrast @ pull) ** 2 for pull in pulls))))
        by_cholesky.append(float(np.sqrt(sum((contrast @ pull) ** 2 for pull in others))))
        rows_of = np.array([contrast @ pull for pull in filters])
        middle = rows_of @ covariance @ rows_of.T
        freedoms.append(float(np.trace(middle) ** 2 / (middle**2).sum()))
    return {
        "gamma": gamma,
        "means": fit.params.tolist(),
        "errors": errors,
        "errors_by_cholesky": by_cholesky,
        "freedoms": freedoms,
    }


def mixed(rows: pd.DataFrame) -> list[float]:
    """Give the means by restricted likelihood."""
    fit = smf.mixedlm("y ~ C(system) - 1", data=rows, groups="case").fit(reml=True)
    return [float(value) for value in fit.fe_params]


def brute(values: np.ndarray, known: np.ndarray, weight: float) -> float:
    """Try every exchange of shared values and every way to deal the other cases out."""
    both = known.all(axis=0)
    gaps = values[0, both] - values[1, both]
    first, second = (values[at, known[at] & ~both] for at in (0, 1))
    others = np.concatenate([first, second])

    def total(shared: np.ndarray, mine: list[int]) -> float:
        rest = [at for at in range(len(others)) if at not in mine]
        far = others[mine].mean() - others[rest].mean()
        return float(weight * shared.mean() + (1 - weight) * far)

    seen = abs(total(gaps, list(range(len(first)))))
    reached = [
        abs(total(gaps * np.array(signs), list(mine))) >= seen - 1e-9
        for signs in product((1, -1), repeat=len(gaps))
        for mine in combinations(range(len(others)), len(first))
    ]
    return float(np.mean(reached))


def tango(n: int, b: int, c: int) -> list[float]:
    """Invert the score test of a paired difference, its likelihood maximised numerically."""

    def score(delta: float) -> float:
        def loss(q: float) -> float:
            p = q + delta
            rest = 1 - p - q
            parts = [(b, p), (c, q), (n - b - c, rest)]
            return float(-sum(k * np.log(max(share, 1e-300)) for k, share in parts if k))

        low, high = max(0.0, -delta), (1 - delta) / 2
        found = minimize_scalar(loss, bounds=(low, high), method="bounded",
                                options={"xatol": 1e-14}).x  # fmt: skip
        return float((b - c - n * delta) / np.sqrt(n * (2 * found + delta * (1 - delta))))

    bar, middle = norm.ppf(0.975), (b - c) / n
    low = brentq(lambda delta: score(delta) - bar, -1 + 1e-9, middle - 1e-9)
    high = brentq(lambda delta: score(delta) + bar, middle + 1e-9, 1 - 1e-9)
    return [float(low), float(high)]


def two_shares(x: int, m: int, y: int, n: int) -> list[float]:
    """Invert the score test of two shares, its likelihood maximised numerically."""

    def score(delta: float) -> float:
        def loss(q: float) -> float:
            parts = [(x, q + delta), (m - x, 1 - q - delta), (y, q), (n - y, 1 - q)]
            return float(-sum(k * np.log(max(share, 1e-300)) for k, share in parts if k))

        low, high = max(0.0, -delta), min(1.0, 1 - delta)
        q = minimize_scalar(loss, bounds=(low, high), method="bounded",
                            options={"xatol": 1e-14}).x  # fmt: skip
        p = q + delta
        variance = (p * (1 - p) / m + q * (1 - q) / n) * (m + n) / (m + n - 1)
        return float((x / m - y / n - delta) / np.sqrt(variance))

    bar, middle = norm.ppf(0.975), x / m - y / n
    low = brentq(lambda delta: score(delta) - bar, -1 + 1e-6, middle - 1e-9)
    high = brentq(lambda delta: score(delta) + bar, middle + 1e-9, 1 - 1e-6)
    return [float(low), float(high)]


def at_once(correlation: np.ndarray, z: list[float]) -> list[float]:
    """Give step-down max-T p values of |z| sorted from the largest on, integrated."""
    found, highest = [], 0.0
    for at, bar in enumerate(z):
        left = correlation[at:, at:]
        inside = multivariate_normal(cov=left, allow_singular=True).cdf(
            np.full(len(left), bar), lower_limit=np.full(len(left), -bar)
        )
        highest = max(highest, float(1 - inside))
        found.append(highest)
    return found


def main() -> None:
    """Write the file."""
    rng = np.random.default_rng(20261128)
    designs = []
    for name, systems, cases, share, per in (
        ("two systems", 2, 40, 0.6, 1),
        ("six systems", 6, 60, 0.4, 1),
        ("three systems, clusters", 3, 48, 0.6, 4),
        ("no case shared", 2, 40, 0.0, 1),
    ):
        hard = rng.normal(size=cases)
        values = np.round(rng.normal(size=(systems, cases)) + hard, 6)
        known = rng.random(values.shape) < share
        if not share:
            known = np.arange(cases) % 2 == np.arange(2)[:, None]
        groups = np.arange(cases) // per
        rows = long(values, known)
        gamma = ratio(rows) if share else 0.0
        designs.append(
            {
                "name": name,
                "values": values.tolist(),
                "known": known.astype(int).tolist(),
                "groups": groups.tolist(),
                **dense(rows, groups, gamma),
                "reml": mixed(rows) if share else None,
            }
        )
    small = []
    for shared, own, levels in (
        (4, (4, 3), [0.0, 1.0]),
        (5, (3, 3), [0.0, 0.5, 1.0]),
        (3, (5, 4), [0.0, 1.0]),
    ):
        cases = shared + sum(own)
        values = rng.choice(levels, (2, cases))
        known = np.zeros((2, cases), dtype=bool)
        known[:, :shared] = True
        known[0, shared : shared + own[0]] = known[1, shared + own[0] :] = True
        small.append(
            {
                "values": values.tolist(),
                "known": known.astype(int).tolist(),
                "p": {str(w): brute(values, known, w) for w in (0.0, 0.25, 0.6, 1.0)},
            }
        )
    alone = [
        {
            "right": [x, y],
            "of": [m, n],
            "fisher": float(fisher_exact([[x, m - x], [y, n - y]]).pvalue),
            "boschloo": float(boschloo_exact([[x, m - x], [y, n - y]]).pvalue),
            "interval": two_shares(x, m, y, n),
        }
        for x, m, y, n in ((56, 70, 48, 80), (3, 100, 25, 90), (9, 10, 3, 10), (1, 40, 5, 60))
    ]  # fmt: skip
    paired = [
        {
            "counts": [n, b, c],
            "mcnemar": float(mcnemar([[n - b - c, b], [c, 0]], exact=True).pvalue),
            "tango": tango(n, b, c),
        }
        for n, b, c in ((44, 1, 0), (100, 10, 2), (30, 4, 9), (56, 12, 1))
    ]
    root = rng.normal(size=(40, 4))
    pairs = list(combinations(range(4), 2))
    contrasts = np.array([root[:, i] - root[:, j] for i, j in pairs])
    z = [3.1, 2.6, 2.2, 1.4, 0.9, 0.3]
    spread = contrasts @ contrasts.T
    size = np.sqrt(np.diag(spread))
    made = {
        "versions": {tool: version(tool) for tool in ("pandas", "scipy", "statsmodels")},
        "designs": designs,
        "small": small,
        "alone": alone,
        "paired": paired,
        "max_t": {
            "pulled": root.tolist(),
            "p": [float(2 * norm.sf(value)) for value in z],
            "adjusted": at_once(spread / np.outer(size, size), z),
        },
    }
    text = json.dumps(made, separators=(",", ":"))
    (HERE / "allotted.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
