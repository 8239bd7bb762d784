"""How many raters and cases does a reliability take? A D study of the labels at hand."""

from collections.abc import Callable, Iterator, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.consensus_fits import judged_units
from medassay.analyses.inputs.readable import Design, Randomness
from medassay.annotations import record
from medassay.exhibits import (
    Claim,
    Finding,
    Names,
    Picture,
    Style,
    Table,
    VerdictKind,
    VerdictRow,
)
from medassay.exhibits.columns import Shown, estimated, missing, shown, table_of
from medassay.exhibits.numbers import ci, count_of
from medassay.exhibits.table import Cell, Column
from medassay.judgements import Judgements, Rubric
from medassay.validity import Needed, ReliabilityPlan
from medassay.validity import d_study as plans_of
from medassay.validity.d_study import TARGETS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_OF: Final = {"systems": "Systems, compared", "answer": "An answer's score"}
_TWO: Final = Style(2)
_SAID: Final = 0.8
_MANY: Final = "over 1,000"
_ACROSS: Final = 3
_TITLE: Final = 76
"""Letters of a title over the whole width."""
_CAPTION: Final = (
    "Systems: generalizability of their means. An answer's score: dependability of its mean "
    "label. Now: as labels were given. Needed: if every rater reads every answer. 95% CI: for "
    "these systems, new cases and raters like these. Brennan (2001); Weerahandi (1993)."
)


@record(infers=True)
class DStudy:
    """Reliabilities now, and what others take, by dimension."""

    plans: tuple[ReliabilityPlan, ...]


def d_study_table(plans: Sequence[ReliabilityPlan], called: Callable[[str], str]) -> Table:
    """Lay out each reliability with the raters and the cases that three targets take."""
    return table_of(
        ((called(plan.dimension), plan) for plan in plans),
        (
            shown("Reliability of", "of", _OF.__getitem__, numeric=False),
            estimated("Now", "value", _TWO, file="reliability"),
            *(_raters_needed(at, target) for at, target in enumerate(TARGETS)),
            *(_cases_needed(at, target) for at, target in enumerate(TARGETS)),
        ),
        id="d-study",
        title="Raters and cases that a reliability takes",
        caption=_CAPTION,
        grouped_by="dimension",
        figure="d-study",
        about=lambda p: f"{count_of(p.raters, 'rater')}, {count_of(p.cases, 'case')}",
    )


def _column(target: float, kind: str) -> Column:
    field = f"{kind}_{100 * target:.0f}"
    fields = (field, f"{field}_low", f"{field}_high")
    return Column(f"for {target:g}", fields, numeric=True, group=f"{kind.capitalize()} needed")


def _raters_needed(at: int, target: float) -> Shown[ReliabilityPlan]:
    def cell(plan: ReliabilityPlan) -> Cell:
        if plan.value is None:
            return missing(plan.reason, 3)
        needed = plan.needed[at]
        return _needed(needed.raters, needed.raters_low, needed.raters_high)

    return Shown(_column(target, "raters"), cell)


def _cases_needed(at: int, target: float) -> Shown[ReliabilityPlan]:
    def cell(plan: ReliabilityPlan) -> Cell:
        if plan.value is None:
            return missing(plan.reason, 3)
        if plan.of != "systems":
            return missing("More cases leave an answer's score as it is.", 3)
        needed = plan.needed[at]
        return _needed(needed.cases, needed.cases_low, needed.cases_high)

    return Shown(_column(target, "cases"), cell)


def _needed(count: int | None, low: int | None, high: int | None) -> Cell:
    aside = _shown(low) if low == high else f"{_shown(low)}–{_shown(high)}"
    return Cell(_shown(count), (count, low, high), aside=f"[{aside}]")


def _shown(count: int | None) -> str:
    return _MANY if count is None else f"{count:,}"


def _finding(plans: Sequence[ReliabilityPlan], names: Names) -> Finding | None:
    """Say what a reliability of 0.8 takes where systems are ranked, and whether that is settled."""
    source = names.sources.get(names.primary)
    of_systems = [plan for plan in plans if plan.of == "systems" and plan.value is not None]
    ranked = [plan for plan in of_systems if source and plan.dimension == source.dimension]
    plan = next(iter([*ranked, *of_systems]), None)
    if plan is None or plan.interval is None:
        return None
    on, takes = names.of_dimension(plan.dimension), _takes(plan.at(_SAID))
    raters = count_of(plan.raters, "rater")
    here = (
        f"The reliability here is {_TWO(plan.value or 0.0)} ({ci(plan.interval, _TWO)})."
        if plan.settled(_SAID)
        else f"With {raters}, this study cannot tell whether it reaches that."
    )
    text = f"On {on}, comparing systems on {plan.cases:,} cases with reliability 0.8 takes {takes}."
    return Finding("d-study", f"{text} {here}", ("d-study",))


def _claims(study: "DStudy", names: Names) -> Iterator[Claim]:
    """Claim between what a reliability lies, where the sentence says so."""
    if _finding(study.plans, names):
        kind, row = VerdictKind.OWN_RATE, VerdictRow.RELIABILITY
        yield Claim.of("d-study", "reliability", kind, row=row)


def _takes(needed: Needed) -> str:
    count = f"{_MANY} raters" if needed.raters is None else count_of(needed.raters, "rater")
    low, high = _shown(needed.raters_low), _shown(needed.raters_high)
    return f"{count} (95% CI {low if low == high else f'{low} to {high}'})"


def _pictures(plans: Sequence[ReliabilityPlan], names: Names) -> dict[str, Picture]:
    figure = _curves(plans, names)
    if figure is None:
        return {}
    caption = (
        "If every rater reads every answer. Blue: comparing systems, with 95% CI. Grey: scoring "
        "an answer."
    )
    return {"d-study": Picture("Reliability by the number of raters", figure, caption)}


def _curves(plans: Sequence[ReliabilityPlan], names: Names) -> "Figure | None":
    """Draw one panel a dimension."""
    from medassay.exhibits.drawing import ACCENT, LINE, SOFT, WIDE, bare, new_figure

    known = [plan for plan in plans if plan.value is not None]
    dimensions = list(dict.fromkeys(plan.dimension for plan in known))
    if not dimensions:
        return None
    across = min(_ACROSS, len(dimensions))
    down = -(-len(dimensions) // across)
    figure = new_figure(WIDE, 10 + 50 * down, synthetic=names.synthetic)
    panels = figure.subplots(down, across, squeeze=False)
    for place, axes in enumerate(panels.flat):
        if place >= len(dimensions):
            axes.set_axis_off()
            continue
        bare(axes, "bottom", "left")
        for target in TARGETS:
            axes.axhline(target, color=LINE, linewidth=0.7, linestyle=(0, (1, 2)))
        for plan in known:
            if plan.dimension != dimensions[place]:
                continue
            x = [point.raters for point in plan.curve]
            colour, line = (ACCENT, "-") if plan.of == "systems" else (SOFT, "--")
            low, high = ([getattr(p, end) for p in plan.curve] for end in ("low", "high"))
            axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
            axes.plot(x, [point.value for point in plan.curve], line, color=colour, linewidth=1.2)
        axes.set_xscale("log")
        ticks = (1, 2, 3, 5, 10, 30)
        axes.set_xticks(ticks, [str(tick) for tick in ticks])
        axes.minorticks_off()
        axes.set_ylim(0, 1)
        title = fill(names.of_dimension(dimensions[place]), _TITLE // across)
        axes.set_title(title, fontsize=8, loc="left", fontweight="bold")
        axes.set_xlabel("raters of every answer")
        if place % across == 0:
            axes.set_ylabel("reliability")
    return figure


@analysis(
    Declaration(
        id="d_study",
        title="Raters and cases that a reliability takes",
        question="How many raters and cases would compare these systems reliably?",
        section="panel",
        part="panel-plan",
        infers=True,
        reader="methodologist",
        place=61,
        tables=lambda study, names: [d_study_table(study.plans, names.of_dimension)],
        pictures=lambda study, names: _pictures(study.plans, names),
        finding=lambda study, names: _finding(study.plans, names),
        verdicts=(VerdictKind.OWN_RATE,),
        claims=_claims,
    )
)
def d_study(
    rubric: Rubric, judgements: Judgements, design: Design, randomness: Randomness
) -> DStudy | None:
    """Plan each dimension whose labels have scores; None where no dimension tells raters apart."""
    plans = tuple(
        plan
        for read in judged_units(rubric, judgements)
        for plan in plans_of(
            read, rng=randomness.stream("s63", read.dimension), clusters=design.clusters or None
        )
    )
    return DStudy(plans) if any(plan.value is not None for plan in plans) else None
