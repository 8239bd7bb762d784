"""Golden values of scikit-learn for a judge beside people, on labels that matter.

In an environment with scikit-learn and numpy run

    python tests/golden/make_judge_labels.py > tests/golden/judge_labels.json

Recall of either kind and balanced accuracy against a majority, and the same of each person and of
the judge against the majority of the others, are scikit-learn's; only who is held against whom is
said here. All people label all answers, and an even split is left out.
"""

import json
import sys

import numpy as np
import sklearn
from sklearn.metrics import balanced_accuracy_score, recall_score

SEED = 18_01


def main() -> None:
    """Print data and results."""
    rng = np.random.default_rng(SEED)
    sets = []
    for people, finds, passes in ((3, 0.8, 0.95), (4, 0.6, 0.9), (5, 0.9, 0.8)):
        truth = rng.random(120) < 0.3
        u = rng.random((120, people + 1))
        codes = np.where(truth[:, None], u < finds, u >= passes).astype(int)
        said, judge = codes[:, :-1], codes[:, -1]
        most = 2 * said.sum(axis=1) - people
        use = most != 0
        pairs = []
        for j in range(people):
            rest = 2 * np.delete(said, j, axis=1).sum(axis=1) - (people - 1)
            own = rest != 0
            pairs.append((rest[own] > 0, judge[own], said[own, j]))
        of, by_judge, by_person = (np.concatenate(part) for part in zip(*pairs, strict=True))
        sets.append(
            {
                "codes": codes.tolist(),
                "sensitivity": recall_score(most[use] > 0, judge[use]),
                "specificity": recall_score(most[use] > 0, judge[use], pos_label=0),
                "people_sensitivity": recall_score(of, by_person),
                "people_specificity": recall_score(of, by_person, pos_label=0),
                "gap": balanced_accuracy_score(of, by_judge)
                - balanced_accuracy_score(of, by_person),
            }
        )
    json.dump({"scikit-learn": sklearn.__version__, "sets": sets}, sys.stdout)


if __name__ == "__main__":
    main()
