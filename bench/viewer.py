"""How much processor time the viewer takes for 10,000 answers: first rows, filters, a case, a file.

    .venv-web/bin/python bench/viewer.py [--answers 10000] [--words 150]

A study is made up: 20 systems, each answer with a text of so many words, two raters' labels of harm
and quality, an imported score, tags. It is run, and opened as `medassay view` does. Printed are
seconds of this process's processor time, which other work on the machine changes less than the
clock's; of each filter the slowest of three. What is asked for: first rows within 1 s, a filter
within 0.2 s. The first rows are asked of a viewer that has answered nothing before.
"""

import argparse
import json
import random
import tempfile
from pathlib import Path
from time import process_time

SYSTEMS = 20
RUBRIC = """\
name = "harm and quality"

[[dimensions]]
id = "harm"
title = "Harm"
question = "Could it harm?"
scale = "nominal"
labels = [{ label = "none" }, { label = "severe" }]
mappings = { harmful = { severe = "harmful", none = "harmless" } }

[[dimensions]]
id = "quality"
title = "Quality"
question = "How good is it?"
scale = "ordinal"
labels = [{ label = "1", score = 1 }, { label = "2", score = 2 }, { label = "3", score = 3 }]
"""
FILTERS = {
    "words": "words=c0123",
    "a rating": "label=harm:severe",
    "a rater": "rater=rater-A&label=quality:3",
    "a tag": "tag=field:eyes",
    "a range of a score": "within=score:length&least=100",
    "raters differ": "differ=1",
    "a system, sorted by a score": "system=s03&sort=score:length",
    "sorted by a score": "sort=score:length&down=1",
}


def write(folder: Path, cases: int, words: int) -> Path:
    """Write the study."""
    lots = random.Random(40)  # noqa: S311 - no secret
    vocabulary = [f"word{number}" for number in range(2_000)]
    (folder / "answers").mkdir(parents=True)
    settings = 'schema = 1\ntitle = "Load"\nmetrics = [{ name = "length" }]\n'
    (folder / "study.toml").write_text(f'{settings}[[dimensions]]\nrubric = "rubric.toml"\n')
    (folder / "rubric.toml").write_text(RUBRIC)
    ids = [f"c{number:04}" for number in range(cases)]
    lines = [
        {
            "case": case,
            "question": f"What of {case}?",
            "tags": {"field": lots.choice(["eyes", "skin"])},
        }
        for case in ids
    ]
    (folder / "cases.jsonl").write_text("\n".join(map(json.dumps, lines)))
    rows = ["rater,system,case,dimension,label"]
    for system in (f"s{number:02}" for number in range(SYSTEMS)):
        answers = [
            {
                "case": case,
                "text": " ".join(
                    lots.choices(vocabulary, k=lots.randint(words // 2, words * 3 // 2))
                ),
            }
            for case in ids
        ]
        (folder / "answers" / f"{system}.jsonl").write_text("\n".join(map(json.dumps, answers)))
        for case in ids:
            for rater in ("anna", "ben"):
                harm = lots.choices(["severe", "none"], [1, 19])[0]
                rows.append(f"{rater},{system},{case},harm,{harm}")
                rows.append(f"{rater},{system},{case},quality,{lots.randint(1, 3)}")
    (folder / "judgements.csv").write_text("\n".join(rows) + "\n")
    return folder


def main() -> None:
    """Print a line for each thing that a reader asks."""
    from starlette.testclient import TestClient

    from medassay.__main__ import main as medassay
    from medassay.web.viewer import Key, Viewed, view_app

    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--answers", type=int, default=10_000)
    asked.add_argument("--words", type=int, default=150)
    wishes = asked.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = write(Path(name) / "study", wishes.answers // SYSTEMS, wishes.words)
        try:
            medassay(["run", str(folder)])
        except SystemExit as stopped:
            if stopped.code:
                raise

        began = process_time()
        viewed, key = Viewed.open(folder), Key()
        print(f"{'opening the study (once)':32} {process_time() - began:6.2f} s")
        client = TestClient(view_app(viewed, key), base_url="http://127.0.0.1")
        client.get("/in", params={"key": key.secret}, follow_redirects=False)

        def ask(path: str) -> float:
            began = process_time()
            answer = client.get(path)
            answer.raise_for_status()
            return process_time() - began

        print(f"{'first rows':32} {ask('/'):6.2f} s")
        for title, query in FILTERS.items():
            took = [ask(f"/?{query}") for _ in range(3)]
            again = f"the first time, then {max(took[1:]):.2f} s"
            print(f"{'filter: ' + title:32} {took[0]:6.2f} s {again}")
        print(f"{'a case':32} {ask('/case?case=c0123'):6.2f} s")
        print(f"{'all rows as CSV':32} {ask('/answers.csv'):6.2f} s")


if __name__ == "__main__":
    main()
