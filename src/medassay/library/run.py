"""Run a study and write its report, once for the same input."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from medassay.analyses import run_study
from medassay.report import RunSummary, read_summary, render
from medassay.study import (
    Elsewhere,
    Run,
    RunLog,
    allowed_of,
    check_against,
    find_completed_run,
    on_ray,
    only_writer,
    open_run,
    set_aside,
    shared_kept,
    write_lost_key,
)
from medassay.tables import gc_leaving_be

__all__ = ["Done", "Told", "run_and_report"]

Told = Callable[[str, int, int], None]
"""Told how far a run is: the step, what is done of it, and how much it is."""


@dataclass(frozen=True)
class Done:
    """A run that is whole on disk.

    Attributes:
        summary: What it found.
        folder: Its folder.
        again: Whether it was there already and nothing needed doing.
        log: How it was made; None where nothing says so.
    """

    summary: RunSummary
    folder: Path
    again: bool
    log: RunLog | None = None

    @property
    def computed(self) -> int:
        """Count the scores that were computed now."""
        return 0 if self.again or self.log is None else self.log.computed

    @property
    def reused(self) -> int:
        """Count the answers whose score was kept from before, as far as any was asked for now."""
        return 0 if self.again or self.log is None else self.log.reused


def run_and_report(  # noqa: PLR0913 - each is one thing that is asked of the run
    path: Path,
    *,
    seed: int | None = None,
    texts: Literal["full", "ids", "none"] | None = None,
    metrics: Sequence[str] | None = None,
    only: Sequence[str] | None = None,
    offline: bool = False,
    fresh: bool = False,
    share: bool = False,
    on: str | None = None,
    progress: AbstractContextManager[Told] | None = None,
) -> Done:
    """Run a study and write its report; if the same run is whole on disk, only read it.

    Args:
        path: The study's folder.
        seed: Overrules study.toml's.
        texts: Overrules study.toml's.
        metrics: Names of metrics to compute beside the study's own; `all` for every one that can
            score an answer here.
        only: Names of metrics to compute instead of the study's own.
        offline: Fetch no model, whatever study.toml allows.
        fresh: Believe nothing that is there, and compare what is written with it.
        share: Take in scores that are kept at the URL `kept` of urls.toml, and add this run's.
        on: Score metrics that run on a model on a cluster: `ray`, one started on this machine, or
            `ray://HOST:PORT`. The report has the same bytes.
        progress: Shows how far the run is, while it lasts.

    Raises:
        InvalidInput: Every problem of the study, of the metrics' names, or of the cluster.
    """
    whole = None
    if not fresh:
        whole = find_completed_run(
            path, seed=seed, texts=texts, metrics=metrics, only=only, offline=offline
        )
    if whole is not None:
        write_lost_key(path, whole.name)
        return _there(whole)
    run = open_run(path, seed=seed, texts=texts, metrics=metrics, only=only, offline=offline)
    if run.whole and not fresh:
        return _there(run.folder)
    with only_writer(path), gc_leaving_be(), progress or nullcontext(_tell_nobody) as tell:
        if fresh:
            set_aside(run.folder)
        elif run.is_done():
            return _there(run.folder)
        with _cluster(run, on, offline=offline) as elsewhere:
            kept = shared_kept(run, offline=offline, fresh=fresh, progress=tell) if share else None
            with kept or nullcontext():
                results, scored = run_study(run, tell, fresh=fresh, elsewhere=elsewhere)
        tell("report", 0, 1)
        render(results, run.folder)
        run.finish()
        log = RunLog.of(run.name, scored, check_against(run.folder) if fresh else None)
        log.write(run.folder)
        tell("report", 1, 1)
    return Done(RunSummary.of(results), run.folder, again=False, log=log)


def _cluster(
    run: Run, on: str | None, *, offline: bool
) -> AbstractContextManager[Elsewhere | None]:
    if on is None:
        return nullcontext()
    return on_ray(on, allowed_of(run.study.config.privacy, offline=offline))


def _tell_nobody(_step: str, _done: int, _total: int) -> None:
    """Where nobody looks on."""


def _there(folder: Path) -> Done:
    return Done(read_summary(folder / "report.json"), folder, again=True, log=RunLog.read(folder))
