"""Which packages of others a call runs into: watched, not read off a list."""

import builtins
import gc
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import packages_distributions, requires
from types import CodeType, FrameType, ModuleType

# Records are made by pydantic, files of what is kept by polars; no value is computed there.
CARRIERS = {"polars", "pydantic", "pydantic-core", "typing-extensions"}
OURS = "medassay"


@cache
def distributions() -> Mapping[str, Sequence[str]]:
    return packages_distributions()


def packages_of(value: object) -> set[str]:
    """Name the packages, as pip calls them, that a value or a module's name belongs to."""
    name = value if isinstance(value, str) else _home(value)
    top = name.partition(".")[0]
    found = {one.lower().replace("_", "-") for one in distributions().get(top, ())}
    return set() if top == OURS else found - CARRIERS


def _home(value: object) -> str:
    if isinstance(value, ModuleType):
        return value.__name__
    home = getattr(value, "__module__", None) or type(value).__module__
    return home if isinstance(home, str) else ""


@contextmanager
def watched() -> Iterator[set[str]]:
    """Collect the packages that code of medassay imports, or names while it runs.

    Every function of medassay that is called is looked at once: what its names stand for is of a
    package. A package that only its caller's caller names is seen as well, since that runs too.
    """
    used: set[str] = set()
    seen: set[CodeType] = set()
    imported = builtins.__import__

    def note(frame: FrameType) -> None:
        code = frame.f_code
        if code in seen or not _is_ours(frame):
            return
        seen.add(code)
        for name in code.co_names:
            if name in frame.f_globals:
                used.update(packages_of(frame.f_globals[name]))

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            note(frame)
            if frame.f_code is import_module.__code__ and _is_ours(frame.f_back):
                used.update(packages_of(str(frame.f_locals["name"])))

    def importing(
        name: str, inside: Mapping[str, object] | None = None, *more: object, **named: object
    ) -> ModuleType:
        if str((inside or {}).get("__name__", "")).startswith(OURS):
            used.update(packages_of(name))
        return imported(name, inside, *more, **named)  # type: ignore[arg-type]  # as it was given

    before = sys.getprofile()
    builtins.__import__ = importing  # type: ignore[assignment]  # it hands on what it is given
    sys.setprofile(watch)
    try:
        yield used
    finally:
        sys.setprofile(before)
        builtins.__import__ = imported


def _is_ours(frame: FrameType | None) -> bool:
    return frame is not None and str(frame.f_globals.get("__name__", "")).startswith(OURS)


def used_by(call: Callable[[], object]) -> set[str]:
    """Name the packages that a call runs into; what was cached before is made again."""
    for one in gc.get_objects():
        if isinstance(one, _Cached) and str(one.__module__).startswith(OURS):
            one.cache_clear()
    with watched() as used:
        call()
    return used


def required_by(packages: set[str]) -> set[str]:
    """Name the packages that packages ask for, and those that these ask for."""
    found: set[str] = set()
    todo = set(packages)
    while todo:
        lines = requires(todo.pop()) or ()
        names = (re.match(r"[\w.-]+", line) for line in lines if "extra ==" not in line)
        more = {one.group().lower().replace("_", "-") for one in names if one is not None}
        todo |= (more - found) & _installed()
        found |= more
    return found


@cache
def _installed() -> set[str]:
    return {name.lower().replace("_", "-") for names in distributions().values() for name in names}


_Cached = type(lru_cache(lambda: None))
