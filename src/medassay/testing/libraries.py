"""Which packages of others a metric's arithmetic runs into: watched, not read off a list."""

import builtins
import gc
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, lru_cache, partial
from importlib import import_module
from importlib.metadata import packages_distributions, requires
from types import CodeType, FrameType, ModuleType
from typing import Final

from medassay.metrics import BoundMetric, Pair
from medassay.models import installed_versions, model_setup, use_models
from medassay.testing.hold import hold

__all__ = ["declares_its_libraries", "required_by", "used_by"]

# Records are made by pydantic, files of what is kept by polars; no value is computed there.
_CARRIERS: Final = {"polars", "pydantic", "pydantic-core", "typing-extensions"}
_OURS: Final = "medassay"


def declares_its_libraries(metrics: Sequence[BoundMetric], pairs: Sequence[Pair]) -> None:
    """Does a metric declare the packages that compute it, so that kept scores know their versions?

    Args:
        metrics: The metric in all its variants: one may need what another does not.
        pairs: Cases and answers that have all that it reads.

    Raises:
        AssertionError: A package is used and not declared, or declared and not used.
    """
    used: set[str] = set()
    for metric in metrics:
        made = metric.compute.func if isinstance(metric.compute, partial) else metric.compute
        with use_models(replace(model_setup(), caches={})):
            call = partial(metric.compute, pairs, metric.arguments)
            used |= used_by(call, {made.__module__.partition(".")[0]})
    who, declared = metrics[0].name.base, set(metrics[0].declaration.libraries)
    undeclared = ", ".join(sorted(used - declared))
    hold(not undeclared, who, "declare the packages that compute it (libraries=)", undeclared)
    # What computes it may do so under a library's own hood.
    idle = ", ".join(sorted(declared - used - required_by(used)))
    hold(not idle, who, "declare only packages that compute it (libraries=)", idle)
    for package in declared:
        text = f"|{package}:{installed_versions(package)[package]}|"
        stated = all(text in str(bound_metric.signature) for bound_metric in metrics)
        hold(stated, who, f"have the version of {package} in its signature", "none")


def used_by(call: Callable[[], object], whose: Collection[str] = ()) -> set[str]:
    """Name the packages that a call runs into; what was cached before is made again.

    Args:
        call: What is called.
        whose: Packages that are looked into beside medassay, by the names that are imported.
    """
    watched = {_OURS, *whose}
    for get_object in gc.get_objects():
        if (
            isinstance(get_object, _Cached)
            and str(get_object.__module__).partition(".")[0] in watched
            and get_object.__module__ != __name__  # which packages there are stays as it is
        ):
            get_object.cache_clear()
    with _watched(watched) as used:
        call()
    return used


def required_by(packages: set[str]) -> set[str]:
    """Name the packages that packages ask for, and those that these ask for."""
    packages_found: set[str] = set()
    todo = set(packages)
    while todo:
        lines = requires(todo.pop()) or ()
        names = (re.match(r"[\w.-]+", line) for line in lines if "extra ==" not in line)
        more = {match.group().lower().replace("_", "-") for match in names if match is not None}
        todo |= (more - packages_found) & _installed()
        packages_found |= more
    return packages_found


@contextmanager
def _watched(  # noqa: C901 - three small hooks that share what they have seen
    whose: Collection[str],
) -> Iterator[set[str]]:
    """Collect the packages that code of these imports, or names while it runs.

    Every function of theirs that is called is looked at once: what its names stand for is of a
    package. A package that only its caller's caller names is seen as well, since that runs too.
    """
    used: set[str] = set()
    seen: set[CodeType] = set()
    imported = builtins.__import__

    def is_theirs(frame: FrameType | None) -> bool:
        name = "" if frame is None else str(frame.f_globals.get("__name__", ""))
        return name.partition(".")[0] in whose

    def note(frame: FrameType) -> None:
        code = frame.f_code
        if code in seen or not is_theirs(frame):
            return
        seen.add(code)
        for name in code.co_names:
            if name in frame.f_globals:
                used.update(_packages_of(frame.f_globals[name], whose))

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            note(frame)
            if frame.f_code is import_module.__code__ and is_theirs(frame.f_back):
                used.update(_packages_of(str(frame.f_locals["name"]), whose))

    def importing(
        name: str, inside: Mapping[str, object] | None = None, *more: object, **named: object
    ) -> ModuleType:
        if str((inside or {}).get("__name__", "")).partition(".")[0] in whose:
            used.update(_packages_of(name, whose))
        return imported(name, inside, *more, **named)  # type: ignore[arg-type]  # as it was given

    before = sys.getprofile()
    builtins.__import__ = importing  # type: ignore[assignment]  # it hands on what it is given
    sys.setprofile(watch)
    try:
        yield used
    finally:
        sys.setprofile(before)
        builtins.__import__ = imported


def _packages_of(value: object, whose: Collection[str]) -> set[str]:
    """Name the packages, as pip calls them, that a value or a module's name belongs to."""
    name = value if isinstance(value, str) else _home(value)
    top = name.partition(".")[0]
    names = {package.lower().replace("_", "-") for package in _distributions().get(top, ())}
    return set() if top in whose else names - _CARRIERS


def _home(value: object) -> str:
    if isinstance(value, ModuleType):
        return value.__name__
    home = getattr(value, "__module__", None) or type(value).__module__
    return home if isinstance(home, str) else ""


@cache
def _distributions() -> Mapping[str, Sequence[str]]:
    return packages_distributions()


@cache
def _installed() -> set[str]:
    return {name.lower().replace("_", "-") for names in _distributions().values() for name in names}


_Cached: Final = type(lru_cache(lambda: None))
