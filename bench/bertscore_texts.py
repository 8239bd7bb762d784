"""Answers and references of the BERTScore bench: 28 systems x 100 cases, about 75 words each."""

import json
from itertools import islice
from pathlib import Path

__all__ = ["CASES", "SYSTEMS", "answers", "references"]

TEXTS = Path(__file__).resolve().parents[2] / "shared" / "data" / "medquad" / "qa_core.jsonl"
SYSTEMS, CASES, WORDS = 28, 100, 75


def _passages() -> list[list[str]]:
    with TEXTS.open(encoding="utf-8") as file:
        words = (json.loads(line)["answer"].split() for line in file)
        return list(islice((w for w in words if len(w) > 3 * WORDS), CASES))


def references(cases: int = CASES) -> list[str]:
    """Give one reference a case."""
    return [" ".join(words[:WORDS]) for words in _passages()[:cases]]


def answers(systems: int = SYSTEMS, cases: int = CASES, first: int = 0) -> list[list[str]]:
    """Give for each system an answer a case: another stretch of the case's passage."""
    passages = _passages()[:cases]
    return [
        [" ".join((words + words)[5 * system + 1 : 5 * system + 1 + WORDS]) for words in passages]
        for system in range(first, first + systems)
    ]
