"""Scores that were computed once and need not be computed again.

Each metric, as made here (`BoundMetric.made_by`), has a folder; each file in it holds some scores
under the content key of what the metric read. Files are written whole, never changed, and named by
the hash of their own bytes: a run that is killed leaves only whole files, two runs never disturb
each other, and a damaged file does not match its name and is removed.

A name that fits shows no more than that nothing was damaged: whoever sends a study can write what
they like under a name that fits. So what is read must be what the metric can give, or the file is
removed with a word; what is in range and false shows only when it is computed anew (`fresh`).
"""

import io
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from medassay.annotations import Guarded
from medassay.errors import Problem
from medassay.scores import Reason, ScoreColumns
from medassay.tables import json_bytes, name_by_content, write_atomically, write_by_content

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

KEPT: Final = Path("results") / "kept"
"""Where a study keeps scores."""

# Many small files slow the next run down; past this many they are written into one.
_MOST_FILES: Final = 64
_MERGED: Final = "merged.json"
_MOST_HELD: Final = 200_000
"""More scores of a metric are read from disk portion by portion."""
_SHARED: Final = 2
"""Where so many answers share a score, as that of a choice, others share it too: it is held on."""
_COLUMNS: Final = ("value", "reason", "detail", "parts")
_AGAIN: Final = "It was removed, and its scores are computed again."


@dataclass(frozen=True, slots=True)
class Expected:
    """What the scores of a metric can be.

    Attributes:
        low: The least value; None if there is none.
        high: The largest value; None if there is none.
        parts: How many parts come with each value; None if that is not known.
    """

    low: float | None = None
    high: float | None = None
    parts: int | None = None

    def wrong(self, frame: "pl.DataFrame") -> str:
        """Say what the metric cannot have given, of the first such row; empty if there is none."""
        import polars as pl

        value, reason, parts = pl.col("value"), pl.col("reason"), pl.col("parts")
        good = value.is_finite() & reason.is_null()
        good &= parts.list.eval(pl.element().is_finite().fill_null(value=False)).list.all()
        if self.low is not None:
            good &= value >= self.low
        if self.high is not None:
            good &= value <= self.high
        if self.parts is not None:
            good &= parts.list.len() == self.parts
        missing = value.is_null() & reason.is_in(_LASTING) & (parts.list.len() == 0)
        strange = frame.filter((good | missing).fill_null(value=False).not_())
        if not strange.height:
            return ""
        first = strange.row(0, named=True)
        text = ", ".join(f"{name} {first[name]}" for name in ("value", "reason", "parts"))
        return f"{text} for {strange.height:,} of {frame.height:,}"


def kept_folder(kept: Path, made_by: str) -> Path:
    """Give the folder that holds the scores made in one way.

    Args:
        kept: Where scores are kept.
        made_by: The hash of all that a value depends on beside what is scored.
    """
    return kept / made_by[:16]


class Merged(BaseModel):
    """Which small files were put into one, for who exchanges files with other runs.

    Attributes:
        into: The file that holds all of them.
        files: What they were called.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    into: Annotated[str, Guarded("medassay.study.scoring.score_cache.Merged.read")] = ""
    files: Annotated[list[str], Guarded("medassay.study.scoring.score_cache.Merged.read")] = []

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read what was put together in a folder of kept scores; nothing, if that is not known."""
        try:
            merged = cls.model_validate_json((folder / _MERGED).read_bytes())
        except (OSError, ValidationError):
            return cls()
        return merged if (folder / Path(merged.into).name).is_file() else cls()


class ScoreCache:
    """The kept scores of one metric.

    Attributes:
        damaged: Files that did not match their name, or hold what the metric cannot give: not
            believed, and removed.
    """

    def __init__(
        self,
        folder: Path,
        digest: str,
        expected: Expected = Expected(),
        *,
        fresh: bool = False,
    ) -> None:
        self._folder = kept_folder(folder, digest)
        self._expected = expected
        self._row: dict[str, int] = {}
        self._frames: list[pl.DataFrame] = []
        self._held: list[_File] = []
        self._apart: list[_File] = []
        self._failed = False
        self.damaged: list[Problem] = []
        if fresh and self._folder.is_dir():
            shutil.rmtree(self._folder)  # or what was there would be believed the next time
        paths = sorted(self._folder.glob("*.parquet")) if self._folder.is_dir() else []
        for path in paths:
            frame = self._read(path)
            if frame is None:
                continue
            file = _File.of(path, frame, before=True)
            if len(self._row) + frame.height <= _MOST_HELD:
                self._take(frame, file)
            else:
                self._apart.append(file)
        if len(paths) > _MOST_FILES and not self._apart:
            self._compact(paths)

    def _read(self, path: Path) -> "pl.DataFrame | None":
        """Read a file that can be believed; one that cannot is removed, and named."""
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None  # another run has just put the small files into one
        frame, got = _CHANGED
        if name_by_content(content) == path.name:
            frame, got = _unpack(content)
        if frame is not None:
            got = self._expected.wrong(frame)
        if not got:
            return frame
        must = "hold scores that its metric can give"
        self.damaged.append(Problem(str(path), must, got, _AGAIN))
        path.unlink(missing_ok=True)
        return None

    def __len__(self) -> int:
        """Count the keys."""
        return len(self._row) + sum(len(file.marks) for file in self._apart)

    def fetch(self, keys: Sequence[str]) -> None:
        """Read what is kept under these keys and was put aside."""
        import polars as pl

        if not self._apart:
            return
        wanted = np.sort(_marks(pl.Series("key", keys, dtype=pl.String())))
        for file in self._apart:
            if not file.has_any(wanted):
                continue
            frame = self._read(file.path)
            if frame is not None:
                some = frame.filter(pl.col("key").is_in(set(keys) - self._row.keys()))
                self._take(some, file)

    def put_aside(self, answers: int) -> None:
        """Hold no scores in memory that so many answers had: `fetch` finds them on disk again.

        Scores that answers share are held on, as long as none of them failed: that is tried again.
        """
        if not (self._apart or self._failed) and _SHARED * len(self._row) <= answers:
            return
        here = {file.path: file for file in (*self._apart, *self._held)}
        self._apart = [file for file in here.values() if file.whole]
        self._row, self._frames, self._held = {}, [], []
        self._failed = False

    def before(self, keys: Sequence[str]) -> int:
        """Count the keys whose score was kept before this cache was opened."""
        ends = np.cumsum([frame.height for frame in self._frames])
        old = np.array([file.before for file in self._held], dtype=bool)
        rows = [self._row[key] for key in keys if key in self._row]
        return int(old[np.searchsorted(ends, rows, side="right")].sum()) if rows else 0

    def __contains__(self, key: str) -> bool:
        """Tell whether a score is kept under a content key."""
        return key in self._row

    def rows(self, keys: Sequence[str]) -> "pl.DataFrame":
        """Give the scores kept under content keys: value, reason, detail and parts, a row a key."""
        import polars as pl

        frame = pl.concat(self._frames or [ScoreColumns.of([]).frame()])
        return frame[[self._row[key] for key in keys]].select(_COLUMNS)

    def keep(self, keys: Sequence[str], rows: "pl.DataFrame") -> None:
        """Keep scores under their content keys. A failure is never kept: it is tried again.

        Args:
            keys: The keys.
            rows: As many scores: value, reason, detail and parts.
        """
        import polars as pl

        frame = rows.select(pl.Series("key", keys, dtype=pl.String()), *_COLUMNS)
        lasting = frame
        if frame["reason"].null_count() < frame.height:
            lasting = frame.filter(pl.col("reason").is_in(PASSING).not_().fill_null(value=True))
            self._failed |= lasting.height < frame.height
        path = self._write(lasting) if lasting.height else Path()
        self._take(frame, _File.of(path, lasting, before=False))

    def _take(self, frame: "pl.DataFrame", file: "_File") -> None:
        start = sum(rows.height for rows in self._frames)
        self._row.update({key: start + i for i, key in enumerate(frame["key"].to_list())})
        self._frames.append(frame)
        self._held.append(file)

    def _write(self, frame: "pl.DataFrame") -> Path:
        out = io.BytesIO()
        frame.sort("key").write_parquet(out, statistics=False)
        return write_by_content(self._folder, out.getvalue())

    def _compact(self, paths: Iterable[Path]) -> None:
        import polars as pl

        if not self._frames:
            return
        frame = pl.concat(self._frames).unique("key")
        whole = self._write(frame)
        self._row, self._frames, self._held = {}, [], []
        self._take(frame, _File.of(whole, frame, before=True))
        gone = [path for path in paths if path != whole]
        before = Merged.read(self._folder)
        files = {path.name for path in gone}.union(before.files)
        merged = Merged(into=whole.name, files=sorted(files - {whole.name}))
        write_atomically(self._folder / _MERGED, json_bytes(merged.model_dump(mode="json")))
        for path in gone:
            path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True, eq=False)
class _File:
    """A file of kept scores, and a mark of each of its keys, sorted: a key takes eight bytes."""

    path: Path
    marks: "NDArray[np.uint64]"
    before: bool

    @classmethod
    def of(cls, path: Path, frame: "pl.DataFrame", *, before: bool) -> "_File":
        return cls(path, np.sort(_marks(frame["key"])), before)

    @property
    def whole(self) -> bool:
        """Say whether there is a file: failures alone are in none."""
        return bool(len(self.marks))

    def has_any(self, wanted: "NDArray[np.uint64]") -> bool:
        """Say whether it may hold a key with one of these marks, sorted as well."""
        places = np.searchsorted(wanted, self.marks).clip(max=max(len(wanted) - 1, 0))
        return bool(len(wanted) and (wanted[places] == self.marks).any())


def _marks(keys: "pl.Series") -> "NDArray[np.uint64]":
    """Give the hash of each key as a number; equal keys have equal ones."""
    return keys.hash().to_numpy()


_CHANGED: Final = None, "bytes that its name does not fit"
PASSING: Final = (Reason.FAILED.value, Reason.BACKEND_MISSING.value)
"""Reasons that may not be there the next time: such a score is never kept."""
_LASTING: Final = tuple(reason.value for reason in Reason if reason.value not in PASSING)


def _unpack(content: bytes) -> "tuple[pl.DataFrame | None, str]":
    """Read a file's rows; say what it is instead where they are none."""
    import polars as pl

    try:
        frame = pl.read_parquet(io.BytesIO(content), use_statistics=False)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError):
        return None, "no Parquet file"
    kinds = {
        "key": pl.String(), "value": pl.Float64(), "reason": pl.String(), "detail": pl.String(),
        "parts": pl.List(pl.Float64()),
    }  # fmt: skip
    if dict(frame.schema) != kinds:
        return None, f"the columns {', '.join(f'{k} ({v})' for k, v in frame.schema.items())}"
    if frame["key"].null_count() or frame["key"].n_unique() < frame.height:
        return None, "a key twice, or a row without one"
    return frame, ""
