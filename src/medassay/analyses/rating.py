"""What the raters said, counted, as the report shows it."""

from collections.abc import Sequence

from medassay.agreement import Agreement
from medassay.analyses import results as r
from medassay.consensus import PreferenceTally, label_distribution
from medassay.judgements import units
from medassay.study.folder import Study

__all__ = ["label_counts", "preference_results", "rating_counts"]


def rating_counts(study: Study) -> list[r.RatingCounts]:
    """Count the judgements of each dimension, and the answers that were judged more than once."""
    import polars as pl

    judged = study.judgements.current().filter(pl.col("phase") == "main")
    counts = []
    for name in study.rubric.ids:
        rows = judged.filter(pl.col("dimension") == name)
        labelled = rows.drop_nulls("label").group_by("system", "case").len()
        counts.append(
            r.RatingCounts(
                dimension=name,
                judgements=rows.height,
                without_label=rows["label"].null_count(),
                answers_judged=labelled.height,
                answers_judged_twice=int((labelled["len"] > 1).sum()),
                raters=rows["rater"].n_unique(),
            )
        )
    return counts


def label_counts(study: Study) -> list[r.LabelCount]:
    """Count labels over judgements, and leading labels over answers; reasons and ties apart."""
    import polars as pl

    judged = study.judgements.current().filter(pl.col("phase") == "main")
    counts: list[r.LabelCount] = []
    for name in study.rubric.ids:
        rows = judged.filter(pl.col("dimension") == name)
        if not rows.height:
            continue
        spread = label_distribution(units(study.judgements, name))
        reasons = rows.drop_nulls("reason").group_by("reason").len().sort("reason")
        counts += _scope(
            name,
            "judgements",
            list(zip(spread.labels, spread.judgements, strict=True)),
            [(reason.replace("_", " "), n) for reason, n in reasons.iter_rows()],
        )
        extra = [("tie", spread.ties)] if spread.ties else []
        extra += [("no label", spread.unlabelled)] if spread.unlabelled else []
        leading = list(zip(spread.labels, spread.majority, strict=True))
        counts += _scope(name, "majority", leading, extra)
    return counts


def preference_results(
    tallied: Sequence[tuple[PreferenceTally, list[Agreement]]],
) -> list[r.PreferencesResult]:
    """Lay out preferences: standings, pairs, and agreement on pairs compared more than once."""
    return [_preferences(tally, agreed) for tally, agreed in tallied]


def _scope(
    dimension: str, scope: str, labels: list[tuple[str, int]], extra: list[tuple[str, int]]
) -> list[r.LabelCount]:
    total = sum(count for _, count in [*labels, *extra])
    return [
        r.LabelCount(
            dimension=dimension,
            scope=scope,
            label=label,
            count=count,
            share=count / total if total else None,
            is_reason=is_reason,
        )
        for is_reason, rows in ((False, labels), (True, extra))
        for label, count in rows
    ]


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
