"""Golden values of the authors' own alternative-annotator test.

Clone nitaytech/AltTest from GitHub, and in an environment with numpy and scipy run

    python tests/golden/make_alt_test.py path/to/alt_test_example.ipynb > tests/golden/alt_test.json

The notebook's two cells that define the test are run as they are, on seeded data of our own.
"""

import contextlib
import io
import json
import sys
from pathlib import Path

import numpy as np

SEED = 20_25


def main() -> None:
    """Print data and results."""
    cells = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"][:2]
    space: dict[str, object] = {}
    for cell in code:
        exec(cell, space)  # noqa: S102 - the authors' own definitions are what is compared with
    rng = np.random.default_rng(SEED)
    made = []
    for noise, scoring, epsilon in (
        (0.2, "accuracy", 0.2), (0.6, "accuracy", 0.1), (0.3, "neg_rmse", 0.15),
        (0.8, "neg_rmse", 0.2),
    ):  # fmt: skip
        truth = rng.integers(0, 4, 80)
        codes = []
        for share in (0.3, 0.35, 0.5, 0.4, noise):
            said = np.where(rng.random(80) < share, rng.integers(0, 4, 80), truth)
            codes.append(np.where(rng.random(80) < 0.15, -1, said).tolist())
        *people, judge = [
            {str(i): code for i, code in enumerate(row) if code >= 0} for row in codes
        ]
        humans = {f"h{j}": row for j, row in enumerate(people)}
        with contextlib.redirect_stdout(io.StringIO()):
            rate, advantage = space["alt_test"](judge, humans, scoring, epsilon=epsilon)  # type: ignore[operator]  # defined by the notebook
        made.append(
            {"codes": codes, "scoring": scoring, "epsilon": epsilon, "winning_rate": rate,
             "advantage": advantage}
        )  # fmt: skip
    print(json.dumps({"tools": "nitaytech/AltTest, alt_test_example.ipynb", "sets": made}))  # noqa: T201 - a generator prints what it made


main()
