"""What the command sets for its own process, and leaves alone where Python code calls it."""

import gc
import os
import subprocess
import sys

import pytest

from medassay.__main__ import THREADS, main

SHOW = """
import gc, os, sys
from medassay.__main__ import THREADS, main
sys.argv = ["medassay", "--version"]
try:
    main()
except SystemExit:
    pass
print(*(os.environ[threads] for threads in THREADS), gc.get_threshold()[0])
"""


def _shown(environment: dict[str, str]) -> list[str]:
    told = subprocess.run(  # noqa: S603 - our own lines
        [sys.executable, "-c", SHOW], env=environment, check=True, capture_output=True, text=True
    )
    return told.stdout.split("\n")[-2].split()


def test_what_is_small_takes_one_thread_unless_the_user_says_otherwise() -> None:
    own = {name: value for name, value in os.environ.items() if name not in THREADS}
    assert _shown(own) == ["1", "1", "50000"]
    for place, threads in enumerate(THREADS):
        told = ["1", "1", "50000"]
        told[place] = "3"
        assert _shown({**own, threads: "3"}) == told


def test_a_call_from_python_changes_nothing_for_its_process() -> None:
    before = gc.get_threshold()
    with pytest.raises(SystemExit):
        main(["--version"])
    assert gc.get_threshold() == before
