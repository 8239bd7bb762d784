"""Golden values of GeneralizIT 0.1.2 for components of variance and generalizability coefficients.

In an environment with generalizit and pandas run

    python tests/golden/make_d_study.py > tests/golden/d_study.json

The first data are synthetic data set no. 3 of Brennan (2001), Generalizability Theory, table 3.1:
ten persons (here systems), four items (cases) and two occasions (raters). The second are drawn.
"""

import contextlib
import json
import sys

import numpy as np
import pandas as pd
from generalizit import GeneralizIT

SEED = 30_01
BRENNAN = (
    ((2, 4, 5, 5, 4, 4, 2, 3, 0, 6), (2, 6, 5, 5, 4, 6, 2, 6, 5, 6)),
    ((6, 5, 5, 9, 3, 4, 6, 4, 5, 8), (5, 7, 4, 7, 5, 4, 7, 6, 5, 8)),
    ((7, 6, 4, 8, 5, 4, 6, 4, 4, 7), (5, 5, 5, 7, 6, 7, 7, 6, 5, 8)),
    ((5, 7, 6, 6, 6, 7, 5, 5, 5, 6), (5, 7, 5, 6, 4, 8, 5, 4, 3, 6)),
)
"""By item, then by occasion, then by person."""
DESIGNS = ((4, 2), (8, 2), (4, 3), (20, 5))
"""Cases and raters."""


def main() -> None:
    """Print data and results."""
    rng = np.random.default_rng(SEED)
    y = rng.normal(size=(5, 1, 1)) + rng.normal(size=(1, 15, 1)) + rng.normal(size=(5, 15, 1))
    y = y + 0.6 * rng.normal(size=(1, 1, 3)) + 0.5 * rng.normal(size=(5, 1, 3))
    y = np.round(y + 0.4 * rng.normal(size=(1, 15, 3)) + rng.normal(size=y.shape), 3)
    tables = {"brennan": np.transpose(BRENNAN, (2, 0, 1)), "drawn": y}
    made = {name: of_table(np.asarray(table)) for name, table in tables.items()}
    print(json.dumps({"tools": "GeneralizIT 0.1.2", **made}))  # noqa: T201 - a generator prints what it made


def of_table(y: np.ndarray) -> dict[str, object]:
    """Give what the tool makes of a complete table, shape (systems, cases, raters)."""
    s, c, r = np.indices(y.shape)
    frame = pd.DataFrame({"s": s.ravel(), "c": c.ravel(), "r": r.ravel(), "y": y.ravel()})
    rho = []
    with contextlib.redirect_stdout(sys.stderr):
        study = GeneralizIT(frame, "s x c x r", "y")
        study.calculate_anova()
        study.calculate_g_coefficients()
        for cases, raters in DESIGNS:
            study.calculate_d_study({"s": [len(y)], "c": [cases], "r": [raters]})
            *_, table = study.design.d_study_dict.values()
            rho.append([cases, raters, float(table.loc["s", "rho^2"])])
    variance = study.design.anova_table["Variance"]
    return {
        "y": y.tolist(),
        "components": {name: float(variance[name]) for name in variance.index},
        "rho": rho,
    }


if __name__ == "__main__":
    main()
