"""The sentence about who leads by a shared task's own overall score."""

from medassay.analyses.results import BoardResult, OverallResult, Results
from medassay.exhibits.numbers import count_of, level, listed_few
from medassay.report.groups import alike
from medassay.report.names import Names

__all__ = ["basis", "leads", "sentence"]


def leads(results: Results) -> bool:
    """Say whether the page opens on the shared task: where no rater orders the systems."""
    primary = next((s for s in results.sources if s.name == results.primary), None)
    return bool(results.boards) and (primary is None or primary.kind != "consensus")


def basis(results: Results) -> tuple[str, ...]:
    """Name the table that the sentence is about."""
    return tuple(f"shared-task-{board.name}" for board in results.boards[:1])


def sentence(results: Results) -> str:
    """Say who leads by the first board's order, as far as the groups allow."""
    if not leads(results):
        return ""
    board = results.boards[0]
    overalls = [
        overall
        for overall in results.overalls
        if (overall.ref, overall.name) == (board.name, board.order)
    ]
    placed = sorted(
        (overall for overall in overalls if overall.rank is not None),
        key=lambda overall: (overall.rank or 0, overall.system),
    )
    by = _by(board)
    if not placed:
        why = next((overall.reason for overall in overalls if overall.reason), "no system answered")
        return f"No system has a value by {by}: {why}."
    return _leaders(results, by, placed)


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


def _by(board: BoardResult) -> str:
    column = next(column for column in board.columns if column.name == board.order)
    heading = f"{column.group} {column.title}".strip()
    return f"the task's overall score ({heading}; {board.title})"


def _leaders(results: Results, by: str, placed: list[OverallResult]) -> str:
    names = Names(results)
    top = placed[0]
    value = f"{100 * (top.value or 0):.1f}"
    if top.interval is not None:
        low, high = (f"{100 * end:.1f}" for end in (top.interval.low, top.interval.high))
        value += f", {level(top.interval)} interval [{low}, {high}]"
    on = f"on {count_of(top.n, 'case')}"
    lost = len(results.systems) - len(placed)
    of = f" of the {len(placed)} systems with a value; {lost} {_have(lost)} none" if lost else ""
    text = f"By {by}, {names.of_system(top.system)} has the highest score {on} ({value}){of}"
    if not top.letters or len(placed) == 1:
        return f"{text}."
    others = [
        names.of_system(overall.system)
        for overall in placed[1:]
        if alike(overall.letters, top.letters)
    ]
    if not others:
        return f"{text} and is told apart from all others."
    return f"{text}, but cannot be told apart from {listed_few(others)}."
