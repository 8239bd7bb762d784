"""How far can the confidence of systems be believed?"""

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from textwrap import fill
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.answer_choices import Choices, ItemResponse
from medassay.analyses.inputs.readable import Design, Randomness
from medassay.annotations import SystemName, Words, record
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.claim import Finding
from medassay.exhibits.columns import counted, estimated, how, shown, system_column, table_of
from medassay.exhibits.drawing import ACCENT, LINE, SOFT, WIDE, Picture, bare, new_figure
from medassay.exhibits.numbers import Style, ci, count_of, listed_few, shown_p
from medassay.exhibits.table import Table
from medassay.stats import (
    Interval,
    bootstrap_counts,
    cluster_index,
    group_labels,
    holm,
    moments,
    percentile_interval,
)
from medassay.stats import calibration as c
from medassay.stats.calibration import ReliabilityBin, count_as_promised
from medassay.stats.means import bounded_intervals

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_Array = NDArray[np.float64]


@record(infers=False)
class Recalibrated:
    """What recalibrating could gain, on answers that the fit had not seen.

    Attributes:
        method: `temperature` or `isotonic`.
        folds: Parts of the cross-validation.
        brier: The Brier score with the new confidences.
        ece: The calibration error with them.
    """

    method: Words
    folds: int
    brier: float
    ece: float


@record(infers=True)
class CalibrationOf:
    """How far one system's confidence can be believed.

    Attributes:
        system: The system.
        n: Answers with a confidence to questions whose right option is known.
        without: Answers without a confidence; nothing here is about them.
        few: So few answers that calibration errors are mostly noise.
        accuracy: The share of right answers.
        confidence: Mean.
        gap: Mean confidence minus accuracy: above 0 where confidence overstates.
        gap_interval: Around it; None where all answers are right, or all wrong, or no error shows.
        gap_p: How likely a gap as large is where each answer has just its confidence: the larger p
            of the t test over clusters and of the exact count, adjusted by Holm over the systems.
        brier: Brier = reliability - resolution + uncertainty + within, in ten bins of equal width.
        brier_interval: Around it.
        reliability: Murphy's miscalibration.
        resolution: Murphy's resolution.
        uncertainty: Murphy's uncertainty.
        within: What bins hide.
        ece: The calibration error in ten bins of equal width, the last of which holds 1.
        ece_interval: Around it.
        ece_binary_edges: With the edges of numpy's linspace, binary fractions, as the clinical
            source's code has it: confidence 1 lies in no bin.
        a_bin_lower: Answers whose confidence lies on an edge, and a bin lower by those edges.
        in_no_bin: Answers with confidence 1, which lie in no bin there.
        ece_equal_mass: In bins of equal mass.
        ece_debiased: In bins of equal mass; below 0 says that the error seen is no more than noise.
        mce: The worst bin.
        auroc: How often a right answer has more confidence than a wrong one; None where all
            answers are right, or all wrong.
        risk_area: Mean risk over all coverages.
        risk_area_best: What the best order of the same answers would reach.
        bins: Of equal width.
        coverage: Shares of answers kept, the most confident first.
        risk: The share of wrong ones among them.
        recalibrated: What each method could gain; empty where there is one question only.
    """

    system: SystemName
    n: int
    without: int
    few: bool
    accuracy: float
    confidence: float
    gap: float
    gap_interval: Interval | None
    gap_p: float | None
    brier: float
    brier_interval: Interval
    reliability: float
    resolution: float
    uncertainty: float
    within: float
    ece: float
    ece_interval: Interval
    ece_binary_edges: float
    a_bin_lower: int
    in_no_bin: int
    ece_equal_mass: float
    ece_debiased: float
    mce: float
    auroc: float | None
    risk_area: float
    risk_area_best: float
    bins: tuple[ReliabilityBin, ...]
    coverage: tuple[float, ...]
    risk: tuple[float, ...]
    recalibrated: tuple[Recalibrated, ...]


@record(infers=True)
class Calibration:
    """How far confidence can be believed.

    Attributes:
        systems: One a system that gives confidences.
    """

    systems: tuple[CalibrationOf, ...]


class Gap(NamedTuple):
    """How far a system's confidence lies from its accuracy.

    Attributes:
        interval: Around mean confidence minus accuracy.
        p: Adjusted over the systems; see `CalibrationOf.gap_p`.
    """

    interval: Interval | None
    p: float | None


def gaps_of(p: _Array, y: _Array, groups: Sequence[Hashable]) -> list[Gap]:
    """Measure each system's gap, shapes (systems, cases); NaN is no confidence.

    Two tests must agree. The t test knows how alike the answers of a cluster are, and believes too
    much of an error that few wrong answers show; the exact count does not mind how rare they are,
    and knows no clusters (simulations/calibration-words.md).
    """
    from scipy.special import stdtr

    known = ~np.isnan(p)
    found = moments(np.where(known, p - y, 0.0), known, list(groups))
    intervals = bounded_intervals(found, (-1.0, 1.0), estimand=_ESTIMAND)
    larger: list[float | None] = []
    for s, (interval, _) in enumerate(intervals):
        right = y[s, known[s]]
        if interval is None or right.min() == right.max():
            larger.append(None)
            continue
        t = -abs(found.mean[s]) / found.clumped_error[s]
        by_cluster = 2 * float(stdtr(found.freedom[s], t))
        larger.append(max(by_cluster, count_as_promised(p[s, known[s]], right)))
    adjusted = iter(holm([one for one in larger if one is not None]).tolist())
    return [
        Gap(None, None) if one is None else Gap(interval, next(adjusted))
        for one, (interval, _) in zip(larger, intervals, strict=True)
    ]


_FEW_ANSWERS: Final = 300
"""Below about this many answers the calibration error of a perfectly calibrated system is large."""
_ESTIMAND: Final = "this system, new questions of the same kind"
_MOST_POINTS: Final = 200
_METHODS: Final = ("temperature", "isotonic")
_FOLDS: Final = 10
_MOST_COUNTS: Final = 4_000_000  # at once: 32 MB for each array of them
_Replicates = tuple[_Array, _Array]
_Group = tuple[bool, str]


def calibration_of(
    choices: Choices, design: Design, randomness: Randomness
) -> tuple[CalibrationOf, ...]:
    """Measure each system that gives confidences, over multiple-choice questions.

    An answer that chooses no option is wrong, whatever its confidence.
    """
    systems = list(choices.by_system)
    by_case = [
        {response.case: response for response in choices.by_system[system]} for system in systems
    ]
    if not by_case:
        return ()
    # Not every system need have every question.
    cases = list(dict.fromkeys(case for own in by_case for case in own))
    rows = [[own.get(case) for case in cases] for own in by_case]
    groups = group_labels(cases, design.clusters)
    p = np.array(
        [[_confidence(response) if response else np.nan for response in row] for row in rows]
    )
    y = np.array(
        [[float(bool(response and response.is_right())) for response in row] for row in rows]
    )
    answered = np.array(
        [[bool(response and response.answered) for response in row] for row in rows]
    )
    known = ~np.isnan(p)
    chosen = [s for s in range(len(p)) if known[s].any()]
    if not chosen:
        return ()
    drawn = _replicates(randomness, p[chosen], y[chosen], groups)
    gaps = gaps_of(p[chosen], y[chosen], groups)
    return tuple(
        _one(
            randomness,
            systems[s],
            p[s, known[s]],
            y[s, known[s]],
            [group for group, there in zip(groups, known[s], strict=True) if there],
            without=int((answered[s] & ~known[s]).sum()),
            replicates=(drawn[0][:, place], drawn[1][:, place]),
            gap=gaps[place],
        )
        for place, s in enumerate(chosen)
    )


def _confidence(response: ItemResponse) -> float:
    return math.nan if response.confidence is None else response.confidence


def _replicates(
    randomness: Randomness, p: _Array, y: _Array, groups: Sequence[_Group]
) -> _Replicates:
    """Resample the cases in portions, so that a large study does not fill the memory."""
    rng = randomness.stream("s36")
    index = cluster_index(groups, len(groups))  # once, not for each portion
    left, portions = randomness.replicates, []
    while left:
        portion = min(left, max(1, _MOST_COUNTS // len(groups)))
        counts = bootstrap_counts(len(groups), portion, rng, index)
        portions.append(c.calibration_replicates(p, y, counts))
        left -= portion
    return (
        np.concatenate([drawn.brier for drawn in portions]),
        np.concatenate([drawn.ece for drawn in portions]),
    )


def _one(
    randomness: Randomness,
    system: str,
    p: _Array,
    y: _Array,
    groups: Sequence[_Group],
    *,
    without: int,
    replicates: _Replicates,
    gap: Gap,
) -> CalibrationOf:
    parts = c.brier_parts(p, y)
    curve = c.risk_coverage(p, y)
    every = max(1, -(-curve.coverage.size // _MOST_POINTS))
    points = sorted({*range(0, curve.coverage.size, every), curve.coverage.size - 1})
    brier, ece = (percentile_interval(one, estimand=_ESTIMAND) for one in replicates)
    a_bin_lower, in_no_bin = c.outside_binary_edges(p)
    return CalibrationOf(
        system=system,
        n=p.size,
        without=without,
        few=p.size < _FEW_ANSWERS,
        accuracy=float(y.mean()),
        confidence=float(p.mean()),
        gap=float(p.mean() - y.mean()),
        gap_interval=gap.interval,
        gap_p=gap.p,
        brier=parts.brier,
        brier_interval=brier,
        reliability=parts.reliability,
        resolution=parts.resolution,
        uncertainty=parts.uncertainty,
        within=parts.within,
        ece=c.calibration_error(p, y),
        ece_interval=ece,
        ece_binary_edges=c.binary_edges_calibration_error(p, y),
        a_bin_lower=a_bin_lower,
        in_no_bin=in_no_bin,
        ece_equal_mass=c.calibration_error(p, y, binning=c.Binning.MASS),
        ece_debiased=c.debiased_calibration_error(p, y),
        mce=c.maximum_calibration_error(p, y),
        auroc=c.auroc(p, y),
        risk_area=curve.area,
        risk_area_best=curve.best_area,
        bins=tuple(c.reliability(p, y)),
        coverage=tuple(curve.coverage[points].tolist()),
        risk=tuple(curve.risk[points].tolist()),
        recalibrated=_recalibrated(randomness, system, p, y, groups),
    )


def _recalibrated(
    randomness: Randomness, system: str, p: _Array, y: _Array, groups: Sequence[_Group]
) -> tuple[Recalibrated, ...]:
    if len(set(groups)) < 2:  # noqa: PLR2004 - one part to fit on and one to look at
        return ()
    recalibrations = []
    for method in _METHODS:
        rng = randomness.stream("s37", system)
        made = c.recalibrate(p, y, method, rng, _FOLDS, groups)
        recalibrations.append(
            Recalibrated(
                method=made.method,
                folds=made.folds,
                brier=c.brier(made.confidence, y),
                ece=c.calibration_error(made.confidence, y),
            )
        )
    return tuple(recalibrations)


_THREE: Final = Style(3, bounded=True)
_ALL_ALIKE: Final = "All answers are right, or all are wrong."


def calibration_tables(calibrations: Sequence[CalibrationOf], names: Names) -> list[Table]:
    """Give the tables of confidence."""
    return [
        table(calibrations, names)
        for table in (_errors, _parts, _recalibrated_table, _distribution)
    ]


def _errors(calibrations: Sequence[CalibrationOf], names: Names) -> Table:
    return table_of(
        calibrations,
        (
            system_column(names),
            shown(
                "Answers", "n", "{:,}".format, file="answers",
                adds={"without_confidence": "without"}, detail=_without,
            ),
            shown("Accuracy", "accuracy", _THREE),
            shown("Confidence", "confidence", _THREE),
            estimated("Gap", "gap", _THREE, interval="gap_interval", why_not=None, reasoned=False),
            shown("Adjusted p", "gap_p", shown_p, file="gap_p_adjusted", why_not=_why(_ALL_ALIKE)),
            estimated(
                "Brier", "brier", _THREE, interval="brier_interval", why_not=None, reasoned=False,
            ),
            estimated(
                "Equal width", "ece", _THREE, interval="ece_interval", why_not=None,
                reasoned=False, group="ECE",
            ),
            shown(
                "Binary edges", "ece_binary_edges", _THREE,
                adds=("a_bin_lower", "in_no_bin"), detail=_binary_edges, group="ECE",
            ),
            shown("Equal mass", "ece_equal_mass", _THREE, group="ECE"),
            shown("Debiased", "ece_debiased", _THREE, group="ECE"),
            shown("MCE", "mce", _THREE),
            shown("AUROC", "auroc", _THREE, why_not=_why(_ALL_ALIKE)),
        ),
        id="calibration",
        title="Calibration of the confidence",
        caption="Gap: mean confidence minus accuracy, above 0 where confidence overstates; p, "
                "Holm over systems, is the larger of t test and exact test. Brier: mean squared "
                "distance from the outcome, 0 best. ECE: mean distance of confidence and "
                "accuracy over ten bins: of equal width; with binary edges (numpy's linspace, as "
                "the clinical source's code: 0.3, 0.6 and 0.7 lie a bin lower, 1 in none); of "
                "equal mass; less the bins' noise; under about 300 answers it is well above 0 "
                "even where confidence is right. MCE: the worst bin. AUROC: how often a right "
                "answer has more confidence than a wrong one; chance: 0.5. No choice is wrong. "
        + how(
            interval
            for calibration in calibrations
            for interval in (calibration.ece_interval, calibration.gap_interval)
        ),
        figure="reliability",
    )  # fmt: skip


def _binary_edges(calibration: CalibrationOf) -> str:
    """Say what makes the source's value differ from ours."""
    lower, none = calibration.a_bin_lower, calibration.in_no_bin
    if not lower and not none:
        return "No confidence lies in another bin."
    return (
        f"{lower:,} of {calibration.n:,} confidences lie a bin lower by binary edges. "
        f"{none:,} are 1 and lie in no bin."
    )


def _parts(calibrations: Sequence[CalibrationOf], names: Names) -> Table:
    return table_of(
        calibrations,
        (
            system_column(names),
            shown("Brier", "brier", _THREE),
            shown("Miscalibration", "reliability", _THREE, group="Parts"),
            shown("Resolution", "resolution", _THREE, group="Parts"),
            shown("Uncertainty", "uncertainty", _THREE, group="Parts"),
            shown("Within bins", "within", _THREE, group="Parts"),
            shown("Mean", "risk_area", _THREE, group="Risk"),
            shown("Best", "risk_area_best", _THREE, group="Risk"),
        ),
        id="calibration-parts",
        title="What the Brier score is made of, and what abstaining gains",
        caption="Brier = miscalibration − resolution + uncertainty + within bins (Murphy; ten "
        "bins of equal width). Risk: the share of wrong answers averaged over all "
        "coverages; beside it that of the best order.",
        figure="risk-coverage",
    )


def _recalibrated_table(calibrations: Sequence[CalibrationOf], names: Names) -> Table:
    return table_of(
        calibrations,
        (
            system_column(names),
            *(
                column
                for score, group in (("brier", "Brier"), ("ece", "ECE"))
                for column in (
                    shown("As given", score, _THREE, group=group),
                    *(
                        shown(
                            way.capitalize(), _made(way, score), _THREE,
                            file=f"{score}_{way}", why_not=_why("One question only."), group=group,
                        )
                        for way in ("temperature", "isotonic")
                    ),
                )
            ),
        ),
        id="calibration-recalibrated",
        title="What recalibrating could gain",
        caption="Cross-validated in up to ten parts. Temperature: one number for all; isotonic: "
                "any rising curve.",
    )  # fmt: skip


def _made(way: str, score: str) -> Callable[[CalibrationOf], float | None]:
    return lambda calibration: next(
        (getattr(made, score) for made in calibration.recalibrated if made.method == way), None
    )


def _distribution(calibrations: Sequence[CalibrationOf], names: Names) -> Table:
    return table_of(
        ((names.of_system(each.system), part) for each in calibrations for part in each.bins),
        (
            shown("Confidence from", lambda b: f"{b.low:.1f} to {b.high:.1f}", file="bin"),
            counted("Answers", "n", file="answers"),
            shown("Mean confidence", "confidence", _THREE),
            shown("Accuracy", "accuracy", _THREE),
        ),
        id="calibration-bins",
        title="Confidence and accuracy, bin by bin",
        caption="Without empty bins. A confidence on an edge lies in the bin above, 1 in the last.",
        grouped_by="system",
    )


def _without(calibration: CalibrationOf) -> str:
    return f"{calibration.without} more answers have no confidence." if calibration.without else ""


def _why(reason: str) -> Callable[[object], str]:
    return lambda _: reason


_MOST: Final = 6
"""Systems that a sentence names; the table has all."""
_FINDING: Final = "calibration"
_ABOUT: Final = "confidence"
_OVER: Final = "overstates accuracy"
_UNDER: Final = "understates accuracy"
_UNKNOWN: Final = "over- or understates accuracy"
_BASIS: Final = ("calibration", "calibration-recalibrated")


def calibration_notes(calibrations: Sequence[CalibrationOf], names: Names) -> tuple[str, ...]:
    """Say where there are too few answers, and where some have no confidence."""
    few = [names.of_system(calibration.system) for calibration in calibrations if calibration.few]
    lines = []
    if few:
        lines.append(
            f"{listed_few(few)}: under about 300 answers, calibration errors are large even where "
            "confidence is right: do not rank systems by them."
        )
    lines += [
        f"{names.of_system(calibration.system)}: {n} without a confidence, left out here."
        for calibration in calibrations
        if calibration.without
        for n in [count_of(calibration.without, "answer")]
    ]
    return tuple(lines)


def calibration_claims(calibrations: Sequence[CalibrationOf]) -> Iterator[Claim]:
    """Claim which way confidence errs, over all systems."""
    p = [calibration.gap_p for calibration in calibrations]
    if any(value is not None for value in p):
        yield Claim.of(_FINDING, _ABOUT, VerdictKind.CLAIM, p, row=VerdictRow.CONFIDENCE)


def calibration_finding(calibrations: Sequence[CalibrationOf], names: Names) -> Finding:
    """Say which way confidence errs, and of the worst by how much and what recalibrating gives."""
    sentences = (
        _ways(names, calibrations) if len(calibrations) > 1 else _of_one(names, calibrations[0])
    )
    text = " ".join([*sentences, *_error(names, calibrations), *_few(names, calibrations)])
    return Finding(_FINDING, text, _BASIS)


def _way(names: Names, calibration: CalibrationOf) -> str:
    """Say which way confidence errs on average, where test and interval leave no doubt."""
    around, p = calibration.gap_interval, calibration.gap_p
    if around is None or p is None or p > names.level(_FINDING, _ABOUT):
        return _UNKNOWN
    return _OVER if around.low > 0 else _UNDER if around.high < 0 else _UNKNOWN


def _known(calibration: CalibrationOf, around: Interval) -> Interval | None:
    """Give an interval, unless all answers are right or all wrong.

    No resample differs in that: the interval would be that of confidence alone.
    """
    return None if calibration.accuracy in {0, 1} else around


def _of_one(names: Names, calibration: CalibrationOf) -> Iterator[str]:
    """Say which way the confidence of a system errs on average, and by how much."""
    who, way = names.of_system(calibration.system), _way(names, calibration)
    interval = calibration.gap_interval
    around = ci(interval, _THREE)
    if way == _UNKNOWN:
        gap = "; ".join(filter(None, [f"gap {_THREE(calibration.gap)}", around]))
        open_ = names.undecided(_FINDING, _ABOUT, calibration.gap_p)
        yield f"Whether the confidence of {who} over- or understates accuracy is {open_} ({gap})."
    else:
        size = _THREE(abs(calibration.gap))
        if interval is not None and interval.high < 0:
            interval = replace(interval, low=-interval.high, high=-interval.low)
        around = ci(interval, _THREE, beside=0.0)
        yield f"The confidence of {who} {way} by {size} on average ({around})."


def _ways(names: Names, calibrations: Sequence[CalibrationOf]) -> Iterator[str]:
    """Say of several systems which way the confidence of each errs, and where most."""
    of: dict[str, list[str]] = {}
    for calibration in calibrations:
        of.setdefault(_way(names, calibration), []).append(names.of_system(calibration.system))
    for way in (_OVER, _UNDER):
        if some := of.get(way):
            who = "every system" if len(some) == len(calibrations) else listed_few(some, _MOST)
            yield f"The confidence of {who} {way} on average."
    if rest := of.get(_UNKNOWN):
        unsure = [own for own in calibrations if _way(names, own) == _UNKNOWN]
        who = "any system" if len(rest) == len(calibrations) else listed_few(rest, _MOST)
        p = min((own.gap_p for own in unsure if own.gap_p is not None), default=None)
        open_ = names.undecided(_FINDING, _ABOUT, p)
        yield f"Whether the confidence of {who} over- or understates accuracy is {open_}."
    most = max(calibrations, key=lambda calibration: abs(calibration.gap))
    who, gap = names.of_system(most.system), _THREE(most.gap)
    around = _brackets(ci(most.gap_interval, _THREE))
    yield f"Confidence minus accuracy is furthest from 0 for {who}: {gap}{around}."


def _error(names: Names, calibrations: Sequence[CalibrationOf]) -> Iterator[str]:
    """Say the largest calibration error, as given and recalibrated."""
    worst = max(calibrations, key=lambda calibration: calibration.ece)
    ece, who = _THREE(worst.ece), names.of_system(worst.system)
    around = _brackets(ci(_known(worst, worst.ece_interval), _THREE))
    if len(calibrations) == 1:
        yield f"Its calibration error (ECE, ten bins) is {ece}{around}."
    else:
        yield f"The calibration error (ECE, ten bins) is largest for {who}, {ece}{around}."
    made = {new.method: _THREE(new.ece) for new in worst.recalibrated}
    if "temperature" in made:
        isotonic = f"; {made['isotonic']} by isotonic regression" if "isotonic" in made else ""
        new = f"{made['temperature']} (cross-validated{isotonic})"
        yield f"Recalibrated by one temperature, it would be {new}."


def _few(names: Names, calibrations: Sequence[CalibrationOf]) -> Iterator[str]:
    few = [calibration for calibration in calibrations if calibration.few]
    if not few:
        return
    least, most = min(own.n for own in few), max(own.n for own in few)
    n = count_of(least, "answer") if least == most else f"{least:,} to {most:,} answers"
    of = f" of {listed_few([names.of_system(own.system) for own in few], _MOST)}"
    who = of if len(few) < len(calibrations) else ""
    yield f"The {n}{who} are fewer than about 300: do not rank systems by this error."
    yield "It is then well above 0 even where confidence is right."


def _brackets(text: str) -> str:
    return f" ({text})" if text else ""


_ACROSS: Final = 4
_MOST_SYSTEMS: Final = 12
"""More panels are no picture: the tables hold them all."""
_PANEL: Final = 44
"""Millimetres of a panel."""
_TITLE: Final = 24
"""Characters of a title that stand side by side over a panel."""
_LINE: Final = 4
"""Millimetres of a line of a title."""
_LARGEST_DOT: Final = 60


def calibration_pictures(calibrations: Sequence[CalibrationOf], names: Names) -> dict[str, Picture]:
    """Draw how often each confidence is right, and what is left of errors by abstaining."""
    left = len(calibrations) - _MOST_SYSTEMS
    rest = f" {left} more systems are in the tables only." if left > 0 else ""
    reliable = (
        "Ten bins of confidence; area: answers. On the line confidence equals accuracy; below it "
        "the system is too sure."
    )
    abstaining = (
        "Risk: the share of wrong answers among those kept, the most confident first. Coverage: "
        "the share kept. Dotted: all kept."
    )
    return {
        "reliability": Picture(
            "Reliability", _grid(calibrations, names, _reliability), reliable + rest
        ),
        "risk-coverage": Picture(
            "Risk and coverage", _grid(calibrations, names, _risk), abstaining + rest
        ),
    }


def _grid(
    calibrations: Sequence[CalibrationOf],
    names: Names,
    draw: "Callable[[Axes, CalibrationOf], None]",
) -> "Figure":
    chosen = calibrations[:_MOST_SYSTEMS]
    across = min(_ACROSS, len(chosen))
    down = -(-len(chosen) // across)
    width = min(WIDE, across * _PANEL + 6)
    titles = [
        fill(f"{names.of_system(calibration.system)}, n\u00a0=\u00a0{calibration.n:,}", _TITLE)
        for calibration in chosen
    ]
    lines = max(title.count("\n") for title in titles)
    height = down * (_PANEL + 8 + _LINE * lines) + 4
    figure = new_figure(width, height, synthetic=names.synthetic)
    grid = figure.subplots(down, across, squeeze=False)
    for place, axes in enumerate(grid.flat):
        if place >= len(chosen):
            axes.set_axis_off()
            continue
        bare(axes, "bottom", "left")
        axes.set_xlim(0, 1)
        axes.set_aspect("equal")
        axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
        axes.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
        axes.set_ylim(0, 1)
        draw(axes, chosen[place])
        if place % across:
            axes.set_ylabel("")
        if place + across < len(chosen):
            axes.set_xlabel("")
        axes.set_title(titles[place], fontsize=8, fontweight="bold", loc="left")
    return figure


def _reliability(axes: "Axes", calibration: CalibrationOf) -> None:
    axes.plot([0, 1], [0, 1], color=SOFT, linewidth=0.7, zorder=1)
    largest = max(b.n for b in calibration.bins)
    for b in calibration.bins:
        axes.plot([b.confidence] * 2, [b.confidence, b.accuracy], color=LINE, linewidth=1, zorder=2)
    axes.scatter(
        [b.confidence for b in calibration.bins],
        [b.accuracy for b in calibration.bins],
        s=[max(3.0, _LARGEST_DOT * b.n / largest) for b in calibration.bins],
        color=ACCENT,
        linewidth=0,
        zorder=3,
        clip_on=False,
    )
    axes.set_xlabel("confidence")
    axes.set_ylabel("accuracy")


def _risk(axes: "Axes", calibration: CalibrationOf) -> None:
    axes.axhline(calibration.risk[-1], color=SOFT, linewidth=0.7, linestyle=":", zorder=1)
    axes.plot(calibration.coverage, calibration.risk, color=ACCENT, linewidth=1.2, zorder=2)
    axes.set_xlabel("coverage")
    axes.set_ylabel("risk")


@analysis(
    Declaration(
        id="calibration",
        title="How far the confidence can be believed",
        question="Is a confidence of 0.80 right four times of five, and does it tell right answers "
        "from wrong ones?",
        section="clinical",
        part="clinical-calibration",
        infers=True,
        reader="developer",
        place=4,
        apart=True,
        finding_place=60,
        tables=lambda record, names: calibration_tables(record.systems, names),
        pictures=lambda record, names: calibration_pictures(record.systems, names),
        notes=lambda record, names: calibration_notes(record.systems, names),
        finding=lambda record, names: calibration_finding(record.systems, names),
        verdicts=(VerdictKind.CLAIM,),
        claims=lambda record, _: calibration_claims(record.systems),
    )
)
def calibration(choices: Choices, design: Design, randomness: Randomness) -> Calibration | None:
    """Measure each system that gives confidences, over multiple-choice questions."""
    calibrations = calibration_of(choices, design, randomness)
    return Calibration(calibrations) if calibrations else None
