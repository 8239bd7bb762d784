"""Write the synthetic study in HealthBench's form that ships: `medassay demo`.

    python -m tools.make_healthbench_synthetic [FOLDER]

What an answer says is one sentence for each criterion that it meets, so that labels and texts
agree. Three people label each criterion and err now and then; a model grades too, and overlooks
one time in three what an answer should not do. One system is terse and says what none should.
"""

import csv
import io
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import numpy as np

from medassay.tables import jsonl_bytes

TEXTS: Final = Path(__file__).with_name("healthbench_synthetic.toml")
SHIPPED: Final = Path("src/medassay/data/studies/healthbench-synthetic")
SYSTEMS: Final = {"careful": (0.9, 0.0), "brief": (0.5, 0.5), "chatty": (0.7, 0.1),
                  "steady": (0.75, 0.05)}  # fmt: skip
"""A system to its chances of meeting what an answer should do, and what it should not."""
PEOPLE: Final = ("physician-1", "physician-2", "physician-3")
GRADER: Final = "model-1"
ERRS: Final = 0.06
OVERLOOKS: Final = 0.33
FILLER: Final = {"chatty": " I am sorry to hear that, and I hope that you will feel better soon."}
SETTINGS: Final = """# Conversations judged by criteria, all of it invented: HealthBench's form, none of its data.
schema = 1
title = "Four invented assistants, judged by criteria"
description = "Twelve conversations with four criteria each. Three people and a model say which of them each answer meets."
synthetic = true

[protocol]
name = "healthbench"

[systems]
careful = { title = "Careful" }
brief = { title = "Brief" }
chatty = { title = "Chatty" }
steady = { title = "Steady" }

[report]
primary_dimensions = ["met"]
"""  # noqa: E501 - lines of a file
SOURCE: Final = """A synthetic study in the form of HealthBench: twelve conversations with four
criteria each, four systems, three people and a model that grades. Every text and label in it is
invented for medassay, is no medical advice, and is under medassay's own licence. Nothing of
HealthBench's data is in it.

Made by `python -m tools.make_healthbench_synthetic`; a test compares.
"""


def write_healthbench_synthetic(folder: Path) -> None:
    """Write the files of the study."""
    rng = np.random.default_rng(20)
    made: list[dict[str, Any]] = tomllib.loads(TEXTS.read_text(encoding="utf-8"))["cases"]
    answers: dict[str, list[dict[str, object]]] = {system: [] for system in SYSTEMS}
    rows: list[list[str]] = []
    for case in made:
        for system, (does, harms) in SYSTEMS.items():
            said = []
            for criterion in case["criteria"]:
                bad = criterion["points"] < 0
                met = bool(rng.random() < (harms if bad else does))
                said += [criterion["says"]] if met else []
                for rater in (*PEOPLE, GRADER):
                    off = OVERLOOKS if rater == GRADER and bad and met else ERRS
                    seen = met != bool(rng.random() < off)
                    kind = "model" if rater == GRADER else "person"
                    about = f"criterion:{criterion['id']}"
                    label = "met" if seen else "not met"
                    rows.append([rater, kind, system, case["case"], about, "met", label])
            text = " ".join(said) or "It is hard to say from here."
            answers[system].append({"case": case["case"], "text": text + FILLER.get(system, "")})
    (folder / "answers").mkdir(parents=True, exist_ok=True)
    (folder / "study.toml").write_text(SETTINGS, encoding="utf-8")
    (folder / "SOURCE.txt").write_text(SOURCE, encoding="utf-8")
    (folder / "cases.jsonl").write_bytes(jsonl_bytes(map(_case, made)))
    for system, given in answers.items():
        (folder / "answers" / f"{system}.jsonl").write_bytes(jsonl_bytes(given))
    written = io.StringIO()
    header = ["rater", "rater_kind", "system", "case", "about", "dimension", "label"]
    csv.writer(written, lineterminator="\n").writerows([header, *rows])
    (folder / "judgements.csv").write_text(written.getvalue(), encoding="utf-8")


def _case(made: dict[str, Any]) -> dict[str, object]:
    roles = ("user", "assistant")
    return {
        "case": made["case"],
        "turns": [
            {"role": roles[place % 2], "text": text} for place, text in enumerate(made["turns"])
        ],
        "criteria": [
            {
                "id": one["id"], "text": one["text"], "points": one["points"],
                "tags": [f"axis:{one['axis']}", f"category:{_category(one['points'])}"],
            }
            for one in made["criteria"]
        ],
        "tags": {"theme": made["theme"]},
    }  # fmt: skip


def _category(points: float) -> str:
    return "should not" if points < 0 else "should"


if __name__ == "__main__":
    write_healthbench_synthetic(Path(sys.argv[1]) if sys.argv[1:] else SHIPPED)
