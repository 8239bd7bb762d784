"""An invented study of any size, the same for the same numbers."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from medassay.tables import csv_bytes, jsonl_bytes

WORDS = [
    "rest",
    "the",
    "ankle",
    "for",
    "two",
    "days",
    "then",
    "move",
    "it",
    "gently",
    "as",
    "pain",
    "allows",
    "drink",
    "enough",
    "take",
    "one",
    "tablet",
    "every",
    "eight",
    "hours",
    "call",
    "your",
    "doctor",
    "if",
    "fever",
    "lasts",
    "ask",
    "about",
    "your",
    "dose",
    "before",
    "surgery",
]
METRICS = ("length", "rouge1(ref=human)", "rougeL(ref=human)", "bleu(ref=human)")


def write_synthetic(
    folder: Path,
    *,
    systems: int = 28,
    cases: int = 20,
    raters: int = 2,
    words: int = 30,
    replicates: int = 100,
    metrics: Sequence[str] = METRICS,
    texts: str = "full",
) -> None:
    """Write the study; a system's texts depend on its number only, so one more changes no other."""
    of_cases = np.random.default_rng(1)
    listed = "".join(f'[[metrics]]\nname = "{name}"\n' for name in metrics)
    settings = (
        'schema = 1\ntitle = "An invented study"\nsynthetic = true\n'
        f'[privacy]\ntexts = "{texts}"\n[run]\nreplicates = {replicates}\n{listed}'
    )
    folder.mkdir(parents=True)
    (folder / "answers").mkdir()
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    asked = [
        {
            "case": f"{case:04}",
            "question": _text(of_cases, 8),
            "references": [{"text": _text(of_cases, words)} for _ in range(2)],
        }
        for case in range(cases)
    ]
    (folder / "cases.jsonl").write_bytes(jsonl_bytes(asked))
    judged = []
    for system in range(systems):
        add_system(folder, system, cases=cases, words=words)
        noise = np.random.default_rng([3, system])
        for case in range(cases):
            for rater in range(raters):
                label = str(1 + (case + system + int(noise.integers(0, 2))) % 5)
                judged.append([f"r{rater}", f"s{system:02}", f"{case:04}", "quality", label])
    header = ["rater", "system", "case", "dimension", "label"]
    (folder / "judgements.csv").write_bytes(csv_bytes(header, judged))


def add_system(folder: Path, system: int, *, cases: int = 20, words: int = 30) -> None:
    """Write the answers of one system, each unlike any other."""
    rng = np.random.default_rng([2, system])
    answers = [
        {"case": f"{case:04}", "text": f"{_text(rng, words)} s{system} c{case}."}
        for case in range(cases)
    ]
    (folder / "answers" / f"s{system:02}.jsonl").write_bytes(jsonl_bytes(answers))


def _text(rng: np.random.Generator, words: int) -> str:
    return " ".join(WORDS[i] for i in rng.integers(0, len(WORDS), words))
