"""On a cluster of two nodes a study gives the bytes that it gives in one process."""

import os
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.synthetic_study import write_synthetic

from medassay.errors import InvalidInput
from medassay.library import run_and_report
from medassay.models.endpoints import Allowed
from medassay.study import on_ray
from medassay.study.scoring import score_study as scoring

pytestmark = [
    pytest.mark.ray,
    # Ray leaves its log files open, and uses what Python and pandas mean to remove.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
METRICS = ("length", "minilm_match_f1(ref=human)")


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Start two nodes on this machine, as two machines would be, and give their address."""
    from ray.cluster_utils import Cluster

    # Workers give way to everything else unless told not to: on a busy machine they would wait.
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 - the name that Ray gives it
    # A short name, for the sockets in it; gone with the test. Ray makes its own folder in it too
    # late for the note that it writes there of where the cluster is.
    folder = tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True)
    os.environ["RAY_TMPDIR"] = folder.name
    (Path(folder.name) / "ray").mkdir()
    quiet = {"include_dashboard": False, "object_store_memory": 80_000_000, "num_cpus": 1}
    nodes = Cluster(initialize_head=True, head_node_args={**quiet, "ray_client_server_port": 10001})
    nodes.add_node(object_store_memory=80_000_000, num_cpus=1)
    nodes.wait_for_nodes()
    yield "ray://127.0.0.1:10001"
    nodes.shutdown()
    folder.cleanup()


def files_of(run: Path) -> dict[str, bytes]:
    files = (path for path in run.rglob("*") if path.is_file())
    return {path.relative_to(run).as_posix(): path.read_bytes() for path in files}


def workers() -> list[int]:
    """List the processes that score, by the name that Ray gives them."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if words.startswith(b"ray::") and b"_Worker" in words:
            found.append(int(folder.name))
    return found


def test_two_nodes_and_a_worker_that_dies_give_the_same_bytes(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoring, "BLOCK", 8)  # so that a small study has many batches
    for name in ("here", "there"):
        write_synthetic(tmp_path / name, systems=3, cases=40, words=20, raters=2, metrics=METRICS)
    here = run_and_report(tmp_path / "here")
    killed: list[int] = []

    def kill_one() -> None:
        end = time.monotonic() + 120
        while not killed and time.monotonic() < end:
            for pid in workers()[:1]:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
            time.sleep(0.05)

    killer = threading.Thread(target=kill_one)
    killer.start()
    there = run_and_report(tmp_path / "there", on=cluster)
    killer.join()
    assert killed
    assert there.computed == here.computed == 2 * 3 * 40
    assert files_of(there.folder) == files_of(here.folder)


@pytest.mark.parametrize("on", ["spark", "ray:/10.0.0.1", "", "http://127.0.0.1:10001"])
def test_what_is_no_cluster_is_refused(on: str) -> None:
    with (
        pytest.raises(InvalidInput, match="--on: must be ray or ray://HOST:PORT"),
        on_ray(on, Allowed()),
    ):
        pass


def test_texts_that_must_stay_go_to_no_cluster_elsewhere(tmp_path: Path) -> None:
    write_synthetic(tmp_path / "study", systems=2, cases=3, metrics=METRICS, texts="none")
    with pytest.raises(InvalidInput, match=r"send_to = \[\"10.0.0.1\"\]"):
        run_and_report(tmp_path / "study", on="ray://10.0.0.1:10001")


def test_a_gpu_that_no_machine_has_is_refused_and_not_waited_for(
    cluster: str, tmp_path: Path
) -> None:
    write_synthetic(tmp_path / "study", systems=2, cases=3, metrics=METRICS)
    toml = tmp_path / "study" / "study.toml"
    told = toml.read_text(encoding="utf-8") + '\n[models.device]\n"some/model" = "cuda:1"\n'
    toml.write_text(told, encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"--on: must have machines with a GPU.*num-gpus"):
        run_and_report(tmp_path / "study", on=cluster)
