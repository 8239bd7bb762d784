"""A run computed anew beside the one that was there: which bytes are the same, and which are not.

That is the check of a study that somebody sent. The one that was there is moved aside before
anything is written and removed if nothing of it differs, so that a difference can be looked at.
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from medassay.study.files.names import file_hash
from medassay.study.runs.manifest import MANIFEST

__all__ = ["Checked", "check_against", "set_aside"]

REPLACED: Final = "replaced"
"""The folder of `results` for what a run computed anew took the place of."""
_SOME: Final = "other versions of what a metric runs on"
_OF_VERSIONS: Final = ("medassay", "libraries", "metrics")


@dataclass(frozen=True)
class Checked:
    """A run that was there, beside the one that was computed now.

    Attributes:
        against: The run that was there.
        files: How many files it has.
        differing: Those that are other bytes now.
        gone: Those that are not written now.
        added: Those that are written now and were not there.
        versions: What computed it that another version computes now, each with both versions.
        kept_in: Where it lies in the study, if it is still there.
    """

    against: str
    files: int
    differing: tuple[str, ...]
    gone: tuple[str, ...]
    added: tuple[str, ...]
    versions: tuple[str, ...]
    kept_in: str

    @property
    def same(self) -> int:
        """Count the files that are the same bytes."""
        return self.files - len(self.differing) - len(self.gone)


def set_aside(folder: Path) -> None:
    """Move a run out of the way of one that is computed anew.

    A run that has no manifest was not finished, and takes the place of none that was: it lies
    beside what an earlier check set aside before it was killed, and both are compared.
    """
    aside, unfinished = _asides(folder)
    if not folder.is_dir():
        return
    place = unfinished if aside.is_dir() and not (folder / MANIFEST).is_file() else aside
    if place.is_dir():
        shutil.rmtree(place)
    place.parent.mkdir(exist_ok=True)
    folder.rename(place)


def check_against(folder: Path) -> tuple[Checked, ...]:
    """Compare a run that was computed anew with those of the same files and choices.

    These are the one that was set aside, and those that differ from it in nothing but what computed
    them: their names differ, and so do the files that print names and signatures.
    """
    now = _files(folder)
    comparisons = []
    for aside in _asides(folder):
        if aside.is_dir():
            checked = _compared(aside, now, ())
            if not (checked.differing or checked.gone):
                shutil.rmtree(aside)
            comparisons.append(checked)
    replaced = folder.parent / REPLACED
    if replaced.is_dir() and not any(replaced.iterdir()):
        replaced.rmdir()
    ours = _manifest(folder)
    for path in sorted(folder.parent.glob(f"*/{MANIFEST}")):
        theirs = _manifest(path.parent) if path.parent != folder else {}
        versions = _versions(theirs, ours)
        if versions:
            comparisons.append(_compared(path.parent, now, versions))
    return tuple(comparisons)


def _asides(folder: Path) -> tuple[Path, Path]:
    """Give the places for a run that was there: one that was finished, and one that was not."""
    replaced = folder.parent / REPLACED
    return replaced / folder.name, replaced / f"{folder.name}-unfinished"


def _compared(before: Path, now: Mapping[str, str], versions: tuple[str, ...]) -> Checked:
    there = _files(before)
    differing = tuple(name for name in there if name in now and there[name] != now[name])
    gone = tuple(name for name in there if name not in now)
    added = tuple(name for name in now if name not in there)
    inside = before.relative_to(_results(before).parent).as_posix()
    kept_in = inside if versions or differing or gone else ""
    return Checked(before.name, len(there), differing, gone, added, versions, kept_in)


def _results(run: Path) -> Path:
    return run.parents[1] if run.parent.name == REPLACED else run.parent


def _files(folder: Path) -> dict[str, str]:
    """Hash the files of a run but its manifest, which is made of these hashes."""
    return {
        path.relative_to(folder).as_posix(): file_hash(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != MANIFEST and not path.name.startswith(".")
    }


def _manifest(run: Path) -> dict[str, object]:
    try:
        facts = json.loads((run / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return facts if isinstance(facts, dict) and isinstance(facts.get("choices"), dict) else {}


def _versions(theirs: Mapping[str, object], ours: Mapping[str, object]) -> tuple[str, ...]:
    """Say which versions differ between two runs; nothing where anything else does."""
    before, now = theirs.get("choices"), ours.get("choices")
    if not isinstance(before, dict) or not isinstance(now, dict):
        return ()
    if theirs.get("inputs") != ours.get("inputs") or _chosen(before) != _chosen(now):
        return ()
    return tuple(_differing(_named(before), _named(now))) or (_SOME,)


def _chosen(choices: Mapping[str, object]) -> dict[str, object]:
    """Give what a run was asked for: of metrics the names, not what they are made with."""
    metrics = choices.get("metrics")
    names = sorted(metrics) if isinstance(metrics, dict) else []
    rest = {name: value for name, value in choices.items() if name not in _OF_VERSIONS}
    return {**rest, "metrics": names}


def _named(choices: Mapping[str, object]) -> dict[str, str]:
    libraries = choices.get("libraries")
    named = {**libraries} if isinstance(libraries, dict) else {}
    named["medassay"] = choices.get("medassay")
    return {str(name): str(version) for name, version in named.items()}


def _differing(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    for name in sorted(before.keys() | now.keys()):
        old, new = before.get(name, "no word of it"), now.get(name, "no word of it")
        if old != new:
            yield f"{name} {old}, now {new}"
