"""Make a study of four systems on clinical multiple-choice questions from MIRAGE's predictions.

    python -m tools.make_mirage_study PREDICTIONS.csv FOLDER

PREDICTIONS.csv has the columns system, dataset, id, predicted, gold: for each question the letter
that a system's answer was read as, empty where none could be. Texts of questions and options are
not in it: the options are the bare letters, with an empty text each.
"""

import csv
import sys
from pathlib import Path
from typing import Final

from medassay.tables import jsonl_bytes, write_atomically

_LETTERS: Final = {"pubmedqa": "ABC"}
_FAMILIES: Final = {"gpt-35": "GPT-3.5", "gpt-4": "GPT-4"}
_SETTINGS: Final = """\
schema = 1
title = "Four systems on MIRAGE"
description = "Two models, each reasoning step by step, alone and with 32 retrieved snippets, on \
the questions of MedMCQA, MedQA, MMLU and PubMedQA. Only the letters that the answers were read as."
source = "MIRAGE, github.com/Teddy-XiongGZ/MIRAGE, commit 392943a; Xiong et al. 2024, \
doi:10.18653/v1/2024.findings-acl.372"
licence = "public domain (US government work); questions: MIT"

[protocol]
name = "clinical-mcq"

[[metrics]]
name = "exact_match"

[[metrics]]
name = "exact_match(missing=first)"
"""


def mirage_files(predictions: Path, *, every: int = 1) -> dict[str, bytes]:
    """Give the study's files.

    Args:
        predictions: The CSV.
        every: Keep each such question, in the order of data set and id.
    """
    with predictions.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    gold = {(row["dataset"], row["id"]): row["gold"] for row in rows}
    kept = sorted(gold)[::every]
    cases = [
        {
            "case": f"{dataset}-{question}",
            "options": dict.fromkeys(_LETTERS.get(dataset, "ABCD"), ""),
            "gold": gold[dataset, question],
            "tags": {"data set": dataset},
        }
        for dataset, question in kept
    ]
    files = {"cases.jsonl": jsonl_bytes(cases)}
    predicted = {(row["system"], row["dataset"], row["id"]): row["predicted"] for row in rows}
    settings = _SETTINGS
    for system in sorted({row["system"] for row in rows}):
        answers = []
        for dataset, question in kept:
            letter = predicted[system, dataset, question]
            chosen = {"choice": letter} if letter else {"text": ""}
            answers.append({"case": f"{dataset}-{question}", **chosen})
        files[f"answers/{system}.jsonl"] = jsonl_bytes(answers)
        family = next(name for start, name in _FAMILIES.items() if system.startswith(start))
        how = "retrieval" if "rag" in system else "no retrieval"
        settings += f'\n[systems.{system}]\ntitle = "{family}, {how}"\nfamily = "{family}"\n'
    files["study.toml"] = settings.encode()
    return files


def main(predictions: Path, folder: Path) -> None:
    """Write the study."""
    for name, content in mirage_files(predictions).items():
        write_atomically(folder / name, content)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
