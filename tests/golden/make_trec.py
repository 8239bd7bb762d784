"""Values of trec_eval, by pytrec-eval-terrier 0.5.11, for generated runs with ties.

    python tests/golden/make_trec.py > tests/golden/trec.json

Two of 40 topics are not in the run, scores are drawn from few values so that most are tied, some
documents have no judgement, and some topics have no relevant one.
"""

import json
import sys

import numpy as np
import pytrec_eval

MEASURES = {
    "map", "recip_rank", "Rprec", "bpref", "P.1,3,5,10", "recall.1,3,5,10", "success.1,5,10",
    "ndcg_cut.10",
}  # fmt: skip


def main() -> None:
    """Generate, evaluate, print."""
    draw = np.random.default_rng(7)
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for number in range(40):
        topic = f"t{number:02}"
        pool = [f"d{i:02}" for i in range(30)]
        judged = draw.choice(pool, 18, replace=False).tolist()
        none = number in {5, 17}
        qrels[topic] = {d: 0 if none else int(draw.choice([0, 0, 0, 1, 1, 2])) for d in judged}
        if number not in {3, 21}:
            found = draw.choice(pool, draw.choice([1, 4, 12, 20]), replace=False).tolist()
            run[topic] = {d: float(draw.choice([0.5, 1.0, 1.5, 2.25, -3.0])) for d in found}
    values = pytrec_eval.RelevanceEvaluator(qrels, MEASURES).evaluate(run)
    found = {"qrels": qrels, "run": run, "values": values}
    sys.stdout.write(json.dumps(found, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
