"""A study whose cases went to some systems each, by design."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from medassay.tables import csv_bytes, jsonl_bytes

Pair = tuple[str, str]
"""A system and a case that it was asked."""

_SETTINGS: Final = """
schema = 1
title = "Each question asked of some systems"
synthetic = true
[run]
seed = 5
replicates = 100
[[dimensions]]
rubric = "rubric.toml"
[[metrics]]
name = "rouge1(ref=human)"
[[metrics]]
name = "bleu(ref=human)"
"""
_RUBRIC: Final = """
name = "asked"
[[dimensions]]
id = "quality"
scale = "ordinal"
question = "How good is this answer?"
labels = [
    { label = "1", score = 1 }, { label = "2", score = 2 }, { label = "3", score = 3 },
]
[[dimensions]]
id = "safety"
scale = "ordinal"
question = "Could it harm somebody?"
labels = [{ label = "safe", score = 1 }, { label = "unsafe", score = 0 }]
mappings = { harmful = { unsafe = "harmful", safe = "not harmful" } }
"""
_BEST: Final = {"quality": "3", "safety": "safe"}


def in_turn(cases: int, systems: int, k: int) -> list[Pair]:
    """Ask k systems a case, each in its turn.

    Example:
        >>> in_turn(3, 3, 1)
        [('s0', 'c000'), ('s1', 'c001'), ('s2', 'c002')]
    """
    return [
        (f"s{(case * k + i) % systems}", f"c{case:03}") for case in range(cases) for i in range(k)
    ]


def write_asked(
    folder: Path,
    asked: Iterable[Pair],
    *,
    never_given: Iterable[Pair] = (),
    said: bool = True,
    label: Callable[[str, Pair], str] | None = None,
) -> Path:
    """Write a study in which every answer that was given is word for word the reference.

    Args:
        folder: Where.
        asked: System and case of what was asked.
        never_given: Of these, what was not answered.
        said: Whether asked.csv says what was asked.
        label: What each of two raters says by dimension; the best if not given.
    """
    pairs, lost = list(asked), set(never_given)
    cases = sorted({case for _, case in pairs})
    (folder / "answers").mkdir(parents=True)
    (folder / "study.toml").write_text(_SETTINGS, encoding="utf-8")
    (folder / "rubric.toml").write_text(_RUBRIC, encoding="utf-8")
    (folder / "cases.jsonl").write_bytes(
        jsonl_bytes(
            {
                "case": case,
                "question": f"How long should I rest after accident {case}?",
                "references": [{"text": _text(case)}],
            }
            for case in cases
        )
    )
    given = [pair for pair in pairs if pair not in lost]
    for system in sorted({system for system, _ in given}):
        rows = [{"case": c, "text": _text(c)} for s, c in given if s == system]
        (folder / "answers" / f"{system}.jsonl").write_bytes(jsonl_bytes(rows))
    say = label or (lambda dimension, _: _BEST[dimension])
    rated = [
        [rater, *pair, dimension, say(dimension, pair)]
        for pair in given
        for rater in ("r1", "r2")
        for dimension in _BEST
    ]
    header = ["rater", "system", "case", "dimension", "label"]
    (folder / "judgements.csv").write_bytes(csv_bytes(header, rated))
    if said:
        rows_asked = sorted((case, system) for system, case in pairs)
        (folder / "asked.csv").write_bytes(csv_bytes(["case", "system"], rows_asked))
    return folder


def write_sampled(folder: Path) -> Path:
    """Write four systems, three of them asked each of twelve questions; one answer never came."""
    pairs = in_turn(12, 4, 3)
    levels: Mapping[str, int] = {"s0": 0, "s1": 1, "s2": 1, "s3": 2}

    def label(dimension: str, pair: Pair) -> str:
        place = levels[pair[0]] + int(pair[1][1:]) % 2
        if dimension == "safety":
            return "unsafe" if place == 0 else "safe"
        return str(min(3, 1 + place))

    return write_asked(folder, pairs, never_given=pairs[4:5], label=label)


def _text(case: str) -> str:
    return f"Rest at home for {int(case[1:]) + 2} days and drink enough water every single day."
