"""An environment for the peers that medassay is compared with: .venv-bench, made when first needed.

Peers pin libraries of their own and are never installed beside medassay. Each peer script runs
there as a process of its own and prints one JSON document.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

__all__ = ["Measured", "peer_python", "run_json"]

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


def run_json(*command: str) -> Measured:
    """Run a command and read the JSON document that it prints."""
    found: Measured = json.loads(_run(*command))
    return found


def _run(*command: str) -> str:
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - the commands of this folder
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout
