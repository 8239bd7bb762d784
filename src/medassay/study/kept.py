"""Scores that were computed once and need not be computed again.

Each metric signature has a folder; each file in it holds some scores under the content key of what
the metric read. Files are written whole, never changed, and named by the hash of their own bytes:
a run that is killed leaves only whole files, two runs never disturb each other, and a damaged file
does not match its name and is removed.
"""

import hashlib
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from medassay.scores import Reason, Score, Unscored, score_columns
from medassay.tables import write_atomically

__all__ = ["KeptScores"]

# Many small files slow the next run down; past this many they are written into one.
_MOST_FILES: Final = 64


class KeptScores:
    """The kept scores of one metric signature.

    Attributes:
        damaged: Files that did not match their name: not read, and removed.
    """

    def __init__(self, folder: Path, digest: str) -> None:
        self._folder = folder / digest[:16]
        self._scores: dict[str, Score | Unscored] = {}
        self.damaged: list[Path] = []
        paths = sorted(self._folder.glob("*.parquet")) if self._folder.is_dir() else []
        for path in paths:
            try:
                content = path.read_bytes()
            except FileNotFoundError:
                continue  # another run has just put the small files into one
            if _name_of(content) == path.name:
                self._scores.update(_unpack(content))
            else:
                self.damaged.append(path)
                path.unlink(missing_ok=True)
        if len(paths) > _MOST_FILES:
            self._compact(paths)

    def __getitem__(self, key: str) -> Score | Unscored:
        """Give the score kept under a content key."""
        return self._scores[key]

    def __contains__(self, key: str) -> bool:
        """Tell whether a score is kept under a content key."""
        return key in self._scores

    def keep(self, scores: Mapping[str, Score | Unscored]) -> None:
        """Keep scores under their content keys. A failure is never kept: it is tried again."""
        lasting = {
            key: score
            for key, score in scores.items()
            if not (isinstance(score, Unscored) and score.reason in _PASSING)
        }
        if lasting:
            self._write(lasting)
        self._scores.update(scores)

    def _write(self, scores: Mapping[str, Score | Unscored]) -> Path:
        content = _pack(scores)
        path = self._folder / _name_of(content)
        if not path.exists():
            write_atomically(path, content)
        return path

    def _compact(self, paths: Iterable[Path]) -> None:
        whole = self._write(self._scores) if self._scores else None
        for path in paths:
            if path != whole:
                path.unlink(missing_ok=True)


_PASSING: Final = frozenset({Reason.FAILED, Reason.BACKEND_MISSING})


def _name_of(content: bytes) -> str:
    return f"{hashlib.sha256(content).hexdigest()[:32]}.parquet"


def _pack(scores: Mapping[str, Score | Unscored]) -> bytes:
    import polars as pl

    keys = sorted(scores)
    columns = score_columns([scores[key] for key in keys])
    out = io.BytesIO()
    frame = pl.DataFrame({"key": pl.Series("key", keys, dtype=pl.String()), **columns})
    frame.write_parquet(out, statistics=False)
    return out.getvalue()


def _unpack(content: bytes) -> dict[str, Score | Unscored]:
    import polars as pl

    kept: dict[str, Score | Unscored] = {}
    for key, value, reason, detail, parts in pl.read_parquet(io.BytesIO(content)).iter_rows():
        if reason is None:
            kept[key] = Score(value, tuple(parts))
        else:
            kept[key] = Unscored(Reason(reason), detail)
    return kept
