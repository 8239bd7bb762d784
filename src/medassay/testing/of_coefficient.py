"""Try a coefficient on made-up panels, as our tests try ours: what it must keep to."""

from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from typing import Final

import numpy as np

from medassay.agreement import Agreement, Coefficient, Prepared, agree_on_units, find_coefficient
from medassay.judgements import Units
from medassay.scores import Name, Reason
from medassay.testing.hold import hold, made_panels, shuffled, tried_words, unchanged, variants_of

_CLOSE: Final = 1e-9
_DRAWS: Final = 7


def check_coefficient(name: str, *panels: Units, drawn: int = 24) -> str:
    """Does a coefficient hold to what every coefficient of medassay holds to?

    Its declaration tells all; its values lie within its bounds, on resamples too, and are the same
    twice and in any order of answers and raters; a draw's value knows no other draw; where it has
    no value it says why, and raises nothing. Every value of every choice is tried.

    Args:
        name: Its canonical name, once its module is imported or its package installed.
        panels: Labels of yours, where it needs what the made-up ones do not have. They are tried
            beside those.
        drawn: How many panels are drawn at random, beside small ones where every corner turns up.

    Returns:
        On how many panels it had a value, in which range, and why it had none on the others.

    Raises:
        AssertionError: What does not hold, in a sentence.
        UnknownName: There is no such coefficient.

    Example:
        >>> print(check_coefficient("unanimous"))
        unanimous: 87 of 99 panels have a value, 0 to 1; the others have none: 12 undefined here: \
no answer has labels of two raters.
    """
    rng = np.random.default_rng(0)
    tried: list[Agreement] = []
    coefficient, parsed = find_coefficient(name)
    parameters = coefficient.declared.parameters
    for variant in variants_of(parsed, parameters, lambda text: find_coefficient(text)[1]):
        _declaration_tells_all(variant)
        for units in (*made_panels(drawn), *panels):
            tried.append(found_on(variant, units))
            rows = rng.permutation(len(units)).tolist()
            columns = rng.permutation(len(units.raters)).tolist()
            order_changes_nothing(variant, units, rows, columns)
            draws_know_no_neighbours(variant, units, rng)
    values = [agreement.value for agreement in tried if agreement.value is not None]
    reasons = Counter(agreement.reason for agreement in tried if agreement.reason)
    who = str(parsed)
    must = "have a value on some panel: hand it labels of yours that have one"
    hold(values, who, must, next(iter(reasons), "none"))
    return tried_words(who, values, reasons, f"{len(tried)} panels")


def _declaration_tells_all(name: str) -> None:
    """Does the declaration tell what a reader must know? Blanks are refused when it is declared."""
    declared = find_coefficient(name)[0].declared
    hold(declared.question.endswith("?"), name, "ask a question, with its mark", declared.question)


def found_on(name: str, units: Units) -> Agreement:
    """Give its value on a panel or the reason in words: the same twice, and within its bounds."""
    before = deepcopy(units)
    agreement, again = (agree_on_units(units, coefficient_names=[name])[0] for _ in range(2))
    hold(unchanged(units, before), name, "leave the labels as they are", "others")
    reason = agreement.reason
    if agreement.value is None:
        why, _, detail = reason.partition(": ")
        failed = why in {Reason.FAILED.words, Reason.BACKEND_MISSING.words}
        hold(not failed, name, f"hold on {_shape(units)}", reason)
        hold(detail.strip(), name, "say why it has no value", reason)
    hold(again.value == agreement.value, name, "say the same twice", again.value)
    if agreement.value is not None:
        low, high = find_coefficient(name)[0].declared.bounds
        inside = low - _CLOSE <= agreement.value <= high + _CLOSE
        hold(inside, name, f"stay within its bounds, {low:g} to {high:g}", agreement.value)
        pairs = int(units.with_labels(2).sizes.size)
        hold(pairs, name, "have no value where no answer has two labels", agreement.value)
    return agreement


def order_changes_nothing(
    name: str, units: Units, rows: Sequence[int], columns: Sequence[int], within: float = _CLOSE
) -> None:
    """Is the value the same whatever the order of answers and raters?"""
    value = agree_on_units(units, coefficient_names=[name])[0].value
    other = agree_on_units(shuffled(units, rows, columns), coefficient_names=[name])[0].value
    same = value is other or (
        value is not None and other is not None and abs(value - other) <= within
    )
    must = "be the same for answers and raters in any order"
    hold(same, name, must, f"{value} and {other}")


def draws_know_no_neighbours(name: str, units: Units, rng: np.random.Generator) -> None:
    """Is each draw's value its own: the same alone and among others, in its bounds or missing?"""
    coefficient, parsed = find_coefficient(name)
    prepared = _prepared(coefficient, parsed, units)
    if prepared is None:
        return
    cases = len(prepared.used.cases)
    weights = rng.multinomial(cases, np.full(cases, 1 / cases), size=_DRAWS).astype(np.float64)
    together = prepared.at(weights)
    alone = np.concatenate([prepared.at(weight[None]) for weight in weights])
    same = np.allclose(together, alone, rtol=0, atol=_CLOSE, equal_nan=True)
    hold(same, name, "give a draw the value that it has alone", together)
    low, high = coefficient.declared.bounds
    known = together[~np.isnan(together)]
    inside = ((known >= low - _CLOSE) & (known <= high + _CLOSE)).all()
    hold(inside, name, f"stay within its bounds, {low:g} to {high:g}, on resamples", known)


def _prepared(coefficient: Coefficient, parsed: Name, units: Units) -> Prepared | None:
    arguments = dict(parsed.arguments)
    if coefficient.declared.fits(units, arguments):
        return None
    prepared = coefficient.prepare(units, **arguments)
    return prepared if isinstance(prepared, Prepared) else None


def _shape(units: Units) -> str:
    codes = units.codes.tolist()
    return f"codes {codes} ({units.scale}, {len(units.labels)} labels)"
