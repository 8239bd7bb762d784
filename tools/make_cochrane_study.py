"""Make the embedded demo study from the annotated MSLR data set.

    python tools/make_cochrane_study.py FOLDER

FOLDER holds outputs.csv, facet_long.csv and pairwise_long.csv, whose columns the CODEBOOK.md beside
them describes. What is kept: the six judged systems on every review that has a rating or a
preference. What is derived: `direction` and `strength`, whether the generated summary states the
same direction of effect and the same strength of claim as the target. A code of -1 means that no
direction is stated: the reason 'not applicable', never a number.
"""

import csv
import sys
from pathlib import Path

from medassay.judgements import load_rubric
from medassay.tables import csv_bytes, jsonl_bytes, write_atomically

STUDY = Path(__file__).parents[1] / "src" / "medassay" / "data" / "studies" / "cochrane"
FACETS = ("fluency", "population", "intervention", "outcome")
NOT_STATED = "-1"


def rows(path: Path) -> list[dict[str, str]]:
    """Read a CSV file with a header."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def same(target: str, generated: str, yes: str, no: str) -> tuple[str, str] | None:
    """Compare what the target and the summary state: (label, reason), or None if not answered."""
    if not target or not generated:
        return None
    if NOT_STATED in {target, generated}:
        return "", "not_applicable"
    return (yes if target == generated else no), ""


def main(source: Path) -> None:
    """Write the study's tables."""
    facets = rows(source / "facet_long.csv")
    pairs = rows(source / "pairwise_long.csv")
    outputs = rows(source / "outputs.csv")
    systems = sorted({row["system"] for row in facets})
    reviews = sorted({row["review_id"] for row in facets} | {row["review_id"] for row in pairs})

    targets = {row["review_id"]: row["target"] for row in outputs}
    cases = [
        {"case": review, "references": [{"kind": "human", "text": targets[review]}]}
        for review in reviews
    ]
    write_atomically(STUDY / "cases.jsonl", jsonl_bytes(cases))

    texts = {(row["system"], row["review_id"]): row["generated"] for row in outputs}
    for system in systems:
        answers = [
            {"case": review, "text": texts[system, review]}
            for review in reviews
            if (system, review) in texts
        ]
        write_atomically(STUDY / "answers" / f"{system}.jsonl", jsonl_bytes(answers))

    judgements = sorted(line for row in facets for line in judged(row))
    header = ["rater", "system", "case", "dimension", "label", "reason"]
    write_atomically(STUDY / "judgements.csv", csv_bytes(header, judgements))

    preferences = sorted(
        (row["annotator"], row["review_id"], row["system_a"], row["system_b"], "overall",
         row["choice"].lower())
        for row in pairs
    )  # fmt: skip
    header = ["rater", "case", "system_a", "system_b", "dimension", "choice"]
    write_atomically(STUDY / "preferences.csv", csv_bytes(header, preferences))


def judged(row: dict[str, str]) -> list[tuple[str, ...]]:
    """Give one annotator's judgements of one summary; an empty cell was not answered: no row."""
    scales = {dimension.id: dimension for dimension in load_rubric("cochrane").dimensions}
    labels = {
        name: {int(label.score): label.label for label in scale.labels if label.score is not None}
        for name, scale in scales.items()
    }
    found: dict[str, tuple[str, str] | None] = {
        name: (labels[name][int(row[name])], "") if row[name] else None for name in FACETS
    }
    for name, stem in (("direction", "ed"), ("strength", "strength")):
        found[name] = same(
            row[f"{stem}_target"], row[f"{stem}_generated"], labels[name][1], labels[name][0]
        )
    return [
        (row["annotator"], row["system"], row["review_id"], name, *value)
        for name, value in found.items()
        if value is not None
    ]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
