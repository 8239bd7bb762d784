"""What raters preferred, counted, as the report shows it."""

from collections.abc import Sequence

from medassay.agreement import Agreement
from medassay.analyses import results as r
from medassay.consensus import PreferenceTally

__all__ = ["preference_results"]


def preference_results(
    tallied: Sequence[tuple[PreferenceTally, list[Agreement]]],
) -> list[r.PreferencesResult]:
    """Lay out preferences: standings, pairs, and agreement on pairs compared more than once."""
    return [_preferences(tally, agreed) for tally, agreed in tallied]


def _preferences(tally: PreferenceTally, agreed: list[Agreement]) -> r.PreferencesResult:
    names = [one.system for one in tally.systems]
    pairwise = next((one for one in agreed if one.coefficient.base == "mean_pairwise"), None)
    total = int(tally.wins.sum() + tally.ties.sum() // 2)
    return r.PreferencesResult(
        dimension=tally.dimension,
        n=total,
        unlabelled=tally.unlabelled,
        raters=tally.raters,
        cases=tally.n_cases,
        standings=sorted(
            (
                r.PreferenceStanding(
                    system=one.system,
                    n=one.n,
                    wins=one.wins,
                    ties=one.ties,
                    losses=one.losses,
                    share=one.win_share,
                    interval=one.interval,
                )
                for one in tally.systems
            ),
            key=lambda one: (-(one.share if one.share is not None else -1), one.system),
        ),
        pairs=[
            r.PreferencePair(
                system_a=a,
                system_b=b,
                a=int(tally.wins[i, j]),
                b=int(tally.wins[j, i]),
                tie=int(tally.ties[i, j]),
            )
            for i, a in enumerate(names)
            for j, b in enumerate(names)
            if i < j
        ],
        judged_more_than_once=0 if pairwise is None else pairwise.n_units,
        pairwise_agreement=None if pairwise is None else pairwise.value,
        pairwise_agreement_interval=None if pairwise is None else pairwise.interval,
        reason="" if pairwise is None or pairwise.reason is None else str(pairwise.reason),
    )
