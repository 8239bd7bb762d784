"""Make the demo of clinical questions from a medical QA system's own questions and guidelines.

    python -m tools.make_clinical_study SOURCE FOLDER

SOURCE holds questions.json and guidelines/guideline_NN_*.txt. Each question was written from one
guideline, and that one is graded 1; nobody graded the others. Answers are no part of the source:
examples/bm25_clinical.py makes them.
"""

import json
import sys
from pathlib import Path
from typing import Any, Final

from medassay.tables import jsonl_bytes, write_atomically

__all__ = ["clinical_files"]

_TAGS: Final = {
    "specialty": "category",
    "condition": "condition_category",
    "kind": "question_type",
    "difficulty": "difficulty",
    "stated relevance": "relevance_level",
}
_NONE: Final = "default"
"""What the source writes where it has no condition."""


def clinical_files(source: Path) -> dict[str, bytes]:
    """Give the cases and the documents."""
    content = json.loads((source / "questions.json").read_bytes())
    guidelines = [
        {
            "id": f"GL_{path.name.split('_')[1].zfill(3)}",
            "title": path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# "),
            "text": path.read_text(encoding="utf-8").strip(),
        }
        for path in sorted((source / "guidelines").glob("guideline_*.txt"))
    ]
    return {
        "cases.jsonl": jsonl_bytes([_case(one) for one in content["questions"]]),
        "documents.jsonl": jsonl_bytes(guidelines),
    }


def _case(given: dict[str, Any]) -> dict[str, object]:
    return {
        "case": given["question_id"],
        "question": given["question"],
        "options": given["options"],
        "gold": given["correct_answer"],
        "documents": [{"id": given["guideline_id"], "grade": 1}],
        "tags": {ours: given[name] for ours, name in _TAGS.items() if given[name] != _NONE},
    }


def main(source: Path, folder: Path) -> None:
    """Write the two files."""
    for name, content in clinical_files(source).items():
        write_atomically(folder / name, content)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
