"""Criteria that tell answers apart badly: never met, always met, disputed, met by worse answers."""

from typing import TYPE_CHECKING, Final

import numpy as np

from medassay.analyses.builtin.criteria.record import CriterionItem
from medassay.cases import Cases
from medassay.judgements import About, Units
from medassay.stats import benjamini_hochberg

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ENOUGH", "PROBLEMS", "items_of", "rater_disputes"]

ENOUGH: Final = 30
"""Under so many systems a sound criterion looks bad by chance: of ten, a quarter would."""
PROBLEMS: Final = ("met by worse answers", "raters differ", "never met", "always met")
_MOST: Final = 50
_SELDOM: Final = 5
_DISPUTED: Final = 0.4
_RATE: Final = 0.05


def rater_disputes(read: Units) -> dict[tuple[str, str], float]:
    """Give the share of pairs of raters who differ on each criterion: (case, about) to share."""
    sizes = read.sizes
    pairs = sizes * (sizes - 1)
    alike = (read.counts * (read.counts - 1)).sum(axis=1)
    sums: dict[tuple[str, str], list[float]] = {}
    for unit, all_pairs, same in zip(read.keys, pairs.tolist(), alike.tolist(), strict=True):
        if all_pairs:
            held = sums.setdefault((unit.case, unit.about), [0.0, 0.0])
            held[0] += all_pairs - same
            held[1] += all_pairs
    return {key: apart / both for key, (apart, both) in sums.items()}


def items_of(
    parts: "pl.DataFrame", cases: Cases, disputes: dict[tuple[str, str], float]
) -> tuple[list[CriterionItem], dict[str, int], int]:
    """Look at each criterion: what share of answers meets it, and do better answers meet it?

    Discrimination is the correlation of meeting it with the score from the case's other criteria,
    turned round where points are negative, as Fisher's z shrunken towards the mean of all criteria
    by the method of moments. It is tested below 0 where answers of 30 systems or more have a
    label, and corrected by false-discovery rate over all that are tested. Several answers of one
    system count by their mean: they share what the system does, and are not so many answers.

    Returns:
        The criteria to look at, how many have each problem, and how many have a label.

    Source: Robbins (1956), and Casella (1985), doi:10.1080/00031305.1985.10479400, for the
    shrinkage; Benjamini and Hochberg (1995), doi:10.1111/j.2517-6161.1995.tb02031.x.
    """
    import polars as pl

    known = parts.drop_nulls("value").select("system", "case", "sample", "about", "value")
    counted = known.group_by("case", "about").agg(
        n=pl.len(), met=pl.col("value").mean(), systems=pl.col("system").n_unique()
    )
    tested = _discrimination(known, cases, counted.filter(pl.col("systems") >= ENOUGH))
    texts = {
        (case.case, About("criterion", criterion.id).written): criterion
        for case in cases
        for criterion in case.criteria
    }
    by_problem: dict[str, list[CriterionItem]] = {problem: [] for problem in PROBLEMS}
    for case, about, n, met, systems in counted.sort("case", "about").iter_rows():
        criterion = texts.get((case, about))
        if criterion is None:
            continue
        dispute = disputes.get((case, about))
        r, shrunken, q = tested.get((case, about), (None, None, None))
        problems = [
            problem
            for problem, holds in (
                ("met by worse answers", q is not None and q < _RATE),
                ("raters differ", dispute is not None and dispute >= _DISPUTED),
                ("never met", met == 0 and n >= _SELDOM),
                ("always met", met == 1 and n >= _SELDOM),
            )
            if holds
        ]
        for problem in problems:
            by_problem[problem].append(
                CriterionItem(
                    case=case, criterion=criterion.text, points=criterion.points, answers=n,
                    systems=systems, met=met, disagreement=dispute, problem=problem,
                    correlation=r, discrimination=shrunken, q=q,
                )
            )  # fmt: skip
    by_problem["met by worse answers"].sort(key=lambda item: item.discrimination or 0.0)
    by_problem["raters differ"].sort(key=lambda item: -(item.disagreement or 0.0))
    counts = {problem: len(items) for problem, items in by_problem.items()}
    shown = [item for problem in PROBLEMS for item in by_problem[problem][:_MOST]]
    return shown, counts, counted.height


def _discrimination(
    known: "pl.DataFrame", cases: Cases, counted: "pl.DataFrame"
) -> dict[tuple[str, str], tuple[float, float, float]]:
    import polars as pl
    from scipy.special import stdtr

    points = {
        (case.case, About("criterion", criterion.id).written): criterion.points
        for case in cases
        for criterion in case.criteria
    }
    keys, z, n = [], [], []
    rows = known.join(counted.select("case", "about").unique(), on=["case", "about"], how="semi")
    names = set(rows["case"].unique())
    for (case,), mine in (
        known.filter(pl.col("case").is_in(names))
        .partition_by("case", as_dict=True, maintain_order=True)
        .items()
    ):
        wide = mine.sort("system", "about").pivot(
            "about", index="system", values="value", aggregate_function="mean"
        )
        abouts = wide.columns[1:]
        values = wide.select(abouts).to_numpy().astype(np.float64)
        worth = np.array([points.get((str(case), about), 0.0) for about in abouts])
        for at, about in enumerate(abouts):
            rest = np.delete(values, at, axis=1) @ np.delete(worth, at)
            there = np.isfinite(values[:, at]) & np.isfinite(rest)
            met, other = values[there, at], rest[there]
            if there.sum() < ENOUGH or np.ptp(met) == 0 or np.ptp(other) == 0:
                continue
            r = float(np.corrcoef(met, other)[0, 1]) * (1 if worth[at] >= 0 else -1)
            keys.append((str(case), about))
            z.append(np.arctanh(np.clip(r, -0.999, 0.999)))
            n.append(int(there.sum()))
    if not keys:
        return {}
    correlations, size = np.array(z), np.array(n, dtype=np.float64)
    error = 1 / (size - 3)
    prior = max(0.0, float(correlations.var()) - float(error.mean()))
    shrunken = (prior * correlations + error * correlations.mean()) / (prior + error)
    r = np.tanh(correlations)
    p = stdtr(size - 2, r * np.sqrt((size - 2) / (1 - r**2)))
    q = benjamini_hochberg(p)
    rows = np.column_stack([r, np.tanh(shrunken), q]).tolist()
    return {key: (plain, less, rate) for key, (plain, less, rate) in zip(keys, rows, strict=True)}
