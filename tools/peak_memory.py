"""The most memory that this process has held, not counting the process that started it.

`python -m tools.peak_memory FILE MODULE WORD...` runs a module as `python -m` would and writes
its peak, in megabytes, to the file.
"""

import resource
import runpy
import sys
from pathlib import Path

_STATUS = Path("/proc/self/status")


def peak_megabytes() -> float:
    """Give this process's own peak of resident memory, in units of 2²⁰ bytes.

    On Linux `getrusage` hands a new program the peak of the program it was started from, so a
    small script under a large test run would seem as large; the kernel's own count starts anew.
    """
    if _STATUS.exists():
        lines = _STATUS.read_text(encoding="ascii", errors="replace").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2


def main() -> None:
    """Run the module that the command line names and write down its peak."""
    into, module, *words = sys.argv[1:]
    sys.argv = [module, *words]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    finally:
        Path(into).write_text(f"{peak_megabytes():.1f}\n", encoding="ascii")


if __name__ == "__main__":
    main()
