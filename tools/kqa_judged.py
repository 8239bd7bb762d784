"""Writes K-QA as a study: 399 claims on 50 answers, what three physicians say, and a judge to ask.

    python -m tools.kqa_judged FOLDER
    medassay judge FOLDER embedded --ask

The judge is the embedded model: plumbing, which shows how any endpoint is asked. Beside it stands
`made-up`, which is no model: it says what most physicians say of nine claims in ten, and of the
tenth what a die says. It shows what a good judge's certificate looks like, and nothing else.
"""

import csv
import json
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np

from medassay.tables import csv_bytes, jsonl_bytes

DATA: Final = Path(__file__).parents[1] / "tests" / "data"
JUDGE: Final = "embedded"
MADE_UP: Final = "made-up"
KNOWS: Final = 0.9
LABELS: Final = ("entailment", "neutral", "contradiction")
_SETTINGS: Final = """schema = 1
title = "K-QA: 399 claims, three physicians and a judge"
source = "Manes et al. 2024, doi:10.18653/v1/2024.bionlp-1.22"
licence = "MIT"
[protocol]
name = "ratings"
[[dimensions]]
rubric = "follows.toml"
[domain]
name = "patients' questions"
[judges.embedded]
base_url = "embedded"
model = "smollm2-135m-instruct"
version = "Q4_1"
prompt = "support.txt"
probabilities = true
rationale = false
concurrency = 1
parameters = { temperature = 0, max_tokens = 200 }
[judges.made-up]
model = "a die, and what most physicians say"
version = "1"
prompt = "support.txt"
"""
_RUBRIC: Final = """name = "follows"
source = "K-QA, doi:10.18653/v1/2024.bionlp-1.22"
wording = "The question and the descriptions are ours."
[[dimensions]]
id = "follows"
title = "Whether the claim follows"
question = "Does the claim follow from the answer?"
about = "criterion"
scale = "ordinal"
labels = [
  { label = "entailment", score = 1, description = "The text says so, or it follows from it." },
  { label = "neutral", score = 0, description = "The text neither says so nor denies it." },
  { label = "contradiction", score = -1, description = "The text and the claim cannot both hold." },
]
"""


def write_kqa(folder: Path) -> Path:
    """Write the study; the same data give the same bytes."""
    told = [json.loads(line) for line in (DATA / "support" / "kqa.jsonl").open(encoding="utf-8")]
    with (DATA / "kqa" / "labels.csv").open(encoding="utf-8", newline="") as file:
        labels = list(csv.DictReader(file))
    folder.mkdir(parents=True)
    cases = []
    said: list[tuple[str, ...]] = []
    answers: dict[str, list[dict[str, str]]] = {}
    for place, one in enumerate(told):
        mine = [row for row in labels if row["question"] == str(place)]
        claims = [claim["claim"] for claim in one["claims"]]
        criteria = [
            {"id": row["claim"], "text": text, "points": 1}
            for row, text in zip(mine, claims, strict=True)
        ]
        case = f"q{place:02}"
        cases.append({"case": case, "question": one["question"], "criteria": criteria})
        answers.setdefault(one["system"], []).append({"case": case, "text": one["answer"]})
        said += [
            (f"physician-{n + 1}", "person", one["system"], case, f"criterion:{row['claim']}",
             "follows", row[f"label_{n}"].lower())
            for row in mine
            for n in range(3)
        ]  # fmt: skip
    (folder / "study.toml").write_text(_SETTINGS, encoding="utf-8")
    (folder / "follows.toml").write_text(_RUBRIC, encoding="utf-8")
    prompt = (files("medassay") / "data" / "prompts" / "support.txt").read_bytes()
    (folder / "support.txt").write_bytes(prompt)
    (folder / "cases.jsonl").write_bytes(jsonl_bytes(cases))
    (folder / "answers").mkdir()
    for system, rows in answers.items():
        (folder / "answers" / f"{system}.jsonl").write_bytes(jsonl_bytes(rows))
    rng = np.random.default_rng(22)
    said += [_made_up(said[i : i + 3], rng) for i in range(0, len(said), 3)]
    columns = ("rater", "rater_kind", "system", "case", "about", "dimension", "label")
    (folder / "judgements.csv").write_bytes(csv_bytes(columns, said))
    return folder


def _made_up(physicians: Sequence[tuple[str, ...]], rng: np.random.Generator) -> tuple[str, ...]:
    """Say what most of three physicians say, or what a die says."""
    labels = [row[-1] for row in physicians]
    most = max(labels, key=labels.count)
    label = most if rng.random() < KNOWS else str(rng.choice(LABELS))
    return (MADE_UP, "model", *physicians[0][2:-1], label)


if __name__ == "__main__":
    write_kqa(Path(sys.argv[1]))
