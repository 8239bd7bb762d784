"""EM of Dawid and Skene (1979), written anew from the paper with loops, sharing no line with ours.

Each step estimates shares and confusion from the posteriors (their 2.3 and 2.4, with a little added
to each cell), and then the posteriors from those (2.5). The start is the share of raters behind
each label of an answer.
"""

from collections.abc import Sequence
from math import exp, log

Table = Sequence[Sequence[int]]
"""For each answer the label of each rater; -1 where there is none."""


def posteriors(
    table: Table, labels: int, smoothing: float, *, most_steps: int, settled: float
) -> tuple[list[list[float]], int]:
    """Take steps until no posterior moves by more than settled, or so many are taken."""
    raters = len(table[0])
    given = [[(j, a) for j, a in enumerate(row) if a >= 0] for row in table]
    now = [[sum(a == label for _, a in row) / len(row) for label in range(labels)] for row in given]
    for step in range(1, most_steps + 1):
        shares = [sum(row[label] for row in now) / len(now) for label in range(labels)]
        confusion = [
            [_row(given, now, rater, truth, labels, smoothing) for truth in range(labels)]
            for rater in range(raters)
        ]
        new = []
        for row in given:
            evidence = [
                log(max(shares[truth], 5e-324)) + sum(log(confusion[j][truth][a]) for j, a in row)
                for truth in range(labels)
            ]
            weights = [exp(e - max(evidence)) for e in evidence]
            new.append([weight / sum(weights) for weight in weights])
        moved = max(abs(a - b) for one, other in zip(new, now, strict=True)
                    for a, b in zip(one, other, strict=True))  # fmt: skip
        now = new
        if moved <= settled:
            return now, step
    return now, most_steps


def _row(
    given: Sequence[Sequence[tuple[int, int]]],
    now: Sequence[Sequence[float]],
    rater: int,
    truth: int,
    labels: int,
    smoothing: float,
) -> list[float]:
    counts = [smoothing] * labels
    for row, posterior in zip(given, now, strict=True):
        for j, a in row:
            if j == rater:
                counts[a] += posterior[truth]
    return [count / sum(counts) for count in counts]
