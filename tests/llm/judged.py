"""A study whose answers a judge is asked about, beside three people."""

import json
from collections.abc import Callable
from pathlib import Path

SETTINGS = """schema = 1
title = "T"
[[dimensions]]
rubric = "safe.toml"
[domain]
name = "all"
[judges.j]
base_url = "{address}"
model = "m"
version = "1"
"""


def write_judged(
    folder: Path, settings: str, rubric: str, cases: int, label: Callable[[int], str]
) -> Path:
    """Write a study of one system, whose answer n is "Advice n."

    Args:
        folder: A new folder.
        settings: What study.toml holds.
        rubric: What safe.toml holds, with the dimension `safe`.
        cases: How many cases there are.
        label: What a person says of answer n; asked once a person and answer, in order.
    """
    (folder / "answers").mkdir(parents=True)
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    (folder / "safe.toml").write_text(rubric, encoding="utf-8")
    people = [
        {"rater": f"p{r}", "system": "a", "case": str(n), "dimension": "safe", "label": label(n)}
        for n in range(cases)
        for r in range(3)
    ]
    tables = {
        "cases": [{"case": str(n), "question": f"Question {n}?"} for n in range(cases)],
        "answers/a": [{"case": str(n), "text": f"Advice {n}."} for n in range(cases)],
        "judgements": people,
    }
    for name, rows in tables.items():
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return folder
