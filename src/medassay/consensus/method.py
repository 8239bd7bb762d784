"""What a consensus method declares, and how it is registered."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from medassay.consensus.given import Given
from medassay.consensus.labels_alone import agreement_with_others, label_entropy
from medassay.consensus.model import Model
from medassay.errors import InvalidInput, Problem
from medassay.judgements import Units
from medassay.plugins import Registered
from medassay.scores import Number, Score, Unscored, is_word

__all__ = [
    "API",
    "GROUP",
    "KNOWN",
    "Declaration",
    "Joined",
    "Method",
    "consensus_method",
    "fitted_method",
]

API: Final = 1
"""The version of what a method declares and gives. One that was written for another is named."""
GROUP: Final = "medassay.consensus"
"""The entry point group under which a package names the module that registers its methods."""


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """What a method makes of the labels of one dimension.

    Attributes:
        scores: One score or reason for each unit.
        uncertainty: Entropy for each unit, in nats: of the labels given, or of the posterior where
            the method has one. 0 where there is no doubt, ln(number of labels) where all are alike.
        quality: For each rater the number that `Declaration.quality` describes; None where it has
            no value.
        codes: For each unit the code of its consensus label, -1 where it has none; None where the
            method gives scores but no label.
        model: All that was fitted, where the method fits a model.
    """

    scores: list[Score | Unscored]
    uncertainty: tuple[float, ...]
    quality: tuple[float | None, ...]
    codes: tuple[int, ...] | None = None
    model: Model | None = None


class _Join(Protocol):
    def __call__(self, units: Units, **parameters: str) -> list[Score | Unscored]: ...


class _Choose(Protocol):
    def __call__(self, units: Units, **parameters: str) -> Sequence[int] | NDArray[np.int64]: ...


class _Fit(Protocol):
    def __call__(
        self,
        units: Units,
        *,
        rng: np.random.Generator | None,
        given: Given,
        **parameters: str,
    ) -> Joined: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """What a consensus method says about itself.

    Attributes:
        name: The base of its canonical name.
        title: What a table calls it.
        question: What it answers.
        unit: What its values are counted in.
        undefined: When an answer that has labels has no value.
        parts: What the parts of each score are, in order; none where a score has none.
        source: Where it was published.
        parameters: Each parameter's name and the values it may take; the first is the default and
            is left out of names. A number says its default and bounds.
        quality: What the quality of a rater is under this method, with its range.
        random: Whether it draws random numbers, so that `rng` must be given.
        on_scale: Whether its values lie between the lowest and the highest score of the labels, as
            a mean's do and a sum's do not. Intervals and axes end there.
        numbers: Whether it joins numbers as well as labels.
        api: The version of this declaration that it was written for.
    """

    name: str
    title: str
    question: str
    unit: str
    undefined: str
    parts: tuple[str, ...] = ()
    source: str = ""
    parameters: Mapping[str, tuple[str, ...] | Number] = field(default_factory=dict)
    quality: str = (
        "share of the rater's labels that lead among the answer's other raters, 0 to 1; answers "
        "where two labels lead are left out"
    )
    random: bool = False
    on_scale: bool = True
    numbers: bool = False
    api: int = API

    def __post_init__(self) -> None:
        """Refuse a declaration that leaves a reader guessing.

        Raises:
            InvalidInput: Everything that is missing or does not fit together.
        """
        wordings = ("title", "question", "unit", "undefined", "quality")
        reserved = {"dimension", "mapping"} & {*self.parameters}
        checks = [
            (is_word(self.name), "have a name of one word", f'"{self.name}"'),
            *(
                (getattr(self, wording).strip(), f"say its {wording}", "blanks")
                for wording in wordings
            ),
            (not reserved, "leave dimension and mapping to medassay", "a parameter of that name"),
        ]
        problems = [Problem(self.name, must, got) for holds, must, got in checks if not holds]
        if problems:
            raise InvalidInput(problems)


@dataclass(frozen=True, slots=True)
class Method:
    """One way to say what raters jointly say: a declaration, and the function that does it.

    `fit` reads units that each have a label. `chooses` says that its codes come from `choose`: they
    are the labels whose scores it gives, which those of a fitted model need not be.
    """

    declared: Declaration
    fit: _Fit
    chooses: bool = False

    @property
    def name(self) -> str:
        """Give the base of its canonical name."""
        return self.declared.name

    @property
    def module(self) -> str:
        """Name the module that registered it."""
        return self.fit.__module__

    @property
    def is_ours(self) -> bool:
        """Say whether medassay itself brings it."""
        return self.module.partition(".")[0] == __name__.partition(".")[0]


KNOWN: Final = Registered[Method](GROUP, "consensus method", API)
"""Those that are registered, by name; whoever imports this room has ours among them."""


def consensus_method(
    declared: Declaration, choose: _Choose | None = None
) -> Callable[[_Join], _Join]:
    """Register a function that only scores units; the rest is read off the labels themselves.

    Args:
        declared: What the method says about itself.
        choose: Gives the code of each unit's label, where the method has labels.

    Raises:
        InvalidInput: The name is taken, or the method was written for another version.
    """

    def register(join: _Join) -> _Join:
        @wraps(join)
        def fit(
            units: Units, *, rng: np.random.Generator | None, given: Given, **parameters: str
        ) -> Joined:
            del rng, given  # nothing is drawn, and nothing but labels is read
            codes = None if choose is None else tuple(map(int, choose(units, **parameters)))
            labels = not units.of_numbers
            return Joined(
                scores=join(units, **parameters),
                uncertainty=label_entropy(units) if labels else (0.0,) * len(units),
                quality=agreement_with_others(units) if labels else (None,) * len(units.raters),
                codes=codes,
            )

        _register(declared, fit, chooses=choose is not None)
        return join

    return register


def fitted_method(declared: Declaration) -> Callable[[_Fit], _Fit]:
    """Register a function that fits a model: scores, uncertainty and quality are its own.

    Raises:
        InvalidInput: The name is taken, or the method was written for another version.
    """

    def register(fit: _Fit) -> _Fit:
        _register(declared, fit)
        return fit

    return register


def _register(declared: Declaration, fit: _Fit, *, chooses: bool = False) -> None:
    method = Method(declared, fit, chooses)
    KNOWN.add(declared.name, method, api=declared.api, module=fit.__module__)
