"""Write multiplicity_statsmodels.json: adjusted p values by statsmodels.

Run in an environment of its own: pip install statsmodels, then run this file.
"""

import json
from pathlib import Path
from random import Random


def main() -> None:
    """Adjust a few families of p values, with ties and with 0 and 1 among them."""
    # Inside, since the tests look at every file here and do not have it.
    import statsmodels
    from statsmodels.stats.multitest import multipletests

    random = Random(3)  # noqa: S311 - test data, no secret
    families = [
        [0.04],
        [0.01, 0.04, 0.03],
        [0.5, 0.5, 0.5],
        [0.0, 1.0, 0.2, 0.2],
        [round(random.random() ** 3, 4) for _ in range(45)],
    ]
    rows = [
        {
            "p": p,
            "holm": multipletests(p, method="holm")[1].tolist(),
            "benjamini_hochberg": multipletests(p, method="fdr_bh")[1].tolist(),
        }
        for p in families
    ]
    made = {"tool": f"statsmodels {statsmodels.__version__}", "families": rows}
    out = Path(__file__).with_suffix(".json")
    out.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
