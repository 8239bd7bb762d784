"""Results files of the med-gpt and the clinical protocol that are not as they must be."""

import json
from pathlib import Path
from typing import Final

from tools.bad_input.bad_case import BadCase
from tools.bad_input.making import Make

_IMPORT: Final = "medassay import --from med-gpt results.csv --into new"
_BOTH: Final = "medassay import --from med-gpt an.csv bo.csv --into new"
_CLINICAL: Final = "medassay import --from clinical-mcq questions.json results.json --into new"
_HEAD: Final = "question,answer,model,retrieved_chunks,human_score"


def _file(*rows: str, head: str = _HEAD, name: str = "results.csv") -> Make:
    def make(folder: Path) -> None:
        (folder / name).write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")

    return make


def _two_raters(folder: Path) -> None:
    _file("How?,So.,phi,,4", name="an.csv")(folder)
    _file("How?,Not so.,phi,,3", name="bo.csv")(folder)


def _clinical(gold: str, *results: dict[str, object], key: str = "per_question_results") -> Make:
    asked = {
        "question_id": "Q_001", "question": "What helps?", "options": {"A": "Rest", "B": "Running"},
        "correct_answer": gold,
    }  # fmt: skip

    def make(folder: Path) -> None:
        files = {"questions.json": {"questions": [asked]}, "results.json": {key: list(results)}}
        for name, content in files.items():
            (folder / name).write_text(json.dumps(content), encoding="utf-8")

    return make


RESULTS_FILES: Final = [
    BadCase(
        "A score beyond 1 to 5, and an average",
        "human_score is 6 in one row, and 3.5 in another",
        _file("How?,So.,phi,,6", "How?,Thus.,gemma:2b,,3.5"),
        _IMPORT,
    ),
    BadCase(
        "A results file without a column",
        "the column answer is called reply",
        _file("How?,So.,phi,,4", head="question,reply,model,retrieved_chunks,human_score"),
        _IMPORT,
    ),
    BadCase(
        "One answer twice in a results file",
        "two rows of one model and one question, and no column rater",
        _file("How?,So.,phi,,4", "How?,So.,phi,,3"),
        _IMPORT,
    ),
    BadCase(
        "A list of chunks that breaks off",
        "retrieved_chunks begins as a list and does not end",
        _file('How?,So.,phi,"[""Rest.",4'),
        _IMPORT,
    ),
    BadCase(
        "Two raters' files that differ in an answer",
        "one rater's file has another text for the same question and model",
        _two_raters,
        _BOTH,
    ),
    BadCase(
        "A right option that is none of the options",
        "correct_answer is C, and the options are A and B",
        _clinical("C", {"question_id": "Q_001", "predicted_answer": "A"}),
        _CLINICAL,
    ),
    BadCase(
        "A choice for a question that nobody asked, and a confidence in percent",
        "results of Q_010, and a confidence of 85",
        _clinical(
            "A",
            {"question_id": "Q_010", "predicted_answer": "A"},
            {"question_id": "Q_001", "predicted_answer": "A", "confidence": 85},
        ),
        _CLINICAL,
    ),
    BadCase(
        "Results that hold no answers",
        "means under pipeline_results, and nothing of single questions",
        _clinical("A", key="pipeline_results"),
        _CLINICAL,
    ),
]
