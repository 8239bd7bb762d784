"""An environment for the peers that medassay is compared with: .venv-bench, made when first needed.

Peers pin libraries of their own and are never installed beside medassay. Each peer script runs
there as a process of its own and prints one JSON document.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

__all__ = ["Measured", "peer_python", "run_in", "run_json", "torch_python"]

ROOT: Final = Path(__file__).parents[1]
Measured = dict[str, object]


def peer_python(*packages: str) -> str:
    """Give the interpreter of the peers' environment, with these packages installed."""
    folder = ROOT / ".venv-bench"
    python = folder / "bin" / "python"
    if not python.exists():
        _run(sys.executable, "-m", "venv", str(folder))
    wanted = "import importlib.metadata as m, sys; [m.version(p) for p in sys.argv[1:]]"
    asked = [str(python), "-c", wanted, *packages]
    known = subprocess.run(asked, check=False, capture_output=True)  # noqa: S603 - our own interpreter and code
    if known.returncode:
        install = ["install", "--quiet", "--disable-pip-version-check", *packages]
        _run(str(python), "-m", "pip", *install)
    return str(python)


def torch_python(bench: str, threads: int) -> str:
    """Give the interpreter that has torch, for processes on so many threads that read our source.

    Args:
        bench: Who asks, for the message where `make test-torch` has not made it.
        threads: What the processes started after this may use.
    """
    python = ROOT / ".venv-torch" / "bin" / "python"
    if not python.exists():
        raise SystemExit(f"bench {bench}: run `make test-torch` first: it installs torch")
    path = [str(ROOT), str(ROOT / "src")]
    limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(threads))
    os.environ |= {"HF_HUB_OFFLINE": "1", "PYTHONPATH": os.pathsep.join(path), **limits}
    return str(python)


def run_in(environment: str, bench: str) -> Measured:
    """Run a bench whole in another of our environments, such as .venv-llm; give its findings."""
    python = ROOT / environment / "bin" / "python"
    if not python.exists():
        raise SystemExit(f"bench {bench}: run `make {environment}/.installed` first")
    command = [str(python), str(ROOT / "bench" / "run.py"), bench]
    subprocess.run(command, check=True)  # noqa: S603 - our own interpreter and code
    out = ROOT / "bench" / "out" / f"{bench}.json"
    found: Measured = json.loads(out.read_text(encoding="utf-8"))
    return found


def run_json(*command: str) -> Measured:
    """Run a command and read the JSON document that it prints."""
    found: Measured = json.loads(_run(*command))
    return found


def _run(*command: str) -> str:
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - the commands of this folder
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout
