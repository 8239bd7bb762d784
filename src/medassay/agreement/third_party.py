"""Other packages' coefficients: held to what they declare, and silent where words are kept.

Ours are tested never to raise, to stay in their bounds and to quote nothing. What another package
brings is looked at while it runs: what does not hold is a reason in place of that value, and the
rest goes on.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.coefficient import Coefficient, Declaration, Prepared
from medassay.errors import MissingBackend
from medassay.judgements import Units
from medassay.plugins import Raised, attempt
from medassay.scores import Name, Reason, Unscored, read_parameters
from medassay.tables import holds_halves

__all__ = ["guarded", "without_own_words"]

_KEPT: Final = "kept back, since this study keeps its words and the coefficient is a package's"
_UNSAID: Final = "what its package says"
_CLOSE: Final = 1e-9


def guarded(own: Coefficient) -> Coefficient:
    """Give a coefficient of another package that raises nothing and gives what it declares."""
    declared = own.declared
    variants = None if declared.variants is None else _variants(declared)
    held = replace(declared, fits=_fits(declared), variants=variants)
    return Coefficient(held, _prepare(own))


def without_own_words(held: Coefficient, package: str) -> Coefficient:
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


def _fits(declared: Declaration) -> Callable[[Units, dict[str, str]], str]:
    def fits(units: Units, parameters: dict[str, str]) -> str:
        words = attempt(lambda: declared.fits(units, parameters))
        # What it raises has no place here: it is told when the value is asked for.
        return words if isinstance(words, str) and not holds_halves(words) else ""

    return fits


def _variants(declared: Declaration) -> Callable[[Units], Sequence[dict[str, str]]]:
    def variants(units: Units) -> Sequence[dict[str, str]]:
        lines = attempt(lambda: _own_variants(declared, units))
        return [{}] if isinstance(lines, Raised) else lines

    return variants


def _own_variants(declared: Declaration, units: Units) -> Sequence[dict[str, str]]:
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


def _fault(prepared: Any, declared: Declaration, units: Units) -> str:  # noqa: ANN401 - as above
    """Say how what came back breaks the declaration; empty if it does not."""
    if not isinstance(prepared, Prepared):
        return f"gave {type(prepared).__name__}, not a Prepared or an Unscored"
    if not set(prepared.used.cases) <= set(units.with_labels(2).cases):
        return "reads cases without an answer that has two labels"
    if holds_halves(prepared.note):
        return "gave a note with half of a character"
    return _fault_of_values(prepared, declared)


def _fault_of_values(prepared: Prepared, declared: Declaration) -> str:
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
    own: Callable[[NDArray[np.float64]], NDArray[np.float64]], declared: Declaration
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
