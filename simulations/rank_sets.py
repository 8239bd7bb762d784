"""How often does the range of some system's rank miss its true rank? For simulations/rank-sets.md.

    python simulations/rank_sets.py [STUDIES]

A study is wrong where the place by the true means of any one of its systems lies outside what is
printed; of systems with one true mean it is any place that they share, so a range must hold all of
them. *Before* are the ranges over resampled cases, *now* the sets that the tests of all pairs leave
open. Systems differ by so many SD of a system from case to case; half of the variance of what
labels from 1 to 5 rest on is the case's. The tests are those of a leaderboard with fewer draws. The
last rows are boards adjusted for raters: six who differ by a point, of whom two read an answer.
"""

import sys
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from page_table import percent, put_table
from scipy.special import ndtri

from medassay.judgements import Units
from medassay.scores import Grid
from medassay.stats import (
    bootstrap_counts,
    could_outweigh,
    max_t,
    means_over_cases,
    pair_index,
    rank_ranges,
    rank_sets,
    ranks,
    without_tail,
)
from medassay.stats.intervals import sums_by_cluster
from medassay.validity import RaterAdjustment, Source, rank_systems

STUDIES: Final = 600
OF_RATERS: Final = 300
SEED: Final = 34_012
DRAWS: Final = 2000
RESAMPLES: Final = 500
LEVEL: Final = 0.05
PAGE: Final = Path(__file__).parents[1] / "simulations" / "rank-sets.md"

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


class Study(NamedTuple):
    """Systems whose true order is known.

    Attributes:
        title: What is so about them.
        means: By how many SD each system is better than the first.
        cases: How many cases they answer.
        rare: The share of answers of the first that have the rare one of two labels; 0 for labels
            from 1 to 5.
        clusters: In how many clusters the cases lie, the first of them half; 0 where each is apart.
        spread: How much more the first system spreads.
        families: Every so many systems share half of what is theirs.
        missing: The share of answers that have no score.
        heavy: Whether the first system loses much on one answer in forty, and no mean differs.
        raters: Whether raters differ, and the board is adjusted for them.
    """

    title: str
    means: tuple[float, ...]
    cases: int
    rare: float = 0.0
    clusters: int = 0
    spread: float = 1.0
    families: int = 0
    missing: float = 0.0
    heavy: bool = False
    raters: bool = False


EQUAL: Final = (0.0,) * 28
HALF: Final = (0.0,) * 14 + (0.5,) * 14
SEVENS: Final = tuple(0.3 * (at // 4) for at in range(28))
STUDIED: Final = (
    *(Study("all equal", EQUAL, cases) for cases in (20, 60, 200)),
    Study("all equal", EQUAL[:12], 20),
    Study("all equal, 5 % rare", EQUAL, 60, rare=0.05),
    Study("all equal, 2 % rare", EQUAL, 200, rare=0.02),
    Study("all equal, 10 unequal clusters", EQUAL, 60, clusters=10),
    Study("all equal, 20 unequal clusters, 10 % rare", EQUAL, 100, rare=0.1, clusters=20),
    Study("all equal, the first spreads three times as much", EQUAL, 20, spread=3.0),
    Study("all equal, families of 7", EQUAL, 60, families=7),
    Study("all equal, a fifth missing", EQUAL, 60, missing=0.2),
    Study("half lead by half an SD", HALF, 60),
    Study("half lead by half an SD, 10 unequal clusters", HALF, 60, clusters=10),
    Study("half lead by half an SD, 5 % rare", HALF, 100, rare=0.05),
    Study("fours, .3 SD apart", SEVENS, 60),
    Study("fours, .3 SD apart", SEVENS, 20),
    Study("each .02 SD ahead of the next", tuple(0.02 * at for at in range(28)), 60),
    Study("each .1 SD ahead of the next", tuple(0.1 * at for at in range(28)), 60),
    Study("each .1 SD ahead of the next", tuple(0.1 * at for at in range(12)), 20),
    Study("all equal, one loses .8 seldom", EQUAL, 60, heavy=True),
    Study("all equal, adjusted for raters", EQUAL[:12], 60, raters=True),
    Study("fours, .3 SD apart, adjusted for raters", SEVENS[:12], 60, raters=True),
)


def clusters_of(study: Study) -> list[int]:
    """Give each case its cluster."""
    if not study.clusters:
        return list(range(study.cases))
    half = study.cases // 2
    return [0] * half + [1 + at % (study.clusters - 1) for at in range(study.cases - half)]


def latent(rng: np.random.Generator, study: Study) -> Floats:
    """Draw what labels rest on: the case's part, the cluster's, the family's and the answer's."""
    systems = len(study.means)
    own = rng.normal(size=(systems, study.cases))
    if study.families:
        shared = rng.normal(size=(systems // study.families, study.cases))
        own = (own + np.repeat(shared, study.families, axis=0)) / 2**0.5
    if study.clusters:
        shared = rng.normal(size=(systems, study.clusters))[:, clusters_of(study)]
        own = (own + shared) / 2**0.5
    own[0] *= study.spread
    rows: NDArray[np.float64] = own + np.array(study.means)[:, None]
    return rows


def scores(rng: np.random.Generator, study: Study) -> Floats:
    """Draw each system's score on each case."""
    if study.heavy:
        made = 0.96 + 0.01 * rng.choice([-1.0, 1.0], (len(study.means), study.cases))
        made[0] += np.where(rng.random(study.cases) < 1 / 40, -0.78, 0.02)
        return np.asarray(made)
    hard = rng.normal(size=(1, study.cases))
    seen = latent(rng, study)
    if study.rare:
        width = (1 + 0.5**2) ** 0.5
        return np.asarray((seen + 0.5 * hard) / width > ndtri(study.rare), dtype=np.float64)
    return np.clip(np.rint(3 + 0.7 * (seen + hard)), 1, 5)


def printed(rng: np.random.Generator, study: Study) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
    """Give the ranges of one study, and its sets."""
    values, clusters = scores(rng, study), clusters_of(study)
    known = rng.random(values.shape) >= study.missing
    first, second = pair_index(len(values))
    both = known[first] & known[second]
    gaps = np.where(both, values[first] - values[second], 0.0)
    sums, again = sums_by_cluster(gaps, clusters), deepcopy(rng)
    kept = without_tail(values, known, clusters).kept
    apart = max_t(sums, rng=rng, permutations=DRAWS) <= LEVEL
    apart &= max_t(sums, rng=again, permutations=DRAWS, kept=kept) <= LEVEL
    span = 1.0 if study.heavy or study.rare else 4.0
    seen = np.minimum(both.sum(axis=1), len(set(clusters))).tolist()
    means_of_pairs = means_over_cases(gaps, both, clusters=clusters)
    apart &= [
        not could_outweigh(mean.mean or 0.0, span, n, mean.interval, systems=len(values))
        for mean, n in zip(means_of_pairs, seen, strict=True)
    ]
    means = np.where(known, values, 0).sum(axis=1) / known.sum(axis=1)
    sets = rank_sets(gaps.sum(axis=1) / both.sum(axis=1), apart, ranks(means))
    counts = bootstrap_counts(study.cases, RESAMPLES, rng, clusters)
    moved = counts @ np.where(known, values, 0).T / (counts @ known.T)
    return rank_ranges(moved), sets


def adjusted(rng: np.random.Generator, study: Study) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
    """Give the same of a board that is adjusted for raters."""
    shape = len(study.means), study.cases
    keys = [(f"s{i:02}", f"c{k:03}") for i in range(shape[0]) for k in range(shape[1])]
    seen = latent(rng, study) + rng.normal(size=(1, study.cases))
    said = seen.reshape(-1, 1) + rng.normal(size=(1, 6)) + rng.normal(size=(len(keys), 6))
    labels = np.clip(np.rint(3 + 0.7 * said), 1, 5).astype(np.int64) - 1
    unread = rng.random(labels.shape).argsort(axis=1).argsort(axis=1) >= 2  # noqa: PLR2004 - two
    codes = np.where(unread, -1, labels)
    units = Units.from_codes(codes.tolist(), list("12345"), keys=keys, scores=[1, 2, 3, 4, 5])
    means = (np.where(unread, 0, labels).sum(axis=1) / 2 + 1).reshape(shape)
    systems, cases = [f"s{i:02}" for i in range(shape[0])], [f"c{k:03}" for k in range(shape[1])]
    grid = Grid(tuple(systems), tuple(cases), means, np.ones(shape, dtype=np.bool_))
    board = rank_systems(Source("m", grid), rng=rng, replicates=10)
    found = RaterAdjustment(units, by_chance=True)
    rows = {row.system: row for row in found.reranked(board, rng=rng, replicates=10).standings}
    sets = [np.array([getattr(rows[s], end) for s in systems]) for end in ("rank_low", "rank_high")]
    places = list(range(shape[0]))
    return found._ranges(places, rng, RESAMPLES, higher=True), (sets[0], sets[1])  # noqa: SLF001 - of old


def misses(study: Study, studies: int) -> tuple[float, float, float]:
    """Count studies whose ranges miss a true place, and whose sets do; and places in a set."""
    rng = np.random.default_rng([SEED, STUDIED.index(study)])
    means = np.zeros(len(study.means)) if study.heavy else np.array(study.means)
    best, worst = ranks(means), len(means) + 1 - ranks(means, higher_is_better=False)
    before = now = width = 0.0
    for _ in range(studies):
        ranges, sets = (adjusted if study.raters else printed)(rng, study)
        before += bool((ranges[0] > best).any() or (ranges[1] < worst).any())
        now += bool((sets[0] > best).any() or (sets[1] < worst).any())
        width += float((sets[1] - sets[0]).mean()) + 1
    return before / studies, now / studies, width / studies


def main(studies: int, chosen: Sequence[Study] = STUDIED) -> None:
    """Write the table."""
    lines = [
        "| means of systems | systems | cases | before | now | places in a set | studies |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for study in chosen:
        many = min(studies, OF_RATERS) if study.raters else studies
        before, now, width = misses(study, many)
        lines.append(
            f"| {study.title} | {len(study.means)} | {study.cases} | {percent(before, many)} | "
            f"{percent(now, many)} | {width:.1f} | {many} |"
        )
        print(lines[-1], flush=True)
    put_table(PAGE, lines)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
