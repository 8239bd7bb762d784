"""Make adjusted_means.json: means of systems adjusted by case, by ordinary least squares.

Run in an environment of its own (the versions used are written into the file):
    python -m venv oracle && oracle/bin/pip install statsmodels pandas
    oracle/bin/python tests/golden/make_adjusted_means.py

y ~ system + case is fitted with dummies; a system's adjusted mean is the mean of its predictions
over all cases.
"""

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import statsmodels.formula.api as smf

HERE = Path(__file__).parent


def cut(rng: np.random.Generator, known: np.ndarray, least: int) -> np.ndarray:
    """Take answers away at random until each system has `least` left at most."""
    kept = np.zeros(known.shape, dtype=bool)
    for row in range(len(known)):
        kept[row, rng.permutation(known.shape[1])[:least]] = True
    return kept


def fitted(values: np.ndarray, known: np.ndarray) -> list[float]:
    """Give each system's mean prediction over all cases."""
    system, case = np.nonzero(known)
    rows = pd.DataFrame({"y": values[known], "system": system, "case": case})
    model = smf.ols("y ~ C(system) + C(case)", data=rows).fit()
    cases = sorted(set(case.tolist()))
    return [
        float(model.predict(pd.DataFrame({"system": row, "case": cases})).mean())
        for row in range(len(values))
    ]


def main() -> None:
    """Write the file."""
    rng = np.random.default_rng(20261122)
    designs = []
    for name, systems, cases in (("calibration apart", 3, 10), ("a queue", 6, 40), ("few", 8, 12)):
        hard = 3 * rng.normal(size=cases)
        values = np.round(
            rng.normal(size=(systems, 1)) + hard + rng.normal(size=(systems, cases)), 6
        )
        known = np.ones(values.shape, dtype=bool)
        if name == "calibration apart":
            known[range(systems), rng.permutation(cases)[:systems]] = False
        else:
            known = cut(rng, known, cases // 3)
        designs.append(
            {
                "name": name,
                "values": values.tolist(),
                "known": known.astype(int).tolist(),
                "adjusted": fitted(values, known),
            }
        )
    tools = ("pandas", "statsmodels")
    made = {"versions": {tool: version(tool) for tool in tools}, "designs": designs}
    text = json.dumps(made, separators=(",", ":"))
    (HERE / "adjusted_means.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
