"""Other packages' consensus methods: held to what they declare, and silent where words are kept.

Ours are tested never to raise, to stay on the labels' scale and to quote nothing. What another
package brings is looked at while it runs: where it does not hold, every answer of that dimension
has the reason in place of a value, and the rest goes on.
"""

from dataclasses import replace
from functools import wraps
from typing import Any, Final

import numpy as np

from medassay.consensus.given import Given
from medassay.consensus.labels_alone import label_entropy
from medassay.consensus.method import Joined, Method
from medassay.consensus.model import Model
from medassay.errors import InvalidInput, MissingBackend, Problem
from medassay.judgements import Units
from medassay.plugins import Raised, attempt
from medassay.scores import Reason, Score, Unscored
from medassay.tables import holds_halves

__all__ = ["guarded", "without_own_words"]

_KEPT: Final = "kept back, since this study keeps its words and the method is a package's"
_CLOSE: Final = 1e-9
_ITS_OWN: Final = frozenset({Reason.UNDEFINED, Reason.TIE, Reason.FAILED, Reason.BACKEND_MISSING})
"""What a method can know of an answer that has labels; the other reasons are the study's to give.
"""


def guarded(own: Method) -> Method:
    """Give a method of another package that raises nothing and gives what it declares."""

    @wraps(own.fit)
    def fit(
        units: Units, *, rng: np.random.Generator | None, given: Given, **parameters: str
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


def without_own_words(held: Method, package: str) -> Method:
    """Give a guarded method that says nothing in words of its own; its values are the same."""

    @wraps(held.fit)
    def fit(
        units: Units, *, rng: np.random.Generator | None, given: Given, **parameters: str
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
