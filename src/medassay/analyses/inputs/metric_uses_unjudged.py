"""What the answers that nobody judged do to ranking and verdicts, computed and laid out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.inputs.metric_controls import given_answers
from medassay.analyses.inputs.metric_uses import TrustOn, leading_columns, trust_tables
from medassay.analyses.inputs.study_columns import (
    ScoreColumn,
    StudyColumns,
    ranking_cases,
    scale_ends,
    sources_over,
)
from medassay.annotations import DesignName, Words, record
from medassay.stats import Interval
from medassay.study.folder import Study
from medassay.validity import (
    Source,
    Trust,
    TrustEntry,
    UnjudgedRank,
    Use,
    unjudged_ranks,
    with_worst,
)
from medassay.validity.source import in_canonical_order

UnjudgedRule = Literal["dropped", "worst", "shared"]


@record(infers=True)
class RuleTrust:
    """What one rule says of one metric.

    Attributes:
        rule: Dropped (means adjusted by case) and worst on all cases; shared: on the cases on which
            every system was judged.
        tau: As in the trust table, and so are the others.
    """

    rule: UnjudgedRule
    tau: float | None
    interval: Interval | None
    uses: tuple[Use, ...]
    why: Words
    n_answers: int


@record(infers=True)
class UnjudgedTrust:
    """What one metric may be used for, by each rule.

    Attributes:
        consensus: What it is held against.
        dimension: Of that.
        metric: Its name.
        ruled: The rule of the trust table itself.
        rules: What each rule says.
        changes: Whether the rule decides the verdict.
    """

    consensus: DesignName
    dimension: DesignName
    metric: DesignName
    ruled: Literal["dropped", "shared"]
    rules: tuple[RuleTrust, ...]
    changes: bool


@dataclass(frozen=True)
class _Lacking:
    """A dimension of which some answers have no judgement."""

    column: ScoreColumn
    source: Source
    given: NDArray[np.bool_]
    worst: float


def unjudged_of(study: Study, score_columns: StudyColumns) -> tuple[UnjudgedRank, ...]:
    """Rank by three rules where some answers lack a judgement, on all cases.

    Where half of the answers or more lack one, judgements are a sample: nobody would count the rest
    as wrong, and the human scores say what the sample is worth.
    """
    sources = sources_over(study, score_columns, study.cases.ids)
    return tuple(
        rank
        for lacking in _lacking(study, score_columns, sources)
        for rank in unjudged_ranks(lacking.source, lacking.given, lacking.worst)
    )


def unjudged_trust_of(
    study: Study, score_columns: StudyColumns, trusted: Sequence[TrustOn]
) -> tuple[UnjudgedTrust, ...]:
    """Say what each metric may be used for by each rule, where some answers lack a judgement.

    Args:
        study: The study.
        score_columns: Its columns.
        trusted: Its trust table, which follows one of the rules and is not computed again.
    """
    sources = sources_over(study, score_columns, study.cases.ids)
    lacking = list(_lacking(study, score_columns, sources))
    of = _by_consensus([on.table for on in trusted])
    if not lacking or not of:
        return ()
    everywhere = ranking_cases(study) == study.cases.ids
    # A permit to gate is corrected over all dimensions, so each rule is tried on all of them.
    raters = {column.name: sources[column.name] for column in leading_columns(study, score_columns)}
    filled = {lack.column.name: with_worst(lack.source, lack.given, lack.worst) for lack in lacking}
    worst = _by_consensus(
        trust_tables(study, score_columns, sources, [*(raters | filled).values()])
    )
    dropped = (
        {}
        if everywhere
        else _by_consensus(trust_tables(study, score_columns, sources, [*raters.values()]))
    )
    return tuple(
        row
        for lack in lacking
        for row in _verdicts(
            lack.column,
            of[lack.column.name],
            dropped.get(lack.column.name),
            worst[lack.column.name],
        )
    )


def _by_consensus(tables: Sequence[Trust]) -> dict[str, Trust]:
    return {table.consensus: table for table in tables}


def with_unjudged(
    trusted: Sequence[TrustOn],
    ranks: Sequence[UnjudgedRank],
    verdicts: Sequence[UnjudgedTrust],
) -> tuple[TrustOn, ...]:
    """Say beside each trust table which of its verdicts another rule would change."""
    noted = []
    for on in trusted:
        own = [verdict for verdict in verdicts if verdict.consensus == on.table.consensus]
        many = sum(rank.unjudged for rank in ranks if rank.consensus == on.table.consensus)
        changed = tuple(verdict.metric for verdict in own if verdict.changes)
        noted.append(replace(on, unjudged=many, ruled=changed) if own else on)
    return tuple(noted)


def _verdicts(
    column: ScoreColumn,
    ruled: Trust,
    dropped: Trust | None,
    worst: Trust,
) -> Iterator[UnjudgedTrust]:
    """Put the rules side by side; the trust table's own is the first where answers are dropped."""
    others = {trust.metric: trust for trust in dropped.entries} if dropped else {}
    wrong = {trust.metric: trust for trust in worst.entries}
    for entry in ruled.entries:
        if entry.role != "metric":
            continue
        own = _rule("shared" if dropped else "dropped", entry)
        left = _rule("dropped", others[entry.metric]) if dropped else own
        rules = [left, _rule("worst", wrong[entry.metric]), *([own] if dropped else [])]
        by_rule = [entry, wrong[entry.metric], *([others[entry.metric]] if dropped else [])]
        yield UnjudgedTrust(
            consensus=column.name,
            dimension=column.dimension or "",
            metric=entry.metric,
            ruled="shared" if dropped else "dropped",
            rules=tuple(rules),
            changes=len({(ruled_entry.uses, ruled_entry.scopes) for ruled_entry in by_rule}) > 1,
        )


def _rule(rule: UnjudgedRule, entry: TrustEntry) -> RuleTrust:
    return RuleTrust(
        rule=rule,
        tau=entry.tau,
        interval=entry.interval,
        uses=entry.uses,
        why=entry.why,
        n_answers=entry.n_answers,
    )


def _lacking(
    study: Study, score_columns: StudyColumns, sources: Mapping[str, Source]
) -> Iterator[_Lacking]:
    for column in leading_columns(study, score_columns):
        ends = scale_ends(study, column.dimension or "", column.method)
        if ends is None:
            continue
        source = sources[column.name]
        grid = in_canonical_order(source.grid)
        answered = given_answers(study, grid)
        lacking = int((answered & ~grid.known).sum())
        if 0 < 2 * lacking < int((answered | grid.known).sum()):
            yield _Lacking(column, source, answered, ends[1 if column.direction == "lower" else 0])
