"""What a consensus method declares, how it is registered, and where it is found by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from medassay.consensus.label_scores import agreement_with_others, label_entropy
from medassay.errors import InvalidInput, MissingBackend, Problem
from medassay.judgements import Units
from medassay.plugins import Raised, Registered, attempt
from medassay.scores import (
    Members,
    Name,
    Number,
    Reason,
    Score,
    Unit,
    Unscored,
    read_parameters,
    refuse_unsaid,
)
from medassay.tables import holds_halves

_API: Final = 1
"""The version of what a method declares and gives. One that was written for another is named."""
GROUP: Final = "medassay.consensus"
"""The entry point group under which a package names the module that registers its methods."""
_KEPT: Final = "kept back, since this study keeps its words and the method is a package's"
_CLOSE: Final = 1e-9
_ITS_OWN: Final = frozenset({Reason.UNDEFINED, Reason.TIE, Reason.FAILED, Reason.BACKEND_MISSING})
"""What a method can know of an answer that has labels; the other reasons are the study's to give.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A fitted model of the raters of one dimension.

    Attributes:
        posterior: Probability of each label, shape (units, labels).
        log_likelihood: Of the fit that was kept.
        restarts: Log likelihood of every start; one where nothing is drawn.
        steps: Steps of the fit that was kept.
        shares: How often each label is true by the model, shape (labels,); None where the model
            takes it from `priors`.
        priors: Each label's share before anything was said, by label; None for equal shares.
        confusion: P(rater says | truth), shape (raters, true, said); None where the model has none.
        guesses: What each rater says when guessing, shape (raters, labels); None where the model
            knows no guessing.
        kept: For each unit whether it is certain enough to have a score.
        threshold: The highest entropy that is certain enough, in nats; None where all are kept.
        known: The label that each control unit was known to have; empty for the others.
        unknown: For each rater why the labels do not show how good they are; empty where they do.
        notes: What a reader must know of this fit.
    """

    posterior: NDArray[np.float64]
    log_likelihood: float
    restarts: tuple[float, ...]
    steps: int
    shares: NDArray[np.float64] | None = None
    priors: dict[str, float] | None = None
    confusion: NDArray[np.float64] | None = None
    guesses: NDArray[np.float64] | None = None
    kept: tuple[bool, ...] = ()
    threshold: float | None = None
    known: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """What a method makes of the labels of one dimension.

    Attributes:
        scores: One score or reason for each unit.
        uncertainty: Entropy for each unit, in nats: of the labels given, or of the posterior where
            the method has one. 0 where there is no doubt, ln(number of labels) where all are alike.
        quality: For each rater the number that `MethodDeclaration.quality` describes; None where
            it has no value.
        codes: For each unit the code of its consensus label, -1 where it has none; None where the
            method gives scores but no label.
        model: All that was fitted, where the method fits a model.
    """

    scores: list[Score | Unscored]
    uncertainty: tuple[float, ...]
    quality: tuple[float | None, ...]
    codes: tuple[int, ...] | None = None
    model: Model | None = None


class Join(Protocol):
    """Makes one score of what raters said of an answer."""

    def __call__(self, units: Units, **parameters: str) -> list[Score | Unscored]:
        """Give each unit's score, or why it has none."""


class Choose(Protocol):
    """Chooses one label of those that raters gave."""

    def __call__(self, units: Units, **parameters: str) -> Sequence[int] | NDArray[np.int64]:
        """Give the place of each unit's label among the dimension's."""


@dataclass(frozen=True, slots=True)
class KnownToModel:
    """What a model may be told of one dimension.

    Attributes:
        known: The true label of control items, by unit.
        priors: Each label's share before anything was said; None for equal shares.
    """

    known: Mapping[Unit, str] = field(default_factory=dict)
    priors: Mapping[str, float] | None = None

    def through(self, mapping: Mapping[str, str]) -> "KnownToModel":
        """Read the labels through a mapping, as judgements are.

        Example:
            >>> given = KnownToModel({Unit("A", "1"): "part"}, {"no": 0.5, "part": 0.3, "yes": 0.2})
            >>> read = given.through({"no": "no", "part": "yes", "yes": "yes"})
            >>> read.known, read.priors
            ({Unit(system='A', case='1', sample=0, about=''): 'yes'}, {'no': 0.5, 'yes': 0.5})
        """
        priors: dict[str, float] | None = None
        if self.priors is not None:
            priors = {}
            for label, share in self.priors.items():
                priors[mapping[label]] = priors.get(mapping[label], 0.0) + share
        return KnownToModel({key: mapping[label] for key, label in self.known.items()}, priors)


class Fit(Protocol):
    """Fits a model of raters and true labels."""

    def __call__(
        self,
        units: Units,
        *,
        rng: np.random.Generator | None,
        given: KnownToModel,
        **parameters: str,
    ) -> Joined:
        """Give scores, uncertainty and the model behind them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodDeclaration:
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
        "share of the rater's labels that lead among the answer's other raters, without ties"
    )
    random: bool = False
    on_scale: bool = True
    numbers: bool = False
    api: int = _API

    def __post_init__(self) -> None:
        """Refuse a declaration that leaves a reader guessing.

        Raises:
            InvalidInput: Everything that is missing or does not fit together.
        """
        wordings = ("title", "question", "unit", "undefined", "quality")
        refuse_unsaid(self, self.name, wordings, [*self.parameters])


@dataclass(frozen=True, slots=True)
class Method:
    """One way to say what raters jointly say: a declaration, and the function that does it.

    `fit` reads units that each have a label. `chooses` says that its codes come from `choose`: they
    are the labels whose scores it gives, which those of a fitted model need not be.
    """

    declared: MethodDeclaration
    fit: Fit
    chooses: bool = False

    @property
    def name(self) -> str:
        """Give the base of its canonical name."""
        return self.declared.name

    @property
    def module(self) -> str:
        """Name the module that registered it."""
        return self.fit.__module__


KNOWN: Final = Registered[Method](GROUP, "consensus method", _API)
"""Those that are registered, by name; whoever imports this room has ours among them."""


def consensus_method(
    declared: MethodDeclaration, choose: Choose | None = None
) -> Callable[[Join], Join]:
    """Register a function that only scores units; the rest is read off the labels themselves.

    Args:
        declared: What the method says about itself.
        choose: Gives the code of each unit's label, where the method has labels.

    Raises:
        InvalidInput: The name is taken, or the method was written for another version.
    """

    def register(join: Join) -> Join:
        @wraps(join)
        def fit(
            units: Units, *, rng: np.random.Generator | None, given: KnownToModel, **parameters: str
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


def fitted_method(declared: MethodDeclaration) -> Callable[[Fit], Fit]:
    """Register a function that fits a model: scores, uncertainty and quality are its own.

    Raises:
        InvalidInput: The name is taken, or the method was written for another version.
    """

    def register(fit: Fit) -> Fit:
        _register(declared, fit)
        return fit

    return register


def _register(declared: MethodDeclaration, fit: Fit, *, chooses: bool = False) -> None:
    method = Method(declared, fit, chooses)
    KNOWN.add(declared.name, method, api=declared.api, module=fit.__module__)


def consensus_methods() -> tuple[Method, ...]:
    """List the registered methods by name, those of other packages too.

    Example:
        >>> {"majority", "mean", "median"} <= {one.name for one in consensus_methods()}
        True
    """
    return _MEMBERS.every()


def find_method(name: str, *, hushed: bool = False) -> tuple[Method, Name]:
    """Find a method by its canonical name; the name comes back with defaults left out.

    Packages of others are loaded only when the name is not built in.

    Args:
        name: The canonical name.
        hushed: Whether a method of another package keeps its own words to itself.

    Raises:
        UnknownName: There is no such method.
        InvalidInput: The name does not parse, a parameter or its value is not known, or there is no
            such method and a package that may bring it is broken.

    Example:
        >>> found, name = find_method("label_sum(scale=mean_x_n)")
        >>> found.name, str(name)
        ('label_sum', 'label_sum(scale=mean_x_n)')
        >>> str(find_method("mace(restarts=50,guessing=0.50)")[1])
        'mace(restarts=50)'
    """
    method, parsed = _MEMBERS.find(name, hushed=hushed)
    return method, read_parameters(parsed, method.declared.parameters)


def title_of(name: str, *, hushed: bool = False) -> str:
    """Give what a table calls a method; what was chosen beside the defaults follows in brackets.

    Raises:
        UnknownName: There is no such method.
        InvalidInput: The name does not parse, or a parameter or its value is not known.

    Example:
        >>> title_of("majority(ties=lower)")
        'majority (ties lower)'
    """
    method, known = find_method(name, hushed=hushed)
    chosen = ", ".join(f"{key} {value}" for key, value in known.arguments)
    return f"{method.declared.title} ({chosen})" if chosen else method.declared.title


def consensus_plugin_problems() -> tuple[Problem, ...]:
    """Load the methods of other packages, once, and say which could not be loaded and why."""
    return KNOWN.load_plug_ins()


def _guarded(own: Method) -> Method:
    """Give a method of another package that raises nothing and gives what it declares."""

    @wraps(own.fit)
    def fit(
        units: Units, *, rng: np.random.Generator | None, given: KnownToModel, **parameters: str
    ) -> Joined:
        if own.declared.random and rng is None:
            hint = "Pass rng=1, or another whole number: the same draws the same."
            must = f"be given: {own.name} draws at random"
            raise InvalidInput(Problem("rng", must, "none", hint))

        def joined() -> Joined | str:
            # Whatever it gives: nothing but its own word says that it is what it declares.
            result: Any = own.fit(units, rng=rng, given=given, **parameters)
            return _fault(result, own, units) or result

        result = attempt(joined)
        if isinstance(result, Joined):
            return result
        if isinstance(result, Raised) and isinstance(result.error, MissingBackend):
            return _nothing(units, Unscored(Reason.BACKEND_MISSING, result.words))
        words = result.words if isinstance(result, Raised) else result
        return _nothing(units, Unscored(Reason.FAILED, words))

    return replace(own, fit=fit)


def _without_own_words(held: Method, package: str) -> Method:
    """Give a guarded method that says nothing in words of its own; its values are the same."""

    @wraps(held.fit)
    def fit(
        units: Units, *, rng: np.random.Generator | None, given: KnownToModel, **parameters: str
    ) -> Joined:
        joined = held.fit(units, rng=rng, given=given, **parameters)
        scores = [
            Unscored(score.reason) if isinstance(score, Unscored) else score
            for score in joined.scores
        ]
        model = joined.model
        if model is not None and model.notes:
            model = replace(model, notes=(f"{len(model.notes)} notes are {_KEPT}",))
        return replace(joined, scores=scores, model=model)

    silent = replace(
        held.declared,
        title=held.name,
        question=f"What this asks is {_KEPT}.",
        unit="its own units",
        undefined="its package says so",
        parts=tuple(f"part {place}" for place, _ in enumerate(held.declared.parts, start=1)),
        source=package,
        quality="a number that its package gives each rater",
    )
    return Method(silent, fit)


_MEMBERS: Final = Members(KNOWN, _guarded, _without_own_words)


def _nothing(units: Units, why: Unscored) -> Joined:
    return Joined([why] * len(units), label_entropy(units), (None,) * len(units.raters))


def _fault(result: Any, own: Method, units: Units) -> str:  # noqa: ANN401 - as above
    """Say how what came back breaks the declaration; empty if it does not."""
    if not isinstance(result, Joined):
        return f"gave {type(result).__name__}, not a Joined"
    answers, raters = len(units), len(units.raters)
    lengths = (
        ("scores", result.scores, answers),
        ("uncertainties", result.uncertainty, answers),
        ("qualities of raters", result.quality, raters),
        ("labels", (-1,) * answers if result.codes is None else result.codes, answers),
    )
    for what, values, wanted in lengths:
        if len(values) != wanted:
            return f"gave {len(values)} {what}, not {wanted}"
    if not set(result.codes or ()) <= set(range(-1, len(units.labels))):
        return "gave the code of a label that is not there"
    numbers = [*result.uncertainty, *(quality for quality in result.quality if quality is not None)]
    if not np.isfinite(np.array(numbers, dtype=np.float64)).all():
        return "gave a doubt or a quality that is no number"
    faults = (_fault_of(score, own, units) for score in result.scores)
    return next(filter(None, faults), "") or _fault_of_model(result.model, units)


def _fault_of(score: object, own: Method, units: Units) -> str:
    if isinstance(score, Unscored):
        if score.reason not in _ITS_OWN:
            return f'gave the reason "{score.reason}" to an answer that has labels'
        return "gave words with half of a character" if holds_halves(score.detail) else ""
    if not isinstance(score, Score):
        return f"gave {type(score).__name__}, not a Score or an Unscored"
    wanted = len(own.declared.parts)
    if len(score.parts) != wanted:
        return f"gave {len(score.parts)} parts, not {wanted}"
    if own.declared.on_scale and units.scores is not None:
        low, high = float(units.scores.min()), float(units.scores.max())
        if not low - _CLOSE <= score.value <= high + _CLOSE:
            return f"gave {score.value:g}, outside the labels' scores, {low:g} to {high:g}"
    return ""


def _fault_of_model(model: Model | None, units: Units) -> str:
    if model is None:
        return ""
    answers, raters, labels = len(units), len(units.raters), len(units.labels)
    shapes: tuple[tuple[str, Any, tuple[int, ...]], ...] = (
        ("posterior", model.posterior, (answers, labels)),
        ("kept", model.kept, (answers,)),
        ("known", model.known, (answers,)),
        ("shares", model.shares, (labels,)),
        ("guesses", model.guesses, (raters, labels)),
        ("confusion", model.confusion, (raters, labels, labels)),
    )
    for what, array, wanted in shapes:
        if array is not None and np.shape(array) != wanted:
            return f"gave a model whose {what} has the shape {np.shape(array)}, not {wanted}"
    if any(holds_halves(note) for note in model.notes):
        return "gave words with half of a character"
    return ""
