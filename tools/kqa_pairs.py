"""The 506 pairs of texts on which BERTScore is compared with bert-score."""

import json
from pathlib import Path

TEXTS = Path(__file__).parents[1] / "tests" / "data" / "kqa" / "texts.jsonl"


def kqa_pairs() -> list[tuple[str, str]]:
    """Give (answer, reference): fitting, not fitting, question to answer, and beyond 512 pieces."""
    rows = [json.loads(line) for line in TEXTS.read_text(encoding="utf-8").splitlines()]
    answers = [row["answer"] for row in rows]
    must = [row["must_have"] for row in rows]
    fitting = list(zip(answers, must, strict=True))
    shifted = list(zip(answers, must[1:] + must[:1], strict=True))
    asked = [(row["question"], row["answer"]) for row in rows[:98]]
    long = [(" ".join(answers[i : i + 10]), must[i]) for i in (0, 30, 60)]
    longer = [(answers[i], " ".join(must[i : i + 25])) for i in (0, 30, 60)]
    return fitting + shifted + asked + long + longer
