"""What an agreement coefficient declares, how it is registered, and where it is found by name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from medassay.errors import MissingBackend, Problem
from medassay.judgements import Units
from medassay.plugins import Raised, Registered, attempt
from medassay.scores import (
    Members,
    Name,
    Number,
    Reason,
    Unscored,
    read_parameters,
    refuse_unsaid,
)
from medassay.tables import holds_halves

_API: Final = 1
"""The version of what a coefficient declares and gives. One that was written for another is named.
"""
GROUP: Final = "medassay.coefficients"
"""The entry point group under which a package names the module that registers its coefficients."""
NEVER: Final = "cannot occur"
"""What a coefficient declares of an end that no labels reach."""
_KEPT: Final = "kept back, since this study keeps its words and the coefficient is a package's"
_UNSAID: Final = "what its package says"
_CLOSE: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A coefficient reduced to what resampling cases needs.

    Attributes:
        at: From case weights, shape (replicates, cases), to values, shape (replicates,); NaN where
            the formula has no value. Cases stand in the order of `used.cases`.
        used: The units that the coefficient reads.
        pairs: How many pairs of labels it compares.
        note: What a reader of the value must know; empty where there is nothing.
        value: The value with every case once, where it comes cheaper than from `at`.
        costs: How far it sets labels apart, as shares of the largest, shape (labels, labels); None
            where every difference counts as one.
        mean_of_pairs: Whether it is a mean of values of few answers each. Such values lie lower in
            every resample, which has fewer different answers; their mean does not even that out.
        complete_only: Whether answers were left out since they lack a label: then the value stands
            only where lacking one has nothing to do with the labels.
        without_sign: Whether it is a size without its sign, whose least value is an end: prior
            answers would push an interval off it.
    """

    at: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    used: Units
    pairs: int
    note: str = ""
    value: float | None = None
    costs: NDArray[np.float64] | None = None
    mean_of_pairs: bool = False
    complete_only: bool = False
    without_sign: bool = False


def _fits_always(_units: Units, _parameters: dict[str, str]) -> str:
    return ""


class Prepare(Protocol):
    """Reads the labels once, so that each resample is quick."""

    __module__: str

    def __call__(self, units: Units, **parameters: str) -> Prepared | Unscored:
        """Give what the coefficient is computed from, or why it has no value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoefficientDeclaration:
    """What a coefficient says about itself.

    Attributes:
        name: The base of its canonical name.
        title: What a table calls it.
        question: What it answers.
        one: What 1 means.
        zero: What 0 means.
        below_zero: What a negative value means.
        undefined: When it has no value.
        source: Where it was published, with its DOI.
        bounds: The smallest and the largest value it can have.
        parameters: Each parameter's name and the values it may take; the first is the default and
            is left out of names. Or a number, with its bounds.
        words: Parameters that take any word, such as a label; they have no default.
        fits: Says why it is not for these units, or nothing.
        variants: The parameters to compute for these units where nobody asks for any; each value of
            each parameter if not given.
        called: What stands in brackets behind the title, from the parameters; each that is not the
            default, with its value, if not given.
        corrects_for_chance: Whether its 0 is what some chance would give.
        chance_from_labels: Whether it corrects for an agreement by chance that grows as one label
            takes over, so that high agreement can stand beside a low value.
        numbers: Whether it reads numbers as well as labels.
        api: The version of this declaration that it was written for.
    """

    name: str
    title: str
    question: str
    one: str
    zero: str
    below_zero: str
    undefined: str
    source: str
    bounds: tuple[float, float] = (-1.0, 1.0)
    parameters: dict[str, tuple[str, ...] | Number] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    fits: Callable[[Units, dict[str, str]], str] = _fits_always
    variants: Callable[[Units], Sequence[dict[str, str]]] | None = None
    called: Callable[[dict[str, str]], str] | None = None
    corrects_for_chance: bool = False
    chance_from_labels: bool = False
    numbers: bool = False
    api: int = _API

    def __post_init__(self) -> None:
        """Refuse a declaration that leaves a reader guessing.

        Raises:
            InvalidInput: Everything that is missing or does not fit together.
        """
        wordings = ("title", "question", "one", "zero", "below_zero", "undefined", "source")
        low, high = self.bounds
        in_order = (low < high, "have bounds, the lower one first", f"{low} and {high}")
        refuse_unsaid(self, self.name, wordings, [*self.parameters, *self.words], in_order)


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One way to say how far raters agree: a declaration, and the function that prepares it."""

    declared: CoefficientDeclaration
    prepare: Prepare

    @property
    def name(self) -> str:
        """Give the base of its canonical name."""
        return self.declared.name

    @property
    def module(self) -> str:
        """Name the module that registered it."""
        return self.prepare.__module__


KNOWN: Final = Registered[Coefficient](GROUP, "agreement coefficient", _API)
"""Those that are registered, by name; whoever imports this room has ours among them."""


def coefficient(declared: CoefficientDeclaration) -> Callable[[Prepare], Prepare]:
    """Register the function that prepares the declared coefficient.

    Raises:
        InvalidInput: The name is taken, or the coefficient was written for another version.
    """

    def register(prepare: Prepare) -> Prepare:
        registered = Coefficient(declared, prepare)
        KNOWN.add(declared.name, registered, api=declared.api, module=prepare.__module__)
        return prepare

    return register


def coefficients() -> tuple[Coefficient, ...]:
    """List the registered coefficients by name, those of other packages too.

    Example:
        >>> {"cohen", "fleiss", "krippendorff"} <= {one.name for one in coefficients()}
        True
    """
    return _MEMBERS.every()


def find_coefficient(name: str, *, hushed: bool = False) -> tuple[Coefficient, Name]:
    """Find a coefficient by its canonical name; the name comes back with defaults left out.

    Packages of others are loaded only when the name is not built in.

    Args:
        name: The canonical name.
        hushed: Whether a coefficient of another package keeps its own words to itself.

    Raises:
        UnknownName: There is no such coefficient.
        InvalidInput: The name does not parse, a parameter or its value is not known, or there is no
            such coefficient and a package that may bring it is broken.

    Example:
        >>> found, name = find_coefficient("cohen(weights=linear)")
        >>> found.name, str(name)
        ('cohen', 'cohen(weights=linear)')
    """
    coefficient, parsed = _MEMBERS.find(name, hushed=hushed)
    declared = coefficient.declared
    return coefficient, read_parameters(parsed, declared.parameters, declared.words)


def coefficient_plugin_problems() -> tuple[Problem, ...]:
    """Load the coefficients of other packages, once, and say which could not be loaded and why."""
    return KNOWN.load_plug_ins()


def _guarded(own: Coefficient) -> Coefficient:
    """Give a coefficient of another package that raises nothing and gives what it declares."""
    declared = own.declared
    variants = None if declared.variants is None else _variants(declared)
    held = replace(declared, fits=_fits(declared), variants=variants)
    return Coefficient(held, _prepare(own))


def _without_own_words(held: Coefficient, package: str) -> Coefficient:
    """Give a guarded coefficient that says nothing in words of its own; its values are the same."""
    declared = held.declared

    def fits(units: Units, parameters: dict[str, str]) -> str:
        misfit = declared.fits(units, parameters)
        return "its package says that it is not for these labels" if misfit else ""

    @wraps(held.prepare)
    def prepare(units: Units, **parameters: str) -> Prepared | Unscored:
        prepared = held.prepare(units, **parameters)
        if isinstance(prepared, Unscored):
            return Unscored(prepared.reason)
        return replace(prepared, note=f"a note is {_KEPT}" if prepared.note else "")

    silent = replace(
        declared,
        title=declared.name,
        question=f"What this asks is {_KEPT}.",
        one=_UNSAID,
        zero=_UNSAID,
        below_zero=_UNSAID,
        undefined="its package says so",
        source=package,
        fits=fits,
    )
    return Coefficient(silent, prepare)


_MEMBERS: Final = Members(KNOWN, _guarded, _without_own_words)


def _fits(declared: CoefficientDeclaration) -> Callable[[Units, dict[str, str]], str]:
    def fits(units: Units, parameters: dict[str, str]) -> str:
        words = attempt(lambda: declared.fits(units, parameters))
        # What it raises has no place here: it is told when the value is asked for.
        return words if isinstance(words, str) and not holds_halves(words) else ""

    return fits


def _variants(declared: CoefficientDeclaration) -> Callable[[Units], Sequence[dict[str, str]]]:
    def variants(units: Units) -> Sequence[dict[str, str]]:
        lines = attempt(lambda: _own_variants(declared, units))
        return [{}] if isinstance(lines, Raised) else lines

    return variants


def _own_variants(declared: CoefficientDeclaration, units: Units) -> Sequence[dict[str, str]]:
    lines = [dict(variant) for variant in declared.variants(units)] if declared.variants else []
    for arguments in lines:
        named = Name.of(declared.name).with_arguments(arguments)
        read_parameters(named, declared.parameters, declared.words)
    return lines


def _prepare(own: Coefficient) -> Callable[..., Prepared | Unscored]:
    @wraps(own.prepare)
    def prepare(units: Units, **parameters: str) -> Prepared | Unscored:
        result = attempt(lambda: _prepared(own, units, parameters))
        if not isinstance(result, Raised):
            return result
        if isinstance(result.error, MissingBackend):
            return Unscored(Reason.BACKEND_MISSING, result.words)
        return Unscored(Reason.FAILED, result.words)

    return prepare


def _prepared(own: Coefficient, units: Units, parameters: dict[str, str]) -> Prepared | Unscored:
    own.declared.fits(units, dict(parameters))
    _own_variants(own.declared, units)
    # Whatever it gives: nothing but its own word says that it is one of the two.
    prepared: Any = own.prepare(units, **parameters)
    if isinstance(prepared, Unscored):
        halves = holds_halves(prepared.detail)
        return (
            Unscored(prepared.reason, "its words hold half of a character") if halves else prepared
        )
    fault = _fault(prepared, own.declared, units)
    if fault:
        return Unscored(Reason.FAILED, fault)
    held: Prepared = replace(prepared, at=_at(prepared.at, own.declared))
    return held


def _fault(prepared: Any, declared: CoefficientDeclaration, units: Units) -> str:  # noqa: ANN401 - as above
    """Say how what came back breaks the declaration; empty if it does not."""
    if not isinstance(prepared, Prepared):
        return f"gave {type(prepared).__name__}, not a Prepared or an Unscored"
    if not set(prepared.used.cases) <= set(units.with_labels(2).cases):
        return "reads cases without an answer that has two labels"
    if holds_halves(prepared.note):
        return "gave a note with half of a character"
    return _fault_of_values(prepared, declared)


def _fault_of_values(prepared: Prepared, declared: CoefficientDeclaration) -> str:
    weights = np.ones((2, len(prepared.used.cases)))
    values = np.asarray(prepared.at(weights), dtype=np.float64)
    if values.shape != (2,):
        return f"gave values of shape {values.shape} for 2 sets of weights"
    once = float(values[0])
    low, high = declared.bounds
    if np.isinf(once) or not (np.isnan(once) or low - _CLOSE <= once <= high + _CLOSE):
        return f"gave {once:g}, outside its declared bounds"
    value = once if prepared.value is None else prepared.value
    if not np.isclose(value, once, atol=_CLOSE, equal_nan=True):
        return f"gave {value:g}, and {once:g} with every case once"
    return ""


def _at(
    own: Callable[[NDArray[np.float64]], NDArray[np.float64]], declared: CoefficientDeclaration
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """Give values as ours are: one a replicate, NaN where there is none."""
    low, high = declared.bounds

    def at(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        nothing = np.full(len(weights), np.nan)
        values = attempt(lambda: np.asarray(own(weights), dtype=np.float64))
        if isinstance(values, Raised) or values.shape != nothing.shape:
            return nothing
        return np.where((values >= low - _CLOSE) & (values <= high + _CLOSE), values, np.nan)

    return at
