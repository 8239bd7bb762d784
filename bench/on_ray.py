"""A model metric on clusters of some workers, beside one process on one processor and on all.

    python bench/run.py on_ray                       (2,048 short answers on 1, 2 and 4 workers)
    python bench/on_ray.py CASES WORDS WORKERS ...   (larger machines; in an environment with Ray)

The first runs in .venv-llm; both need the extras ray and models. Each worker is a node of its own,
as `ray.cluster_utils` makes them on one machine, and is kept to one processor: more workers than
processors show what sharing costs, and no gain. Work is given out in blocks of 512 answers, so
workers beyond CASES / 128 have nothing to do. The seconds are those of the whole run, the report
and the model's loading on each worker included; the cluster is there before.
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "bench"), str(ROOT), str(ROOT / "src")]

from peers import run_in  # noqa: E402 - found by the line above
from tools.synthetic_study import write_synthetic  # noqa: E402

from medassay.library import run_and_report  # noqa: E402

WORKERS: Final = (1, 2, 4)
METRICS: Final = ("minilm_match_f1(ref=human)",)
SYSTEMS, CASES, WORDS = 4, 512, 25
_ADDRESS: Final = "ray://127.0.0.1:10001"
_BASE: Final = "one process, one processor"


def main(
    cases: int = CASES, words: int = WORDS, workers: Sequence[int] = WORKERS
) -> dict[str, object]:
    """Score the same study everywhere; print and return what it took."""
    if importlib.util.find_spec("ray") is None:
        return run_in(".venv-llm", "on_ray")
    found: dict[str, object] = {}
    answers = SYSTEMS * cases
    print(f"{answers:,} answers of {words} words, {len(_processors())} processors", flush=True)
    alone = 0.0
    for name, call in {
        _BASE: f"_alone({cases}, {words}, 1)",
        "one process, all": f"_alone({cases}, {words}, {len(_processors())})",
        **{f"{n} workers": f"_on({cases}, {words}, {n})" for n in workers},
    }.items():
        seconds = _apart(call)
        alone = alone or seconds
        rate = answers / seconds
        print(
            f"{name:<28}{seconds:8.1f} s{rate:8.1f} answers/s{alone / seconds:7.2f} x", flush=True
        )
        found[name] = {"seconds": seconds, "answers a second": rate}
    return found


def _processors() -> list[int]:
    return sorted(os.sched_getaffinity(0))


def _apart(call: str) -> float:
    """Measure in a process of its own: Ray starts no second cluster cleanly in one."""
    asked = [sys.executable, "-c", f"from on_ray import _alone, _on; print({call})"]
    here = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run(asked, stdout=subprocess.PIPE, text=True, check=True, env=here)  # noqa: S603 - our own script
    return float(ended.stdout.split()[-1])


def _alone(cases: int, words: int, processors: int) -> float:
    os.sched_setaffinity(0, _processors()[:processors])
    return _seconds(cases, words, None)


def _on(cases: int, words: int, workers: int) -> float:
    from ray.cluster_utils import Cluster

    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 - the name that Ray gives it
    every = _processors()
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder:
        os.environ["RAY_TMPDIR"] = folder
        (Path(folder) / "ray").mkdir()  # made by Ray too late for the note that it writes there
        node = {"include_dashboard": False, "object_store_memory": 80_000_000, "num_cpus": 1}
        head = {**node, "ray_client_server_port": 10001}
        # A node's processes keep to the processors that this process has when it starts them.
        os.sched_setaffinity(0, {every[0]})
        nodes = Cluster(initialize_head=True, head_node_args=head)
        for number in range(1, workers):
            os.sched_setaffinity(0, {every[number % len(every)]})
            nodes.add_node(**node)
        os.sched_setaffinity(0, every)
        nodes.wait_for_nodes()
        try:
            return _seconds(cases, words, _ADDRESS)
        finally:
            nodes.shutdown()


def _seconds(cases: int, words: int, on: str | None) -> float:
    with tempfile.TemporaryDirectory() as folder:
        study = Path(folder) / "study"
        write_synthetic(study, systems=SYSTEMS, cases=cases, words=words, raters=1, metrics=METRICS)
        begun = time.perf_counter()
        run_and_report(study, on=on)
        return time.perf_counter() - begun


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    cases, words, *workers = [*numbers, *(CASES, WORDS)[len(numbers) :]]
    print(json.dumps(main(cases, words, workers or WORKERS), indent=2))
