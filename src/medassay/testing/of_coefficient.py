"""Try a coefficient on made-up panels, as the tests of medassay try its own."""

from collections import Counter
from typing import Final

import numpy as np

from medassay.agreement import Agreement, find_coefficient
from medassay.judgements import Units
from medassay.testing import coefficient_contract as contract
from medassay.testing.hold import hold
from medassay.testing.panels import made_panels

__all__ = ["check_coefficient"]

_SHOWN: Final = 5


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
    for variant in contract.variants_of(name):
        contract.declaration_tells_all(variant)
        for units in (*made_panels(drawn), *panels):
            tried.append(contract.found_on(variant, units))
            rows = rng.permutation(len(units)).tolist()
            columns = rng.permutation(len(units.raters)).tolist()
            contract.order_changes_nothing(variant, units, rows, columns)
            contract.draws_know_no_neighbours(variant, units, rng)
    values = [agreement.value for agreement in tried if agreement.value is not None]
    reasons = Counter(agreement.reason for agreement in tried if agreement.reason)
    who = str(find_coefficient(name)[1])
    must = "have a value on some panel: hand it labels of yours that have one"
    hold(values, who, must, next(iter(reasons), "none"))
    ends = f"{min(values):.3g} to {max(values):.3g}"
    text = f"{who}: {len(values)} of {len(tried)} panels have a value, {ends}"
    why = "; ".join(f"{count} {reason}" for reason, count in reasons.most_common(_SHOWN))
    more = f"; and {len(reasons) - _SHOWN} more reasons" if len(reasons) > _SHOWN else ""
    return f"{text}; the others have none: {why}{more}." if why else f"{text}."
