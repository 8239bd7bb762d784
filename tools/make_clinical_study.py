"""Make the demo of clinical questions from a medical QA system's own questions and guidelines.

    python -m tools.make_clinical_study SOURCE FOLDER

SOURCE holds questions.json and guidelines/guideline_NN_*.txt. Each question was written from one
guideline, and that one is graded 1; nobody graded the others. Answers are no part of the source:
examples/bm25_clinical.py makes them.
"""

import json
import sys
from pathlib import Path

from medassay.exchange.clinical_mcq.files import case_of, guideline_of
from medassay.tables import jsonl_bytes, write_atomically


def clinical_files(source: Path) -> dict[str, bytes]:
    """Give the cases and the documents."""
    content = json.loads((source / "questions.json").read_bytes())
    guidelines = map(guideline_of, sorted((source / "guidelines").glob("guideline_*.txt")))
    return {
        "cases.jsonl": jsonl_bytes([case_of(one) for one in content["questions"]]),
        "documents.jsonl": jsonl_bytes(guidelines),
    }


def main(source: Path, folder: Path) -> None:
    """Write the two files."""
    for name, content in clinical_files(source).items():
        write_atomically(folder / name, content)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
