"""Each standard study run once for all tests of a session, also where several processes test."""

import json
import shutil
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tools.standard.run import StandardRun, run_standard

_PATIENCE: Final = 600
"""Seconds after which a run that another process began is taken for dead."""
_Seen = dict[str, tuple[int, int]]


@dataclass
class SharedRuns:
    """Runs in a folder that all processes of one session know; nothing outlives the session.

    Attributes:
        folder: Where they are.
    """

    folder: Path
    _known: dict[str, tuple[StandardRun, _Seen]] = field(default_factory=dict)

    def __call__(self, name: str) -> StandardRun:
        """Give a finished run, to be read only: what is written into it fails the session."""
        if name not in self._known:
            told = self._made(name)
            one = StandardRun(name, self.folder / name / name, Path(told["folder"]))
            self._known[name] = one, _seen(one.study)
        return self._known[name][0]

    def copy(self, name: str, into: Path) -> StandardRun:
        """Give a copy to write into: the study, its run, and what it kept."""
        one = self(name)
        study = Path(shutil.copytree(one.study, into / name))
        kept = self.folder / name / f"{name}-results-whole.json"
        shutil.copyfile(kept, into / kept.name)
        return StandardRun(name, study, study / one.folder.relative_to(one.study))

    def changed(self) -> list[str]:
        """Name the files that somebody wrote, changed or removed since they were handed out."""
        return [
            f"{name}: {path}"
            for name, (one, before) in self._known.items()
            for now in [_seen(one.study)]
            for path in sorted(before.keys() | now.keys())
            if before.get(path) != now.get(path)
        ]

    def _made(self, name: str) -> dict[str, str]:
        """Run it, or wait for whoever began to."""
        around = self.folder / name
        told = around / "told.json"
        try:
            around.mkdir(parents=True)
        except FileExistsError:
            return _waited_for(told, name)
        try:
            said = {"folder": str(run_standard(name, around).folder)}
        except Exception:  # noqa: BLE001 - whoever waits for it must be told, whatever it is
            said = {"failed": traceback.format_exc()}
        unfinished = around / "told.json.part"
        unfinished.write_text(json.dumps(said), encoding="utf-8")
        unfinished.rename(told)
        return _checked(said, name)


def _waited_for(told: Path, name: str) -> dict[str, str]:
    end = time.monotonic() + _PATIENCE
    while not told.exists():
        if time.monotonic() > end:
            message = (
                f"the process that runs the standard study {name} told nothing in {_PATIENCE} s"
            )
            raise TimeoutError(message)
        time.sleep(0.05)
    said: dict[str, str] = json.loads(told.read_text(encoding="utf-8"))
    return _checked(said, name)


def _checked(said: dict[str, str], name: str) -> dict[str, str]:
    if "failed" in said:
        raise RuntimeError(f"the standard study {name} cannot be run:\n{said['failed']}")
    return said


def _seen(folder: Path) -> _Seen:
    """Note size and time of every file."""
    files = {path: path.stat() for path in folder.rglob("*") if path.is_file()}
    return {
        str(path.relative_to(folder)): (now.st_size, now.st_mtime_ns) for path, now in files.items()
    }
