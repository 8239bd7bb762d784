"""A pipeline's measures as a panel: right, retrieval, reasoning, confidence, safety."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from medassay.analyses.builtin.accuracy import AccuracyOf, accuracy
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.measures import Measure, measures_of
from medassay.analyses.results import Results
from medassay.analyses.results.whole import EarlierRun, EarlierValue
from medassay.exhibits.claim import LEVEL
from medassay.exhibits.numbers import count_of, listed_few
from medassay.exhibits.overview import Lane, Overview, OverviewRow, Spot, intervals_words
from medassay.report.names import Names
from medassay.stats import holm, mcnemar_exact
from medassay.study.opening.choices import target_source

_FEW: Final = 3
"""So many systems stand side by side in each measure's row; more have a row each."""
_MOST: Final = 40


def pipeline_overview(results: Results, names: Names) -> Overview | None:
    """Give the panel; where an earlier run is named its marks stand beside those of today."""
    accurate = results.analyses.of(accuracy)
    overall = accurate.overall("wrong") if accurate else {}
    systems = sorted(
        (system.id for system in results.systems),
        key=lambda system: -overall[system].share if system in overall else 0.0,
    )[:_MOST]
    if not systems:
        return None
    measures, earlier = list(measures_of(results, systems)), results.earlier
    if earlier is not None:
        measures = _with_earlier(measures, earlier)
    title = _title(results, names, overall, systems)
    intervals = _intervals(results)
    caption = (
        f"{count_of(results.study.counts.cases, 'question')}: dots are estimates, lines their "
        "intervals; each measure on its own scale."
    )
    if earlier is not None:
        caption += f" Hollow dots: the earlier run {earlier.name}."
    if len(systems) <= _FEW:
        lanes = tuple(Lane(names.of_system(system), (0.0, 1.0)) for system in systems)
        rows = tuple(
            OverviewRow(
                measure.title,
                tuple(measure.spots[system] for system in systems),
                axis=measure.axis,
                ends=measure.ends,
            )
            for measure in measures
        )
        rows_are = "Measure"
    else:
        lanes = tuple(Lane(m.title, m.axis, m.ends, harm=m.harm) for m in measures)
        rows = tuple(
            OverviewRow(
                names.of_system(system),
                tuple(measure.spots[system] for measure in measures),
            )
            for system in systems
        )
        rows_are = "System"
    return Overview(
        title=title,
        rows_are=rows_are,
        lanes=lanes,
        rows=rows,
        caption=caption,
        says=(("right", 1), ("leaders", -1), ("harm-unasked", 0)),
        intervals=intervals,
        more=len(results.systems) - len(systems),
        finding="right",
    )


def _with_earlier(measures: list[Measure], earlier: EarlierRun) -> list[Measure]:
    """Put where each measure stood beside it, where it is the same measure."""
    known = {(old.measure, old.system): old for old in earlier.values}
    return [
        replace(
            measure,
            spots={
                system: _beside(spot, known.get((measure.title, system)))
                for system, spot in measure.spots.items()
            },
        )
        for measure in measures
    ]


def _beside(spot: Spot, old: EarlierValue | None) -> Spot:
    if old is None or spot.value is None:
        return spot
    return replace(spot, before=old.value, aside=f"{spot.aside}, before {old.text}".strip(", "))


def _intervals(results: Results) -> str:
    accurate = results.analyses.of(accuracy)
    overall = accurate.overall("wrong") if accurate else {}
    return intervals_words([own.interval for own in overall.values()])


def _title(
    results: Results,
    names: Names,
    overall: Mapping[str, AccuracyOf],
    systems: list[str],
) -> str:
    chose = [s for s in systems if s in overall and overall[s].no_choice < overall[s].n]
    if not chose:
        return f"No choice can be read in any answer of {names.of_system(systems[0])}"
    best = overall[chose[0]]
    who = "" if len(results.systems) == 1 else f"{names.of_system(chose[0])}: "
    right = f"{best.right:,} of {best.n:,} answers right"
    if changed := _change(results.earlier, best):
        return f"{who}{right}, {changed}"
    if len(chose) == 1:
        return f"{who}{right}"
    others = [names.of_system(system) for system in chose[1:]]
    if len(chose) > 2:  # noqa: PLR2004 - of two the pair is tested
        rest = listed_few([f"{names.of_system(s)} {overall[s].right:,}" for s in chose[1:]], 2)
        return f"{names.of_system(chose[0])} had {right}; {rest}"
    verdict = _pair_verdict(results, names, chose[0], chose[1])
    second = overall[chose[1]]
    return f"{names.of_system(chose[0])} had {right}, {others[0]} {second.right:,}: {verdict}"


def _pair_verdict(results: Results, names: Names, first: str, second: str) -> str:
    accurate = results.analyses.of(accuracy)
    for pair in accurate.pairs if accurate else ():
        if pair.policy == "wrong" and {pair.system_a, pair.system_b} == {first, second}:
            sure = pair.p_adjusted <= names.level("right", "accuracy") and pair.difference
            if sure:
                return "higher"
            boards, column = leaderboards_in(results.analyses), target_source("accuracy")
            similar = boards.similar(column, first, second, names.level("right", "accuracy"))
            return "similar" if similar else "undecided"
    return "not compared"


def _change(earlier: EarlierRun | None, now: AccuracyOf) -> str:
    """Say how many more or fewer are right than in the earlier run, decided question by question.

    Empty where there is none, or the two runs share no question.
    """
    changes = earlier.changes if earlier else ()
    # Whoever has most right is named: of several systems one changes so by luck more often.
    p = holm([mcnemar_exact(own.became_right, own.became_wrong).p for own in changes])
    of = {own.system: (own, float(value)) for own, value in zip(changes, p, strict=True)}
    if now.system not in of:
        return ""
    change, adjusted = of[now.system]
    more = change.became_right - change.became_wrong
    on = "" if change.questions == now.n else f" on the {change.questions:,} questions of both"
    if not more:
        return f"as many as before{on}"
    verdict = ("higher" if more > 0 else "lower") if adjusted <= LEVEL else "undecided"
    return f"{abs(more):,} {'more' if more > 0 else 'fewer'} than before{on}: {verdict}"
