"""Golden values of statsmodels for components of variance.

In an environment with statsmodels and pandas run

    python tests/golden/make_components.py > tests/golden/components.json

The data are complete and balanced and no component is at 0, where restricted maximum likelihood
and the analysis of variance give the same.
"""

import json

import numpy as np
import pandas as pd
import statsmodels
from statsmodels.regression.mixed_linear_model import MixedLM

SEED = 20_78


def main() -> None:
    """Print data and estimates."""
    rng = np.random.default_rng(SEED)
    systems, cases, raters = 5, 12, 2
    y = 0.8 * rng.normal(size=(systems, 1, 1)) + 0.9 * rng.normal(size=(1, cases, 1))
    y = y + 0.7 * rng.normal(size=(systems, cases, 1))
    y = np.round(y + 0.6 * rng.normal(size=(systems, cases, raters)), 4)
    i, j, _ = np.indices(y.shape)
    frame = pd.DataFrame({"y": y.ravel(), "s": i.ravel(), "c": j.ravel()})
    frame["a"] = frame["s"] * 100 + frame["c"]
    parts = {"system": "0 + C(s)", "case": "0 + C(c)", "answer": "0 + C(a)"}
    model = MixedLM.from_formula("y ~ 1", groups=np.ones(len(frame)), vc_formula=parts, data=frame)
    fit = model.fit(reml=True, method=["bfgs", "nm"], maxiter=5000, gtol=1e-9)
    found = dict(zip(model.exog_vc.names, fit.vcomp.tolist(), strict=True))
    made = {
        "tools": f"statsmodels {statsmodels.__version__}, MixedLM, REML",
        "y": y.tolist(),
        "components": {**found, "residual": float(fit.scale)},
    }
    print(json.dumps(made))  # noqa: T201 - a generator prints what it made


main()
