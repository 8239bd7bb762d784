"""The made-up notes, questions and answers, built from data/synthetic/texts.toml."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np

from medassay.study.synthetic.ratings import CASES, World, case_name

__all__ = ["answer_records", "case_records"]

_LIMIT: Final = 75
"""Words: the shared task's own limit."""
_WANTED: Final = {"essential": 0.6, "supplementary": -0.2, "not-relevant": -1.6}
"""How readily an answer takes up a sentence."""
_CARELESS: Final = -1.0
"""Below this grounding a citation is forgotten or made up."""
_WRONG: Final = -1.8
"""Below this grounding an answer says something that the note refutes."""
_REWORDED: Final = 1 / 3


@dataclass(frozen=True)
class _Quality:
    """How good one answer is, on the three latent scales."""

    answers: float
    grounds: float
    knows: float


def case_records(rng: np.random.Generator) -> list[dict[str, Any]]:
    """Make the cases: a story, a question, eight sentences of a note, a clinician's answer."""
    source = _source()
    records: list[dict[str, Any]] = []
    for place in range(CASES):
        story = source["stories"][place % len(source["stories"])]
        day, weeks = (int(number) for number in rng.integers(1, 7, size=2))
        facts = {**story, "day": str(day), "weeks": str(weeks)}
        evidence = [
            {
                "id": str(i),
                "text": sentence["text"].format(**facts),
                "relevance": sentence["relevance"],
            }
            for i, sentence in enumerate(source["sentences"], start=1)
        ]
        records.append(
            {
                "case": case_name(place),
                "narrative": f"{source['watermark']} {source['narrative'].format(**facts)}",
                "question": source["question"].format(**facts),
                "evidence": evidence,
                "references": [{"text": source["reference"].format(**facts)}],
                "tags": {"illness": story["illness"]},
            }
        )
    return records


def answer_records(
    system: int, cases: list[dict[str, Any]], world: World, rng: np.random.Generator
) -> list[dict[str, Any]]:
    """Make one system's answers: the better, the more of the essential evidence, rightly cited."""
    return [
        {
            "case": case["case"],
            "statements": _statements(
                case["evidence"],
                _Quality(
                    world.quality[system, place],
                    world.grounding[system, place],
                    world.knowledge[system, place],
                ),
                rng,
            ),
        }
        for place, case in enumerate(cases)
    ]


def _statements(
    evidence: list[dict[str, Any]], quality: _Quality, rng: np.random.Generator
) -> list[dict[str, Any]]:
    source = _source()
    statements: list[dict[str, Any]] = []
    for sentence in evidence:
        if quality.answers / 2 + _WANTED[sentence["relevance"]] + rng.normal() > 0:
            cited = [sentence["id"]] if quality.grounds + rng.normal() > _CARELESS else []
            if quality.grounds + rng.normal() < _CARELESS:
                cited.append(str(int(rng.integers(1, 1 + len(evidence)))))
            text = _retold(sentence["text"], rng)
            statements.append({"text": text, "citations": list(dict.fromkeys(cited))})
    if quality.knows + rng.normal() > 0 or not statements:
        filler = source["fillers"][rng.integers(len(source["fillers"]))]
        statements.append({"text": filler, "citations": []})
    if quality.grounds + rng.normal() / 2 < _WRONG:
        wrong = source["wrong"][rng.integers(len(source["wrong"]))]
        statements.append({"text": wrong, "citations": [str(int(rng.integers(1, 4)))]})
    while (
        sum(len(statement["text"].split()) for statement in statements) > _LIMIT
        and len(statements) > 1
    ):
        statements.pop()
    return statements


def _retold(text: str, rng: np.random.Generator) -> str:
    """Say a sentence of the note to the patient, now and then in other words."""
    for pair in _source()["retold"]:
        if pair.get("always", False) or rng.random() < _REWORDED:
            text = text.replace(pair["note"], pair["told"])
    return text


@cache
def _source() -> dict[str, Any]:
    text = (files("medassay") / "data" / "synthetic" / "texts.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
