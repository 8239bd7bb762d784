"""Where analyses are found by name: the built-in ones, and those of other packages."""

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

from medassay.analyses.declaration import API, Analysis, Declaration
from medassay.analyses.inputs.readable import check_reads
from medassay.analyses.sections import SECTIONS, section_of
from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.plugins import Offer, offers, provider_of

_BUILT_IN: Final = "medassay.analyses.builtin"
GROUP: Final = "medassay.analyses"
"""The entry point group under which a package names its analyses, each by its id."""


def analyses() -> tuple[Analysis[Any], ...]:
    """List every analysis in the order of the report: by section, place, and package and id.

    One that cannot be loaded is left out; `broken_analyses` names it.
    """
    return tuple(_loaded()[0].values())


def find_analysis(name: str) -> Analysis[Any]:
    """Find an analysis by its id.

    Raises:
        InvalidInput: There is a package that offers it, and it cannot be loaded.
        UnknownName: There is no such analysis.
    """
    known, broken = _loaded()
    if name in known:
        return known[name]
    if name in broken:
        raise InvalidInput(broken[name])
    raise UnknownName("analysis", name, sorted(known))


def broken_analyses() -> tuple[Problem, ...]:
    """Name the analyses of other packages that cannot be loaded, each with its cause and remedy."""
    return tuple(_loaded()[1].values())


def record_types() -> dict[str, type]:
    """Give the type of each analysis' record: whoever reads a report back needs it."""
    return {analysis.id: analysis.record for analysis in analyses()}


def is_ours(analysis: Analysis[Any]) -> bool:
    """Say whether an analysis is built in."""
    return analysis.compute.__module__.startswith(f"{_BUILT_IN}.")


def provided_by(analysis: Analysis[Any]) -> str:
    """Say which package, of which version, an analysis is from."""
    return provider_of(analysis.compute.__module__, GROUP)


def fits_part(declaration: Declaration) -> bool:
    """Say whether the part that an analysis names is one of its section's."""
    known = [section.id for section in SECTIONS]
    if not declaration.part or declaration.section not in known:
        return True
    return section_of(declaration.section).part(declaration.part) is not None


@cache
def _loaded() -> tuple[Mapping[str, Analysis[Any]], Mapping[str, Problem]]:
    own = {analysis.id: ("", analysis) for analysis in _built_in()}
    others: dict[str, tuple[str, Analysis[Any]]] = {}
    broken: dict[str, Problem] = {}
    for offer in offers(GROUP, "analysis"):
        loaded = _load(offer, own.keys() | others.keys())
        if isinstance(loaded, Problem):
            # Of two packages that offer one name the first stands, and the second is named.
            broken.setdefault(offer.name, loaded)
        else:
            others[loaded.id] = offer.package, loaded
    sections = {section.id: i for i, section in enumerate(SECTIONS)}
    ordered = sorted(
        (*own.values(), *others.values()),
        key=lambda entry: (
            sections[entry[1].declared.section],
            entry[1].declared.place,
            entry[0],
            entry[1].id,
        ),
    )
    return {analysis.id: analysis for _, analysis in ordered}, broken


def _built_in() -> Iterator[Analysis[Any]]:
    builtin = import_module(_BUILT_IN)
    for module in iter_modules(builtin.__path__):
        held = vars(import_module(f"{builtin.__name__}.{module.name}"))
        yield from (member for member in held.values() if isinstance(member, Analysis))


def _load(offer: Offer, taken: Collection[str]) -> Analysis[Any] | Problem:
    """Load another package's analysis, or say what is wrong with it: one misfit stops nobody."""
    loaded = offer.load()
    if isinstance(loaded, Problem):
        return loaded
    if not isinstance(loaded, Analysis):
        return offer.problem("be declared by analysis()", type(loaded).__name__)
    declaration, sections = loaded.declared, [section.id for section in SECTIONS]
    must = (
        (declaration.api == API, f"be written for version {API} of analyses", str(declaration.api)),
        (declaration.id == offer.name, "be offered under its id", f'"{declaration.id}"'),
        (
            declaration.section in sections,
            f"name a section: {', '.join(sections)}",
            f'"{declaration.section}"',
        ),
        (fits_part(declaration), "name a part of its section, or none", f'"{declaration.part}"'),
        (declaration.id not in taken, "have a name that is not taken", f'"{declaration.id}"'),
        (not (lacks := check_reads(loaded)), "read what a study has", lacks),
    )
    wrong = ((be, got) for fits, be, got in must if not fits)
    return next((offer.problem(be, got) for be, got in wrong), loaded)
