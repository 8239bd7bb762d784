"""Scores that were computed once and need not be computed again.

Each metric signature has a folder; each file in it holds some scores under the content key of what
the metric read. Files are written whole, never changed, and named by the hash of their own bytes:
a run that is killed leaves only whole files, two runs never disturb each other, and a damaged file
does not match its name and is removed.
"""

import hashlib
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from medassay.scores import Reason, ScoreColumns
from medassay.tables import write_atomically

if TYPE_CHECKING:
    import polars as pl

__all__ = ["KeptScores"]

# Many small files slow the next run down; past this many they are written into one.
_MOST_FILES: Final = 64
_COLUMNS: Final = ("value", "reason", "detail", "parts")


class KeptScores:
    """The kept scores of one metric signature.

    Attributes:
        damaged: Files that did not match their name: not read, and removed.
    """

    def __init__(self, folder: Path, digest: str) -> None:
        self._folder = folder / digest[:16]
        self._row: dict[str, int] = {}
        self._frames: list[pl.DataFrame] = []
        self.damaged: list[Path] = []
        paths = sorted(self._folder.glob("*.parquet")) if self._folder.is_dir() else []
        for path in paths:
            try:
                content = path.read_bytes()
            except FileNotFoundError:
                continue  # another run has just put the small files into one
            if _name_of(content) == path.name:
                self._take(_unpack(content))
            else:
                self.damaged.append(path)
                path.unlink(missing_ok=True)
        if len(paths) > _MOST_FILES:
            self._compact(paths)

    def __len__(self) -> int:
        """Count the keys."""
        return len(self._row)

    def __contains__(self, key: str) -> bool:
        """Tell whether a score is kept under a content key."""
        return key in self._row

    def rows(self, keys: Sequence[str]) -> "pl.DataFrame":
        """Give the scores kept under content keys: value, reason, detail and parts, a row a key."""
        import polars as pl

        self._frames = [pl.concat(self._frames or [ScoreColumns.of([]).frame()])]
        return self._frames[0][[self._row[key] for key in keys]].select(_COLUMNS)

    def keep(self, keys: Sequence[str], rows: "pl.DataFrame") -> None:
        """Keep scores under their content keys. A failure is never kept: it is tried again.

        Args:
            keys: The keys.
            rows: As many scores: value, reason, detail and parts.
        """
        import polars as pl

        frame = rows.select(pl.Series("key", keys, dtype=pl.String()), *_COLUMNS)
        lasting = frame.filter(pl.col("reason").is_in(_PASSING).not_().fill_null(value=True))
        if lasting.height:
            self._write(lasting)
        self._take(frame)

    def _take(self, frame: "pl.DataFrame") -> None:
        start = sum(one.height for one in self._frames)
        self._row.update({key: start + i for i, key in enumerate(frame["key"].to_list())})
        self._frames.append(frame)

    def _write(self, frame: "pl.DataFrame") -> Path:
        out = io.BytesIO()
        frame.sort("key").write_parquet(out, statistics=False)
        content = out.getvalue()
        path = self._folder / _name_of(content)
        if not path.exists():
            write_atomically(path, content)
        return path

    def _compact(self, paths: Iterable[Path]) -> None:
        import polars as pl

        whole = self._write(pl.concat(self._frames).unique("key")) if self._frames else None
        for path in paths:
            if path != whole:
                path.unlink(missing_ok=True)


_PASSING: Final = (Reason.FAILED.value, Reason.BACKEND_MISSING.value)


def _name_of(content: bytes) -> str:
    return f"{hashlib.sha256(content).hexdigest()[:32]}.parquet"


def _unpack(content: bytes) -> "pl.DataFrame":
    import polars as pl

    return pl.read_parquet(io.BytesIO(content))
