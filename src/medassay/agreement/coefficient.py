"""What an agreement coefficient declares, and how it is registered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.judgements import Units
from medassay.plugins import Registered
from medassay.scores import Number, Unscored, is_word

__all__ = ["API", "GROUP", "KNOWN", "Coefficient", "Declaration", "Prepared", "coefficient"]

API: Final = 1
"""The version of what a coefficient declares and gives. One that was written for another is named.
"""
GROUP: Final = "medassay.coefficients"
"""The entry point group under which a package names the module that registers its coefficients."""


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


class _Prepare(Protocol):
    __module__: str

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
    api: int = API

    def __post_init__(self) -> None:
        """Refuse a declaration that leaves a reader guessing.

        Raises:
            InvalidInput: Everything that is missing or does not fit together.
        """
        wordings = ("title", "question", "one", "zero", "below_zero", "undefined", "source")
        reserved = {"dimension", "mapping"} & {*self.parameters, *self.words}
        low, high = self.bounds
        checks = [
            (is_word(self.name), "have a name of one word", f'"{self.name}"'),
            *(
                (getattr(self, wording).strip(), f"say its {wording}", "blanks")
                for wording in wordings
            ),
            (low < high, "have bounds, the lower one first", f"{low} and {high}"),
            (not reserved, "leave dimension and mapping to medassay", "a parameter of that name"),
        ]
        problems = [Problem(self.name, must, got) for holds, must, got in checks if not holds]
        if problems:
            raise InvalidInput(problems)


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One way to say how far raters agree: a declaration, and the function that prepares it."""

    declared: Declaration
    prepare: _Prepare

    @property
    def name(self) -> str:
        """Give the base of its canonical name."""
        return self.declared.name

    @property
    def is_ours(self) -> bool:
        """Say whether medassay itself brings it."""
        return self.prepare.__module__.partition(".")[0] == __name__.partition(".")[0]


KNOWN: Final = Registered[Coefficient](GROUP, "agreement coefficient", API)
"""Those that are registered, by name; whoever imports this room has ours among them."""


def coefficient(declared: Declaration) -> Callable[[_Prepare], _Prepare]:
    """Register the function that prepares the declared coefficient.

    Raises:
        InvalidInput: The name is taken, or the coefficient was written for another version.
    """

    def register(prepare: _Prepare) -> _Prepare:
        registered = Coefficient(declared, prepare)
        KNOWN.add(declared.name, registered, api=declared.api, module=prepare.__module__)
        return prepare

    return register
