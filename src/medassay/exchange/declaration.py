"""What an outside format says of itself: its files, how one is known, what it takes and gives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, Final, Protocol, get_args, get_origin, get_type_hints

from medassay.exchange.glimpse import Glimpse
from medassay.exchange.outcome import Outcome
from medassay.exchange.proposal import Explained, Proposal

__all__ = [
    "API",
    "Columns",
    "DeclaredOption",
    "Format",
    "Option",
    "Reads",
    "Writes",
    "asks",
    "options",
]

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

    def __call__(self, *asked: Any, **options: Any) -> Outcome: ...  # noqa: ANN401 - by its types


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
    Option("Our column is called THEIRS.", ("--column", "-c"), "OURS=THEIRS"),
]
"""Names of ours to names of theirs: an option that several formats have."""
