"""The sentence about who leads by a shared task's own overall score."""

from collections.abc import Iterator, Sequence

from medassay.analyses.inputs.system_task_boards import TaskBoard, TaskColumn
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.finding import Finding, ReaderQuestion
from medassay.exhibits.groups import alike
from medassay.exhibits.numbers import count_of, level, listed_few
from medassay.validity import CompositeValue

__all__ = ["leads", "task_claims", "task_finding"]


def leads(names: Names) -> bool:
    """Say whether a shared task opens the page: where no rater orders the systems."""
    primary = names.sources.get(names.primary)
    return primary is None or primary.kind != "consensus"


def task_claims(boards: Sequence[TaskBoard], names: Names) -> Iterator[Claim]:
    """Claim who leads by the task's own score, whose groups are tested by themselves."""
    if leads(names) and any(value.place.letters for value in boards[0].leading.values):
        yield Claim.of("task", "the task's own score", VerdictKind.OWN_RATE, row=VerdictRow.LEADS)


def task_finding(boards: Sequence[TaskBoard], names: Names) -> Finding | None:
    """Say who leads by the first board's order, as far as the groups allow."""
    if not leads(names):
        return None
    board = boards[0]
    basis = (f"shared-task-{board.name}",)
    return Finding("task", _sentence(board, names), basis, ReaderQuestion.BETTER)


def _sentence(board: TaskBoard, names: Names) -> str:
    column = board.leading
    placed = sorted(
        (value for value in column.values if value.place.rank is not None),
        key=lambda value: (value.place.rank or 0, value.system),
    )
    by = _by(board, column)
    if not placed:
        why = next((value.undefined for value in column.values if value.undefined), "")
        return f"No system has a value by {by}: {why or 'no system answered'}."
    return _leaders(names, by, placed)


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


def _by(board: TaskBoard, column: TaskColumn) -> str:
    heading = f"{column.group} {column.title}".strip()
    return f"the task's overall score ({heading}; {board.title})"


def _leaders(names: Names, by: str, placed: list[CompositeValue]) -> str:
    top = placed[0]
    shown = f"{100 * (top.value or 0):.1f}"
    if top.interval is not None:
        low, high = (f"{100 * end:.1f}" for end in (top.interval.low, top.interval.high))
        shown += f", {level(top.interval)} interval [{low}, {high}]"
    on = f"on {count_of(top.n, 'case')}"
    lost = len(names.system) - len(placed)
    of = f" of the {len(placed)} systems with a value; {lost} {_have(lost)} none" if lost else ""
    text = f"By {by}, {names.of_system(top.system)} has the highest score {on} ({shown}){of}"
    if not top.place.letters or len(placed) == 1:
        return f"{text}."
    others = [
        names.of_system(value.system)
        for value in placed[1:]
        if alike(value.place.letters, top.place.letters)
    ]
    if not others:
        return f"{text} and leads alone."
    second = placed[1]
    if alike(second.place.letters, top.place.letters):
        others[0] += f" ({100 * (second.value or 0):.1f})"
    compared = [v.n for v in placed if alike(v.place.letters, top.place.letters)]
    same = min(compared) == max(compared)
    on_shared = f"on the same {count_of(top.n, 'case')}" if same else "on the cases that both have"
    most = "" if same else f" ({min(compared):,} at most)"
    return f"{text}; whether it is higher than {listed_few(others)} is undecided {on_shared}{most}."
