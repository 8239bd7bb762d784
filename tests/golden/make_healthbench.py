"""Golden values of HealthBench: the public programs' own pure functions, run on made-up grades.

    python tests/golden/make_healthbench.py FOLDER > tests/golden/healthbench.json

FOLDER holds openai/simple-evals (MIT) at commit ee3b031. Its functions are taken out of the file by
name, so that none of what it imports has to be there. What is written is made-up input and numbers.
"""

import ast
import json
import random
import sys
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

import numpy as np

SCORER = ("RubricItem", "calculate_score", "_compute_clipped_stats")
META = ("compute_metrics_for_rater_by_class", "get_f1_metrics", "compute_f1_metric",
        "get_balanced_metrics", "compute_balanced_metric")  # fmt: skip
TEMPLATES = {
    "INDEX_STR_TEMPLATE": "pairwise_{model_or_physician}_{metric}_{pred_str}",
    "CLUSTER_STR_TEMPLATE": "{cluster}: {index_str}",
}


def public_functions(file: Path, wanted: tuple[str, ...]) -> dict[str, Any]:
    """Run the definitions that are wanted, and nothing else."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    kept = [node for node in tree.body if getattr(node, "name", "") in wanted]
    space: dict[str, Any] = {"np": np, "defaultdict": defaultdict, "Literal": Literal, **TEMPLATES}
    exec(compile(ast.Module(kept, []), str(file), "exec"), space)  # noqa: S102 - the public scorer
    return space


def meta(folder: Path) -> dict[str, Any]:
    """Write physicians' and a grader's labels, and what the public functions make of them."""
    public = public_functions(folder / "healthbench_meta_eval.py", META)
    rate = public["compute_metrics_for_rater_by_class"]
    rng = random.Random(20261125)  # noqa: S311 - made-up labels
    rows: list[dict[str, Any]] = []
    for number in range(120):
        true = rng.random() < 0.3
        said = {
            f"dr-{at}": true if rng.random() < 0.8 else not true
            for at in sorted(rng.sample(range(5), rng.choice([1, 2, 2, 3])))
        }
        rows.append({
            "case": f"m{number // 4:02}", "place": number % 4, "labels": said,
            "category": rng.choice(["hedges", "refers", "asks"]),
            "grader": true if rng.random() < 0.85 else not true,
        })  # fmt: skip
    grader = rate([r["grader"] for r in rows], [[*r["labels"].values()] for r in rows],
                  [r["category"] for r in rows], "model")  # fmt: skip
    physicians = {}
    for name in sorted({name for row in rows for name in row["labels"]}):
        own = [r for r in rows if name in r["labels"]]
        others = [[v for k, v in r["labels"].items() if k != name] for r in own]
        found = rate([r["labels"][name] for r in own], others, [r["category"] for r in own],
                     "physician")  # fmt: skip
        physicians[name] = found["pairwise_physician_f1_balanced"]["value"]
    return {
        "rows": rows,
        "grader": grader["pairwise_model_f1_balanced"]["value"],
        "categories": {
            category: grader[f"{category}: pairwise_model_f1_balanced"]["value"]
            for category in sorted({r["category"] for r in rows})
        },
        "physicians": physicians,
    }


def main(folder: Path) -> None:
    """Write examples, grades and what the public functions make of them."""
    public = public_functions(folder / "healthbench_eval.py", SCORER)
    rng = random.Random(20261124)  # noqa: S311 - made-up grades
    examples: list[dict[str, Any]] = []
    for number in range(40):
        items = [
            {
                "points": rng.choice([-8, -5, 1, 3, 4, 5, 8, 10]),
                "tags": rng.sample(["axis:accuracy", "axis:completeness", "level:example"], 2),
            }
            for _ in range(rng.randint(1, 8))
        ]
        examples.append({
            "theme": rng.choice(["hedging", "emergency", "context"]), "items": items,
            "met": [[rng.random() < 0.6 for _ in items] for _ in range(4)], "case": f"c{number:02}",
        })  # fmt: skip

    def score(items: list[dict[str, Any]], met: list[bool]) -> float | None:
        made = [public["RubricItem"]("", item["points"], item["tags"]) for item in items]
        grades = [{"criteria_met": each} for each in met]
        value: float | None = public["calculate_score"](made, grades)
        return value

    def clipped(values: list[float]) -> float:
        return float(public["_compute_clipped_stats"](values, "mean"))

    def axis(example: dict[str, Any], tag: str, sample: int) -> float | None:
        own = [(i, m) for i, m in zip(example["items"], example["met"][sample], strict=True)
               if tag in i["tags"]]  # fmt: skip
        return score([i for i, _ in own], [m for _, m in own]) if own else None

    scores = {e["case"]: [score(e["items"], met) for met in e["met"]] for e in examples}
    first = {case: values[0] for case, values in scores.items() if values[0] is not None}
    tags = sorted({tag for e in examples for item in e["items"] for tag in item["tags"]})
    whole = [[v for v in values if v is not None] for values in scores.values()]
    whole = [values for values in whole if values]
    found = {
        "meta": meta(folder),
        "examples": examples,
        "scores": scores,
        "overall": clipped(list(first.values())),
        "themes": {
            theme: clipped([first[e["case"]] for e in examples
                            if e["theme"] == theme and e["case"] in first])
            for theme in sorted({e["theme"] for e in examples})
        },
        "axes": {
            tag: clipped([v for e in examples if (v := axis(e, tag, 0)) is not None])
            for tag in tags
        },
        # As the analysis of worst-at-k has it: all subsets of k, their minimum, then the clip.
        "worst": {
            k: clipped([float(np.mean([min(s) for s in combinations(v, k)])) for v in whole])
            for k in range(1, 5)
        },
    }  # fmt: skip
    sys.stdout.write(json.dumps(found, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
