"""Multiple-choice questions with retrieval, reasoning, confidence, dangers and targets."""

import shutil
from pathlib import Path
from typing import Final

from medassay.analyses import run_study
from medassay.report.store import report_json
from medassay.study import open_run
from medassay.tables import jsonl_bytes, write_atomically
from tools.standard.making import add_rows, read_rows, started

_METRICS: Final = (
    "exact_match", "exact_match(missing=first)", "precision@1", "recall@3", "average_precision",
    "reciprocal_rank", "ndcg@10", "context_relevance@10",
    "hallucination(against=retrieved,of=reasoning)",
    "lexical_support(against=retrieved,of=reasoning)", "chain_completeness", "evidence_utilisation",
    "coherence", "danger_flag",
)  # fmt: skip
"""No entailment model is here: hallucination has no score."""
_SETTINGS: Final = """
[[dimensions]]
rubric = "harm"
only = ["contraindicated-treatment-severity", "contraindicated-treatment-likelihood"]
[targets]
accuracy = 0.8
map = 0.5
danger_flag = 0.1
[validity.thresholds]
"precision@1" = 0.5
[safety]
flag_finds = [9, 12]
"""
_TWINS: Final = {
    "case": "cough",
    "question": "A 71-year-old woman has fever, cough and crackles over one lung. What is it?",
    "options": {"A": "Pneumonia", "B": "Bronchitis", "C": "Common cold", "D": "Asthma"},
    "gold": "A",
    "documents": [{"id": "cold", "grade": 1}],
    "tags": {"specialty": "general practice", "condition": "pneumonia", "difficulty": "easy"},
}
"""Conditions that are easily taken for one another."""
_RIGHT: Final = {
    "case": "cough",
    "text": "Pneumonia.",
    "retrieved": [{"document": "cold", "score": 2.5}],
    "reasoning": "Fever and crackles are found.\nTherefore the answer is (A) Pneumonia.",
    "choice": "A",
    "confidence": 0.75,
}
_JUDGED: Final = "contraindicated-treatment-"


def write_clinical(folder: Path) -> Path:
    """Write the study that `medassay new` begins with, and a third system, sure and often wrong.

    Fewer metrics and one kind of harm: a report of all of them is thirty times as long.
    """
    listed = "".join(f'[[metrics]]\nname = "{name}"\n' for name in _METRICS)
    started(folder, "clinical-mcq", f"{_SETTINGS}{listed}")
    judged = folder / "judgements.csv"
    head, *rows = judged.read_text(encoding="utf-8").splitlines()
    judged.write_text("\n".join([head, *(r for r in rows if _JUDGED in r), ""]), encoding="utf-8")
    add_rows(folder / "cases.jsonl", [_TWINS])
    add_rows(folder / "answers" / "system-a.jsonl", [_RIGHT])
    add_rows(
        folder / "answers" / "system-b.jsonl", [_RIGHT | {"choice": "B", "text": "Bronchitis."}]
    )
    lines = read_rows(folder / "answers" / "system-b.jsonl")
    # An answer is lacking, one names no option, one no confidence.
    made = [{**line, "confidence": 0.99 - 0.01 * place} for place, line in enumerate(lines[1:])]
    made[0]["choice"], made[0]["confidence"] = "B", 0.97
    del made[-2]["confidence"]
    system_c = folder / "answers" / "system-c.jsonl"
    system_c.write_bytes(jsonl_bytes([{**line, "choice": "B"} for line in made]))
    _run_before(folder)
    system_c.write_bytes(jsonl_bytes(made))
    return folder


def _run_before(folder: Path) -> None:
    """Run the study as it is, so that this run stands beside the one of what is changed then."""
    results, _ = run_study(open_run(folder))
    write_atomically(folder / "before" / "report.json", report_json(results))
    shutil.rmtree(folder / "results")
    settings = folder / "study.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(f'{text}\n[report]\nagainst = "before"\n', encoding="utf-8")
