"""A demonstration study in which documents, spans and a number are rated."""

import json
from pathlib import Path
from typing import Final

from medassay.study import write_demo
from medassay.tables import write_atomically

__all__ = ["write_parts"]

_CASES: Final = 3
_SYSTEMS: Final = ("S01", "S06", "S12", "S17", "S23", "S28")
_STUDY: Final = """\
schema = 1
title = "Synthetic study: documents, passages and a number"
synthetic = true
licence = "Apache-2.0"

[[dimensions]]
rubric = "rubric.toml"
"""
_RUBRIC: Final = """\
name = "parts"
title = "Documents, passages and a number"

[[dimensions]]
id = "relevance"
title = "Does the note help?"
question = "Would you need this part of the note to answer the question?"
about = "document"
scale = "ordinal"
labels = [
  { label = "needed", score = 2, description = "Without it the question cannot be answered." },
  { label = "helps", score = 1, description = "It makes an answer better." },
  { label = "not needed", score = 0, description = "An answer would be the same without it." },
]

[[dimensions]]
id = "errors"
title = "What is wrong in the answer"
question = "Mark each passage that the note does not bear out."
about = "span"
kinds = [
  { label = "contradicted", description = "The note says something else." },
  { label = "not in the note", description = "The note says nothing of it." },
]
severities = [
  { label = "minor", score = 1, description = "Nobody would act on it." },
  { label = "serious", score = 5, description = "Somebody might act on it and come to harm." },
]

[[dimensions]]
id = "usefulness"
title = "How useful is the answer?"
question = "For the person who asked: 0 for not at all, 100 for all that they need."
number = { low = 0, high = 100, unit = "points" }
"""


def write_parts(folder: Path) -> None:
    """Write the study: cases and answers of the synthetic one, their notes as two documents.

    Raises:
        InvalidInput: The folder holds another study.
    """
    write_demo(folder, "archehr-synthetic")
    for file in ("judgements.csv", "raters.csv"):
        (folder / file).unlink()
    lines = (folder / "cases.jsonl").read_text("utf-8").splitlines()[:_CASES]
    cases = [_with_documents(json.loads(line)) for line in lines]
    known = {case["case"] for case in cases}
    write_atomically(folder / "cases.jsonl", _lines(cases))
    for path in (folder / "answers").iterdir():
        if path.stem not in _SYSTEMS:
            path.unlink()
            continue
        answers = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        write_atomically(path, _lines([_as_text(one) for one in answers if one["case"] in known]))
    write_atomically(folder / "study.toml", _STUDY.encode())
    write_atomically(folder / "rubric.toml", _RUBRIC.encode())


def _with_documents(case: dict[str, object]) -> dict[str, object]:
    sentences = case.pop("evidence")
    assert isinstance(sentences, list)  # noqa: S101 - of our own study
    texts = [str(sentence["text"]) for sentence in sentences]
    half = len(texts) // 2
    case["documents"] = [
        {"id": f"{part}", "title": f"Note, part {part}", "text": " ".join(some)}
        for part, some in (("1", texts[:half]), ("2", texts[half:]))
    ]
    return case


def _as_text(answer: dict[str, object]) -> dict[str, object]:
    """Give an answer without its citations, which were of sentences."""
    statements = answer.pop("statements", None)
    if isinstance(statements, list):
        answer["text"] = " ".join(str(statement["text"]) for statement in statements)
    return answer


def _lines(records: list[dict[str, object]]) -> bytes:
    return "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in records).encode()
