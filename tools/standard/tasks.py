"""The subtasks of the shared task, as a new study begins: each has its own leaderboards."""

from collections.abc import Callable
from pathlib import Path

from tools.standard.making import add_settings, started


def write_subtask(protocol: str) -> Callable[[Path], Path]:
    """Give what writes this subtask's study.

    Nobody has judged the answers of the first three, and reports must do without judgements. The
    third keeps its texts to itself, the fourth its tags and ids too.
    """

    def write(folder: Path) -> Path:
        started(folder, protocol)
        kept = {"archehr2026-st3": "ids", "archehr2026-st4": "none"}.get(protocol)
        if kept is None or kept == "ids":
            (folder / "judgements.csv").unlink()
        if kept is not None:
            add_settings(folder, f'[privacy]\ntexts = "{kept}"\n')
        return folder

    return write
