"""How often two raters gave the same label is told as a range only where it is one."""

import inspect

import pytest

from medassay.agreement import Agreement
from medassay.analyses.builtin.agreement import same_label
from medassay.exhibits import Names


def _agreement(dimension: str, value: float, coefficient: str = "mean_pairwise") -> Agreement:
    names = inspect.signature(Agreement).parameters
    given = {
        "dimension": dimension, "mapping": "full", "coefficient": coefficient,
        "subset": "all cases", "value": value, "title": "Pairwise agreement",
    }  # fmt: skip
    blank = {name: None for name, one in names.items() if one.default is inspect.Parameter.empty}
    return Agreement(**{**blank, **given})  # type: ignore[arg-type] # what the sentence reads


@pytest.mark.parametrize("value", [0.5, 0.4999, 1.0])
def test_many_questions_that_agree_alike_are_no_range(value: float) -> None:
    said = same_label([_agreement(f"d{n}", value + n / 10_000) for n in range(6)], Names())
    assert said == (
        f"On average, two raters agreed on {100 * value:.0f}% of answers on every question."
    )


@pytest.mark.parametrize(
    ("share", "beside"),
    [(0.87, " (87% of ratings were one label, so chance alone gives much of this)"), (0.51, "")],
)
def test_one_label_is_named_where_it_makes_agreement_likely(share: float, beside: str) -> None:
    panel = [_agreement("harm", 0.95), _agreement("harm", share, "commonest")]
    assert (
        same_label(panel, Names())
        == f"On average, two raters agreed on 95% of answers on harm{beside}."
    )
