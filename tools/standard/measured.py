"""Conversations read closely: numbers, passages marked by kind, and every column of a judgement.

Each system answers twice, one in a conversation of its own. Raters say how sure they are, what they
were shown and whose answer they take it for; a model gives numbers, probabilities and its rationale
beside them.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from tools.standard.making import write_rows, write_study

_SYSTEMS: Final = ("system-a", "system-b", "system-c", "system-d")
_SKILL: Final = (75.0, 60.0, 55.0, 35.0)
_CASES: Final = tuple(f"m{number:02}" for number in range(1, 13))
_RATERS: Final = ("dr-one", "dr-two", "dr-three")
_MODEL: Final = "reading-model"
_DISPLAYS: Final = ("citations shown", "citations hidden")
_SURE: Final = ("unsure", "fairly sure", "sure")
_ADVICE: Final = (
    "Drink enough water.", "Rest for a week.", "Take two tablets a day.", "See me at once.",
)  # fmt: skip
_HEADER: Final = (
    "rater", "rater_kind", "system", "case", "sample", "about", "dimension", "label", "number",
    "kind", "severity", "reason", "phase", "comment", "confidence", "display", "guess",
    "probabilities", "rationale",
)  # fmt: skip
_SETTINGS: Final = """title = "Conversations read closely"
synthetic = true

[[dimensions]]
rubric = "close.toml"

[[metrics]]
name = "length"

[[metrics]]
name = "rouge1(ref=human)"

[consensus]
methods = ["mean", "median"]
"""
_RUBRIC: Final = """name = "close"
title = "Close reading"

[[dimensions]]
id = "adequacy"
title = "Adequacy"
question = "How good is the answer as a whole?"
number = { low = 0, high = 100, unit = "points" }
confidence = "0-1"

[[dimensions]]
id = "seconds"
title = "Time to read"
question = "How long did you need to understand it?"
number = { low = 0, unit = "seconds" }
better = "lower"

[[dimensions]]
id = "usable"
title = "Usable"
question = "Would you hand it on?"
scale = "nominal"
labels = [{ label = "yes", score = 1 }, { label = "no", score = 0 }]
confidence = ["unsure", "fairly sure", "sure"]

[[dimensions]]
id = "errors"
title = "Errors"
question = "Which passages are wrong?"
about = "span"
kinds = [{ label = "wrong" }, { label = "unsupported" }]
severities = [{ label = "minor", score = 1 }, { label = "major", score = 5 }]
confidence = ["unsure", "fairly sure", "sure"]
"""


def write_measured(folder: Path) -> Path:
    """Write twelve conversations, four systems with two answers each, three raters and a model."""
    rng = np.random.default_rng(47)
    cases = [
        {
            "case": case,
            "turns": [
                {"role": "user", "text": f"I have had {case} for a week."},
                {"role": "assistant", "text": "What have you tried?"},
                {"role": "user", "text": "Nothing yet. What should I do?"},
            ],
            "references": [{"text": f"Rest for a week and drink enough water against {case}."}],
        }
        for case in _CASES
    ]
    answers: dict[str, list[dict[str, object]]] = {system: [] for system in _SYSTEMS}
    rows: list[dict[str, object]] = []
    for system, skill in zip(_SYSTEMS, _SKILL, strict=True):
        for case in _CASES:
            for sample in range(2):
                advice = [_ADVICE[at] for at in rng.permutation(4)[: int(rng.integers(2, 5))]]
                text = f"{' '.join(advice)} That helps against {case}."
                answers[system].append(
                    {"case": case, "sample": sample} | _given(text, talks=system == _SYSTEMS[-1])
                )
                key = {"system": system, "case": case, "sample": sample, "phase": "main"}
                quality = float(np.clip(rng.normal(skill, 12), 1, 99))
                rows += [{**key, **row} for row in _read(text, quality, system, rng)]
    write_study(folder, _SETTINGS, cases, answers)
    (folder / "close.toml").write_text(_RUBRIC, encoding="utf-8")
    write_rows(folder / "judgements.csv", _HEADER, rows)
    return folder


def _given(text: str, *, talks: bool) -> dict[str, object]:
    """Give an answer as one text, or as a conversation whose own turns it is."""
    if not talks:
        return {"text": text}
    asked = {"role": "user", "text": "Is there anything that I can do at once?"}
    return {"turns": [asked, {"role": "assistant", "text": text}]}


def _read(
    text: str, quality: float, system: str, rng: np.random.Generator
) -> Iterator[dict[str, object]]:
    """Let three raters and a model read an answer, each a little otherwise."""
    for place, rater in enumerate((*_RATERS, _MODEL)):
        seen = float(np.clip(quality + rng.normal(0, 9), 0, 100))
        yes = seen > 50  # noqa: PLR2004 - the middle of the scale
        sure = abs(seen - 50) / 50
        who: dict[str, object] = {
            "rater": rater, "rater_kind": "model" if rater == _MODEL else "person"
        }  # fmt: skip
        label = {"dimension": "usable", "label": "yes" if yes else "no"}
        if rater == _MODEL:
            likely = round(0.5 + sure / 2, 3)
            told = {"yes": likely, "no": round(1 - likely, 3)}
            more = {"probabilities": json.dumps(told if yes else {"yes": told["no"], "no": likely})}
            yield who | label | more | {"rationale": f"It says: {text.partition('.')[0]}."}
            yield who | {"dimension": "adequacy", "number": round(seen, 1)}
            continue
        who["display"] = _DISPLAYS[place % 2]
        word = _SURE[min(int(sure * 3), 2)]
        guess = system if rng.random() < 0.4 else _SYSTEMS[int(rng.integers(4))]  # noqa: PLR2004 - now and then they know
        yield who | label | {"confidence": word, "guess": guess, "comment": "As a colleague would."}
        yield who | {
            "dimension": "adequacy", "number": round(seen, 1), "confidence": round(sure, 2)
        }  # fmt: skip
        seconds = round(float(40 + len(text) / 4 + rng.normal(0, 6)), 1)
        yield who | {"dimension": "seconds", "number": max(seconds, 1)}
        yield from (who | row for row in _marked(text, word, rng))


def _marked(text: str, word: str, rng: np.random.Generator) -> Iterator[dict[str, object]]:
    """Let a rater mark a sentence or two, with or without its last words; or none."""
    found = False
    start = 0
    for sentence in text.split(". "):
        risky = "tablets" in sentence or "See me" in sentence
        if rng.random() < (0.7 if risky else 0.05):
            end = start + len(sentence) - int(rng.integers(0, 5))
            yield {
                "dimension": "errors", "about": f"span:{start}-{end}", "confidence": word,
                "kind": "wrong" if "tablets" in sentence else "unsupported",
                "severity": "major" if "tablets" in sentence else "minor",
            }  # fmt: skip
            found = True
        start += len(sentence) + 2
    if not found:
        yield {"dimension": "errors", "kind": "none"}
