"""Make complete_answers.json: panels of which one rater has not finished, by four other tools.

Run in an environment of its own (the versions used are written into the file):
    python -m venv oracle
    oracle/bin/pip install irrCAC krippendorff pingouin statsmodels
    oracle/bin/python tests/golden/make_complete_answers.py
"""

import json
from importlib.metadata import version
from pathlib import Path

import irrCAC.raw
import krippendorff
import numpy as np
import pandas as pd
import pingouin
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

HERE = Path(__file__).parent
LABELS = 3
# Name, raters, answers, which rater stopped (they rated in an order of their own), after how many.
PANELS = (
    ("three raters, one stopped at half", 3, 60, 2, 30),
    ("three raters, one nearly done", 3, 50, 0, 46),
    ("five raters, one stopped at a third", 5, 60, 4, 20),
)


def unfinished(
    rng: np.random.Generator, raters: int, answers: int, who: int, done: int
) -> list[list[int]]:
    """Give codes of raters who see the truth with probability 0.6; -1 where nobody came yet."""
    truth = rng.integers(LABELS, size=(answers, 1))
    guess = rng.integers(LABELS, size=(answers, raters))
    codes = np.where(rng.random((answers, raters)) < 0.6, truth, guess)
    codes[rng.permutation(answers)[done:], who] = -1
    return [[int(code) for code in row] for row in codes]


def two_way(complete: np.ndarray) -> dict[str, float]:
    """Give ICC(2), ICC(3) and those of the mean of k, of labels scored 0, 1, 2."""
    answers, raters = complete.shape
    rows = pd.DataFrame(
        {
            "answer": np.repeat(np.arange(answers), raters),
            "rater": np.tile(np.arange(raters), answers),
            "score": complete.ravel().astype(float),
        }
    )
    found = pingouin.intraclass_corr(rows, "answer", "rater", "score").set_index("Type")["ICC"]
    names = {"2": "ICC(A,1)", "3": "ICC(C,1)", "2k": "ICC(A,k)", "3k": "ICC(C,k)"}
    return {form: float(found[name]) for form, name in names.items()}


def main() -> None:
    """Write the file."""
    rng = np.random.default_rng(20261122)
    panels = []
    for name, raters, answers, who, done in PANELS:
        codes = unfinished(rng, raters, answers, who, done)
        table = np.array(codes)
        complete = table[(table >= 0).all(axis=1)]
        by_irrcac = irrCAC.raw.CAC(pd.DataFrame(complete)).fleiss()["est"]["coefficient_value"]
        holes = np.where(table < 0, np.nan, table)
        panels.append(
            {
                "name": name,
                "codes": codes,
                "complete": len(complete),
                "fleiss": float(fleiss_kappa(aggregate_raters(complete, n_cat=LABELS)[0])),
                "fleiss by irrCAC": float(by_irrcac),
                "icc": two_way(complete),
                "alpha": float(krippendorff.alpha(holes.T, level_of_measurement="nominal")),
            }
        )
    tools = ("irrCAC", "krippendorff", "pingouin", "statsmodels")
    made = {"versions": {tool: version(tool) for tool in tools}, "panels": panels}
    text = json.dumps(made, separators=(",", ":"))
    (HERE / "complete_answers.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
