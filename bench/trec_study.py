"""A study of so many TREC runs, made up from a seed; for timing alone.

Teams hand in up to four runs each, of which some are all but alike, as in a real year of TREC. A
topic has three hundred graded documents, a tenth to a third of them relevant, and is hard or easy
for everybody. A run ranks the documents by their grades, disturbed by its team's errors and by its
own.
"""

from pathlib import Path
from typing import Final

import numpy as np

__all__ = ["METRICS", "write_files", "write_study"]

METRICS: Final = (
    "average_precision", "ndcg@10", "precision@10", "recall@10", "r_precision", "reciprocal_rank",
)  # fmt: skip
SEED: Final = 7
_GRADED: Final = 300
_RUNS_A_TEAM: Final = 4


def write_study(folder: Path, topics: int, metrics: tuple[str, ...] = METRICS) -> None:
    """Write a study folder that knows its topics and metrics, and no system yet."""
    folder.mkdir(parents=True)
    listed = "".join(f'\n[[metrics]]\nname = "{name}"\n' for name in metrics)
    ranking = f'\n[ranking]\nby = "{metrics[0]}"\n'
    head = 'schema = 1\ntitle = "Runs"\nsynthetic = true\n'
    (folder / "study.toml").write_text(head + ranking + listed, encoding="utf-8")
    lines = [f'{{"case": "{name}"}}\n' for name in _topics(topics)]
    (folder / "cases.jsonl").write_text("".join(lines), encoding="utf-8")


def write_files(folder: Path, systems: int, topics: int, depth: int) -> tuple[Path, list[Path]]:
    """Write the qrels, and a run of each system that lists so many documents a topic."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(SEED)
    pool = max(_GRADED, depth)
    shares = rng.uniform(0.1, 0.33, size=(topics, 1))
    grades = (rng.random((topics, pool)) < shares) * rng.integers(1, 3, size=(topics, pool))
    grades[:, _GRADED:] = 0
    ease = rng.normal(0, 0.4, size=(topics, 1))
    runs = [folder / f"run{system:03}" for system in range(systems)]
    quality, shared = 0.0, np.zeros((topics, pool))
    for system, path in enumerate(runs):
        if system % _RUNS_A_TEAM == 0:
            quality, shared = rng.normal(0.8, 0.3), rng.normal(size=(topics, pool))
        own = quality + rng.normal(0, 0.1)
        noise = 0.8 * shared + 0.6 * rng.normal(size=(topics, pool))
        _write_run(path, np.maximum(own + ease, 0) * grades + noise, depth)
    qrels = folder / "qrels.txt"
    lines = [
        f"{name} 0 d{place} {grade}\n"
        for name, found in zip(_topics(topics), grades[:, :_GRADED].tolist(), strict=True)
        for place, grade in enumerate(found)
    ]
    qrels.write_text("".join(lines), encoding="utf-8")
    return qrels, runs


def _write_run(path: Path, scores: np.ndarray, depth: int) -> None:
    order = np.argsort(-scores, axis=1)[:, :depth]
    lines = [
        f"{name} Q0 d{document} {rank} {scores[topic, document]:.6f} {path.name}\n"
        for topic, name in enumerate(_topics(len(scores)))
        for rank, document in enumerate(order[topic].tolist(), 1)
    ]
    path.write_text("".join(lines), encoding="utf-8")


def _topics(count: int) -> list[str]:
    return [str(401 + place) for place in range(count)]
