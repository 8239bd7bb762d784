"""A run whose cases, answers and kept scores lie in an object store, beside the same run here.

    python bench/run.py urls        (runs in .venv-urls: it needs the extra urls, and moto)

The store is a thread of this process: it adds to what the processors do, and what a network takes
comes beside. The seconds are those of the whole
run, report and all; the second run from the store has an empty folder and finds every score there.
"""

import importlib.util
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from peers import run_in
from tools.synthetic_study import write_synthetic

from medassay.library import run_and_report
from medassay.study import fetch_urls

SYSTEMS, CASES, WORDS = 20, 500, 100
METRICS: Final = ("length", "rouge1(ref=human)", "bleu(ref=human)")
_BUCKET: Final = "bench"


def main() -> dict[str, object]:
    """Run the same study from both; print and return what each step took."""
    if importlib.util.find_spec("s3fs") is None:
        return run_in(".venv-urls", "urls")
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # it tells of every request
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    os.environ |= {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "bench",
        "AWS_SECRET_ACCESS_KEY": "bench",
    }
    with tempfile.TemporaryDirectory() as folder:
        found = _measure(Path(folder))
    server.stop()
    print(f"{SYSTEMS * CASES:,} answers of {WORDS} words, {os.cpu_count()} processors")
    for step, (seconds, used) in found.items():
        print(f"{step:<36}{seconds:8.1f} s{used:8.1f} s of processors")
    return {step: {"seconds": both[0], "of processors": both[1]} for step, both in found.items()}


def _measure(folder: Path) -> dict[str, tuple[float, float]]:
    import boto3

    here, first, second = (folder / name for name in ("here", "first", "second"))
    write_synthetic(here, systems=SYSTEMS, cases=CASES, words=WORDS, raters=1, metrics=METRICS)
    shutil.copytree(here, first)
    bucket = boto3.resource("s3").Bucket(_BUCKET)
    bucket.create()
    for path in [first / "cases.jsonl", *(first / "answers").iterdir()]:
        bucket.upload_file(str(path), path.relative_to(first).as_posix())
        path.unlink()
    place = f"s3://{_BUCKET}"
    named = {"cases": "cases.jsonl", "answers": "answers/", "kept": "kept/"}
    lines = (f'{part} = "{place}/{name}"\n' for part, name in named.items())
    (first / "urls.toml").write_text("".join(lines), encoding="utf-8")
    shutil.copytree(first, second)
    return {
        "here, run": _seconds(lambda: run_and_report(here)),
        "store, fetch": _seconds(lambda: fetch_urls(first)),
        "store, run and add what is kept": _seconds(lambda: run_and_report(first, share=True)),
        "store, look whether anything changed": _seconds(lambda: fetch_urls(first)),
        "store, fetch again elsewhere": _seconds(lambda: fetch_urls(second)),
        "store, run with all scores there": _seconds(lambda: run_and_report(second, share=True)),
    }


def _seconds(work: Callable[[], object]) -> tuple[float, float]:
    """Give seconds, and those of processors, of copies of this process too."""
    begun, used = time.perf_counter(), sum(os.times()[:4])
    work()
    return time.perf_counter() - begun, sum(os.times()[:4]) - used
