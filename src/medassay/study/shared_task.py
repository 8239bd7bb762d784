"""The overall scores of a shared task, as its paper and its scorer make them."""

from collections.abc import Sequence
from typing import Final, Literal

from medassay.study.analysis import Gathered, ranking_cases, step_rng
from medassay.study.folder import Study
from medassay.study.plain import IntervalResult
from medassay.study.results import OverallResult
from medassay.study.scoring import Scored
from medassay.validity import Composite, Term, archehr_overalls, composite_values

__all__ = ["overall_results"]

_PROTOCOL: Final = "archehr"
_FACTUALITY: Final = "citation_f1(gold=strict,rules=archehr2025)"
_REFS: Final[tuple[Literal["human", "note"], ...]] = ("human", "note")


def overall_results(study: Study, scored: Scored, gathered: Gathered) -> list[OverallResult]:
    """Give relevance and overall of every system, for each reference; or why there is none.

    Where a relevance metric of the six is missing, the published numbers have no value; beside
    them stand the same means over the relevance metrics that are there, under names that say so.
    """
    if study.config.rules.name != _PROTOCOL or _FACTUALITY not in gathered.table.sources:
        return []
    metrics = {str(metric.name): metric for metric in scored.metrics}
    found = []
    for ref in _REFS:
        for composite in _composites(ref, gathered.table.sources):
            values = composite_values(
                gathered.table,
                composite,
                systems=study.systems,
                cases=ranking_cases(study),
                metrics=metrics,
                rng=step_rng(study, composite.name),
                replicates=study.config.run.replicates,
                clusters=_clusters(study),
            )
            found += [
                OverallResult(
                    name=composite.name,
                    ref=ref,
                    system=one.system,
                    value=one.value,
                    interval=IntervalResult.of(one.interval),
                    reason=one.undefined,
                )
                for one in values
            ]
    return found


def _composites(ref: Literal["human", "note"], there: Sequence[str]) -> list[Composite]:
    """List what is made for one reference: as published, and over the columns that are there."""
    paper, scorer = archehr_overalls(ref)
    relevance = [term.source for term in paper.groups[1]]
    own = [source for source in relevance if source in there]
    made = [Composite(f"relevance(ref={ref})", (tuple(map(Term, relevance)),)), paper, scorer]
    if own and own != relevance:
        made.append(Composite(f"relevance(ref={ref},relevance=own)", (tuple(map(Term, own)),)))
        made += archehr_overalls(ref, own)
    return made


def _clusters(study: Study) -> list[tuple[bool, str]] | None:
    """Give each ranking case its cluster, if study.toml names any; else a cluster of its own."""
    if not study.clusters:
        return None
    cases = ranking_cases(study)
    return [(case in study.clusters, study.clusters.get(case, case)) for case in cases]
