"""Model metrics scored on a cluster of Ray, by batches of Ray Data."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from medassay.errors import InvalidInput, Problem
from medassay.metrics import resolve
from medassay.metrics.statements import keeping_tallies
from medassay.models import ModelSetup, use_models
from medassay.models.device import asks_for_gpu
from medassay.models.endpoints import Allowed, refuse_address
from medassay.models.install import need_installed
from medassay.scores import ScoreColumns
from medassay.study.scoring.processes import Job, Scores

_HERE: Final = "ray"
_THERE: Final = "ray://"
_TIMES: Final = 4
_GPU_HINT: Final = 'Start Ray where a GPU is (ray start --num-gpus=N), or say device = "cpu".'
_HINT: Final = "Try --on ray (this machine's processors), or --on ray://HOST:10001 (a cluster)."


@contextmanager
def on_ray(on: str, allowed: Allowed) -> Iterator["OnRay"]:
    """Connect to Ray while the block lasts: `ray` starts one here, `ray://HOST:PORT` finds one.

    Args:
        on: Which.
        allowed: Which addresses the study's texts may be sent to.

    Raises:
        InvalidInput: It is neither, may not be sent to, or cannot be reached.
        MissingBackend: Ray is not installed.
    """
    if on != _HERE and not on.startswith(_THERE):
        raise InvalidInput(Problem("--on", "be ray or ray://HOST:PORT", on, _HINT))
    if on != _HERE:
        refuse_address(on, allowed)
    need_installed("ray", "--on ray")
    import ray

    settings: dict[str, Any] = (
        {"address": "local", "include_dashboard": False} if on == _HERE else {"address": on}
    )
    try:
        _connect(settings)
    except (ConnectionError, RuntimeError, ValueError) as error:
        must = "name a cluster of Ray that answers, of the version that is installed here"
        raise InvalidInput(Problem("--on", must, f"{on}: {_first(error)}", _HINT)) from error
    try:
        yield OnRay()
    finally:
        ray.shutdown()


def _connect(settings: dict[str, Any]) -> None:
    """Connect; a cluster that is too busy to let us in within half a minute is asked again."""
    import ray

    for left in reversed(range(_TIMES)):
        try:
            ray.init(**settings, logging_level="ERROR", log_to_driver=False)
        except ConnectionAbortedError:
            if not left:
                raise
            ray.shutdown()
        else:
            return


class OnRay:
    """The cluster of Ray that is connected to."""

    def score(self, jobs: Sequence[Job], setup: ModelSetup) -> Iterator[tuple[int, Scores]]:
        """Do jobs; see `Elsewhere`. Ray starts a worker anew that dies, and gives out its jobs."""
        import ray

        if not jobs:
            return
        far_setup = replace(
            setup, keep_in=None, progress=None, caches={}, damaged=[], device=_of_worker(setup)
        )
        if asks_for_gpu(setup.device) and not ray.cluster_resources().get("GPU"):
            must = "have machines with a GPU, since study.toml names one under [models] device"
            raise InvalidInput(Problem("--on", must, "none that Ray knows of", _GPU_HINT))
        rows = [{"place": place, "job": job} for place, job in enumerate(jobs)]
        try:
            # Ray Data is led from inside the cluster: a client outside cannot lead it.
            leader = ray.remote(num_cpus=0)(_Leader).remote(rows, far_setup)
            for _ in jobs:
                place, scores = ray.get(leader.following.remote())
                if isinstance(scores, Problem):
                    raise InvalidInput(scores)
                yield place, scores
        except (ray.exceptions.RayError, ConnectionError) as error:
            must = "have workers with this medassay, and the models of these metrics"
            hint = "Install the same packages on every machine of the cluster, then run again."
            raise InvalidInput(Problem("--on", must, _last(error), hint)) from error


class _Leader:
    """What hands the jobs to the workers, from inside the cluster."""

    def __init__(self, rows: Sequence[Mapping[str, object]], setup: ModelSetup) -> None:
        import ray.data

        ray.data.DataContext.get_current().enable_progress_bars = False  # there is one already
        found = ray.data.from_items(list(rows), override_num_blocks=len(rows)).map_batches(
            _Worker,
            fn_constructor_args=(setup,),
            batch_size=1,
            num_cpus=1,
            num_gpus=int(asks_for_gpu(setup.device)),
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=len(rows)),
        )
        self._rows = iter(found.iter_rows())

    def following(self) -> tuple[int, Scores | Problem]:
        """Wait for what is done next."""
        row = next(self._rows)
        return int(row["place"]), row["scores"]


@dataclass
class _Worker:
    """What does jobs on a machine of the cluster: a model is loaded once and kept."""

    setup: ModelSetup

    def __call__(self, batch: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"place": batch["place"], "scores": [self._scores(job) for job in batch["job"]]}

    def _scores(self, job: Job) -> Scores | Problem:
        with use_models(self.setup), keeping_tallies() as tallies:
            metric = resolve(job.metric)
            if metric.made_by != job.made_by:
                must = f"have workers that compute {job.metric} as this machine does"
                got = "another version of a package or a model, or none"
                hint = "Install the same packages and models on every machine of the cluster."
                return Problem("--on", must, got, hint)
            return Scores(ScoreColumns.of(metric.score_batch(job.pairs)), tallies)


def _of_worker(setup: ModelSetup) -> str | dict[str, str]:
    """Name the GPU as a worker sees it: Ray shows each worker one, which is its first."""
    if isinstance(setup.device, str):
        return setup.device.partition(":")[0]
    return {name: device.partition(":")[0] for name, device in setup.device.items()}


def _first(error: BaseException) -> str:
    """Give the first line of what went wrong."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _last(error: BaseException) -> str:
    """Give the last line of what went wrong on a worker: its trace stands before."""
    return next(reversed(str(error).strip().splitlines()), type(error).__name__)
