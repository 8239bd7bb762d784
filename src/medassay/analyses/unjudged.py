"""What the answers that nobody judged do to ranking and verdicts, computed and laid out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.given_answers import given_answers
from medassay.analyses.human import leading_columns
from medassay.analyses.results.trust import TrustResult
from medassay.analyses.results.unjudged import (
    RuleTrustResult,
    UnjudgedRule,
    UnjudgedTrustResult,
)
from medassay.analyses.score_columns import (
    Column,
    StudyColumns,
    ranking_cases,
    scale_ends,
    sources_over,
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


def unjudged_results(study: Study, score_columns: StudyColumns) -> list[UnjudgedRank]:
    """Rank by three rules where some answers lack a judgement, on all cases.

    Where half of the answers or more lack one, judgements are a sample: nobody would count the rest
    as wrong, and the human scores say what the sample is worth.
    """
    sources = sources_over(study, score_columns, study.cases.ids)
    return [
        rank
        for lacking in _lacking(study, score_columns, sources)
        for rank in unjudged_ranks(lacking.source, lacking.given, lacking.worst)
    ]


def unjudged_trust_results(
    study: Study, score_columns: StudyColumns, trusted: Sequence[TrustResult]
) -> list[UnjudgedTrustResult]:
    """Say what each metric may be used for by each rule, where some answers lack a judgement.

    Args:
        study: The study.
        score_columns: Its columns.
        trusted: Its trust table, which follows one of the rules and is not computed again.
    """
    sources = sources_over(study, score_columns, study.cases.ids)
    lacking = list(_lacking(study, score_columns, sources))
    of = {trust.consensus: trust for trust in trusted}
    if not lacking or not of:
        return []
    everywhere = ranking_cases(study) == study.cases.ids
    # A permit to gate is corrected over all dimensions, so each rule is tried on all of them.
    raters = {column.name: sources[column.name] for column in leading_columns(study, score_columns)}
    filled = {
        this_lacking.column.name: with_worst(
            this_lacking.source, this_lacking.given, this_lacking.worst
        )
        for this_lacking in lacking
    }
    worst = _by_consensus(
        trust_tables(study, score_columns, sources, [*(raters | filled).values()])
    )
    dropped = (
        {}
        if everywhere
        else _by_consensus(trust_tables(study, score_columns, sources, [*raters.values()]))
    )
    titles = titles_of(study, score_columns)
    return [
        row
        for this_lacking in lacking
        for row in _verdicts(
            this_lacking.column,
            of[this_lacking.column.name],
            dropped.get(this_lacking.column.name),
            worst[this_lacking.column.name],
            titles,
        )
    ]


def _by_consensus(tables: Sequence[Trust]) -> dict[str, Trust]:
    return {table.consensus: table for table in tables}


def with_unjudged_notes(
    trusted: Sequence[TrustResult],
    unjudged: Sequence[UnjudgedRank],
    verdicts: Sequence[UnjudgedTrustResult],
) -> list[TrustResult]:
    """Say on each trust table which of its verdicts another rule would change."""
    noted = []
    for table in trusted:
        own = [
            unjudged_trust
            for unjudged_trust in verdicts
            if unjudged_trust.consensus == table.consensus
        ]
        many = sum(
            unjudged_rank.unjudged
            for unjudged_rank in unjudged
            if unjudged_rank.consensus == table.consensus
        )
        note = ""
        if own and many:
            answers = (
                f"the {many} answers that nobody judged" if many > 1 else "the unjudged answer"
            )
            changed = [unjudged_trust.title for unjudged_trust in own if unjudged_trust.changes]
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
    others = {trust.metric: trust for trust in dropped.entries} if dropped else {}
    wrong = {trust.metric: trust for trust in worst.entries}
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
            changes=len({rule_trust.uses for rule_trust in rules}) > 1,
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


def _lacking(
    study: Study, score_columns: StudyColumns, sources: Mapping[str, Source]
) -> Iterator[_Lacking]:
    for column in leading_columns(study, score_columns):
        ends = scale_ends(study, column.dimension or "", column.method)
        if ends is None:
            continue
        source = sources[column.name]
        grid = in_canonical_order(source.grid)
        given = given_answers(study, grid)
        lacking = int((given & ~grid.known).sum())
        if 0 < 2 * lacking < int((given | grid.known).sum()):
            yield _Lacking(column, source, given, ends[1 if column.direction == "lower" else 0])
