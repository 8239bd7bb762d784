"""The labelled claims and the hand-written pairs."""

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from medassay.models.nli import SupportVerdict
from medassay.text import split_sentences

DATA: Final = Path(__file__).parents[2] / "tests" / "data" / "support"
LABELS: Final = {
    "entailment": SupportVerdict.SUPPORTED,
    "neutral": SupportVerdict.NOT_FOUND,
    "contradiction": SupportVerdict.CONTRADICTED,
}


@dataclass(frozen=True)
class Claim:
    """A claim, the sentences that it is held against, and what the physicians said of it."""

    question: str
    text: str
    evidence: tuple[str, ...]
    label: SupportVerdict


@dataclass(frozen=True)
class Pair:
    """A sentence with one that contradicts it and one that says the same."""

    kind: str
    source: str
    contradiction: str
    paraphrase: str


def claims() -> list[Claim]:
    """Read the 399 claims of K-QA."""
    found = []
    for line in (DATA / "kqa.jsonl").read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        evidence = tuple(split_sentences(told["answer"]))
        found += [
            Claim(told["question"], one["claim"], evidence, LABELS[one["label"]])
            for one in told["claims"]
        ]
    return found


def pairs() -> list[Pair]:
    """Read the 200 hand-written pairs."""
    with (DATA / "pairs.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [Pair(r["kind"], r["source"], r["contradiction"], r["paraphrase"]) for r in rows]
