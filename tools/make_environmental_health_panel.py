"""Make a synthetic panel in the environmental-health protocol's own tables.

    python -m tools.make_environmental_health_panel [FOLDER]

Twelve scenarios, two of them asked in a second wording; three documents returned for each query,
with raw similarities; ten experts who label every document and rate every answer, the order of
their questions stored; the system's confidence by the published rule. Everything is invented: the
experts' labels are drawn around a strength of evidence that each query is given. The same seed
gives the same bytes.
"""

import sys
from pathlib import Path
from typing import Final

import numpy as np

from medassay.stats import ConfidenceLevels, mean_min_max
from medassay.tables import csv_bytes, write_atomically

FOLDER: Final = Path("examples/environmental-health/panel")
_SEED: Final = 20261
_EXPERTS: Final = (
    "environmental epidemiology", "toxicology", "public health", "exposure science",
    "respiratory medicine", "cardiology", "paediatrics", "biostatistics", "occupational health",
    "air quality",
)  # fmt: skip
_SCENARIOS: Final = (
    ("PM2.5", "COPD exacerbations", 0.9), ("NO2", "childhood asthma", 0.8),
    ("lead", "neurodevelopment", 0.95), ("ozone", "cardiorespiratory mortality", 0.7),
    ("VOCs", "respiratory irritation", 0.4), ("cadmium", "cardiovascular mortality", 0.5),
    ("arsenic", "skin lesions", 0.85), ("noise", "hypertension", 0.45),
    ("pesticides", "Parkinson's disease", 0.3), ("benzene", "leukaemia", 0.75),
    ("mercury", "kidney function", 0.2), ("radon", "lung cancer", 0.9),
)  # fmt: skip
_AGAIN: Final = ("S3", "S9")
"""Scenarios that are asked in a second wording."""
_K: Final = 3
_LEVELS: Final = ("Low", "Medium", "High")
_QUESTIONS: Final = ("expert_confidence", "factuality", "interpretability")
"""In the order asked: the last shows the system's own confidence."""
_Rows = list[list[object]]


def panel_files(seed: int = _SEED) -> dict[str, bytes]:
    """Give every file of the panel."""
    rng = np.random.default_rng(seed)
    scenarios: _Rows = []
    queries: _Rows = []
    asked: dict[str, tuple[str, str, float]] = {}
    for number, (pollutant, outcome, strength) in enumerate(_SCENARIOS, start=1):
        name = f"S{number}"
        query = f"Is exposure to {pollutant} associated with {outcome}?"
        scenarios.append([name, pollutant, outcome, query])
        asked[name] = (name, query, strength)
        if name in _AGAIN:
            second = f"Does {pollutant} affect {outcome}, and in whom?"
            queries.append([f"{name}-b", name, second])
            asked[f"{name}-b"] = (name, second, strength)
    ranking: _Rows = []
    ratings: _Rows = []
    confidence: _Rows = []
    answers: _Rows = []
    cut = ConfidenceLevels(0.33, 0.67)
    turns = {expert: rng.permutation(list(asked)) for expert in range(len(_EXPERTS))}
    for name, (scenario, _, strength) in asked.items():
        instance = name if name != scenario else ""
        drawn = np.sort(rng.beta(2 + 5 * strength, 4, size=_K))[::-1].round(4)
        mean = mean_min_max(drawn)
        confidence.append([scenario, instance, round(mean, 4), cut.of(mean)])
        summary = f"Synthetic summary: {_K} invented studies were found for {name}."
        answers.append([scenario, instance, summary])
        for rank, similarity in enumerate(drawn, start=1):
            relevant = strength - 0.12 * (rank - 1)
            for expert in range(len(_EXPERTS)):
                label = int(rng.random() < relevant)
                document = f"{scenario}-doc-{rank}"
                ranking.append([scenario, instance, rank, document, float(similarity),
                                f"E{expert + 1}", label])  # fmt: skip
        for expert in range(len(_EXPERTS)):
            seen = strength + rng.normal(0, 0.15)
            place = int(np.flatnonzero(turns[expert] == name)[0])
            factuality = int(np.clip(round(2 * seen), 0, 2))
            interpretability = int(np.clip(round(3 + 2 * seen + rng.normal(0, 0.5)), 1, 5))
            level = _LEVELS[int(np.clip(np.digitize(seen, [0.4, 0.7]), 0, 2))]
            places = [len(_QUESTIONS) * place + turn for turn in range(1, len(_QUESTIONS) + 1)]
            ratings.append([scenario, instance, f"E{expert + 1}", factuality, interpretability,
                            level, *places])  # fmt: skip
    of = ["scenario_id", "query_instance_id"]
    places_of = [f"{question}_position" for question in _QUESTIONS]
    tables: dict[str, tuple[list[str], _Rows]] = {
        "scenarios": (["scenario_id", "pollutant", "outcome", "query"], scenarios),
        "queries": (["query_instance_id", "scenario_id", "query"], queries),
        "ranking": (
            [*of, "document_rank", "document", "similarity", "expert_id", "relevance"], ranking),
        "ratings": (
            [*of, "expert_id", "factuality", "interpretability", "expert_confidence", *places_of],
            ratings),
        "confidence": ([*of, "normalized_similarity_mean", "system_confidence"], confidence),
        "answers": ([*of, "answer"], answers),
        "experts": (
            ["expert_id", "expertise", "external", "conflicts"],
            [[f"E{n}", field, "yes", "none"] for n, field in enumerate(_EXPERTS, start=1)]),
    }  # fmt: skip
    return {f"{name}.csv": csv_bytes(*table) for name, table in tables.items()}


def main() -> None:
    """Write the files."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for name, content in panel_files().items():
        write_atomically(folder / name, content)


if __name__ == "__main__":
    main()
