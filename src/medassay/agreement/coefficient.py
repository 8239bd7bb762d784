"""What an agreement coefficient declares, and where the declared ones are found."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from medassay.errors import UnknownName
from medassay.judgements import Units
from medassay.scores import Name, Number, Unscored, read_parameters

__all__ = [
    "Coefficient",
    "Declaration",
    "Prepared",
    "coefficient",
    "coefficients",
    "find_coefficient",
]


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
    """

    at: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    used: Units
    pairs: int
    note: str = ""
    value: float | None = None
    costs: NDArray[np.float64] | None = None
    mean_of_pairs: bool = False
    complete_only: bool = False


def _fits_always(_units: Units, _parameters: dict[str, str]) -> str:
    return ""


class _Prepare(Protocol):
    def __call__(self, units: Units, **parameters: str) -> Prepared | Unscored: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
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
        corrects_for_chance: Whether its 0 is what some chance would give.
        chance_from_labels: Whether it corrects for an agreement by chance that grows as one label
            takes over, so that high agreement can stand beside a low value.
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
    corrects_for_chance: bool = False
    chance_from_labels: bool = False


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One way to say how far raters agree: a declaration, and the function that prepares it."""

    declared: Declaration
    prepare: _Prepare

    @property
    def name(self) -> str:
        """Give the base of its canonical name."""
        return self.declared.name


_KNOWN: dict[str, Coefficient] = {}


def coefficient(declared: Declaration) -> Callable[[_Prepare], _Prepare]:
    """Register the function that prepares the declared coefficient."""

    def register(prepare: _Prepare) -> _Prepare:
        _KNOWN[declared.name] = Coefficient(declared, prepare)
        return prepare

    return register


def coefficients() -> tuple[Coefficient, ...]:
    """List the registered coefficients by name.

    Example:
        >>> [one.name for one in coefficients()]  # doctest: +NORMALIZE_WHITESPACE
        ['bias', 'brennan_prediger', 'cohen', 'fleiss', 'gwet', 'icc', 'krippendorff', 'mean_cohen',
         'mean_pairwise', 'pabak', 'prevalence', 'scott', 'specific', 'unanimous']
    """
    return tuple(_KNOWN[name] for name in sorted(_KNOWN))


def find_coefficient(name: str) -> tuple[Coefficient, Name]:
    """Find a coefficient by its canonical name; the name comes back with defaults left out.

    Raises:
        UnknownName: There is no such coefficient.
        InvalidInput: The name does not parse, or a parameter or its value is not known.

    Example:
        >>> found, name = find_coefficient("cohen(weights=linear)")
        >>> found.name, str(name)
        ('cohen', 'cohen(weights=linear)')
    """
    parsed = Name.parse(name)
    if parsed.base not in _KNOWN:
        raise UnknownName("agreement coefficient", parsed.base, sorted(_KNOWN))
    found = _KNOWN[parsed.base]
    declared = found.declared
    return found, read_parameters(parsed, declared.parameters, declared.words)
