"""Which names give a system away: those of the study, and of known models and their makers."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from pydantic import BaseModel, ConfigDict

from medassay.tables import read_toml

__all__ = [
    "ModelNames",
    "alone",
    "every_maker",
    "has_inner_capital",
    "names_of",
    "spelling",
    "squeezed",
]

_SHORT: Final = 2
_PIECES: Final = re.compile(
    r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|[^\W\d_A-Za-z]+|\d+|[^\w\s.:/|\-]+"
)
_RUNS: Final = re.compile(r"[^\W\d_]+")
_DIGITS: Final = "0-9"
_LATIN: Final = "A-Za-z\u00c0-\u024f"
_BETWEEN: Final = r"[\s_.:/\-‐‑]?"


class _Maker(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    makers: tuple[str, ...] = ()
    everyday_makers: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    everyday: tuple[str, ...] = ()


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    makers: tuple[_Maker, ...]
    generic: str


@dataclass(frozen=True)
class ModelNames:
    """What is looked for in the answers of a study.

    Attributes:
        own: Names of the study's systems that no sentence holds by chance.
        models: Names of known models of which that is true.
        makers: Names of their makers of which that is true.
        plain: Names of the study's systems, and parts of them, that may be everyday words.
        generic: Of these, what any system may be called.
        related: Everyday words that are products or makers of the study's models, as written.
        everyday: The plain names, and everyday words that are models.
        everyday_makers: Everyday words that are makers.
        short: Names of one or two letters.
    """

    own: tuple[str, ...]
    models: tuple[str, ...]
    makers: tuple[str, ...]
    plain: frozenset[str]
    generic: frozenset[str]
    related: frozenset[str]
    everyday: tuple[str, ...]
    everyday_makers: tuple[str, ...]
    short: tuple[str, ...]


def spelling(name: str) -> str:
    """Give a pattern of all spellings of a name: hyphens, blanks, dots and underscores are one.

    Example:
        >>> spelt = re.compile(spelling("TinyLlama2"), re.IGNORECASE)
        >>> [word for word in ("tinyllama-2", "Tiny Llama 2", "tinyllama") if spelt.fullmatch(word)]
        ['tinyllama-2', 'Tiny Llama 2']
    """
    return _BETWEEN.join(re.escape(piece) for piece in _PIECES.findall(name))


def alone(names: Iterable[str]) -> str:
    """Give a pattern of any of these names as words of their own; digits may follow.

    Chinese has no blanks between words, and in it a Latin name may touch the next sign.
    """
    latin, chinese, other = list[str](), list[str](), list[str]()
    for name in sorted(set(names), key=lambda name: (-len(name), name)):
        kind = latin if name[0] < "\u0250" else chinese if _is_chinese(name[0]) else other
        kind.append(spelling(name))
    every = [
        rf"(?<![{_DIGITS}{_LATIN}])(?:{'|'.join(latin)})(?![{_LATIN}])" if latin else "",
        "|".join(chinese),
        rf"(?<!\w)[وبلفك]?(?:{'|'.join(other)})(?![^\W\d])" if other else "",
    ]
    return "|".join(filter(None, every)) or r"(?!)"


@cache
def names_of(called: tuple[str, ...]) -> ModelNames:
    """Sort what a study calls its systems, and what is known of models, by what a match tells."""
    known = _known()
    usual = frozenset(known.generic.split())
    telling = {squeezed(name) for maker in known.makers for name in (*maker.makers, *maker.names)}
    own, plain, short = set[str](), set[str](), set[str]()
    parts = set[str]()
    for name in filter(squeezed, called):
        runs = _RUNS.findall(name)
        parts |= {squeezed(part) for part in (*runs, *_PIECES.findall(name), "".join(runs))}
        generic = all(run.casefold() in usual for run in runs)
        if len(squeezed(name)) <= _SHORT:
            short.add(name)
        elif squeezed(name) in telling:
            own.add(name)
        elif (name.isalpha() and not has_inner_capital(name)) or (
            generic and not any(map(str.isdigit, name))
        ):
            plain.add(name)
        else:
            own.add(name)
            plain |= {run for run in runs if len(run) > _SHORT and run.casefold() not in usual}
    related = set[str]()
    for maker in known.makers:
        every = {*maker.makers, *maker.everyday_makers, *maker.names, *maker.everyday}
        if parts & {squeezed(name) for name in every}:
            related |= {*maker.everyday_makers, *maker.everyday}
    plain = {word for word in plain if squeezed(word) not in telling}
    return ModelNames(
        tuple(sorted(own)),
        tuple(name for maker in known.makers for name in maker.names),
        tuple(name for maker in known.makers for name in maker.makers),
        frozenset(map(squeezed, plain)),
        frozenset(squeezed(word) for word in plain if word.casefold() in usual),
        frozenset(related),
        tuple({*plain, *(name for maker in known.makers for name in maker.everyday)}),
        tuple(name for maker in known.makers for name in maker.everyday_makers),
        tuple(sorted(short)),
    )


def squeezed(name: str) -> str:
    """Give the letters and digits of a name alone.

    Example:
        >>> squeezed("Med-PaLM 2")
        'medpalm2'
    """
    return re.sub(r"[\W_]", "", name).casefold()


def has_inner_capital(word: str) -> bool:
    """Say whether a word is written as only names are: with capitals and small letters mixed.

    Example:
        >>> [has_inner_capital(word) for word in ("PaLM", "LLaMA", "Palm", "GPT")]
        [True, True, False, False]
    """
    return bool(re.search(r"[^\W\d_]\w*[A-Z]", word)) and not word.isupper()


def every_maker() -> str:
    """Give a pattern of any maker, everyday words too: for where the text says that it is one."""
    every = [name for maker in _known().makers for name in (*maker.makers, *maker.everyday_makers)]
    return rf"(?:{alone(every)})"


@cache
def _known() -> _File:
    content = (files("medassay") / "data" / "blinding" / "models.toml").read_bytes()
    return read_toml(_File, content, "models.toml")


def _is_chinese(sign: str) -> bool:
    return "\u3400" <= sign <= "\u9fff"
