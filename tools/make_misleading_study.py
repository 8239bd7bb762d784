"""Make the first demo: which of six systems mislead about what a Cochrane review concludes.

    python -m tools.make_misleading_study FOLDER

FOLDER holds outputs.csv and facet_long.csv of the annotated MSLR data set (CODEBOOK.md beside them
describes the columns). What is kept: the reviews whose summaries were judged, with the six judged
systems. What is derived: `misleading`. A rater coded the direction of effect that the review's own
conclusion states and the one that the summary states (positive, none, negative, or not stated).
A summary misleads where it states a direction that is not the conclusion's, or one where the
conclusion states none; a summary that states no direction misleads nobody. Judgements without both
codes are left out.
"""

import sys
from pathlib import Path

from medassay.tables import csv_bytes, jsonl_bytes, write_atomically
from tools.make_cochrane_study import NOT_STATED, judged, rows

_KEPT = ("population", "intervention", "outcome")


def misleading(stated_by_review: str, stated_by_summary: str) -> str:
    """Say what the two codes of one judgement come to; empty where one was not given.

    Example:
        >>> misleading("2", "2"), misleading("2", "0"), misleading("-1", "2"), misleading("2", "-1")
        ('does not mislead', 'misleads', 'misleads', 'does not mislead')
        >>> misleading("", "2")
        ''
    """
    if not stated_by_review or not stated_by_summary:
        return ""
    wrong = stated_by_summary not in {NOT_STATED, stated_by_review}
    return "misleads" if wrong else "does not mislead"


def misleading_files(source: Path) -> dict[str, bytes]:
    """Give cases, answers and judgements."""
    facets, outputs = rows(source / "facet_long.csv"), rows(source / "outputs.csv")
    systems = sorted({row["system"] for row in facets})
    reviews = sorted({row["review_id"] for row in facets})
    targets = {row["review_id"]: row["target"] for row in outputs}
    texts = {(row["system"], row["review_id"]): row["generated"] for row in outputs}
    cases = [
        {"case": review, "references": [{"kind": "human", "text": targets[review]}]}
        for review in reviews
    ]
    answers = {
        system: [
            {"case": review, "text": texts[system, review]}
            for review in reviews
            if (system, review) in texts
        ]
        for system in systems
    }
    lines = [line for row in facets for line in judged(row) if line[3] in _KEPT]
    lines += [
        (row["annotator"], row["system"], row["review_id"], "misleading", label, "")
        for row in facets
        if (label := misleading(row["ed_target"], row["ed_generated"]))
    ]
    header = ["rater", "system", "case", "dimension", "label", "reason"]
    return {
        "cases.jsonl": jsonl_bytes(cases),
        **{f"answers/{system}.jsonl": jsonl_bytes(own) for system, own in answers.items()},
        "judgements.csv": csv_bytes(header, sorted(lines)),
    }


def main(source: Path) -> None:
    """Write the study's tables."""
    study = Path(__file__).parents[1] / "src" / "medassay" / "data" / "studies" / "misleading"
    for name, content in misleading_files(source).items():
        write_atomically(study / name, content)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
