"""Make archehr_scorer.json: what the official scorers read and score, on made-up submissions.

Needs the two public repositories, at the commits named in the file that is made. Only the functions
that read and count are taken out of the scripts; the models they load at import are not needed.

    python tests/golden/make_archehr.py archehr-qa/evaluation/scoring.py \
        archehr-qa-2026/evaluation/scoring_subtask_2.py \
        archehr-qa-2026/evaluation/scoring_subtask_4.py
"""

import ast
import contextlib
import io
import json
import random
import sys
import tempfile
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

PIECES = ["He fell", " ", ".", "|", "|", "1", "2", "3", ",", ", ", "-", "[1]", "\n", "was well!"]
WHOLE = ["He fell. |1|", "|2,3|", "A scan. |1,4|", "\n", " ", "No |3, 5|", "Yes [2].", "B |9|"]
WORDS = ("essential", "supplementary", "not-relevant")


def functions(path: Path) -> dict[str, Any]:
    """Execute the functions and classes of a script, without its imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kept: list[ast.stmt] = [
        one for one in tree.body if isinstance(one, ast.FunctionDef | ast.ClassDef)
    ]
    space: dict[str, Any] = {"json": json, "np": np, "Enum": Enum}
    code = compile(ast.Module(kept, []), str(path), "exec")
    exec(code, space)  # noqa: S102 - the public script that the caller names
    return space


def quietly(call: Any, *arguments: object) -> Any:  # noqa: ANN401 - whatever the script gives
    """Call a function that prints."""
    with contextlib.redirect_stdout(io.StringIO()):
        return call(*arguments)


def read_all(scorer: dict[str, Any], answers: list[str]) -> list[dict[str, object] | None]:
    """Read answers one at a time; None where the scorer stops."""
    found: list[dict[str, object] | None] = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "submission.json"
        for answer in answers:
            file.write_text(json.dumps([{"case_id": "1", "answer": answer}]), encoding="utf-8")
            try:
                [read] = quietly(scorer["load_submission"], file)
            except AssertionError:
                found.append(None)
                continue
            found.append({"answer": read["answer"], "citations": sorted(read["citations"])})
    return found


def main() -> None:
    """Draw, run, write."""
    scorer_2025, scorer_st2, scorer_st4 = (functions(Path(name)) for name in sys.argv[1:4])
    draw = random.Random(20250101)  # noqa: S311 - made-up data, no secret
    answers = ["".join(draw.choices(PIECES, k=draw.randint(1, 14))) for _ in range(150)]
    answers += ["".join(draw.choices(WHOLE, k=draw.randint(1, 8))) for _ in range(100)]
    answers += [" ".join(["word"] * n) + " |1|\nmore words |2|" for n in (73, 74, 75, 76, 90)]
    readings = read_all(scorer_2025, answers)

    batches = []
    for _ in range(12):
        keys, cited = {}, {}
        for case in range(draw.randint(1, 8)):
            sentences = [str(i) for i in range(1, draw.randint(2, 9))]
            keys[str(case)] = {one: draw.choice(WORDS) for one in sentences}
            cited[str(case)] = draw.sample(sentences, draw.randint(0, len(sentences)))
        submission = [{"case_id": c, "citations": set(ids)} for c, ids in cited.items()]
        lists = [{"case_id": c, "prediction": ids} for c, ids in cited.items()]
        evidence = {
            case: {
                "strict_evidence": {i for i, w in key.items() if w == "essential"},
                "lenient_evidence": {i for i, w in key.items() if w != "not-relevant"},
            }
            for case, key in keys.items()
        }
        links = {
            case: {"alignments": {("1", i) for i, w in key.items() if w == "essential"}}
            for case, key in keys.items()
        }
        aligned = [
            {"case_id": c, "prediction": [{"answer_id": "1", "evidence_id": ids}]}
            for c, ids in cited.items()
        ]
        batches.append(
            {
                "keys": keys,
                "cited": cited,
                "archehr2025": scorer_2025["compute_factuality_scores"](submission, keys),
                "archehr2026": scorer_st2["compute_evidence_scores"](lists, evidence),
                "alignment": scorer_st4["compute_alignment_scores"](aligned, links),
            }
        )
    content = {
        "source": "soni-sarvesh/archehr-qa at 771b948, soni-sarvesh/archehr-qa-2026 at 344b67e",
        "readings": [{"raw": a, "read": r} for a, r in zip(answers, readings, strict=True)],
        "batches": batches,
    }
    text = json.dumps(content, ensure_ascii=False, indent=None, separators=(",", ":"))
    file = Path(__file__).with_name("archehr_scorer.json")
    file.write_text(
        text.replace('{"raw"', '\n{"raw"').replace('{"keys"', '\n{"keys"') + "\n", "utf-8"
    )


if __name__ == "__main__":
    main()
