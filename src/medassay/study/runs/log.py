"""How a run was made: what was computed for it, what was kept from before, what was compared.

It lies outside of the run's folder, in `results/log`: the files of a run are the same bytes whether
or not a score was kept, and what was kept is the one thing that differs.
"""

from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from medassay.study.runs.rerun import Checked
from medassay.study.scoring.score_study import Scored
from medassay.tables import json_bytes, write_atomically

__all__ = ["RunLog"]

LOG: Final = "log"


class Counts(BaseModel):
    """Of one metric: scores computed for the run, and answers whose score was kept from before."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    computed: int
    reused: int


class RunLog(BaseModel):
    """How a run was made.

    Attributes:
        run: Its name.
        fresh: Whether nothing that was kept was believed.
        computed: Scores computed for it.
        reused: Answers whose score was kept from before.
        metrics: The same two for each metric.
        damaged: What was kept and not believed, and was computed again.
        checked: The runs that were there, compared with it; where it was computed anew.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    run: str
    fresh: bool
    computed: int
    reused: int
    metrics: dict[str, Counts]
    damaged: list[str] = []
    checked: list[Checked] = []

    @classmethod
    def of(cls, run: str, scored: Scored, checked: tuple[Checked, ...] | None) -> "RunLog":
        """Write down how a run was made; `checked` is given where it was computed anew."""
        return cls(
            run=run,
            fresh=checked is not None,
            computed=scored.computed,
            reused=scored.reused,
            metrics={
                name: Counts(computed=computed, reused=reused)
                for name, (computed, reused) in scored.by_metric.items()
            },
            damaged=[str(problem) for problem in scored.damaged],
            checked=list(checked or ()),
        )

    @classmethod
    def read(cls, folder: Path) -> "RunLog | None":
        """Read how a run was made; None where nothing says so."""
        path = _place(folder)
        try:
            run_log = cls.model_validate_json(path.read_bytes())
        except (OSError, ValidationError):
            return None
        return run_log if run_log.run == folder.name else None

    def write(self, folder: Path) -> None:
        """Write it beside the runs."""
        write_atomically(_place(folder), json_bytes(self.model_dump(mode="json")))


def _place(folder: Path) -> Path:
    return folder.parent / LOG / f"{folder.name}.json"
