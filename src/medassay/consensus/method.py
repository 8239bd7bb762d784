"""What a consensus method declares, and where the declared ones are found."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from medassay.consensus.given import Given
from medassay.consensus.labels_alone import agreement_with_others, label_entropy
from medassay.consensus.model import Model
from medassay.errors import UnknownName
from medassay.judgements import Units
from medassay.scores import Name, Number, Score, Unscored, read_parameters

__all__ = [
    "Declaration",
    "Joined",
    "Method",
    "consensus_method",
    "consensus_methods",
    "find_method",
    "fitted_method",
    "title_of",
]


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
    def __call__(self, units: Units, **parameters: str) -> NDArray[np.int64]: ...


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
        parts: What the parts of each score are, in order.
        source: Where it was published.
        parameters: Each parameter's name and the values it may take; the first is the default and
            is left out of names. A number says its default and bounds.
        quality: What the quality of a rater is under this method, with its range.
        random: Whether it draws random numbers, so that `rng` must be given.
    """

    name: str
    title: str
    question: str
    unit: str
    undefined: str
    parts: tuple[str, ...]
    source: str = ""
    parameters: Mapping[str, tuple[str, ...] | Number] = field(default_factory=dict)
    quality: str = (
        "share of the rater's labels that lead among the answer's other raters, 0 to 1; answers "
        "where two labels lead are left out"
    )
    random: bool = False


@dataclass(frozen=True, slots=True)
class Method:
    """One way to say what raters jointly say: a declaration, and the function that does it.

    `fit` reads units that each have a label.
    """

    declared: Declaration
    fit: _Fit

    @property
    def name(self) -> str:
        """Give the base of its canonical name."""
        return self.declared.name


_KNOWN: dict[str, Method] = {}


def consensus_method(
    declared: Declaration, choose: _Choose | None = None
) -> Callable[[_Join], _Join]:
    """Register a function that only scores units; the rest is read off the labels themselves.

    Args:
        declared: What the method says about itself.
        choose: Gives the code of each unit's label, where the method has labels.
    """

    def register(join: _Join) -> _Join:
        def fit(
            units: Units, *, rng: np.random.Generator | None, given: Given, **parameters: str
        ) -> Joined:
            del rng, given  # nothing is drawn, and nothing but labels is read
            codes = None if choose is None else tuple(choose(units, **parameters).tolist())
            return Joined(
                scores=join(units, **parameters),
                uncertainty=label_entropy(units),
                quality=agreement_with_others(units),
                codes=codes,
            )

        _KNOWN[declared.name] = Method(declared, fit)
        return join

    return register


def fitted_method(declared: Declaration) -> Callable[[_Fit], _Fit]:
    """Register a function that fits a model: scores, uncertainty and quality are its own."""

    def register(fit: _Fit) -> _Fit:
        _KNOWN[declared.name] = Method(declared, fit)
        return fit

    return register


def consensus_methods() -> tuple[Method, ...]:
    """List the registered methods by name.

    Example:
        >>> [one.name for one in consensus_methods()]
        ['dawid_skene', 'label_sum', 'mace', 'majority', 'mean', 'median']
    """
    return tuple(_KNOWN[name] for name in sorted(_KNOWN))


def find_method(name: str) -> tuple[Method, Name]:
    """Find a method by its canonical name; the name comes back with defaults left out.

    Raises:
        UnknownName: There is no such method.
        InvalidInput: The name does not parse, or a parameter or its value is not known.

    Example:
        >>> found, name = find_method("label_sum(scale=mean_x_n)")
        >>> found.name, str(name)
        ('label_sum', 'label_sum(scale=mean_x_n)')
        >>> str(find_method("mace(restarts=50,guessing=0.50)")[1])
        'mace(restarts=50)'
    """
    parsed = Name.parse(name)
    if parsed.base not in _KNOWN:
        raise UnknownName("consensus method", parsed.base, sorted(_KNOWN))
    found = _KNOWN[parsed.base]
    return found, read_parameters(parsed, found.declared.parameters)


def title_of(name: str) -> str:
    """Give what a table calls a method; what was chosen beside the defaults follows in brackets.

    Raises:
        UnknownName: There is no such method.
        InvalidInput: The name does not parse, or a parameter or its value is not known.

    Example:
        >>> title_of("majority(ties=lower)")
        'majority (ties lower)'
    """
    found, known = find_method(name)
    chosen = ", ".join(f"{key} {value}" for key, value in known.arguments)
    return f"{found.declared.title} ({chosen})" if chosen else found.declared.title
