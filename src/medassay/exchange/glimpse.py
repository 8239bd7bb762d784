"""What a file or a folder is at first sight, so that its format can be known."""

from collections.abc import Callable
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final, TypeVar

from medassay.errors import MedassayError
from medassay.tables import Sheet, decode, file_bytes, read_json, read_sheet
from medassay.tables.grid import keep_cells
from medassay.tables.workbooks import is_workbook

__all__ = ["Glimpse", "sheet_at"]

_Seen = TypeVar("_Seen")
_TABLES: Final = (".csv", ".tsv", ".xlsx", ".xls", ".ods", ".jsonl", ".parquet")


class Glimpse:
    r"""What a file or a folder is at first sight; a file that cannot be read is nothing.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder) / "some.csv"
        ...     _ = file.write_text("System, case ,value\nA,1,0.5\n", encoding="utf-8")
        ...     seen = Glimpse(file)
        ...     sorted(seen.columns), seen.has("system", "value"), seen.json
        (['case', 'system', 'value'], True, None)

    Attributes:
        path: Where it is.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def names(self) -> frozenset[str]:
        """The columns of a table as they are written; none of anything else."""
        if self.path.suffix.lower() not in _TABLES:
            return frozenset()
        sheet = _seen(lambda: sheet_at(self.path))
        return frozenset(map(str.strip, sheet.columns)) if sheet else frozenset()

    @cached_property
    def columns(self) -> frozenset[str]:
        """The columns of a table, in small letters; none of anything else."""
        return frozenset(map(str.lower, self.names))

    def has(self, *columns: str) -> bool:
        """Say whether it is a table with all of these columns."""
        return self.columns.issuperset(columns)

    @cached_property
    def json(self) -> Any:  # noqa: ANN401 - whatever stands there
        """What a .json file holds; None of anything else."""
        if self.path.suffix.lower() != ".json":
            return None
        return _seen(lambda: read_json(self.path))

    @property
    def first(self) -> dict[str, Any]:
        """The first object of a list in a .json file, or the one object that it is; else none."""
        held = self.json
        first = held[0] if isinstance(held, list) and held else held
        return first if isinstance(first, dict) else {}

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the first line of a file of text that has any."""
        if self.path.is_dir() or self.path.suffix.lower() in {*_TABLES, ".json"}:
            return ()
        text = _seen(lambda: decode(file_bytes(self.path, self.path.name), self.path.name)[0])
        return next((tuple(line.split()) for line in (text or "").splitlines() if line.strip()), ())

    @cached_property
    def inside(self) -> tuple["Glimpse", ...]:
        """The files of a folder, in the order of their names; none of a file."""
        if not self.path.is_dir():
            return ()
        return tuple(Glimpse(path) for path in sorted(self.path.iterdir()) if path.is_file())

    def holds(self, pattern: str) -> bool:
        """Say whether it is a folder with a file of such a name in it, however deep."""
        return self.path.is_dir() and any(self.path.glob(f"**/{pattern}"))


def sheet_at(path: Path) -> Sheet:
    """Read a table; the one that was read last is not read again: first it is known, then taken."""
    told = path.stat()
    return _sheet_at(path, told.st_mtime_ns, told.st_size)


@lru_cache(maxsize=1)
def _sheet_at(path: Path, _changed: int, _size: int) -> Sheet:
    if path.suffix.lower() == ".csv" and not is_workbook(content := file_bytes(path, path.name)):
        keep_cells(content, path.name)
    return read_sheet(path)


def _seen(look: Callable[[], _Seen]) -> _Seen | None:
    """Look; what cannot be read is nothing here, and is named when it is taken."""
    try:
        return look()
    except (MedassayError, OSError):
        return None
