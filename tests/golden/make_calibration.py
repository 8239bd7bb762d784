"""Make calibration.json: scikit-learn's calibration figures of one model under ten prompts.

Run with scikit-learn 1.9.1 in an environment of its own:

    python make_calibration.py FOLDER > calibration.json

FOLDER holds `management_scores.npy` (10 prompts x questions x 4 options) and
`management_targets.npy` of github bhaweshiitk/ConformalLLM, commit 5419c30, MIT licence: LLaMA-13B
on the MMLU subject management. The confidence is that of the most probable option.
"""

import json
import sys
from pathlib import Path

import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss, roc_auc_score

BINS = 10


def main(folder: Path) -> None:
    """Print the confidences, the outcomes and what scikit-learn makes of them."""
    scores = np.load(folder / "management_scores.npy").astype(np.float64)
    targets = np.load(folder / "management_targets.npy").astype(int)
    systems = []
    for prompt in scores:
        confidence = prompt.max(axis=1).round(12)
        correct = (prompt.argmax(axis=1) == targets).astype(int)
        accuracy, mean = calibration_curve(correct, confidence, n_bins=BINS)
        counts, _ = np.histogram(confidence, np.linspace(0, 1, BINS + 1))
        counts = counts[counts > 0]
        systems.append(
            {
                "confidence": confidence.tolist(),
                "correct": correct.tolist(),
                "brier": float(brier_score_loss(correct, confidence)),
                "auroc": float(roc_auc_score(correct, confidence)),
                "bins": [
                    {"n": int(n), "confidence": float(p), "accuracy": float(a)}
                    for n, p, a in zip(counts, mean, accuracy, strict=True)
                ],
                "ece": float((counts * np.abs(accuracy - mean)).sum() / counts.sum()),
            }
        )
    sys.stdout.write(json.dumps({"source": __doc__, "systems": systems}) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
