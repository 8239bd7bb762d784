"""Try a consensus method on made-up panels, as the tests of medassay try its own."""

from collections import Counter
from typing import Final

import numpy as np

from medassay.consensus import find_method
from medassay.judgements import Units
from medassay.scores import Score, Unscored
from medassay.testing import consensus_contract as contract
from medassay.testing.hold import hold
from medassay.testing.panels import made_panels

__all__ = ["check_consensus_method"]

_SHOWN: Final = 5


def check_consensus_method(name: str, *panels: Units, drawn: int = 24) -> str:
    """Does a consensus method hold to what every method of medassay holds to?

    Its declaration tells all; it gives one score or reason an answer, on the labels' scale unless
    it says otherwise, the same twice, and in any order of answers and raters unless it draws; it
    raises nothing where labels have no scores, one rater is alone, or nobody agrees. Every value of
    every choice is tried.

    Args:
        name: Its canonical name, once its module is imported or its package installed.
        panels: Labels of yours, where it needs what the made-up ones do not have. They are tried
            beside those.
        drawn: How many panels are drawn at random, beside small ones where every corner turns up.

    Returns:
        How many answers had a value, in which range, and why the others had none.

    Raises:
        AssertionError: What does not hold, in a sentence.
        UnknownName: There is no such method.

    Example:
        >>> print(check_consensus_method("mean"))
        mean: 240 of 360 answers have a value, 0 to 3; the others have none: 120 undefined here: \
the labels of labels have no scores.
    """
    rng = np.random.default_rng(0)
    tried: list[Score | Unscored] = []
    method, asked = find_method(name)
    for variant in contract.variants_of(name):
        contract.declaration_tells_all(variant)
        for units in (*made_panels(drawn), *panels):
            tried += contract.joined_on(variant, units).scores
            if not method.declared.random:
                rows = rng.permutation(len(units)).tolist()
                columns = rng.permutation(len(units.raters)).tolist()
                contract.order_changes_nothing(variant, units, rows, columns)
    who = str(asked)
    values = [score.value for score in tried if isinstance(score, Score)]
    reasons = Counter(str(score) for score in tried if isinstance(score, Unscored))
    must = "give some answer a value: hand it labels of yours that have one"
    hold(values, who, must, next(iter(reasons), "none"))
    ends = f"{min(values):.3g} to {max(values):.3g}"
    text = f"{who}: {len(values)} of {len(tried)} answers have a value, {ends}"
    why = "; ".join(f"{count} {reason}" for reason, count in reasons.most_common(_SHOWN))
    more = f"; and {len(reasons) - _SHOWN} more reasons" if len(reasons) > _SHOWN else ""
    return f"{text}; the others have none: {why}{more}." if why else f"{text}."
