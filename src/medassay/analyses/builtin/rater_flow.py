"""Who rated, and whose judgements count?"""

from collections import Counter
from dataclasses import replace
from textwrap import fill
from typing import TYPE_CHECKING, Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import OnFile, on_file_of
from medassay.annotations import Text, record
from medassay.exhibits import Table, shown, table_of
from medassay.exhibits.columns import Shown, text
from medassay.exhibits.drawing import INK, SOFT, Picture, new_figure
from medassay.exhibits.names import natural_order
from medassay.exhibits.numbers import count_of, listed
from medassay.exhibits.table import Cell, Column
from medassay.judgements import Judgements, Preferences, Rater, RaterKind
from medassay.study.folder import Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@record(infers=False)
class RaterCount:
    """One rater, and how much they said.

    Attributes:
        rater: What is known of them.
        judgements: What holds now, adjudication included; for an excluded rater what was left out.
        apart: How many of them are a model's and in no number about people.
    """

    rater: Rater
    judgements: int
    apart: int


@record(infers=False)
class RaterFlow:
    """From the raters who are listed to those whose judgements are counted.

    Attributes:
        listed: Raters who are listed; without a raters table, everyone who rated.
        excluded: Reason to how many raters.
        qualified: Raters who are not excluded.
        judged: Qualified raters who judged something that counts as people's judgement.
        judgements: What they judged and preferred.
        left_out: Judgements and preferences of excluded raters.
        raters: Each that is listed.
        order_known: Whether a position or a time says in which order anything was judged; True
            where nothing was.
    """

    listed: int
    excluded: dict[Text, int]
    qualified: int
    judged: int
    judgements: int
    left_out: int
    raters: tuple[RaterCount, ...]
    order_known: bool = True


def count_raters(on_file: OnFile, judgements: Judgements, preferences: Preferences) -> RaterFlow:
    """Count listed, excluded by reason, qualified, and who judged; a line for each rater.

    Without a raters table everyone who judged is listed, and nothing more is known of them.
    """
    everything, counted = Counter[str](), Counter[str]()
    kinds: dict[str, RaterKind] = {}
    for table in (on_file.judgements, on_file.preferences):
        current = table.current()
        everything.update(current["rater"].to_list())
        kinds |= dict(current.select("rater", "rater_kind").unique().iter_rows())
    for counting in (judgements, preferences):
        counted.update(counting.current()["rater"].to_list())
    raters = []
    for name in [rater.rater for rater in on_file.raters] or sorted(kinds):
        known = on_file.raters.get(name)
        apart = everything[name] - counted[name] if name in on_file.models else 0
        kind = kinds.get(name, known.kind)
        raters.append(RaterCount(replace(known, kind=kind), everything[name], apart))
    rows = judgements.current()
    qualified = [count for count in raters if not count.rater.excluded]
    excluded = [count for count in raters if count.rater.excluded]
    return RaterFlow(
        listed=len(raters),
        excluded=dict(sorted(Counter(count.rater.reason for count in excluded).items())),
        qualified=len(qualified),
        judged=sum(count.judgements > count.apart for count in qualified),
        judgements=sum(count.judgements - count.apart for count in qualified),
        left_out=sum(count.judgements for count in excluded),
        raters=tuple(raters),
        order_known=not len(rows) or any(rows[name].count() for name in ("position", "time")),
    )


def flow_of(study: Study) -> RaterFlow:
    """Count those of a study."""
    return count_raters(on_file_of(study), study.judgements, study.preferences)


_ORDER_UNKNOWN: Final = (
    " The order of judging is not recorded, so it is unknown whether raters grew stricter or "
    "milder."
)
_KNOWN: Final = ("Expertise", "External", "Conflicts", "Blinded", "Shown")


def raters_table(flow: RaterFlow) -> Table:
    """List who rated, what is known of them, and who was left out and why."""
    raters = sorted(flow.raters, key=lambda count: natural_order(count.rater.rater))
    known = [name for name in _KNOWN if any(_fact(count, name) for count in raters)]
    silent = [name.lower() for name in _KNOWN if name not in known]
    unsaid = f" Not recorded: {listed(silent)}." if silent else ""
    order = "" if flow.order_known else _ORDER_UNKNOWN
    return table_of(
        raters,
        (
            shown("Rater", "rater.rater", file="rater"),
            shown("Kind", "rater.kind", file="kind"),
            *(_known(name) for name in known),
            Shown(Column("Status", ("status", "reason")), _status),
            shown("Judgements", "judgements", "{:,}".format),
        ),
        id="raters",
        title="The raters",
        caption=f"Current ratings, without excluded raters and models kept apart.{unsaid}{order}",
        empty="There are no raters.",
    )


def _known(name: str) -> Shown[RaterCount]:
    return Shown(Column(name, (name.lower(),)), lambda count: _told(_fact(count, name)))


def _fact(count: RaterCount, name: str) -> str:
    rater = count.rater
    said = {True: "yes", False: "no", None: ""}
    facts = {
        "Expertise": rater.expertise,
        "External": said[rater.external],
        "Conflicts": rater.conflicts,
        "Blinded": said[rater.blinded],
        "Shown": rater.shown,
    }
    return facts[name]


def _status(count: RaterCount) -> Cell:
    """Say who is left out and why, and of a model whether its labels count as people's do."""
    rater = count.rater
    if rater.excluded:
        return Cell("excluded", ("excluded", rater.reason), aside=rater.reason)
    if not count.apart:
        return Cell("qualified", ("qualified", ""))
    some = "" if count.apart == count.judgements else f"{count.apart:,} of {count.judgements:,}"
    return Cell("held apart", ("held apart", some), aside=some)


def _told(words: str) -> Cell:
    return text(words) if words else Cell("not said", (None,), missing=True)


_WIDTH: Final = 112
_STEP: Final = 19
"""Millimetres from one box to the next."""
_BOX: Final = 11
_LEFT: Final = (2.0, 50.0)
_RIGHT: Final = (58.0, 52.0)
"""Where a box begins, and its width."""
_LINE: Final = 32


def flow_picture(flow: RaterFlow, *, synthetic: bool) -> Picture:
    """Draw a box for each stage, and beside it who did not go on and why."""
    stages = _stages(flow)
    height = _STEP * len(stages) - (_STEP - _BOX) + 4
    figure = new_figure(_WIDTH, height + 4, synthetic=synthetic)
    axes = figure.subplots()
    axes.set_xlim(0, _WIDTH)
    axes.set_ylim(height, 0)
    axes.set_axis_off()
    for place, (words, left) in enumerate(stages):
        top = 2 + place * _STEP
        _box(axes, words, _LEFT, top, _BOX)
        if place + 1 < len(stages):
            middle = _LEFT[0] + _LEFT[1] / 2
            _arrow(axes, (middle, top + _BOX), (middle, top + _STEP))
        if left:
            lines = 1 + left.count("\n")
            tall = max(8.0, 3.6 * lines + 3)
            level = top + _BOX + (_STEP - _BOX) / 2
            _arrow(axes, (_LEFT[0] + _LEFT[1] / 2, level), (_RIGHT[0], level))
            _box(axes, left, _RIGHT, level - tall / 2, tall, soft=True)
    return Picture("From raters to judgements", figure, _caption(flow))


def _stages(flow: RaterFlow) -> list[tuple[str, str]]:
    """Give each stage in words, and who leaves after it."""
    excluded = flow.listed - flow.qualified
    silent = flow.qualified - flow.judged
    out = ""
    if excluded:
        reasons = "; ".join(f"{why} ({n})" for why, n in flow.excluded.items())
        left = f", with {flow.left_out:,} judgements" if flow.left_out else ""
        out = fill(f"{excluded} excluded{left}: {reasons}", _LINE)
    stages = [(f"{count_of(flow.listed, 'rater')} listed", out)]
    models = sum(count.apart > 0 and count.apart == count.judgements for count in flow.raters)
    lines = [f"{silent - models} rated nothing"] if silent > models else []
    lines += [f"{count_of(models, 'model')} held apart"] if models else []
    quiet = "; ".join(lines)
    stages.append((f"{flow.qualified} qualified", quiet))
    words = f"{flow.judgements:,} judgements counted\nof {count_of(flow.judged, 'rater')}"
    return [*stages, (words, "")]


def _caption(flow: RaterFlow) -> str:
    excluded = flow.listed - flow.qualified
    words = (
        f"{excluded} of {count_of(flow.listed, 'listed rater')} excluded and not counted."
        if excluded
        else "No rater was excluded."
    )
    return f"{words} Judgements include preferences between two answers."


def _box(
    axes: "Axes",
    words: str,
    across: tuple[float, float],
    top: float,
    tall: float,
    *,
    soft: bool = False,
) -> None:
    from matplotlib.patches import Rectangle

    x, width = across
    edge = SOFT if soft else INK
    axes.add_patch(
        Rectangle((x, top), width, tall, facecolor="white", edgecolor=edge, linewidth=0.7)
    )
    axes.text(
        x + 2 if soft else x + width / 2,
        top + tall / 2,
        words,
        ha="left" if soft else "center",
        va="center",
        color=edge,
    )


def _arrow(axes: "Axes", start: tuple[float, float], end: tuple[float, float]) -> None:
    axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": SOFT, "linewidth": 0.7})


@analysis(
    Declaration(
        id="rater_flow",
        title="Who rated",
        question="Who rated, who was left out and why, and whose judgements count?",
        section="panel",
        part="panel-flow",
        infers=False,
        reader="organiser",
        place=10,
        tables=lambda flow, _: [raters_table(flow)],
        pictures=lambda flow, names: {
            "rater-flow": flow_picture(flow, synthetic=names.synthetic),
        },
    )
)
def rater_flow(
    on_file: OnFile, judgements: Judgements, preferences: Preferences
) -> RaterFlow | None:
    """Count from the raters who are listed to those whose judgements are counted."""
    flow = count_raters(on_file, judgements, preferences)
    return flow if flow.listed else None
