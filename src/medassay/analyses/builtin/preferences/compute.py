"""Preferences counted: standings, pairs, strengths, and agreement on what was compared again."""

from collections.abc import Iterator, Mapping

from medassay.agreement import Agreement, agree_on_preferences
from medassay.analyses.builtin.preferences.record import PairCount, PreferredOn
from medassay.analyses.inputs.readable import Randomness
from medassay.consensus import (
    BradleyTerry,
    PreferenceTally,
    bradley_terry,
    tally_preferences,
)
from medassay.judgements import Preferences

__all__ = ["preferred_on"]


def preferred_on(
    preferences: Preferences, clusters: Mapping[str, str], randomness: Randomness
) -> Iterator[PreferredOn]:
    """Count, fit and compare on each dimension that answers were compared on."""
    replicates = randomness.replicates
    agreed = agree_on_preferences(
        preferences, rng=randomness.stream("s47"), clusters=clusters, replicates=replicates
    )
    for dimension in sorted(preferences.current()["dimension"].unique()):
        yield _on(
            tally_preferences(
                preferences,
                dimension,
                rng=randomness.stream("s48", dimension),
                clusters=clusters,
                replicates=replicates,
            ),
            next((agreement for agreement in agreed if _is_share(agreement, dimension)), None),
            bradley_terry(
                preferences,
                dimension,
                rng=randomness.stream("s52", dimension),
                clusters=clusters,
                replicates=replicates,
            ),
        )


def _is_share(agreement: Agreement, dimension: str) -> bool:
    return agreement.dimension == dimension and agreement.coefficient == "mean_pairwise"


def _on(tally: PreferenceTally, agreed: Agreement | None, fitted: BradleyTerry) -> PreferredOn:
    return PreferredOn(
        dimension=tally.dimension,
        n=int(tally.wins.sum() + tally.ties.sum() // 2),
        unlabelled=tally.unlabelled,
        raters=tally.raters,
        cases=tally.n_cases,
        standings=tuple(
            sorted(
                tally.systems,
                key=lambda system_tally: (
                    -(-1 if system_tally.win_share is None else system_tally.win_share),
                    system_tally.system,
                ),
            )
        ),
        pairs=_pairs(tally),
        judged_more_than_once=0 if agreed is None else agreed.n_units,
        pairwise_agreement=None if agreed is None else agreed.value,
        pairwise_agreement_interval=None if agreed is None else agreed.interval,
        reason="" if agreed is None or agreed.reason is None else str(agreed.reason),
        strengths=tuple(
            sorted(
                fitted.systems,
                key=lambda strength: (-(strength.log_strength or 0.0), strength.system),
            )
        ),
        tie_weight=fitted.tie,
        no_strengths=fitted.undefined,
    )


def _pairs(tally: PreferenceTally) -> tuple[PairCount, ...]:
    names = [system_tally.system for system_tally in tally.systems]
    return tuple(
        PairCount(a, b, int(tally.wins[i, j]), int(tally.wins[j, i]), int(tally.ties[i, j]))
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if i < j
    )
