"""Two versions of a small system that answers from leaflets: invented, a hundred cases."""

from pathlib import Path
from typing import Final

from medassay.tables import csv_bytes, jsonl_bytes, make_folder

CASES: Final = 100
_DRUGS: Final = ("ibuprofen", "amoxicillin", "metformin", "cetirizine", "omeprazole")
_AMOUNTS: Final = ("one tablet", "two tablets", "half a tablet", "one capsule")
_TIMES: Final = ("before breakfast", "with a meal", "at bedtime", "after lunch", "in the evening")
_SETTINGS: Final = """\
schema = 1
title = "Answers from leaflets"
synthetic = true

[[metrics]]
name = "rougeLsum(ref=human)"

[[metrics]]
name = "over_limit"

[run]
replicates = 100
"""
CHANGES: Final = ("unchanged", "reworded", "shortened")
"""What the version under test did to the answers of the released one."""


def write_version(folder: Path, change: str = "unchanged") -> None:
    """Write a study of one version.

    Args:
        folder: Where to.
        change: `unchanged`; `reworded`, a few answers for the better and a few for the worse; or
            `shortened`, four of ten answers lose their second sentence.
    """
    make_folder(folder / "answers")
    (folder / "study.toml").write_text(_SETTINGS, encoding="utf-8")
    (folder / "cases.jsonl").write_bytes(jsonl_bytes([_case(i) for i in range(CASES)]))
    answers = [{"case": f"{i:03}", "text": _answer(i, change)} for i in range(CASES)]
    (folder / "answers" / "leaflets.jsonl").write_bytes(jsonl_bytes(answers))
    header = ("rater", "system", "case", "dimension", "label")
    (folder / "judgements.csv").write_bytes(csv_bytes(header, []))


def _case(i: int) -> dict[str, object]:
    reference = f"{_dose(i)} Drink a glass of water with it."
    question = f"How do I take {_DRUGS[i % len(_DRUGS)]}?"
    return {"case": f"{i:03}", "question": question, "references": [{"text": reference}]}


def _dose(i: int) -> str:
    drug, amount = _DRUGS[i % len(_DRUGS)], _AMOUNTS[i % len(_AMOUNTS)]
    return f"Take {amount} of {drug} {_TIMES[i // 4 % len(_TIMES)]}."


def _answer(i: int, change: str) -> str:
    second = "Drink some water with it." if i % 3 else "Drink a glass of water."
    if change == "reworded" and i % 20 == 0:
        second = "Drink a glass of water with it."
    elif change == "reworded" and i % 20 == 1:
        second = "Drink water."
    elif change == "shortened" and i % 5 < 2:  # noqa: PLR2004 - two of five
        return _dose(i)
    return f"{_dose(i)} {second}"
