"""Could labels that are missing turn who is ahead, or who gave more harmful answers?"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_all_cases import AllCases
from medassay.analyses.inputs.readable import Columns, Leading
from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.analyses.inputs.system_harm import HarmFound
from medassay.annotations import DesignName, SystemName, Words, record
from medassay.exhibits import Finding, Names
from medassay.exhibits.claim import ReaderQuestion
from medassay.exhibits.columns import Shown, named_column, shown, table_of
from medassay.exhibits.numbers import plural
from medassay.exhibits.table import Cell, Column, Table
from medassay.validity import Judged, fewest_to_turn


@record(infers=False)
class TippingPoint:
    """Two systems, and the unjudged answers that could turn which of them is ahead.

    Attributes:
        dimension: What raters judged.
        kind: `mean` of who has the better mean, else what an answer is called that counts.
        ahead: The system that is ahead, or was harmful more often.
        behind: The one that the fewest answers would bring level with it.
        turn: How many unjudged answers it would take.
        ahead_unjudged: How many answers of the first raters were asked about and did not judge.
        behind_unjudged: The same of the other.
        not_asked: Answers of both that nobody was to judge: they are not missing.
        against: The value that those of the first would need; None of a kind.
        for_other: The value that those of the other would need; None of a kind.
    """

    dimension: DesignName
    kind: Words
    ahead: SystemName
    behind: SystemName
    turn: int
    ahead_unjudged: int
    behind_unjudged: int
    not_asked: int
    against: float | None = None
    for_other: float | None = None


def lead_turned(ranked: Leaderboards, columns: Columns, leading: Leading) -> TippingPoint | None:
    """Say how the first of the leaderboard could be brought level; None where it could not."""
    source = columns.sources.get(leading.source)
    if source is None or not leading.dimension or source.bounds is None:
        return None
    sign = -1 if source.direction == "lower" else 1
    low, high = sorted(sign * end for end in source.bounds)
    rows = {row.system: row for row in ranked.by(leading.source) if row.mean is not None}
    held = {
        name: Judged(sign * row.mean * row.n, row.n, row.missing)
        for name, row in rows.items()
        if row.mean is not None
    }
    first = next((row.system for row in rows.values() if row.rank == 1), None)
    if first is None:
        return None
    point = _fewest(held, first, low, high)
    if point is None:
        return None
    behind, turn = point
    return TippingPoint(
        leading.dimension,
        "mean",
        first,
        behind,
        turn,
        held[first].unjudged,
        held[behind].unjudged,
        rows[first].not_asked + rows[behind].not_asked,
        sign * low,
        sign * high,
    )


def harm_turned(harm: HarmFound, every: AllCases) -> tuple[TippingPoint, ...]:
    """Say of each dimension and reading how the most harmful system could be brought level."""
    return tuple(_harm_turned(harm, every))


def _harm_turned(harm: HarmFound, every: AllCases) -> Iterator[TippingPoint]:
    grids = {column.dimension: every.sources[column.name].grid for column in every.columns}
    for dimension, kind in harm.labels:
        grid = grids.get(dimension)
        if grid is None:
            continue
        cases = len(grid.cases)
        asked = {
            system: cases if grid.asked is None else int(grid.asked[at].sum())
            for at, system in enumerate(grid.systems)
        }
        held = {}
        for (on, reading, system), answers in harm.answers.items():
            if (on, reading) == (dimension, kind) and system in asked:
                found = sum(answer.by_most for answer in answers)
                unjudged = max(0, asked[system] - len(answers))
                held[system] = Judged(found, len(answers), unjudged)
        if not held:
            continue
        first = max(held, key=lambda system: (held[system].total / held[system].n, system))
        point = _fewest(held, first, 0.0, 1.0)
        if point is not None:
            behind, turn = point
            yield TippingPoint(
                dimension,
                harm.called.get(dimension) or kind,
                first,
                behind,
                turn,
                held[first].unjudged,
                held[behind].unjudged,
                2 * cases - asked[first] - asked[behind],
            )


def _fewest(held: dict[str, Judged], first: str, low: float, high: float) -> tuple[str, int] | None:
    """Find who takes the fewest answers to come level; nobody who is level already."""
    ahead = held[first]
    turns = [
        (turn, system)
        for system, behind in held.items()
        if system != first
        and behind.total / behind.n < ahead.total / ahead.n
        and (turn := fewest_to_turn(ahead, behind, low, high)) is not None
    ]
    if not turns:
        return None
    turn, system = min(turns)
    return system, turn


def lead_words(point: TippingPoint, names: Names) -> Finding:
    """Say what it takes for another system to reach the mean of the first."""
    first, other = names.of_system(point.ahead), names.of_system(point.behind)
    if not point.ahead_unjudged:
        text = f"{other} would reach {first} if {_of(point, 'its')} scored {point.for_other:g}."
    elif not point.behind_unjudged:
        text = f"{first} would fall to {other} if {_of(point, 'its')} scored {point.against:g}."
    else:
        ends = f"{point.for_other:g} for {other}, {point.against:g} for {first}"
        text = f"{other} would reach {first} if {_of(point, 'their')} went its way ({ends})."
    text += _not_asked(point)
    return Finding("leaders-unjudged", text, ("tipping-lead",), ReaderQuestion.BETTER)


def harm_words(points: Sequence[TippingPoint], names: Names) -> Finding | None:
    """Say what it takes for another system to be harmful as often as the first."""
    if not points:
        return None
    several = len({point.dimension for point in points}) > 1
    kinds: dict[TippingPoint, list[str]] = {}
    for point in points:
        kinds.setdefault(replace(point, kind=""), []).append(point.kind)
    text = " ".join(_harm(point, some, names, several) for point, some in kinds.items())
    return Finding("harm-unjudged", text, ("tipping-harm",), ReaderQuestion.UNSAFE)


def _harm(point: TippingPoint, kinds: list[str], names: Names, several: bool) -> str:  # noqa: FBT001 - whether to name the dimension, chosen by one caller
    """Say what it takes for both to have the same share; kinds of which that is one are joined."""
    first, other = names.of_system(point.ahead), names.of_system(point.behind)
    on = f"On {names.of_dimension(point.dimension)}, " if several else ""
    kind = " or ".join(kinds)
    who, often, than = other, "as often as", first
    if not point.ahead_unjudged:
        turned = f"{_of(point, 'its')} were {kind}"
    elif point.behind_unjudged:
        turned = f"{_of(point, 'their')} went against {other}"
    else:
        who, often, than = first, "as rarely as", other
        turned = f"{_of(point, 'its')} were not {kind}"
    return f"{on}{who} would give {kind} answers {often} {than} if {turned}.{_not_asked(point)}"


def _of(point: TippingPoint, whose: str) -> str:
    total = point.ahead_unjudged + point.behind_unjudged
    return f"{point.turn:,} of {whose} {total:,} unjudged {plural(total, 'answer')}"


def _not_asked(point: TippingPoint) -> str:
    if not point.not_asked:
        return ""
    was, is_ = ("was", "is") if point.not_asked == 1 else ("were", "are")
    return f" {point.not_asked:,} more {was} not asked about, and {is_} not counted here."


def _unjudged(point: TippingPoint) -> Cell:
    both = point.ahead_unjudged + point.behind_unjudged
    return Cell(f"{both}", (both,))


def _table(name: str, points: Sequence[TippingPoint], names: Names) -> Table:
    return table_of(
        points,
        (
            named_column("Dimension", "dimension", names.of_dimension),
            shown("By", "kind"),
            named_column("Ahead", "ahead", names.of_system),
            named_column("Behind", "behind", names.of_system),
            shown("Answers that turn it", "turn"),
            Shown(
                Column("Unjudged of both", ("unjudged",), numeric=True),
                _unjudged,
            ),
            shown("Unjudged of the one ahead", "ahead_unjudged"),
            shown("Unjudged of the one behind", "behind_unjudged"),
            shown("Nobody was to judge", "not_asked"),
            shown("Each would need, ahead", "against"),
            shown("Each would need, behind", "for_other"),
        ),
        id=name,
        title="Unjudged answers that could turn "
        + ("the lead" if name.endswith("lead") else "harm"),
        caption="The fewest unjudged answers that would bring a system level with the one ahead.",
        empty="None: no unjudged answers could turn it.",
        stands="file",
    )


@analysis(
    Declaration(
        id="tipping_lead",
        title="Whether missing ratings could turn the lead",
        question="How many unjudged answers would have to go against the leader?",
        section="leaders",
        part="leaderboards",
        infers=False,
        shown_in="compared",
        reader="methodologist",
        place=98,
        tables=lambda point, names: [_table("tipping-lead", [point], names)],
        finding=lead_words,
        finding_place=21,
    )
)
def tipping_lead(ranked: Leaderboards, columns: Columns, leading: Leading) -> TippingPoint | None:
    """Count the unjudged answers that could turn the first place; None where none could."""
    return lead_turned(ranked, columns, leading)


@analysis(
    Declaration(
        id="tipping_harm",
        title="Whether missing ratings could turn who gave more harmful answers",
        question="How many unjudged answers would have to be harmful, or harmless, to turn it?",
        section="ratings",
        part="ratings-given",
        infers=False,
        shown_in="compared",
        reader="methodologist",
        place=99,
        tables=lambda points, names: [_table("tipping-harm", points, names)],
        finding=harm_words,
    )
)
def tipping_harm(harm: HarmFound, every: AllCases) -> tuple[TippingPoint, ...]:
    """Count the unjudged answers that could turn which system was most often harmful."""
    return harm_turned(harm, every)
