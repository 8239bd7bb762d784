"""Each system's score by criteria: over all cases, by tag and by axis, and at its worst."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from medassay.analyses.builtin.criteria.record import CriteriaScore, WorstOfSamples
from medassay.cases import Cases
from medassay.consensus import criteria_sums
from medassay.stats import clipped_mean, worst_at_k

if TYPE_CHECKING:
    import polars as pl

__all__ = ["answer_scores", "scores_of", "worst_of"]

_MOST_GROUPS: Final = 40
_NO_SCORE: Final = "no answer has a score: each lacks a label on a criterion, or positive points"


def answer_scores(parts: "pl.DataFrame", cases: Cases, *, by_axis: bool = False) -> "pl.DataFrame":
    """Give low and high of each answer; those without positive points are left out."""
    return criteria_sums(parts, cases, by_tag=by_axis).drop_nulls("low")


def scores_of(
    parts: "pl.DataFrame", cases: Cases, systems: Sequence[str], clusters: Mapping[str, str]
) -> list[CriteriaScore]:
    """Score each system over all cases, over those of each tag, and on each axis of criteria."""
    import polars as pl

    answers = answer_scores(parts, cases)
    tags = pl.DataFrame(
        [(case.case, name, value) for case in cases for name, value in case.tags.items()],
        schema={"case": pl.String(), "name": pl.String(), "group": pl.String()},
        orient="row",
    )
    few = (pl.col("group").n_unique().over("name") > 1) & (
        pl.col("group").n_unique().over("name") <= _MOST_GROUPS
    )
    by_tag = answers.join(tags.filter(few), on="case").sort("name", "group")
    axes = answer_scores(parts, cases, by_axis=True)
    axes = axes if axes["tag"].n_unique() <= _MOST_GROUPS else axes.clear()
    scores = [
        _score(answers.filter(system=system), system, "all", "", "", clusters) for system in systems
    ]
    for (name, group), rows in _groups(by_tag, ["name", "group"]):
        scores += [
            _score(rows.filter(system=system), system, "tag", name, group, clusters)
            for system in systems
        ]
    for (axis,), rows in _groups(axes.sort("tag"), ["tag"]):
        scores += [
            _score(rows.filter(system=system), system, "axis", "", axis, clusters)
            for system in systems
        ]
    return scores


def _groups(
    frame: "pl.DataFrame", by: list[str]
) -> Iterable[tuple[tuple[str, ...], "pl.DataFrame"]]:
    for key, rows in frame.partition_by(by, as_dict=True, maintain_order=True).items():
        yield tuple(map(str, key)), rows


def _score(
    answers: "pl.DataFrame",
    system: str,
    over: Literal["all", "tag", "axis"],
    tag: str,
    group: str,
    clusters: Mapping[str, str],
) -> CriteriaScore:
    import polars as pl

    whole = answers.filter(pl.col("missing") == 0)
    by_case = whole.group_by("case").agg(pl.col("low").mean()).sort("case")
    estimate = clipped_mean(
        by_case["low"].to_numpy(),
        [clusters.get(case, case) for case in by_case["case"]] if clusters else None,
    )
    ends = answers.group_by("case").agg(pl.col("low", "high").mean()).sort("case")
    low, high = (
        None if not ends.height else float(np.clip(ends[end].to_numpy().mean(), 0, 1))
        for end in ("low", "high")
    )
    return CriteriaScore(
        system=system,
        over=over,
        tag=tag,
        group=group,
        mean=estimate.mean,
        interval=estimate.interval,
        cases=estimate.n,
        missing=answers.height - whole.height,
        low=low,
        high=high,
        why=_NO_SCORE if not estimate.n else estimate.undefined,
    )


def worst_of(
    parts: "pl.DataFrame", cases: Cases, systems: Sequence[str]
) -> Iterable[WorstOfSamples]:
    """Give the mean over cases of the worst of k answers, for each k that a case has answers of."""
    import polars as pl

    whole = answer_scores(parts, cases).filter(pl.col("missing") == 0)
    for system in systems:
        samples = [
            rows["low"].to_list()
            for (_,), rows in _groups(whole.filter(system=system).sort("case"), ["case"])
        ]
        most = max(map(len, samples), default=0)
        for k in range(1, most + 1) if most > 1 else ():
            values = [worst_at_k(own, k) for own in samples if len(own) >= k]
            mean = min(1.0, max(0.0, float(np.mean(values))))
            yield WorstOfSamples(system=system, k=k, mean=mean, cases=len(values))
