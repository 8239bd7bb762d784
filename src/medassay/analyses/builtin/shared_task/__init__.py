"""Where do systems stand on the leaderboards of a shared task?"""

from medassay.analyses.builtin.shared_task.tables import task_tables
from medassay.analyses.builtin.shared_task.words import leads, task_claims, task_finding
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.system_task_boards import TaskBoard
from medassay.exhibits import VerdictKind

__all__ = ["leads", "shared_task"]


@analysis(
    Declaration(
        id="shared_task",
        title="The shared task's leaderboards",
        question="Where do systems stand in the task's own columns, means and ranks?",
        section="leaders",
        part="leaderboards",
        infers=True,
        reader="developer",
        place=3,
        tables=task_tables,
        finding=task_finding,
        verdicts=(VerdictKind.OWN_RATE,),
        claims=task_claims,
        finding_place=10,
    )
)
def shared_task(boards: tuple[TaskBoard, ...]) -> tuple[TaskBoard, ...]:
    """Give the leaderboards that the protocol lays out, with every value in them."""
    return boards
