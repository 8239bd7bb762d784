"""A small study drawn from a seed, in a shape that sentences of reports may stumble over.

    write_random(folder, 7)

Few or many systems, all alike in one study of three; scales of two to five labels; raters severe,
careless or alike; unlike raters for unlike systems; answers that nobody judged; metrics that follow
the raters, run against them, tie everywhere or know nothing.
"""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.tables import csv_bytes, jsonl_bytes

_DIMENSIONS: Final = ("accuracy", "clarity", "empathy", "completeness")
_KINDS: Final = ("follows", "against", "tied", "noise", "near")
_WORDS: Final = "rest the ankle for two days then move it gently as pain allows".split()  # noqa: SIM905 - a sentence reads better

Floats = NDArray[np.float64]


def write_random(folder: Path, seed: int) -> bool:
    """Write the study, and say whether its systems are alike."""
    rng = np.random.default_rng([1905, seed])
    systems, cases = int(rng.choice([2, 3, 4, 5, 6, 8, 13])), int(rng.integers(4, 26))
    alike = bool(rng.random() < 1 / 3)
    level = np.zeros(systems) if alike else rng.normal(0, rng.choice([0.3, 1.5]), systems)
    worth = level[:, None] + 0.5 * rng.normal(size=cases) + 0.8 * rng.normal(size=(systems, cases))
    names = [f"s{system:02}" for system in range(systems)]
    ids = [f"{case:03}" for case in range(cases)]
    dimensions = _DIMENSIONS[: int(rng.integers(1, len(_DIMENSIONS) + 1))]
    labels = int(rng.integers(2, 6))
    (folder / "answers").mkdir(parents=True)
    settings = (
        'schema = 1\ntitle = "A study drawn by chance"\nsynthetic = true\n[run]\n'
        f'seed = {seed}\nreplicates = 100\n[[dimensions]]\nrubric = "rubric.toml"\n'
        '[[metrics]]\nname = "length"\n'
    )
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    (folder / "rubric.toml").write_text(_rubric(dimensions, labels), encoding="utf-8")
    asked = [{"case": case, "question": f"Question {case}?"} for case in ids]
    (folder / "cases.jsonl").write_bytes(jsonl_bytes(asked))
    for system in names:
        texts = (" ".join(rng.choice(_WORDS, int(rng.integers(3, 12)))) for _ in ids)
        rows = [{"case": c, "text": f"{t} {system} {c}"} for c, t in zip(ids, texts, strict=True)]
        (folder / "answers" / f"{system}.jsonl").write_bytes(jsonl_bytes(rows))
    judged = [
        [f"rater {rater}", names[system], ids[case], dimension, str(label)]
        for dimension in dimensions
        for rater, system, case, label in _judged(rng, worth, labels)
    ]
    header = ["rater", "system", "case", "dimension", "label"]
    (folder / "judgements.csv").write_bytes(csv_bytes(header, judged))
    (folder / "scores").mkdir()
    for kind in rng.permutation(_KINDS)[: int(rng.integers(1, len(_KINDS) + 1))].tolist():
        values = _scored(rng, kind, worth)
        scored = [
            [names[system], ids[case], repr(round(float(values[system, case]), 6))]
            for system in range(systems)
            for case in range(cases)
        ]
        own = folder / "scores" / f"{kind}.csv"
        own.write_bytes(csv_bytes(["system", "case", "value"], scored))
        words = 'direction = "higher"\n'
        own.with_suffix(".toml").write_text(words, encoding="utf-8")
    return alike


def _rubric(dimensions: tuple[str, ...], labels: int) -> str:
    listed = ", ".join(f'{{ label = "{i}", score = {i} }}' for i in range(labels))
    lines = ['name = "drawn"', 'title = "Drawn by chance"']
    for dimension in dimensions:
        lines += [
            "[[dimensions]]",
            f'id = "{dimension}"',
            f'title = "{dimension.capitalize()}"',
            f'question = "How much {dimension} is there?"',
            'scale = "ordinal"',
            f"labels = [{listed}]",
        ]
    return "\n".join(lines) + "\n"


def _judged(
    rng: np.random.Generator, worth: Floats, labels: int
) -> list[tuple[int, int, int, int]]:
    """Let one to nine raters judge, by chance or each its own systems."""
    systems, cases = worth.shape
    raters = int(rng.integers(1, 10))
    each = int(rng.integers(1, min(raters, 3) + 1))
    severity = rng.choice([0.0, 0.8]) * rng.normal(size=raters)
    leaning, missed = rng.choice([True, *[False] * 4]), rng.choice([0.0, 0.3])
    cuts = np.linspace(-1, 1, labels - 1) if labels > 2 else np.array([rng.uniform(-1.5, 1.5)])  # noqa: PLR2004 - two labels have one cut
    rows = []
    for system in range(systems):
        for case in range(cases):
            if rng.random() < missed:
                continue
            pool = np.arange(raters)
            if leaning:
                pool = (system + np.arange(each)) % raters
            for rater in rng.permutation(pool)[:each].tolist():
                seen = worth[system, case] - severity[rater] + 0.6 * rng.normal()
                rows.append((rater, system, case, int(np.digitize(seen, cuts))))
    return rows


def _scored(rng: np.random.Generator, kind: str, worth: Floats) -> Floats:
    noise = rng.normal(size=worth.shape)
    return {
        "follows": worth,
        "against": -worth,
        "tied": np.full(worth.shape, 0.5),
        "noise": noise,
        "near": worth + noise,
    }[kind]
