"""Make human_mean.json: PPI and PPI++ means with their intervals, by ppi-python.

Run with ppi-python 0.2.3 (numpy 2.4.6) in an environment of its own:

    python make_human_mean.py > human_mean.json

The judgements are made up with a seed: a scale of three labels, a rare event, and a score that goes
the other way. `slope` null means that ppi-python tunes it, between 0 and 1.
"""

import json
import sys

import numpy as np
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

SEED = 20261


def main() -> None:
    """Print the inputs and what ppi-python makes of them."""
    rng = np.random.default_rng(SEED)
    cases = []
    for name, n, others in (("labels", 40, 200), ("rare", 60, 90), ("reversed", 30, 50)):
        quality = rng.normal(size=n + others)
        if name == "rare":
            truth = (quality < -1.3).astype(float)
            scores = np.clip(truth + 0.3 * rng.normal(size=quality.size), 0, 1)
        else:
            truth = np.digitize(quality, [-0.5, 0.7]).astype(float)
            sign = -1 if name == "reversed" else 1
            scores = sign * quality + 0.8 * rng.normal(size=quality.size)
        scores = scores.round(6)
        for slope in (None, 1.0, 0.0, 0.4):
            parts = truth[:n], scores[:n], scores[n:]
            low, high = ppi_mean_ci(*parts, alpha=0.05, lam=slope)
            cases.append(
                {
                    "name": name,
                    "slope": slope,
                    "judged": truth[:n].tolist(),
                    "scores": scores[:n].tolist(),
                    "other_scores": scores[n:].tolist(),
                    "estimate": float(np.squeeze(ppi_mean_pointestimate(*parts, lam=slope))),
                    "low": float(np.squeeze(low)),
                    "high": float(np.squeeze(high)),
                }
            )
    sys.stdout.write(json.dumps({"source": __doc__, "cases": cases}) + "\n")


if __name__ == "__main__":
    main()
