"""The human score of each system, from the judgements there are and a metric's scores of all."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, SystemName, record
from medassay.scores import Grid
from medassay.stats import (
    Combined,
    active_mean,
    difference_mean,
    judged_mean,
    pearson,
    ppi_mean,
    stratified_mean,
)
from medassay.stats.intervals import group_labels
from medassay.validity.block import in_higher_is_better
from medassay.validity.source import Source

Floats = NDArray[np.float64]


@record(infers=True)
class HumanScore:
    """What people say of one system, or would say.

    Attributes:
        consensus: Name of the raters' consensus.
        dimension: What they judged.
        system: The system.
        metric: The metric that helps, chosen on the other systems; empty where none scores all of
            this system's answers.
        n: Answers that are judged.
        total: Answers that there are.
        alone_new: Judgements alone, this system on new cases.
        ppi: PPI++, the same.
        alone_these: Judgements alone, the mean of these very answers.
        difference: The difference estimator, the same.
        gain: The most judgements that one of the methods is worth, over those there are; None where
            unknown.
    """

    consensus: DesignName
    dimension: DesignName
    system: SystemName
    metric: DesignName
    n: int
    total: int
    alone_new: Combined
    ppi: Combined
    alone_these: Combined
    difference: Combined
    gain: float | None


def human_scores(
    metrics: Sequence[Source],
    consensuses: Sequence[Source],
    *,
    given: NDArray[np.bool_] | None = None,
    clusters: Mapping[str, str] | None = None,
    level: float = 0.95,
) -> list[HumanScore]:
    """What would people give each system, had they judged all its answers, and on new cases?

    The metric that helps a system is the one that goes best with the judgements of the *other*
    systems' answers (Pearson's r, answer by answer): chosen on the system's own, it would look
    better than it is. A system alone takes the first metric. Only a metric that scores all of the
    system's answers may help: leaving the others out would change what is estimated. Which answers
    are judged must have been left to chance.

    Args:
        metrics: The candidates, over all answers; the first stands where nothing tells them apart.
        consensuses: One a dimension; known where an answer is judged.
        given: Which answers there are, shape as the grids' (sorted systems and cases);
            None: those that are judged or that the metric scores.
        clusters: Case to cluster. For new cases clusters always count; for these answers only where
            every cluster is judged whole or not at all, so that clusters were what was drawn.
        level: Nominal coverage.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> truth = rng.normal(size=(2, 200))
        >>> names = ("A", "B"), tuple(f"{i:03}" for i in range(200))
        >>> everything = np.ones((2, 200), dtype=bool)
        >>> scored = Source("m", Grid(*names, truth + rng.normal(size=(2, 200)) / 2, everything))
        >>> judged = Source("h", Grid(*names, truth, everything & (np.arange(200) < 40)))
        >>> [a, b] = human_scores([scored], [judged])
        >>> a.system, a.n, a.total, a.ppi.worth > 60, a.difference.worth > 80
        ('A', 40, 200, True, True)
    """
    grids = [in_higher_is_better(metric) for metric in metrics]
    scored = []
    for consensus in consensuses:
        judged = in_higher_is_better(consensus)
        turned = consensus.sign
        for at, system in enumerate(judged.systems):
            known = judged.known[at]
            needed = known if given is None else known | given[at]
            chosen = helping_metric(grids, judged, at, needed)
            name = metrics[chosen].name if chosen is not None else ""
            # Without a metric nothing tells the others apart: all have the same number.
            scores = np.zeros(known.shape) if chosen is None else grids[chosen].values[at]
            there = (
                needed | grids[chosen].known[at] if given is None and chosen is not None else needed
            )
            rest = there & ~known
            y, f, others = turned * judged.values[at, known], scores[known], scores[rest]
            every, own = _labels(judged.cases, known, rest, clusters)
            ppi = ppi_mean(y, f, others, clusters=every, level=level)
            difference = difference_mean(y, f, others, clusters=own, level=level)
            scored.append(
                HumanScore(
                    consensus.name,
                    consensus.dimension,
                    system,
                    name,
                    y.size,
                    y.size + others.size,
                    judged_mean(y, clusters=every and every[: y.size], level=level),
                    ppi,
                    judged_mean(y, total=y.size + others.size, clusters=own, level=level),
                    difference,
                    _gain((ppi, difference), y.size),
                )
            )
    return scored


def _gain(helped: Sequence[Combined], n: int) -> float | None:
    known = [combined.worth for combined in helped if combined.worth is not None]
    return max(known) / n if known and n else None


def helping_metric(
    grids: Sequence[Grid], judged: Grid, at: int, needed: NDArray[np.bool_]
) -> int | None:
    """Choose by the other systems, among the metrics that score all of this one's answers.

    Args:
        grids: The metrics, higher is better, systems and cases as in `judged`.
        judged: The consensus.
        at: Index of the system.
        needed: The cases whose answers must have a score.
    """
    best: tuple[float, int] | None = None
    for i, grid in enumerate(grids):
        if not grid.known[at].any() or not grid.known[at, needed].all():
            continue
        others = grid.known & judged.known
        others[at] = False
        r = pearson(grid.values[others], judged.values[others]) if others.any() else None
        value = -2.0 if r is None else r
        if best is None or value > best[0]:
            best = value, i
    return None if best is None else best[1]


def _labels(
    cases: tuple[str, ...],
    known: NDArray[np.bool_],
    rest: NDArray[np.bool_],
    clusters: Mapping[str, str] | None,
) -> tuple[list[tuple[bool, str]] | None, list[tuple[bool, str]] | None]:
    """Label judged then other answers; and the judged ones where clusters were drawn whole."""
    labels = group_labels(cases, clusters)
    judged = [label for label, use in zip(labels, known, strict=True) if use]
    others = [label for label, use in zip(labels, rest, strict=True) if use]
    every = [*judged, *others]
    if max(Counter(every).values(), default=1) == 1:
        return None, None
    return every, None if set(judged) & set(others) else judged


_METHOD: Final = "stratified"
_MOST_STRATA: Final = 3


@dataclass(frozen=True, slots=True)
class Chance:
    """How one answer stood in a draw.

    Attributes:
        chance: That it was drawn, above 0 and at most 1.
        drawn: Whether it was.
        whole: Whether one draw decided for all answers to its case.
    """

    chance: float
    drawn: bool
    whole: bool = False


@record(infers=True)
class DrawnScore:
    """What people would give the answers of one system, drawn with known chances.

    Attributes:
        consensus: Name of the raters' consensus.
        dimension: What they judged.
        system: The system.
        metric: The metric that helps; empty where none scores this system's answers.
        before: Answers judged before the draw: known, whatever the chance.
        drawn: Answers of the system that were drawn.
        back: Of these, how many are judged.
        total: Answers of the system that were in the draw or judged before it.
        plain: The mean over every judged answer, as if drawn evenly: biased where chances differ.
        weighted: By chance (Horvitz-Thompson, with the metric's help).
        stratified: By groups of equal chance; undefined where there are more than a few.
    """

    consensus: DesignName
    dimension: DesignName
    system: SystemName
    metric: DesignName
    before: int
    drawn: int
    back: int
    total: int
    plain: Combined
    weighted: Combined
    stratified: Combined


def drawn_scores(
    metrics: Sequence[Source],
    consensuses: Sequence[Source],
    chances: Mapping[tuple[str, str], Chance],
    given: NDArray[np.bool_] | None = None,
    *,
    level: float = 0.95,
) -> list[DrawnScore]:
    """What would people give all answers of each system, from a draw with known chances?

    Answers outside the draw that are judged were judged before it: they count as they are. Answers
    of the draw that were not drawn tell nothing, though somebody may have judged them since.
    Answers that the draw did not offer and nobody judged are left out. Where drawn answers are not
    judged (yet), chances are multiplied by the share that is, which supposes that chance decided
    which; the estimate carries a warning.

    Args:
        metrics: The candidates that may help, over all answers.
        consensuses: One a dimension.
        chances: (system, case) to its chance, for every answer that could be drawn.
        given: Which answers there are, shape as the grids' (sorted systems and cases);
            None: all.
        level: Nominal coverage.

    Source: Zrnic & Candès (2024), arXiv:2403.03208; Cochran (1977), Sampling Techniques, chapter 5.

    Example:
        >>> from medassay.scores import Grid
        >>> names, values = (("A",), ("1", "2", "3", "4")), np.array([[1.0, 0.0, 1.0, 0.0]])
        >>> judged = Source("h", Grid(*names, values, np.array([[True, True, True, False]])))
        >>> frame = {("A", c): Chance(0.5, c != "4") for c in names[1]}
        >>> [one] = drawn_scores([], [judged], frame)
        >>> one.drawn, one.back, one.total, round(one.weighted.estimate, 3)
        (3, 3, 4, 0.667)
    """
    grids = [in_higher_is_better(metric) for metric in metrics]
    scores = []
    for consensus in consensuses:
        judged = in_higher_is_better(consensus)
        turned = consensus.sign
        for at, system in enumerate(judged.systems):
            there = np.ones(len(judged.cases), dtype=np.bool_) if given is None else given[at]
            helper = helping_metric(grids, judged, at, there)
            f = np.zeros(judged.values[at].shape)
            f = f if helper is None else grids[helper].values[at]
            pi, drawn, inside = _of_system(chances, system, judged.cases)
            # Neither offered by the draw nor judged before it: nothing is known of them.
            there = there & (inside | judged.known[at])
            known = judged.known[at] & there
            back = known & drawn
            share = float(back.sum() / drawn[there].sum()) if drawn[there].any() else 1.0
            chosen = (known & ~inside) | back
            pi = np.where(inside, pi * share, 1.0) if share > 0 else np.ones_like(pi)
            y = turned * judged.values[at]
            values = (y[there], f[there], pi[there], chosen[there])
            scores.append(
                DrawnScore(
                    consensus.name,
                    consensus.dimension,
                    system,
                    metrics[helper].name if helper is not None else "",
                    int((known & ~inside).sum()),
                    int(drawn[there].sum()),
                    int(back.sum()),
                    int(there.sum()),
                    judged_mean(y[known], total=int(there.sum()), level=level),
                    _weighted(*values, share, level),
                    _stratified(*values, level),
                )
            )
    return scores


def _of_system(
    chances: Mapping[tuple[str, str], Chance], system: str, cases: Sequence[str]
) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_]]:
    own = [chances.get((system, case)) for case in cases]
    pi = np.array([1.0 if chance is None else chance.chance for chance in own])
    drawn = np.array([chance is not None and chance.drawn for chance in own], dtype=np.bool_)
    return pi, drawn, np.array([chance is not None for chance in own], dtype=np.bool_)


def _weighted(
    y: Floats, f: Floats, pi: Floats, chosen: NDArray[np.bool_], share: float, level: float
) -> Combined:
    combined = active_mean(y, f, pi, chosen, level=level)
    if share < 1 and combined.estimate is not None:
        why = f"{100 * share:.0f}% of the drawn answers are judged: the rest is supposed to be "
        why += "missing by chance"
        combined = replace(combined, warning="; ".join(w for w in (why, combined.warning) if w))
    return combined


def _stratified(
    y: Floats, _: Floats, pi: Floats, chosen: NDArray[np.bool_], level: float
) -> Combined:
    strata = [f"{chance:.9f}" for chance in pi]
    sizes: dict[Hashable, int] = {name: strata.count(name) for name in dict.fromkeys(strata)}
    if len(sizes) > _MOST_STRATA + 1:
        why = f"{len(sizes)} different chances: no groups of equal chance"
        return Combined(_METHOD, None, None, None, int(chosen.sum()), y.size, undefined=why)
    own = [name for name, use in zip(strata, chosen, strict=True) if use]
    return stratified_mean(y[chosen], own, sizes, level=level)
