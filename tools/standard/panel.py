"""A panel of experts that describes only: documents, confidence in words, an imported score."""

from pathlib import Path
from typing import Final

import numpy as np

from medassay.tables import csv_bytes, jsonl_bytes
from tools.standard.making import HEADER, ratings, read_rows, started, write_rows

_EXPERTS: Final = ("ann", "bob", "cleo")
_DIMENSIONS: Final = {
    "factuality": "012",
    "interpretability": "12345",
    "expert-confidence": ("Low", "Medium", "High"),
}
_SCORES: Final = """question = "How near are the documents?"
direction = "higher"
"""


def write_panel(folder: Path) -> Path:
    """Write the study that `medassay new` begins with, with more queries and three experts."""
    started(folder, "environmental-health")
    rng = np.random.default_rng(21)
    cases = _cases(folder)
    systems = ("system-a", "system-b")
    for system in systems:
        _more_answers(folder / "answers" / f"{system}.jsonl", cases, rng)
    quality = rng.uniform(0.2, 1, (len(systems), len(cases)))
    told = {name: quality + rng.normal(0, 0.2, quality.shape) for name in _EXPERTS}
    write_rows(folder / "judgements.csv", HEADER, ratings(systems, cases, _DIMENSIONS, told))
    raters = [[name, "person", "air and health", "yes", "none", "qualified", ""] for name in told]
    raters.append(["dan", "person", "air and health", "no", "built it", "excluded", "built it"])
    (folder / "raters.csv").write_bytes(
        csv_bytes(
            ["rater", "rater_kind", "expertise", "external", "conflicts", "status", "reason"],
            raters,
        )
    )
    documents = [(case, f"{case}-{place}") for case in cases for place in (1, 2, 3)]
    (folder / "relevance.csv").write_bytes(
        csv_bytes(
            ["rater", "case", "document", "relevance"],
            [
                [name, case, document, int(rng.uniform() < 0.9 - 0.3 * place)]
                for name in told
                for place, (case, document) in enumerate(documents)
                for place in [place % 3]
            ],
        )
    )
    (folder / "scores").mkdir()
    (folder / "scores" / "similarity.toml").write_text(_SCORES, encoding="utf-8")
    (folder / "scores" / "similarity.csv").write_bytes(
        csv_bytes(
            ["system", "case", "value"],
            [[s, case, round(float(rng.uniform()), 3)] for s in systems for case in cases],
        )
    )
    return folder


def _cases(folder: Path) -> list[str]:
    """Ask of more pollutants; the first two queries are those that ship."""
    path = folder / "cases.jsonl"
    cases = read_rows(path)
    for pollutant, outcome in (("soot", "asthma"), ("lead", "learning")):
        cases.append(
            {
                "case": pollutant,
                "question": f"Is exposure to {pollutant} associated with {outcome}?",
                "documents": [{"id": f"{pollutant}-{i}", "grade": 1 / i} for i in (1, 2, 3)],
                "tags": {"pollutant": pollutant, "outcome": outcome},
            }
        )
    path.write_bytes(jsonl_bytes(cases))
    return [str(case["case"]) for case in cases]


def _more_answers(path: Path, cases: list[str], rng: np.random.Generator) -> None:
    lines = read_rows(path)
    for case in cases[len(lines) :]:
        scores = np.sort(rng.uniform(0.1, 0.9, 3))[::-1].round(2)
        lines.append(
            {
                "case": case,
                "text": f"Invented summary: what was found of {case}.",
                "retrieved": [
                    {"document": f"{case}-{place}", "score": score}
                    for place, score in enumerate(scores.tolist(), start=1)
                ],
                "confidence_label": ("Low", "Medium", "High")[int(rng.integers(3))],
            }
        )
    path.write_bytes(jsonl_bytes(lines))
