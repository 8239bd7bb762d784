"""Two language models as judges of real answers: where would they stand among the people?

Two people said of every answer whether it is acceptable; so did GPT-4 and text-davinci-003, told
the reference answers. Two of the twelve systems are text-davinci-003 itself.

    python examples/judge_openqa.py
"""

import csv
from pathlib import Path

import numpy as np

from medassay.judgements import Dimension, Judgements, Label, Rubric, units
from medassay.stats import Interval
from medassay.validity import (
    JudgeEstimate,
    alt_test,
    judge_gaps,
    judge_length,
    judge_rank,
    judge_self_preference,
    judge_severity,
)

DATA = Path(__file__).parent / "data"
PEOPLE, JUDGES = ("annotator1", "annotator2"), ("gpt4", "davinci")
OWN = {
    "text-davinci-003_zeroshot": "text-davinci-003",
    "text-davinci-003_fewshot-n64": "text-davinci-003",
}
RUBRIC = Rubric(
    name="acceptable",
    dimensions=(
        Dimension(
            id="acceptable",
            question="Is the answer acceptable?",
            scale="ordinal",
            labels=(Label(label="no", score=0), Label(label="yes", score=1)),
        ),
    ),
)


def read(name: str) -> list[dict[str, str]]:
    """Read one of the tables."""
    with (DATA / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def judged() -> Judgements:
    """Lay out who said what; an empty cell is no judgement."""
    rows = [
        {
            "rater": rater,
            "rater_kind": "model" if rater in JUDGES else "person",
            "system": row["system"],
            "case": row["case"],
            "dimension": "acceptable",
            "label": "yes" if row[rater] == "1" else "no",
        }
        for row in read("openqa_nq301_judges.csv")
        for rater in (*PEOPLE, *JUDGES)
        if row[rater]
    ]
    return Judgements.from_rows(rows, RUBRIC)


def told(found: JudgeEstimate) -> str:
    """Print a number with its interval, or why there is none."""
    return found.reason if found.value is None else f"{found.value:+.3f} {ends(found.interval)}"


def ends(interval: Interval | None) -> str:
    """Print an interval."""
    return f"[{interval.low:+.3f}, {interval.high:+.3f}]" if interval else ""


def main() -> None:
    """Print what the tests say of each judge."""
    said = units(judged(), "acceptable")
    words = {
        (row["system"], row["case"]): int(row["words"])
        for row in read("openqa_nq301.csv")
        if row["words"]
    }
    for number, judge in enumerate(JUDGES):
        models = [other for other in JUDGES if other != judge]
        place = judge_rank(said, judge, rng=np.random.default_rng(1), models=models)
        gaps = judge_gaps(said, judge, models=models)
        length = judge_length(gaps, words)
        low, high = (place.interval.low, place.interval.high) if place.interval else (0, 0)
        if number:
            print()
        print(f"{judge}: place {place.place} of {place.of}, 95 % {low:.0f} to {high:.0f}")
        for one in place.against:
            print(
                f"  beside {one.rater}, {one.answers} answers: agrees with the other person on "
                f"{one.judge:.3f}, {one.rater} on {one.person:.3f}, {one.difference:+.3f} "
                f"{ends(one.interval)}"
            )
        print(f"  milder than people       {told(judge_severity(gaps))}")
        print(f"  for a doubling of words  {told(length.gap)}, people held {told(length.held)}")
        print(
            "  for text-davinci-003     "
            f"{told(judge_self_preference(gaps, 'text-davinci-003', OWN))}"
        )
        print(f"  alternative annotator    {alt_test(said, judge, models=models).reason}")


if __name__ == "__main__":
    main()
