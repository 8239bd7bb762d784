"""Where formats are found by name: the built-in ones, and those of other packages."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules
from typing import Final, Literal

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.exchange.declaration import API, Format, Glimpse, lacking, options
from medassay.plugins import Offer, Raised, attempt, offers, provider_of, words_of

GROUP: Final = "medassay.formats"
"""The entry point group under which a package names its formats, each by its id."""
_ROOM: Final = "medassay.exchange"
_DECLARED: Final = "declared"
_ORDER: Final = ("spreadsheet", "tables", "archehr")
"""Folders whose formats are listed first; the others follow by name."""

Way = Literal["--from", "--to"]
"""Which way: taken from its files, or written to them."""


def formats(way: Way) -> tuple[Format, ...]:
    """List the formats that are taken, or that are written; ours first.

    One that cannot be loaded is left out; `broken_formats` names it.
    """
    return tuple(
        file_format
        for file_format in _loaded()[0].values()
        if _function(file_format, way) is not None
    )


def broken_formats() -> tuple[Problem, ...]:
    """Name the formats of other packages that cannot be loaded, each with its cause and remedy."""
    return tuple(_loaded()[1].values())


def find_format(name: str, way: Way) -> Format:
    """Find a format by its id.

    Raises:
        InvalidInput: There is no such format, or it goes the other way only; or a package offers
            it and it cannot be loaded.
    """
    known, broken = _loaded()
    if name in broken and name not in known:
        raise InvalidInput(broken[name])
    if name not in known:
        hint = UnknownName("format", name, [file_format.id for file_format in formats(way)]).hint
        raise InvalidInput(Problem(way, "name a format", f'"{name}"', hint))
    if _function(known[name], way) is None:
        must = f"be a format that is {'read' if way == '--from' else 'written'}"
        hint = f"Those are: {', '.join(file_format.id for file_format in formats(way))}."
        raise InvalidInput(Problem(way, must, f'"{name}"', hint))
    return known[name]


def is_ours(file_format: Format) -> bool:
    """Say whether a format is built in."""
    return file_format.id in _ours()


def provided_by(file_format: Format) -> str:
    """Say which package, of which version, a format of others is from."""
    function = _function(file_format, "--from") or _function(file_format, "--to")
    return provider_of(function.__module__, GROUP)


def recognise(files: Sequence[Path]) -> tuple[Format, ...]:
    """Say which formats files may be of, by what they hold: those that all of them may be."""
    seen = [Glimpse(file) for file in files]
    for last in (False, True):
        known = tuple(
            file_format
            for file_format in formats("--from")
            if file_format.reads is not None
            and file_format.reads.last is last
            and seen
            and all(_may_be(file_format, glimpse) for glimpse in seen)
        )
        if known:
            return known
    return ()


def takes_value(name: str, way: Way) -> bool:
    """Say whether an option that some format has is followed by a value."""
    return any(
        name in option.names and not option.is_flag
        for each in formats(way)
        for option in options(_function(each, way))
    )


def _may_be(file_format: Format, seen: Glimpse) -> bool:
    reads = file_format.reads
    if reads is None or is_ours(file_format):
        return reads is not None and reads.is_one(seen)
    # A stranger's test of a file that is none of its own stops nobody, and says nothing.
    is_one = attempt(lambda: bool(reads.is_one(seen)))
    return not isinstance(is_one, Raised) and is_one


def _function(file_format: Format, way: Way):  # type: ignore[no-untyped-def]  # noqa: ANN202 - as declared
    if way == "--from":
        return file_format.reads and file_format.reads.take
    return file_format.writes and file_format.writes.give


@cache
def _ours() -> Mapping[str, Format]:
    return {file_format.id: file_format for file_format in _built_in()}


@cache
def _loaded() -> tuple[Mapping[str, Format], Mapping[str, Problem]]:
    file_formats = dict(_ours())
    broken: dict[str, Problem] = {}
    for offer in offers(GROUP, "format"):
        loaded = _load(offer, file_formats)
        if isinstance(loaded, Problem):
            # Of two packages that offer one name the first stands, and the second is named.
            broken.setdefault(offer.name, loaded)
        else:
            file_formats[loaded.id] = loaded
    return file_formats, broken


def _built_in() -> Iterator[Format]:
    room = import_module(_ROOM)
    names = [iter_module.name for iter_module in iter_modules(room.__path__) if iter_module.ispkg]
    first = [name for name in _ORDER if name in names]
    for name in (*first, *(name_left for name_left in names if name_left not in _ORDER)):
        inside = import_module(f"{_ROOM}.{name}")
        if any(iter_module.name == _DECLARED for iter_module in iter_modules(inside.__path__)):
            held = vars(import_module(f"{inside.__name__}.{_DECLARED}"))
            yield from (member for member in held.values() if isinstance(member, Format))


def _load(offer: Offer, taken: Mapping[str, Format]) -> Format | Problem:
    """Load another package's format, or say what is wrong with it: one misfit stops nobody."""
    loaded = offer.load()
    if isinstance(loaded, Problem):
        return loaded
    if not isinstance(loaded, Format):
        return offer.problem("be a Format", type(loaded).__name__)
    try:
        lacks = lacking(loaded)
        other = _other_kind(loaded, taken.values())
    except Exception as error:  # noqa: BLE001 - types of other people's functions may raise anything
        return offer.problem("have types that can be read", words_of(error))
    must = (
        (loaded.api == API, f"be written for version {API} of formats", str(loaded.api)),
        (loaded.id == offer.name, "be offered under its id", f'"{loaded.id}"'),
        (loaded.id not in taken, "have a name that is not taken", f'"{loaded.id}"'),
        (loaded.reads or loaded.writes, "read or write files", "neither"),
        (not lacks, "ask for what there is", lacks),
        (not other, "have options that stand alone, or take a value, as others of the name do",
         other),
    )  # fmt: skip
    wrong = ((be, got) for fits, be, got in must if not fits)
    return next((offer.problem(be, got) for be, got in wrong), loaded)


def _other_kind(file_format: Format, known: Collection[Format]) -> str:
    """Name an option that another format has too, alone where this one has a value or the reverse.

    Which words of a line are files must be known before the format is.
    """
    for way in ("--from", "--to"):
        own = _function(file_format, way)
        if own is None:
            continue
        theirs = chain.from_iterable(
            options(function)
            for other_format in known
            if (function := _function(other_format, way)) is not None
        )
        flags = {
            name: declared_option.is_flag
            for declared_option in theirs
            for name in declared_option.names
        }
        for option in options(own):
            for name in option.names:
                if flags.get(name, option.is_flag) != option.is_flag:
                    return name
    return ""
