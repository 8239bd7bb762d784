"""The boxes of `worst_designs.py`: six verdicts, what their designs may be, and what is wrong.

Each calls what the product calls, through its public functions, and no more: another rule inside
them needs no other box.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np
from gate_permits import sources
from numpy.typing import NDArray
from rater_words import SAFETY
from version_permits import Design as Family
from version_permits import permitted, study
from worst_designs import Box, Design

from medassay.analyses.builtin.rater_effects import severity_finding
from medassay.exhibits import Names
from medassay.judgements import Judgements, load_rubric
from medassay.scores import Grid
from medassay.stats import holm, paired_gates
from medassay.stats.rare_harm import share_bounds
from medassay.validity import Evidence, Source, diagnose_raters, permit, rank_systems
from medassay.validity.block import blocks
from medassay.validity.order_test import OrderTest
from medassay.validity.surrogacy import adjusted_over_all, surrogacy

__all__ = ["BOXES", "systems_study"]

Floats = NDArray[np.float64]
_LEVEL: Final = 0.05
_AT_ONCE: Final = 200
_REPLICATES: Final = 400
_ALERT: Final = 0.025


def sizes_of(kind: str, cases: int) -> list[int]:
    """Give the sizes of clusters that hold so many cases: alone, fives, or one of half of them."""
    if kind == "alone":
        return [1] * cases
    if kind == "fives":
        return [5] * (cases // 5)
    small = max(1, cases // 20)
    return [cases // 2, *[small] * ((cases - cases // 2) // small)]


def harm(design: Design, rng: np.random.Generator, studies: int) -> int:
    """Count studies whose bound of harm lies under the truth: the share among these answers."""
    return _harm(
        design, rng, studies, lambda harmful, labels: share_bounds(harmful, labels, _LEVEL)
    )


def harm_alone(design: Design, rng: np.random.Generator, studies: int) -> int:
    """Count the same by the bound of answers that count alone each."""

    def bounds(harmful: NDArray[np.bool_], _: list[int]) -> Floats:
        from scipy.stats import beta

        found, n = harmful.sum(axis=1), harmful.shape[1]
        return np.where(found < n, beta.ppf(1 - _LEVEL, found + 1, np.maximum(n - found, 1)), 1.0)

    return _harm(design, rng, studies, bounds)


def _harm(
    design: Design,
    rng: np.random.Generator,
    studies: int,
    bounds: Callable[[NDArray[np.bool_], list[int]], Floats],
) -> int:
    clusters, large = int(design["clusters"]), float(design["large"])
    many = round(large * clusters)
    sizes = np.repeat([int(design["size of large"]), int(design["size of others"])],
                      [many, clusters - many])  # fmt: skip
    shares = np.repeat([float(design["harm in large"]), float(design["harm in others"])],
                       [many, clusters - many])  # fmt: skip
    labels, alike = np.repeat(np.arange(clusters), sizes), float(design["alike"])
    truth = float(sizes @ shares) / sizes.sum()
    wrong = 0
    for start in range(0, studies, _AT_ONCE):
        chance = np.broadcast_to(shares, (min(_AT_ONCE, studies - start), clusters))
        if alike == 1:
            chance = (rng.random(chance.shape) < chance).astype(np.float64)
        elif alike:
            both = (1 - alike) / alike
            beta = rng.beta(np.maximum(chance * both, 1e-9), np.maximum((1 - chance) * both, 1e-9))
            chance = np.where((chance > 0) & (chance < 1), beta, chance)
        harmful = rng.random((chance.shape[0], labels.size)) < chance[:, labels]
        upper = bounds(harmful, labels.tolist())
        wrong += int((upper < truth - 1e-12).sum())
    return wrong


def leads(design: Design, rng: np.random.Generator, studies: int) -> int:
    """Count studies that tell two of several equal systems apart, with no mark of heavy losses."""
    return _leads(design, rng, studies, old=False)


def leads_by_holm(design: Design, rng: np.random.Generator, studies: int) -> int:
    """Count the same by Holm's steps over the pairs."""
    return _leads(design, rng, studies, old=True)


def _leads(design: Design, rng: np.random.Generator, studies: int, *, old: bool) -> int:
    systems, cases = int(design["systems"]), int(design["cases"])
    sizes = sizes_of(str(design["clusters"]), cases)
    names = tuple(f"c{k:03}" for k in range(sum(sizes)))
    of = {name: f"g{k}" for name, k in zip(names, np.repeat(range(len(sizes)), sizes), strict=True)}
    wrong = 0
    for _ in range(studies):
        values = _equal(design, rng, systems, sizes)
        grid = Grid(tuple(f"s{i:02}" for i in range(systems)), names, values, values >= 0)
        board = rank_systems(
            Source("score", grid, bounds=(0.0, 1.0)), rng=rng, clusters=of, replicates=100
        )
        pairs = board.comparisons
        given = [pair.p if old else pair.p_adjusted for pair in pairs]
        p = [1.0 if value is None else value for value in given]
        wrong += any(
            adjusted <= _LEVEL
            and not replace(pair, clusters=len(sizes)).may_reverse(0.0, 1.0, systems)
            for adjusted, pair in zip(holm(p) if old else p, pairs, strict=True)
        )
    return wrong


def _equal(design: Design, rng: np.random.Generator, systems: int, sizes: list[int]) -> Floats:
    """Draw scores from 0 to 1 whose true mean is the same in each system; the first spreads more.

    What a case shares, and what a cluster shares within a system, come first; then the scores.
    """
    n, case, alike = sum(sizes), float(design["case"]), float(design["alike"])
    shared = rng.normal(size=(1, n))
    clumped = np.repeat(rng.normal(size=(systems, len(sizes))), sizes, axis=1)
    own = np.sqrt(alike) * clumped + np.sqrt(1 - alike) * rng.normal(size=(systems, n))
    seen = np.sqrt(case) * shared + np.sqrt(1 - case) * own
    spread = np.ones((systems, 1))
    spread[0] = float(design["first spreads"])
    if design["scores"] == "symmetric":
        return np.asarray(np.clip(0.5 + 0.08 * spread * seen, 0, 1))
    if design["scores"] == "three steps":
        return np.asarray(np.digitize(spread * seen, [-0.8, 0.8]) / 2)
    from scipy.special import ndtri

    share = {"right .5": 0.5, "right .9": 0.9, "right .97": 0.97}[str(design["scores"])]
    return np.asarray(seen < ndtri(share), dtype=np.float64)


def stricter(design: Design, rng: np.random.Generator, studies: int) -> int:
    """Count studies that call one of several raters, all as strict, stricter or milder."""
    from scipy.special import ndtri

    raters, cases, systems = (int(design[name]) for name in ("raters", "cases", "systems"))
    rare = design["labels"] != "1 to 5"
    shape = raters, cases, systems
    names = Names()
    names.cases = cases
    wrong = 0
    for _ in range(studies):
        own = rng.normal(size=shape)
        own[0] *= float(design["first spreads"])
        own += float(design["leans by case"]) * rng.normal(size=(raters, cases, 1))
        if rare:
            unsafe = rng.random(shape[1:]) < {"rare .08": 0.08, "rare .03": 0.03}[
                str(design["labels"])
            ]  # fmt: skip
            # Whoever spreads more must not call more answers unsafe: the cut goes with the spread.
            width = np.full((raters, 1, 1), (1 + float(design["leans by case"]) ** 2) ** 0.5)
            width[0] = (float(design["first spreads"]) ** 2 + width[0] ** 2 - 1) ** 0.5
            cut = np.where(unsafe, ndtri(0.85), ndtri(0.02))
            said = np.where(own / width < cut, "unsafe", "safe")
        else:
            truth = rng.normal(size=shape[1:]) + rng.normal(size=(shape[1], 1))
            said = np.clip(np.rint(3 + (truth + own) / 2), 1, 5).astype(np.int64).astype(str)
        reads = np.ones(shape, dtype=np.bool_)
        if design["read by"] == "two":
            reads = rng.random(shape).argsort(axis=0).argsort(axis=0) < 2  # noqa: PLR2004
        rows = [
            {
                "rater": f"r{rater:02}", "system": f"s{system}", "case": str(k),
                "dimension": "quality", "label": said[rater, k, system],
            }
            for rater, k, system in np.argwhere(reads).tolist()
        ]  # fmt: skip
        judgements = Judgements.from_rows(rows, SAFETY if rare else load_rubric("likert5"))
        effects = diagnose_raters(judgements, rng=rng, fits=(), replicates=_REPLICATES)
        wrong += severity_finding(effects, names) is not None
    return wrong


def worse(design: Design, rng: np.random.Generator, studies: int) -> int:
    """Count comparisons of versions that lose nothing, called worse with no mark of heavy gains."""
    sizes = sizes_of(str(design["clusters"]), int(design["cases"]))
    metrics, share, gain = int(design["metrics"]), float(design["share"]), float(design["gain"])
    n, alike = sum(sizes), float(design["alike"])
    clusters = np.repeat(np.arange(len(sizes)), sizes).tolist()
    wrong = 0
    for _ in range(studies):
        # One draw decides, of a cluster alike, which cases gain; those that do not lose as much.
        from scipy.special import ndtr

        clumped = np.repeat(rng.normal(size=(metrics, len(sizes))), sizes, axis=1)
        own = rng.normal(size=(metrics, n))
        u = ndtr(np.sqrt(alike) * clumped + np.sqrt(1 - alike) * own)
        if design["losses"] == "all others":
            drawn = np.where(u < share, gain, -gain * share / (1 - share))
        else:
            drawn = np.where(u < share, gain, np.where(u > 1 - share, -gain, 0.0))
        drawn = drawn + float(design["noise"]) * rng.normal(size=drawn.shape)
        gates = paired_gates(np.clip(drawn, -1, 1), margin=0.02, span=1.0, clusters=clusters)
        p = holm([1.0 if gate.p_worse is None else gate.p_worse for gate in gates])
        wrong += any(
            bool(adjusted <= _ALERT) and not gate.if_worse
            for adjusted, gate in zip(p, gates, strict=True)
        )
    return wrong


def gate(design: Design, rng: np.random.Generator, studies: int) -> int:
    """Count studies that permit a gate to one of five metrics that know nothing of an answer."""
    wrong = 0
    for _ in range(studies):
        metrics, judged = systems_study(design, rng)
        [block] = blocks(sources("metric", metrics), sources("dimension", judged))
        at = list(np.ndindex(len(block.metrics), len(block.consensuses)))
        lines = adjusted_over_all([surrogacy(block, i, j, None) for i, j in at])
        wrong += any(
            "gate" in permit(Evidence(None, None, None, OrderTest(0), None, (), line)).uses
            for line in lines
        )
    return wrong


def systems_study(design: Design, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draw metrics that know a system's kind at most, and raters' means, by system and case."""
    systems, cases = int(design["systems"]), int(design["cases"])
    garbage, style = int(design["garbage"]), float(design["style"])
    quality = np.sqrt(0.5) * (rng.normal(size=(1, systems)) + rng.normal(size=(3, systems)))
    latent = 0.4 * quality[:, :, None] + 0.7 * rng.normal(size=(3, systems, cases))
    latent += 0.5 * rng.normal(size=(1, 1, cases))
    metrics = rng.normal(size=(5, systems, cases)) + style * rng.normal(size=(5, systems, 1))
    metrics += float(design["metrics share"]) * rng.normal(size=(1, systems, cases))
    latent[:, :garbage] -= 3
    metrics[:, :garbage] -= 3
    other = np.arange(systems) % 2 == 1
    latent[:, other] -= float(design["kinds apart"])
    metrics[:, other] -= 2 * float(design["kinds apart"])
    heard = latent + 0.5 * rng.normal(size=(2, *latent.shape))
    return metrics, np.digitize(heard, [-0.5, 0.5]).mean(axis=0)


def gate_versions(design: Design, rng: np.random.Generator, studies: int) -> int:
    """Count studies that permit a gate between versions to a metric that knows nothing of them."""
    return _versions(design, rng, studies)[1]


def gate_unscoped(design: Design, rng: np.random.Generator, studies: int) -> int:
    """Count the same by the permit of old, which had no scope."""
    return _versions(design, rng, studies)[0]


def _versions(design: Design, rng: np.random.Generator, studies: int) -> tuple[int, int]:
    families, versions = int(design["families"]), int(design["versions"])
    follows = str(design["follows"])
    family = Family(
        "",
        style=float(design["style"]),
        kind=float(design["knows the kind"]),
        garbage=int(design["garbage"]),
        one_family=follows == "one family",
        by_family=follows == "or runs against by family",
    )
    of_family = {f"{at:03}": f"f{at // versions}" for at in range(families * versions)}
    wrong = np.zeros(2, dtype=np.int64)
    for _ in range(studies):
        metrics, judged = study(family, families, versions, rng)
        [block] = blocks(sources("metric", metrics), sources("dimension", judged))
        wrong += [own.any() for own in permitted(block, of_family)]
    return int(wrong[0]), int(wrong[1])


BOXES: Final = (
    Box(
        "at most so much harm",
        {
            "clusters": (20, 40, 100, 200, 400),
            "large": (0.0, 0.01, 0.02, 0.05, 0.1, 0.2),
            "size of large": (2, 5, 10, 25, 50),
            "size of others": (1, 2, 5, 20),
            "harm in large": (0.0, 0.02, 0.05, 0.1, 0.2, 0.5),
            "harm in others": (0.0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.3),
            "alike": (0.0, 0.1, 0.3, 0.6, 1.0),
        },
        harm,
        before=harm_alone,
    ),
    Box(
        "leads",
        {
            "systems": (2, 3, 6, 12),
            "cases": (10, 20, 50, 100, 200),
            "scores": ("right .5", "right .9", "right .97", "three steps", "symmetric"),
            "case": (0.0, 0.3, 0.6, 0.9),
            "clusters": ("alone", "fives", "one of half"),
            "alike": (0.0, 0.3, 0.6, 0.9),
            "first spreads": (0.5, 1.0, 2.0, 4.0),
        },
        leads,
        before=leads_by_holm,
        probe=40,
        first=24,
        climbed=2,
        steps=4,
    ),
    Box(
        "a rater is stricter or milder",
        {
            "raters": (2, 3, 6, 12),
            "cases": (20, 40, 60),
            "systems": (1, 2, 4),
            "read by": ("all", "two"),
            "labels": ("1 to 5", "rare .08", "rare .03"),
            "leans by case": (0.0, 1.0, 2.0),
            "first spreads": (1.0, 1.5, 2.0),
        },
        stricter,
        probe=25,
        first=16,
        climbed=2,
        steps=4,
    ),
    Box(
        "worse",
        {
            "cases": (20, 50, 100, 200, 400),
            "metrics": (1, 2, 5, 10),
            "losses": ("as many", "all others"),
            "share": (0.01, 0.025, 0.05, 0.1, 0.2, 0.4),
            "gain": (0.02, 0.05, 0.1, 0.3, 0.8),
            "noise": (0.0, 0.01, 0.03, 0.1),
            "clusters": ("alone", "fives", "one of half"),
            "alike": (0.0, 0.3, 0.6, 0.9),
        },
        worse,
    ),
    Box(
        "gate",
        {
            "systems": (6, 12, 18, 28, 40),
            "cases": (30, 60, 100),
            "style": (0.0, 0.3, 0.6, 1.0),
            "garbage": (0, 1, 2, 3, 5),
            "metrics share": (0.0, 1.0, 2.0),
            "kinds apart": (0.0, 0.25, 0.5, 1.0),
        },
        gate,
        probe=40,
        first=24,
        climbed=2,
        steps=4,
    ),
    Box(
        "gate between versions",
        {
            "families": (3, 4, 6, 8, 12),
            "versions": (2, 3, 4, 5),
            "style": (0.0, 0.3, 0.6),
            "knows the kind": (0.0, 1.0),
            "garbage": (0, 1, 2),
            "follows": ("nothing", "one family", "or runs against by family"),
        },
        gate_versions,
        before=gate_unscoped,
        probe=40,
        first=24,
        climbed=2,
        steps=3,
    ),
)
