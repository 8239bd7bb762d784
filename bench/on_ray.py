"""A model metric on clusters of one, two and four workers, beside one process.

    python bench/run.py on_ray        (runs in .venv-ray: it needs the extras ray and models)

Each worker has one processor and is a node of its own, as `ray.cluster_utils` makes them on one
machine: more workers than processors show what sharing costs, and no gain. The seconds are those of
the whole run, the model's loading on each worker included; the cluster is there before.
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from peers import run_in
from tools.synthetic_study import write_synthetic

from medassay.library import run_and_report

WORKERS: Final = (1, 2, 4)
METRICS: Final = ("minilm_match_f1(ref=human)",)
SYSTEMS, CASES, WORDS = 4, 768, 100
_ADDRESS: Final = "ray://127.0.0.1:10001"


def main() -> dict[str, object]:
    """Score the same study everywhere; print and return what it took."""
    if importlib.util.find_spec("ray") is None:
        return run_in(".venv-ray", "on_ray")
    found: dict[str, object] = {}
    print(f"{SYSTEMS * CASES:,} answers of {WORDS} words, {os.cpu_count()} processors")
    alone = _seconds(None)
    for name, seconds in {
        "one process": alone,
        **{f"{n} workers": _apart(n) for n in WORKERS},
    }.items():
        rate = SYSTEMS * CASES / seconds
        print(
            f"{name:<12}{seconds:8.1f} s{rate:8.1f} answers/s{alone / seconds:7.2f} x", flush=True
        )
        found[name] = {"seconds": seconds, "answers a second": rate}
    return found


def _apart(workers: int) -> float:
    """Measure in a process of its own: Ray starts no second cluster cleanly in one."""
    asked = [sys.executable, "-c", f"from on_ray import _on; print(_on({workers}))"]
    here = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run(asked, capture_output=True, text=True, check=True, env=here)  # noqa: S603 - our own script
    return float(ended.stdout.split()[-1])


def _on(workers: int) -> float:
    from ray.cluster_utils import Cluster

    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 - the name that Ray gives it
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder:
        os.environ["RAY_TMPDIR"] = folder
        (Path(folder) / "ray").mkdir()  # made by Ray too late for the note that it writes there
        node = {"include_dashboard": False, "object_store_memory": 80_000_000, "num_cpus": 1}
        head = {**node, "ray_client_server_port": 10001}
        nodes = Cluster(initialize_head=True, head_node_args=head)
        for _ in range(workers - 1):
            nodes.add_node(**node)
        nodes.wait_for_nodes()
        try:
            return _seconds(_ADDRESS)
        finally:
            nodes.shutdown()


def _seconds(on: str | None) -> float:
    with tempfile.TemporaryDirectory() as folder:
        study = Path(folder) / "study"
        write_synthetic(study, systems=SYSTEMS, cases=CASES, words=WORDS, raters=1, metrics=METRICS)
        begun = time.perf_counter()
        run_and_report(study, on=on)
        return time.perf_counter() - begun
