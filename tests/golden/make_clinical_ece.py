"""Make clinical_ece.json: calibration errors by the clinical framework's own code.

    python make_clinical_ece.py FOLDER > clinical_ece.json

FOLDER is a checkout of github shreyaupretyy/medical-qa-system at commit bad9ba9 (MIT, as stated in
its README). It needs numpy alone. Confidences lie on edges of bins, at 1, and between.
"""

import json
import sys
from pathlib import Path

import numpy as np


def main(folder: Path) -> None:
    """Print confidences, outcomes and what the source's code makes of them."""
    sys.path.insert(0, str(folder / "src" / "evaluation"))
    from metrics_calculator import MetricsCalculator

    calculator = object.__new__(MetricsCalculator)
    rng = np.random.default_rng(2025)
    drawn = []
    for n, sure in ((1, 1.0), (5, 0.6), (50, 0.0), (50, 0.3), (200, 0.1)):
        tenths = rng.integers(0, 11, n) / 10
        between = rng.random(n).round(3)
        p = np.where(rng.random(n) < sure, 1.0, np.where(rng.random(n) < 0.5, tenths, between))
        y = rng.random(n) < p * 0.8
        value = calculator.calculate_expected_calibration_error(p.tolist(), y.tolist())
        drawn.append(
            {"confidence": p.tolist(), "correct": y.astype(int).tolist(), "ece": float(value)}
        )
    json.dump(drawn, sys.stdout)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
