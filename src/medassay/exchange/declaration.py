"""What an outside format says of itself: its files, how one is known, what it takes and gives."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from inspect import Parameter, signature
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Final, Protocol, TypeVar, get_args, get_origin, get_type_hints

from medassay.analyses.results import Results
from medassay.errors import MedassayError
from medassay.exchange.outcome import Outcome
from medassay.exchange.proposal import Explained, Proposal
from medassay.judgements.campaign import Secret
from medassay.study import Scored, Study
from medassay.tables import Sheet, decode, file_bytes, gc_paused, read_json, read_sheet
from medassay.tables.grid import keep_cells, sheet_of_grid
from medassay.tables.read import read_lines
from medassay.tables.workbooks import is_workbook

_Seen = TypeVar("_Seen")
_HEAD: Final = 50
"""Rows of a table in which its columns are looked for."""
_LINES: Final = 2000
"""The same of records a line: each names its own."""
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
    def header(self) -> tuple[str, ...]:
        """The columns of a table as they are written, in their order; none of anything else."""
        if self.path.suffix.lower() not in _TABLES:
            return ()
        sheet = _seen(lambda: _head_at(self.path))
        return tuple(map(str.strip, sheet.columns)) if sheet else ()

    @cached_property
    def names(self) -> frozenset[str]:
        """The columns of a table as they are written, in any order."""
        return frozenset(self.header)

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
        return _seen(lambda: _look_at(self.path))

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


def list_inside(held: Any) -> str:  # noqa: ANN401 - whatever stands there
    """Name the part of an object that is a list of records, where one part alone is.

    Example:
        >>> list_inside({"overall": {"f1": 0.5}, "rows": [{"f1": 0.5}]}), list_inside({"f1": 0.5})
        ('rows', '')
    """
    parts = held.items() if isinstance(held, Mapping) else ()
    lists = [name for name, own in parts if isinstance(own, list) and own and
             all(isinstance(record, dict) for record in own)]  # fmt: skip
    return lists[0] if len(lists) == 1 else ""


_LOOKED_AT: Final[dict[tuple[Path, int, int], Any]] = {}
"""The file of JSON that was looked at last, for who takes it."""


def _look_at(path: Path) -> Any:  # noqa: ANN401 - whatever stands there
    told = path.stat()
    with gc_paused():
        held = read_json(path)
    _LOOKED_AT.clear()
    _LOOKED_AT[path, told.st_mtime_ns, told.st_size] = held
    return held


def json_at(path: Path) -> Any:  # noqa: ANN401 - whatever stands there
    """Read a file of JSON; the one that was looked at last is not read again, and is let go."""
    told = path.stat() if path.is_file() else None
    held = _LOOKED_AT.pop((path, told.st_mtime_ns, told.st_size), None) if told else None
    _LOOKED_AT.clear()
    return read_json(path) if held is None else held


def sheet_at(path: Path) -> Sheet:
    """Read a table; the one that was read last is not read again: first it is known, then taken."""
    told = path.stat()
    return _sheet_at(path, told.st_mtime_ns, told.st_size)


@lru_cache(maxsize=1)
def _sheet_at(path: Path, _changed: int, _size: int) -> Sheet:
    return read_sheet(path)


def _head_at(path: Path) -> Sheet:
    """Read a table whose columns are asked for; of a CSV file its cells are kept for who takes it.

    One whose rows do not fit its header is a table all the same, and is refused when it is taken;
    so is one of records whose columns stand in its first thousands.
    """
    ending = path.suffix.lower()
    if ending not in {".csv", ".jsonl"} or is_workbook(content := file_bytes(path, path.name)):
        return sheet_at(path)
    if ending == ".jsonl":
        lines = decode(content, path.name)[0].split("\n", _LINES)
        return read_lines("\n".join(lines[:_LINES]).encode(), path.name)
    cells = keep_cells(content, path.name)
    return sheet_of_grid(cells[:_HEAD], path.name, ())


def _seen(look: Callable[[], _Seen]) -> _Seen | None:
    """Look; what cannot be read is nothing here, and is named when it is taken."""
    try:
        return look()
    except (MedassayError, OSError):
        return None


API: Final = 1
"""The version of what a format declares and gets. One that was written for another is named."""


@dataclass(frozen=True, slots=True)
class Option:
    """What an option of a format is for; it stands beside the type of a parameter.

    Attributes:
        help: What it is for, in a sentence.
        names: What is typed for it; two dashes and the parameter's name if not given.
        metavar: What stands for its value in the help.
        least: Its least value, where it is a number.
    """

    help: str
    names: tuple[str, ...] = ()
    metavar: str | None = None
    least: float | None = None


@dataclass(frozen=True, slots=True)
class DeclaredOption:
    """One option as it was declared.

    Attributes:
        parameter: The function's parameter.
        kind: The type of its value.
        default: Its value where it is not typed; `Parameter.empty` where it must be.
        option: What it is for.
    """

    parameter: str
    kind: Any
    default: object
    option: Option

    @property
    def names(self) -> tuple[str, ...]:
        """Give what is typed for it."""
        return self.option.names or (f"--{self.parameter.replace('_', '-')}",)

    @property
    def is_flag(self) -> bool:
        """Say whether it stands alone, without a value."""
        return self.kind is bool


class Function(Protocol):
    """A function that takes or gives: what it asks for first, its options behind the star."""

    def __call__(self, *asked: Any, **options: Any) -> Outcome:  # noqa: ANN401 - by its types
        """Take or give, and say what came of it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reads:
    """How files of a format are taken into a study.

    Attributes:
        about: What is taken, in a sentence.
        files: What files there are, for the help.
        is_one: Says of one file or folder, by what it holds, whether it is one. It may be wrong of
            a broken one: `--from` names the format all the same.
        take: Takes them. What stands before the star is given by type: a `Study`, open and held
            by nobody else, or a `Path`, the folder of a study that may be new; then the files.
            What stands behind the star is an option.
        alone: Whether a single file is taken at a time.
        none: Whether it may be called without any file.
        propose: Says what would be read, where columns have to be guessed; it asks for what `take`
            asks for, options too. Nothing is taken before somebody has agreed.
        explain: Says of each column why it would be read so; it asks for what `propose` does.
        last: Whether it is asked only where no other format knows the files.
    """

    about: str
    files: str
    is_one: Callable[[Glimpse], bool]
    take: Function
    alone: bool = False
    none: bool = False
    propose: Callable[..., Proposal] | None = None
    explain: Callable[..., Explained] | None = None
    last: bool = False

    @property
    def makes_study(self) -> bool:
        """Say whether it asks for a folder, so that the study may be a new one."""
        return next(iter(asks(self.take).values())) is Path


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Writes:
    """How a study is written in files of a format.

    Attributes:
        about: What is written, in a sentence.
        into: What `--into` names, for the help.
        metavar: What stands for it.
        give: Writes them. What stands before the star is given by type (`exchange.asked`), and
            last the `Path` that `--into` names. What stands behind the star is an option.
    """

    about: str
    into: str
    metavar: str
    give: Function


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Format:
    """One outside format.

    Attributes:
        id: Names it behind `--from` and `--to`.
        title: What people call it.
        reads: How its files are taken; None where they are only written.
        writes: How they are written; None where they are only taken.
        api: The version of this declaration that it was written for.

    Example:
        >>> def take(study: "Path", files: list[Path], *, loud: Annotated[
        ...         bool, Option("Say more.")] = False) -> Outcome:
        ...     return Outcome(["nothing"], {})
        >>> [(one.names, one.is_flag) for one in options(take)]
        [(('--loud',), True)]
    """

    id: str
    title: str
    reads: Reads | None = None
    writes: Writes | None = None
    api: int = API


def asks(function: Callable[..., object]) -> Mapping[str, Any]:
    """Give what a function asks for, parameter to type, in its order."""
    hints = get_type_hints(function)
    return {
        name: hints[name]
        for name, parameter in signature(function).parameters.items()
        if parameter.kind is not Parameter.KEYWORD_ONLY
    }


def options(function: Callable[..., object]) -> tuple[DeclaredOption, ...]:
    """Give a function's options, in its order.

    Raises:
        TypeError: An option does not say what it is for.
    """
    hints = get_type_hints(function, include_extras=True)
    declared_options = []
    for name, parameter in signature(function).parameters.items():
        if parameter.kind is not Parameter.KEYWORD_ONLY:
            continue
        kind, option = _parted(hints.get(name))
        if option is None:
            message = f"{name} must be Annotated with a type and an Option; got {hints.get(name)}"
            raise TypeError(message)
        declared_options.append(DeclaredOption(name, kind, parameter.default, option))
    return tuple(declared_options)


def _parted(hint: Any) -> tuple[Any, Option | None]:  # noqa: ANN401 - a type is of any kind
    if get_origin(hint) is not Annotated:
        return hint, None
    kind, *marks = get_args(hint)
    return kind, next((mark for mark in marks if isinstance(mark, Option)), None)


Columns = Annotated[
    Mapping[str, str],
    Option("Read OURS from the column THEIRS.", ("--column", "-c"), "OURS=THEIRS"),
]
"""Names of ours to names of theirs: an option that several formats have."""


GIVEN: Final = {
    Study: "the study, open",
    Scored: "its scores: the verb then has --metrics, --only and --offline",
    Results: "the results of its run, which is made where there is none: the verb has --offline",
    Secret: "randomness for codes: nobody else writes into the study meanwhile",
}
"""What an export may ask for, beside the place that it writes to."""


def wants(give: Any, kind: type) -> bool:  # noqa: ANN401 - a function of any parameters
    """Say whether an export asks for one of these."""
    return kind in asks(give).values()


def lacking(file_format: Format) -> str:
    """Say what a format asks for that there is not; nothing where all is there."""
    if file_format.reads is not None:
        asked = list(asks(file_format.reads.take).values())
        fits = len(asked) == len(("into", "files"))
        if not fits or asked[0] not in {Study, Path} or not _are_files(asked[1]):
            return "take must ask for a Study or a Path, then for a Sequence[Path]"
    if file_format.writes is not None:
        *kinds, into = asks(file_format.writes.give).values()
        if into is not Path and not _may_be_left(into):
            return "give must ask last for the Path that --into names"
        strange = [str(kind) for kind in kinds if kind not in GIVEN]
        if strange:
            names = ", ".join(kind.__name__ for kind in GIVEN)
            return f"give may ask for {names}; not for {', '.join(strange)}"
    return ""


def _are_files(kind: Any) -> bool:  # noqa: ANN401 - a type of any kind
    return get_origin(kind) in {Sequence, list, tuple} and get_args(kind)[:1] == (Path,)


def _may_be_left(kind: Any) -> bool:  # noqa: ANN401 - a type of any kind
    return isinstance(kind, UnionType) and set(get_args(kind)) == {Path, type(None)}
