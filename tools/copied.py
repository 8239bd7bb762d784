"""The process that `tools.forked` copies for each command: python -m tools.copied SOCKET."""

import gc
import json
import os
import pkgutil
import runpy
import select
import socket
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Final, NoReturn

import medassay
from tools.forked import UNDRAWN
from tools.quick_runs import printing

_HEAVY: Final = (
    "jinja2", "matplotlib.backends.backend_agg", "matplotlib.backends.backend_pdf",
    "matplotlib.backends.backend_svg", "polars", "rich.progress", "rich.table", "sacrebleu",
    "scipy.optimize", "scipy.special", "scipy.stats", "xlsxwriter",
)  # fmt: skip
"""What functions of ours import when they are called."""
_HEAD: Final = 8
_STREAMS: Final = 3
_FAILED: Final = 1


def read_libraries() -> None:
    """Read what any command may need, so that no copy of this process reads it again.

    Polars is among it: it starts its threads, which a copy loses, when it is first asked something.
    """
    for module in pkgutil.walk_packages(medassay.__path__, "medassay."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    for name in _HEAVY:
        import_module(name)
    # A copy that looked through what is there already would copy all of it.
    gc.collect()
    gc.freeze()


def main(place: str) -> None:
    """Read every library, then copy this process for each command that comes."""
    read_libraries()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place)
        listener.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            ready, _, _ = select.select([listener, sys.stdin], [], [])
            # Who asked reads the code from the line; what a copy took counts once it is waited for.
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            if sys.stdin in ready:
                return
            line, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                _serve(line)
            line.close()


def _serve(line: socket.socket) -> NoReturn:
    """Become the command that was asked for, and say how it ended."""
    head, streams, _, _ = socket.recv_fds(line, _HEAD, _STREAMS)
    told = b""
    while len(told) < int(head):
        told += line.recv(int(head) - len(told))
    words, folder, environment = json.loads(told)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False, buffering=1)
    code = _FAILED
    try:
        with printing(drawn=UNDRAWN not in environment):
            if words[:1] == ["-c"]:
                _run_code(*words[1:])
            else:
                sys.argv[1:] = words
                runpy.run_module("medassay", run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as end:
        code = _code(end)
    except BaseException:  # noqa: BLE001 - as Python itself ends with whatever nobody caught
        traceback.print_exc()
    finally:
        for one in (sys.stdout, sys.stderr):
            # Whoever read it may have read enough, as `head` does.
            with suppress(BrokenPipeError):
                one.flush()
        line.sendall(str(code).encode())
        os._exit(code)


def _run_code(text: str) -> None:
    """Run a piece of Python as `python -c` does: imports look into the folder first."""
    sys.argv[:] = ["-c"]
    sys.path.insert(0, "")
    module = ModuleType("__main__")
    sys.modules["__main__"] = module
    exec(compile(text, "<string>", "exec"), module.__dict__)  # noqa: S102 - a page's own words


def _code(end: SystemExit) -> int:
    if isinstance(end.code, str):
        sys.stderr.write(f"{end.code}\n")
        return _FAILED
    return end.code or 0


if __name__ == "__main__":
    main(sys.argv[1])
