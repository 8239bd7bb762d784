"""What the answers that nobody judged do to ranking and verdicts, computed and laid out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.gathered import (
    Column,
    Gathered,
    ranking_cases,
    scale_ends,
    sources_over,
)
from medassay.analyses.given_answers import given_answers
from medassay.analyses.human import leading_columns
from medassay.analyses.results.trust import TrustResult
from medassay.analyses.results.unjudged import (
    RuleTrustResult,
    UnjudgedRule,
    UnjudgedTrustResult,
)
from medassay.analyses.trust import titles_of, trust_tables
from medassay.study.folder import Study
from medassay.validity import (
    Source,
    Trust,
    TrustEntry,
    UnjudgedRank,
    unjudged_ranks,
    with_worst,
)
from medassay.validity.source import in_canonical_order

__all__ = ["unjudged_results", "unjudged_trust_results", "with_unjudged_notes"]


@dataclass(frozen=True)
class _Lacking:
    """A dimension of which some answers have no judgement."""

    column: Column
    source: Source
    given: NDArray[np.bool_]
    worst: float


def unjudged_results(study: Study, gathered: Gathered) -> list[UnjudgedRank]:
    """Rank by three rules where some answers lack a judgement, on all cases.

    Where half of the answers or more lack one, judgements are a sample: nobody would count the rest
    as wrong, and the human scores say what the sample is worth.
    """
    sources = sources_over(study, gathered, study.cases.ids)
    return [
        rank
        for one in _lacking(study, gathered, sources)
        for rank in unjudged_ranks(one.source, one.given, one.worst)
    ]


def unjudged_trust_results(
    study: Study, gathered: Gathered, trusted: Sequence[TrustResult]
) -> list[UnjudgedTrustResult]:
    """Say what each metric may be used for by each rule, where some answers lack a judgement.

    Args:
        study: The study.
        gathered: Its columns.
        trusted: Its trust table, which follows one of the rules and is not computed again.
    """
    sources = sources_over(study, gathered, study.cases.ids)
    lacking = list(_lacking(study, gathered, sources))
    of = {one.consensus: one for one in trusted}
    if not lacking or not of:
        return []
    everywhere = ranking_cases(study) == study.cases.ids
    filled = [with_worst(one.source, one.given, one.worst) for one in lacking]
    worst = trust_tables(study, gathered, sources, filled)
    dropped = (
        [None] * len(lacking)
        if everywhere
        else trust_tables(study, gathered, sources, [one.source for one in lacking])
    )
    titles = titles_of(study, gathered)
    return [
        row
        for one, left, added in zip(lacking, dropped, worst, strict=True)
        for row in _verdicts(one.column, of[one.column.name], left, added, titles)
    ]


def with_unjudged_notes(
    trusted: Sequence[TrustResult],
    unjudged: Sequence[UnjudgedRank],
    verdicts: Sequence[UnjudgedTrustResult],
) -> list[TrustResult]:
    """Say on each trust table which of its verdicts another rule would change."""
    noted = []
    for table in trusted:
        own = [one for one in verdicts if one.consensus == table.consensus]
        many = sum(one.unjudged for one in unjudged if one.consensus == table.consensus)
        note = ""
        if own and many:
            answers = (
                f"the {many} answers that nobody judged" if many > 1 else "the unjudged answer"
            )
            changed = [one.title for one in own if one.changes]
            note = (
                f"what becomes of {answers} decides the verdict on {', '.join(changed)}"
                if changed
                else f"no verdict depends on what becomes of {answers}"
            )
        noted.append(table.model_copy(update={"unjudged_note": note}))
    return noted


def _verdicts(
    column: Column,
    ruled: TrustResult,
    dropped: Trust | None,
    worst: Trust,
    titles: Mapping[str, str],
) -> Iterator[UnjudgedTrustResult]:
    """Put the rules side by side; the trust table's own is the first where answers are dropped."""
    others = {one.metric: one for one in dropped.entries} if dropped else {}
    wrong = {one.metric: one for one in worst.entries}
    for entry in ruled.entries:
        if entry.role != "metric":
            continue
        own = _rule("shared" if dropped else "dropped", entry)
        left = _rule("dropped", others[entry.metric]) if dropped else own
        rules = [left, _rule("worst", wrong[entry.metric]), *([own] if dropped else [])]
        yield UnjudgedTrustResult(
            consensus=column.name,
            dimension=column.dimension or "",
            metric=entry.metric,
            title=titles.get(entry.metric, entry.metric),
            ruled="shared" if dropped else "dropped",
            rules=rules,
            changes=len({one.uses for one in rules}) > 1,
        )


def _rule(rule: UnjudgedRule, entry: TrustEntry) -> RuleTrustResult:
    return RuleTrustResult(
        rule=rule,
        tau=entry.tau,
        interval=entry.interval,
        uses=entry.uses,
        why=entry.why,
        n_answers=entry.n_answers,
    )


def _lacking(study: Study, gathered: Gathered, sources: Mapping[str, Source]) -> Iterator[_Lacking]:
    for column in leading_columns(study, gathered):
        ends = scale_ends(study, column.dimension or "", column.method)
        if ends is None:
            continue
        source = sources[column.name]
        grid = in_canonical_order(source.grid)
        given = given_answers(study, grid)
        lacking = int((given & ~grid.known).sum())
        if 0 < 2 * lacking < int((given | grid.known).sum()):
            yield _Lacking(column, source, given, ends[1 if column.direction == "lower" else 0])
