"""What other packages bring: found by their entry points, loaded one by one, each misfit named.

What enters: the name of a group of entry points. What leaves: what each entry holds, the file that
it is, what its module registers, or the problem why it cannot be had. One misfit stops nobody.
Knows nothing of what is brought.
"""

import hashlib
import io
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from medassay.__about__ import __version__
from medassay.errors import InvalidInput, Problem, UnknownName

_One = TypeVar("_One")
_OFFER: Final = "plug-in"
_EVERY: Final[list["Registered[Any]"]] = []
_OURS: Final = "medassay"
_GROUPS: Final = "medassay."
_FILES: Final = frozenset({"protocols", "rubrics"})
"""Groups that hold files: what they say stands in the run itself."""
REMEDY: Final = "Update or uninstall that package."
_Found = TypeVar("_Found")
_SHOWN: Final = 12


@dataclass(frozen=True, slots=True)
class Offer:
    """One entry point of another package.

    Attributes:
        what: What it is, in a word or two: a metric, an analysis.
        entry: The entry point.
    """

    what: str
    entry: EntryPoint

    @property
    def name(self) -> str:
        """Give the name that it is offered under."""
        return self.entry.name

    @property
    def package(self) -> str:
        """Say which package, of which version, it is from."""
        dist = self.entry.dist
        return f"{dist.name} {dist.version}" if dist else ""

    @property
    def about(self) -> str:
        """Say what is offered, under which name and by whom, as messages do."""
        of = f" of {self.package}" if self.package else ""
        return f'{self.what} "{self.name}" ({self.entry.value}){of}'

    def load(self) -> object | Problem:
        """Give what the entry point names, or say why it cannot be loaded."""
        try:
            target: object = self.entry.load()
        except KeyboardInterrupt:
            raise  # whoever stops us means us
        except BaseException as error:  # noqa: BLE001 - other people's code may raise anything, and exit
            return self.problem("load without an error", words_of(error))
        return target

    def problem(self, must: str, got: str) -> Problem:
        """Name the offer, what it must be and what it is."""
        return Problem(self.about, must, got, REMEDY)


@dataclass(slots=True)
class Registered(Generic[_One]):
    """A name to what was registered under it; other packages' are loaded when they are needed.

    Attributes:
        group: The entry point group under which a package names the module that registers its own.
        what: What one of them is, for messages.
        api: The version of what is declared: one that was written for another is refused.
        known: What is registered, by name.
        problems: Why packages could not be loaded; None until they have been tried.

    Example:
        >>> spices = Registered[str]("medassay.spices", "spice", api=1)
        >>> spices.add("salt", "NaCl", api=1, module="kitchen")
        >>> spices.add("salt", "KCl", api=1, module="diet")
        Traceback (most recent call last):
        medassay.errors.InvalidInput: spice in diet: must have a name that is not taken; got \
"salt", which kitchen has registered.
        >>> spices.find("salt"), spices.every()
        ('NaCl', ('NaCl',))
    """

    group: str
    what: str
    api: int
    known: dict[str, _One] = field(default_factory=dict)
    problems: tuple[Problem, ...] | None = None
    _from: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Be known to the others: one module may register in several."""
        _EVERY.append(self)

    def add(self, name: str, one: _One, *, api: int, module: str) -> None:
        """Register one under its name.

        Raises:
            InvalidInput: The name is taken, or it was written for another version.
        """
        self.check(name, api=api, module=module)
        self.known[name] = one
        self._from[name] = module

    def check(self, name: str, *, api: int, module: str) -> None:
        """Refuse a name that is taken, and what was written for another version.

        Raises:
            InvalidInput: Which of the two it is.
        """
        where = f"{self.what} in {module}"
        if api != self.api:
            must = f"be written for version {self.api} of its declaration"
            raise InvalidInput(Problem(where, must, str(api)))
        if name in self.known:
            by = self._from.get(name, "another module")
            got = f'"{name}", which {by} has registered'
            raise InvalidInput(Problem(where, "have a name that is not taken", got))

    def find(self, name: str) -> _One:
        """Find one by its name; packages of others are loaded only when it is not there.

        Raises:
            UnknownName: There is none.
            InvalidInput: There is none, and a package that may bring it is broken.
        """
        if name not in self.known:
            broken = self.load_plug_ins()
            if name not in self.known:
                unknown = UnknownName(self.what, name, sorted(self.known))
                if broken:
                    raise InvalidInput(broken) from unknown
                raise unknown
        return self.known[name]

    def every(self) -> tuple[_One, ...]:
        """List all of them by name, those of other packages too."""
        self.load_plug_ins()
        return tuple(self.known[name] for name in sorted(self.known))

    def provided_by(self, module: str) -> str:
        """Say which package, of which version, a module is from; empty for a script's."""
        return provider_of(module, self.group)

    def load_plug_ins(self) -> tuple[Problem, ...]:
        """Load what other packages bring, once, and say which could not be loaded and why."""
        if self.problems is None:
            # A module that looks for a name while it is loaded must not start all over again.
            self.problems = ()
            try:
                problems = [self._loaded(offer) for offer in offers(self.group, _OFFER)]
            except BaseException:
                self.problems = None
                raise
            self.problems = tuple(problem for problem in problems if problem is not None)
        return self.problems

    def _loaded(self, offer: Offer) -> Problem | None:
        """Load one package's module; what a broken one had registered, here or elsewhere, goes."""
        before = [(registered, dict(registered.known)) for registered in _EVERY]
        names, seen = set(self.known), offer.entry.module in sys.modules
        loaded = offer.load()
        if isinstance(loaded, Problem):
            for registry, known in before:
                registry.known.clear()
                registry.known.update(known)
            return loaded
        if self.known.keys() == names and not seen:
            return offer.problem(f"register its {self.what} when it is loaded", "none")
        return None


def offers(group: str, what: str) -> tuple[Offer, ...]:
    """List what installed packages offer in a group, in an order that no machine changes.

    Args:
        group: The group of entry points.
        what: What one of them is, for messages.

    Example:
        >>> offers("medassay.nobody", "nothing")
        ()
    """
    every_offer = (Offer(what, entry) for entry in entry_points().select(group=group))
    return tuple(
        sorted(every_offer, key=lambda offer: (offer.name, offer.entry.value, offer.package))
    )


def versions() -> Mapping[str, str]:
    """Say of everything that other packages bring which package, of which version, it is from.

    A run depends on these, so its name and its manifest hold them. Of what is code they hold the
    hash of its file too: it changes while its version stays.

    Returns:
        Group and name, such as `metrics: chrf`, to package, version and code.
    """
    every = entry_points()
    grouped = [
        (group.removeprefix(_GROUPS), Offer("plug-in", entry))
        for group in every.groups
        if group.startswith(_GROUPS)
        for entry in every.select(group=group)
    ]
    return {
        f"{group}: {offer.name}": _package_and_code(group, offer)
        for group, offer in sorted(grouped, key=_place)
    }


def _package_and_code(group: str, offer: Offer) -> str:
    code = "" if group in _FILES else code_of(offer.entry.module)
    return ", ".join(filter(None, (offer.package, code and f"code {code}")))


def _place(of: tuple[str, Offer]) -> tuple[str, str, str]:
    group, offer = of
    return group, offer.name, offer.package


def provider_of(module: str, group: str) -> str:
    """Say which package, of which version, a module is from; empty for a script's.

    Args:
        module: Its dotted name.
        group: The group of entry points that it would be offered in.

    Example:
        >>> provider_of("medassay.metrics.builtin.bleu", "medassay.metrics")
        'medassay 0.1.0'
    """
    package = module.partition(".")[0]
    if package == _OURS:
        return f"{_OURS} {__version__}"
    own = (
        offer
        for offer in offers(group, "plug-in")
        if offer.entry.module.partition(".")[0] == package
    )
    return next((offer.package for offer in own), "")


@dataclass(frozen=True, slots=True)
class OfferedFile:
    """What an entry point holds.

    Attributes:
        about: What is offered, by which package, for messages.
        content: Its bytes.
    """

    about: str
    content: bytes


def offered_names(group: str, what: str) -> tuple[str, ...]:
    """List under which names packages offer files in a group; nothing is loaded.

    Example:
        >>> offered_names("medassay.nobody", "nothing")
        ()
    """
    return tuple(dict.fromkeys(offer.name for offer in offers(group, what)))


def offered_file(group: str, what: str, name: str) -> OfferedFile | None:
    """Load the file that is offered under a name, the first where there are two; None for none.

    Raises:
        InvalidInput: The entry point cannot be loaded, or holds no file.
    """
    offer_found = next((offer for offer in offers(group, what) if offer.name == name), None)
    return None if offer_found is None else OfferedFile(offer_found.about, _content(offer_found))


def misfits(
    group: str, what: str, ours: Collection[str], load: Callable[[str], object]
) -> tuple[Problem, ...]:
    """Load the files that packages offer, and say of each misfit what is wrong with it.

    One is offered under a name that is ours, or another package's before it; or `load` refuses it.
    """
    seen, problems = set(ours), list[Problem]()
    for offer in offers(group, what):
        if offer.name in seen:
            problems.append(offer.problem("have a name that is not taken", f'"{offer.name}"'))
        seen.add(offer.name)
    for name in offered_names(group, what):
        if name not in ours:
            try:
                load(name)
            except InvalidInput as error:
                problems += error.problems
    return tuple(problems)


def _content(offer: Offer) -> bytes:
    held = offer.load()
    if isinstance(held, Problem):
        raise InvalidInput(held)
    read = getattr(held, "read_bytes", None)
    if callable(read):
        held = attempt(read)
    if isinstance(held, Raised):
        raise InvalidInput(offer.problem("be a file that can be read", held.words))
    if not isinstance(held, bytes):
        must = "be the content of a TOML file (bytes), or the path of one"
        raise InvalidInput(offer.problem(must, type(held).__name__))
    return held


@dataclass(frozen=True, slots=True)
class Raised:
    """What a function raised.

    Attributes:
        error: The exception itself.
    """

    error: BaseException

    @property
    def words(self) -> str:
        """Say what was raised, in one line."""
        return words_of(self.error)


@contextmanager
def unheard() -> Iterator[None]:
    """Drop what is printed, warned and logged to the terminal inside."""
    nowhere = io.StringIO()
    with warnings.catch_warnings(), redirect_stdout(nowhere), redirect_stderr(nowhere):
        warnings.simplefilter("ignore")
        yield


def attempt(call: Callable[[], _Found]) -> _Found | Raised:
    """Call a function of another package, and give what it gives or what it raised.

    Whoever stops the process, and a machine without memory, stop it.

    Example:
        >>> attempt(lambda: 1), attempt(lambda: 1 // 0).words
        (1, 'ZeroDivisionError: integer division or modulo by zero')
    """
    try:
        with unheard():
            return call()
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # noqa: BLE001 - other people's code may raise anything, and exit
        return Raised(error)


def words_of(error: BaseException) -> str:
    r"""Say what was raised: its kind, and its words where it has any.

    It is written into tables and files, where half of a character cannot stand.

    Example:
        >>> words_of(ValueError("no\nmark\n")), words_of(SystemExit()), words_of(OSError("\ud83d"))
        ('ValueError: no mark', 'SystemExit', 'OSError: \\ud83d')
    """
    kind = type(error).__name__
    try:
        words = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - it may raise anything where it is asked for its words
        return kind
    return f"{kind}: {words}".removesuffix(": ").encode(errors="backslashreplace").decode()


def code_of(module: str) -> str:
    """Hash the file that a module is defined in, without loading it; empty where there is none.

    A version is raised by hand, and forgotten while somebody writes; the file tells.

    Example:
        >>> len(code_of("json.decoder")), code_of("nowhere.at_all")
        (12, '')
    """
    file = getattr(sys.modules.get(module), "__file__", None) or _file_of(module)
    try:
        content = Path(file).read_bytes() if file else b""
    except OSError:
        return ""
    return hashlib.sha256(content).hexdigest()[:_SHOWN] if content else ""


def _file_of(module: str) -> str | None:
    """Find the file as an import would; packages above it are looked through, not loaded."""
    name, *rest = module.split(".")
    try:
        spec: ModuleSpec | None = find_spec(name)
        for part in rest:
            if spec is None or spec.submodule_search_locations is None:
                return None
            name = f"{name}.{part}"
            spec = PathFinder.find_spec(name, list(spec.submodule_search_locations))
    except (ImportError, ValueError):
        return None
    return spec.origin if spec is not None and spec.has_location else None
