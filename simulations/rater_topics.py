"""Do raters who differ by topic make a leader of equal systems? To simulations/rater-adjusted.md.

    python simulations/rater_topics.py [STUDIES]

As in `rater_adjusted.py`, four equal systems and three raters, one label an answer; each rater is
stricter on some topics and milder on others (SD .5), and topics are unequal. *Leaning*: the first
system meets one rater in three answers of ten more than chance has it; *by topic*, a rater drawn
for each topic; *to one rater*, the same on all topics; *to the milder*, whoever is mildest on the
topic, which no luck does. *False leader*: a pair stands after Holm, or the largest statistic, at
.05, by whatever the leaderboard goes by. *Unknown*: the study does not say that topics are
clusters. *Clusters*: it does, in `[ranking] clusters`. *Crossed*: it does not, and a rater on one
topic is taken for another rater than on the next.
"""

import sys
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table
from rater_allotment import SYSTEMS, units_of

from medassay.stats import holm
from medassay.stats.multiplicity import max_t
from medassay.stats.rater_adjusted import Labels, adjust_for_raters
from medassay.validity import allotment

STUDIES: Final = 2000
WHOLE: Final = 2
"""Of so many designs all studies are drawn, of the others half."""
SEED: Final = 20_271
LEVEL: Final = 0.05
RATERS: Final = 3
CASE_SD, ANSWER_SD, LABEL_SD, TOPIC_SD = 0.7, 0.8, 0.6, 0.5
PAGE: Final = Path(__file__).parents[1] / "simulations" / "rater-adjusted.md"
FIRST, SECOND = (np.array(side) for side in zip(*combinations(range(SYSTEMS), 2), strict=True))
DESIGNS: Final = (
    ("by chance", 0.0, 4, 60),
    ("leaning by topic", 0.3, 4, 60),
    ("leaning by topic", 0.3, 12, 60),
    ("leaning to one rater", 0.3, 4, 60),
    ("leaning to one rater", 0.3, 12, 60),
    ("leaning to the milder", 0.3, 4, 60),
    ("leaning to the milder", 0.3, 12, 60),
)
"""Allotment, its lean, topics and cases."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def dealt(rng: np.random.Generator, title: str, lean: float, topic: Ints) -> tuple[Ints, Floats]:
    """Give the rater of each answer, shape (systems, cases), and how raters are on each topic."""
    topics = int(topic.max()) + 1
    who = rng.integers(RATERS, size=(SYSTEMS, topic.size))
    drawn = rng.integers(RATERS, size=topics)
    leans = rng.random(topic.size) < lean
    of_topic = TOPIC_SD * rng.normal(size=(RATERS, topics))
    favourite = {
        "leaning to one rater": np.zeros_like(drawn),
        "leaning to the milder": of_topic.argmax(axis=0),
    }.get(title, drawn)
    who[0] = np.where(leans, favourite[topic], who[0])
    return who, of_topic


def false_leader(values: Floats, who: Ints, labels: Labels, units: Ints) -> bool:
    """Say whether two systems are told apart by what the leaderboard goes by."""
    if allotment(units_of(who, int(who.max()) + 1)).adjusts:
        found = adjust_for_raters(labels, units).contrasts
        pairs = [] if found is None else found.differences(FIRST, SECOND)
        p = [pair.p for pair in pairs if pair.p is not None]
        return bool(p) and bool((holm(p) <= LEVEL).any())
    gaps = values[FIRST] - values[SECOND]
    sums = np.zeros((len(gaps), int(units.max()) + 1))
    np.add.at(sums.T, units, gaps.T)
    return bool((max_t(sums, rng=1, permutations=2000) <= LEVEL).any())


def study(rng: np.random.Generator, title: str, lean: float, topics: int, cases: int) -> list[bool]:
    """Draw a study of equal systems: whether it has a leader in each of the three ways."""
    weights = 1 / np.arange(1, topics + 1)
    topic = np.sort(
        np.concatenate(
            [np.arange(topics), rng.choice(topics, cases - topics, p=weights / weights.sum())]
        )
    )
    who, of_topic = dealt(rng, title, lean, topic)
    values = CASE_SD * rng.normal(size=cases) + ANSWER_SD * rng.normal(size=(SYSTEMS, cases))
    values += of_topic[who, topic] + LABEL_SD * rng.normal(size=values.shape)

    def labels(raters: Ints) -> Labels:
        answer = np.arange(values.size)
        _, rater = np.unique(raters, return_inverse=True)
        case = np.tile(np.arange(cases), SYSTEMS)
        return Labels(
            values.ravel(), answer, rater.ravel(), np.repeat(np.arange(SYSTEMS), cases), case
        )

    crossed = np.unique(who * topics + topic, return_inverse=True)[1].reshape(who.shape)
    each = np.arange(cases)
    return [
        false_leader(values, who, labels(who), each),
        false_leader(values, who, labels(who), topic),
        false_leader(values, crossed, labels(crossed), each),
    ]


def main(studies: int) -> None:
    """Write the table."""
    titles = ("allotment", "topics", "cases", "unknown", "clusters", "crossed", "studies")
    lines = [f"| {' | '.join(titles)} |", "| --- |" + " ---: |" * (len(titles) - 1)]
    for at, (title, lean, topics, cases) in enumerate(DESIGNS):
        rng = np.random.default_rng([SEED, at])
        many = studies // (1 if at < WHOLE else 2)
        shares = np.mean([study(rng, title, lean, topics, cases) for _ in range(many)], axis=0)
        cells = " | ".join(percent(float(share), many) for share in shares)
        lines.append(f"| {title} | {topics} | {cases} | {cells} | {many} |")
        print(lines[-1], flush=True)
    put_table(PAGE, lines, "topics")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
