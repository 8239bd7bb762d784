"""The canonical name of whatever makes a number: `name[@k](key=value,...)`.

A name is an identity: it prints, parses back to itself, sorts, hashes, and heads a table. What
changes the value is in the name; versions and hashes are in the signature.
"""

import hashlib
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol, Self, SupportsIndex, TypeVar

from medassay.__about__ import __version__
from medassay.errors import InvalidInput, Problem, nearest
from medassay.plugins import Registered

_WORD: Final = r"[A-Za-z][A-Za-z0-9_.-]*"
_NAME: Final = re.compile(rf"({_WORD})(?:@([1-9][0-9]{{0,17}}))?(?:\((.*)\))?")


class Name(str):
    """A canonical name: text as it prints, which knows its parts; names sort by these.

    Attributes:
        base: The word before everything else, such as `rouge1`.
        k: The cut-off after `@`, where there is one.
        arguments: Key and value pairs, sorted by key. Values are text on one line without
            `( ) , =` and without blanks around it.

    Raises:
        InvalidInput: A part cannot stand in a name: it would not parse back.

    Example:
        >>> name = Name.parse("recall@5(ref=human, gold=strict)")
        >>> str(name)
        'recall@5(gold=strict,ref=human)'
        >>> name.base, name.k, name["gold"]
        ('recall', 5, 'strict')
        >>> "recall" in name, name == "recall@5(gold=strict,ref=human)"
        (True, True)
    """

    __slots__ = ("arguments", "base", "k")
    base: str
    k: int | None
    arguments: tuple[tuple[str, str], ...]

    def __new__(
        cls, base: str, k: int | None = None, arguments: tuple[tuple[str, str], ...] = ()
    ) -> Self:
        """Put the parts together, and refuse what would not parse back."""
        at = f"@{k}" if k is not None else ""
        inside = ",".join(f"{key}={value}" for key, value in arguments)
        name = super().__new__(cls, f"{base}{at}({inside})" if inside else f"{base}{at}")
        keys = [key for key, _ in arguments]
        if not (
            re.fullmatch(_WORD, base)
            and (k is None or k > 0)
            and all(re.fullmatch(_WORD, key) for key in keys)
            and keys == sorted(set(keys))
            and all(_stands_in_a_name(value) for _, value in arguments)
        ):
            raise InvalidInput(_problem(str(name)))
        name.base, name.k, name.arguments = base, k, arguments
        return name

    def __getnewargs__(self) -> tuple[Any, ...]:
        """Give the parts, of which a copy is made."""
        return self.base, self.k, self.arguments

    @classmethod
    def of(cls, base: str, k: int | None = None, /, **arguments: str) -> "Name":
        """Make a name from its parts, in canonical order.

        Example:
            >>> str(Name.of("mean", dimension="fluency"))
            'mean(dimension=fluency)'
        """
        return cls(base, k, tuple(sorted(arguments.items())))

    @classmethod
    def parse(cls, text: str) -> "Name":
        """Read a name; spaces around its parts are allowed and dropped.

        Raises:
            InvalidInput: The text does not have the form `name[@k](key=value,...)`.
        """
        match = _NAME.fullmatch(text.strip())
        if match is None:
            raise InvalidInput(_problem(text))
        base, k, inside = match.groups()
        arguments: dict[str, str] = {}
        for part in (inside or "").split(",") if inside else []:
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals or key in arguments or "=" in value:
                raise InvalidInput(_problem(text))
            arguments[key] = value
        return cls(base, int(k) if k else None, tuple(sorted(arguments.items())))

    def __str__(self) -> str:
        """Print the canonical form, which parses back to an equal name."""
        return str.__str__(self)

    def __repr__(self) -> str:
        """Print it as what it is, so that it is told from bare text."""
        return f"Name({str(self)!r})"

    def __lt__(self, other: str) -> bool:
        """Sort names by their parts, so that `recall@5` stands before `recall@10`."""
        if isinstance(other, Name):
            return self._parts < other._parts
        return super().__lt__(other)

    def __gt__(self, other: str) -> bool:
        """Sort as `<` does."""
        if isinstance(other, Name):
            return self._parts > other._parts
        return super().__gt__(other)

    def __le__(self, other: str) -> bool:
        """Sort as `<` does."""
        return self == other or self < other

    def __ge__(self, other: str) -> bool:
        """Sort as `<` does."""
        return self == other or self > other

    @property
    def _parts(self) -> tuple[str, int, tuple[tuple[str, str], ...]]:
        return self.base, self.k or 0, self.arguments

    def __getitem__(self, key: str | SupportsIndex | slice) -> str:
        """Give one argument's value by its key, or letters by their place."""
        return dict(self.arguments)[key] if isinstance(key, str) else super().__getitem__(key)

    def get(self, key: str) -> str | None:
        """Give one argument's value, or None where the name has no such argument."""
        return dict(self.arguments).get(key)

    def with_arguments(self, arguments: Mapping[str, str]) -> "Name":
        """Give the same name with exactly these arguments."""
        return Name(self.base, self.k, tuple(sorted(arguments.items())))


def is_word(text: str) -> bool:
    """Say whether a text can be the word that names something.

    Example:
        >>> is_word("rouge1"), is_word("rouge 1"), is_word("recall@5"), is_word("")
        (True, False, False, False)
    """
    return re.fullmatch(_WORD, text) is not None


def _stands_in_a_name(value: str) -> bool:
    return value.isprintable() and value == value.strip() != "" and not set(value) & set("(),=")


def _problem(text: str) -> Problem:
    return Problem(
        "name",
        "have the form name[@k](key=value,...)",
        f'"{text}"',
        "For example rouge1(ref=human).",
    )


@dataclass(frozen=True, slots=True)
class Number:
    """A parameter that is a number.

    Attributes:
        default: Its canonical text, left out of names; None where there is none.
        least: The smallest value.
        most: The largest value; None for no bound.
        whole: Whether it counts something.
    """

    default: str | None
    least: float = 1
    most: float | None = None
    whole: bool = True

    @property
    def must(self) -> str:
        """Say what the value must be."""
        kind = "a whole number" if self.whole else "a number"
        if self.most is None:
            return f"{kind}, {self.least:g} or more"
        return f"{kind} from {self.least:g} to {self.most:g}"

    def canonical(self, text: str) -> str | None:
        """Give the one way to write this number, or None where it is not allowed.

        Example:
            >>> Number("0.5", 0.001, whole=False).canonical("0.50")
            '0.5'
        """
        try:
            value = float(text)
        except ValueError:
            return None
        top = math.inf if self.most is None else self.most
        if not self.least <= value <= top or math.isinf(value):
            return None
        if self.whole:
            return str(int(value)) if text.isdecimal() else None
        return f"{value:.12g}" if "e" not in f"{value:.12g}" else None


def read_parameters(
    asked: Name,
    parameters: Mapping[str, tuple[str, ...] | Number],
    words: Sequence[str] = (),
) -> Name:
    """Check the parameters of a name, and write it in its one form, with defaults left out.

    Args:
        asked: The name as somebody wrote it.
        parameters: What each may be: one of some values, the first of which is the default, or a
            number.
        words: Those that take any word; they have no default and must be said.

    Raises:
        InvalidInput: A parameter or its value is not known, or a word is not said.

    Example:
        >>> parameters = {"ties": ("first", "none"), "least": Number("1")}
        >>> str(read_parameters(Name.parse("majority(least=2,ties=first)"), parameters))
        'majority(least=2)'
    """
    arguments = {}
    for key, value in asked.arguments:
        if key in words:
            arguments[key] = value
            continue
        if key not in parameters:
            takes = [*parameters, *words]
            must = f"have only the parameters {', '.join(takes) or 'none'}"
            raise InvalidInput(Problem(str(asked), must, f'"{key}"', nearest(key, takes)))
        canonical, default = _read(str(asked), key, value, parameters[key])
        if canonical != default:
            arguments[key] = canonical
    unsaid = [key for key in words if key not in arguments]
    if unsaid:
        raise InvalidInput(Problem(str(asked), f"say its {' and '.join(unsaid)}", "nothing"))
    return asked.with_arguments(arguments)


def _read(
    name: str, key: str, value: str, allowed: tuple[str, ...] | Number
) -> tuple[str, str | None]:
    """Give a value's canonical text, and the default."""
    if isinstance(allowed, Number):
        canonical = allowed.canonical(value)
        if canonical is None:
            raise InvalidInput(Problem(name, f"have {key} be {allowed.must}", f'"{value}"'))
        return canonical, allowed.default
    if value not in allowed:
        must = f"have {key} be one of {', '.join(allowed)}"
        raise InvalidInput(Problem(name, must, f'"{value}"', nearest(value, allowed)))
    return value, allowed[0]


@dataclass(frozen=True, slots=True)
class Signature:
    """What a number was made with; built by code, rendered late.

    Attributes:
        name: The canonical name.
        version: The version of the definition: raised whenever the same input gives another value.
        settings: Whatever else the value depends on (library versions, rule set, model hash, seed).

    Example:
        >>> print(Signature("bleu(ref=human)", 1, {"tokenizer": "13a", "smoothing": "none"}))
        bleu(ref=human)|version:1|smoothing:none|tokenizer:13a|medassay:0.1.0
    """

    name: str
    version: int
    settings: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        """Print the line that reports and papers quote."""
        settings = "".join(f"|{key}:{self.settings[key]}" for key in sorted(self.settings))
        return f"{self.name}|version:{self.version}{settings}|medassay:{__version__}"

    @property
    def digest(self) -> str:
        """Hash what decides the value. medassay's own version does not: `version` does."""
        facts = [self.name, self.version, sorted(self.settings.items())]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


class _Member(Protocol):
    @property
    def module(self) -> str: ...


_One = TypeVar("_One", bound=_Member)


def _is_ours(module: str) -> bool:
    """Say whether medassay itself brings a module.

    Example:
        >>> _is_ours("medassay.agreement.kappas"), _is_ours("their_kappa")
        (True, False)
    """
    return module.partition(".")[0] == __name__.partition(".")[0]


def refuse_unsaid(
    declared: object,
    name: str,
    wordings: Sequence[str],
    parameters: Sequence[str],
    *checks: tuple[bool, str, str],
) -> None:
    """Refuse a declaration that leaves a reader guessing.

    Args:
        declared: The declaration.
        name: Its name.
        wordings: What it must say in words.
        parameters: The names of its parameters.
        checks: What else must hold: whether it does, what must be, what was got.

    Raises:
        InvalidInput: Everything that is missing or does not fit together.
    """
    reserved = {"dimension", "mapping"} & {*parameters}
    rules = [
        (is_word(name), "have a name of one word", f'"{name}"'),
        *((getattr(declared, word).strip(), f"say its {word}", "blanks") for word in wordings),
        *checks,
        (not reserved, "leave dimension and mapping to medassay", "a parameter of that name"),
    ]
    problems = [Problem(name, must, got) for holds, must, got in rules if not holds]
    if problems:
        raise InvalidInput(problems)


@dataclass(frozen=True, slots=True)
class Members(Generic[_One]):
    """What a registry gives: ours as they are, those of other packages guarded.

    Attributes:
        known: The registry.
        guarded: Holds one of another package to what it declares.
        silent: Takes the words of its own from a guarded one, and names its package instead.
    """

    known: Registered[_One]
    guarded: Callable[[_One], _One]
    silent: Callable[[_One, str], _One]

    def every(self) -> tuple[_One, ...]:
        """List them by name, those of other packages too."""
        return tuple(self._held(member, hushed=False) for member in self.known.every())

    def find(self, name: str, *, hushed: bool) -> tuple[_One, Name]:
        """Find one by its canonical name, which comes back in its parts.

        Raises:
            UnknownName: There is none.
            InvalidInput: The name does not parse, or there is none and a package that may bring it
                is broken.
        """
        parsed = Name.parse(name)
        return self._held(self.known.find(parsed.base), hushed=hushed), parsed

    def _held(self, member: _One, *, hushed: bool) -> _One:
        module = member.module
        if _is_ours(module):
            return member
        held = self.guarded(member)
        return self.silent(held, self.known.provided_by(module) or module) if hushed else held
