"""How numbers are printed."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.exhibits.drawing import contrast, diverging, ink_on
from medassay.exhibits.numbers import PROPORTION, Style, bounds, count_of, listed, p_value, shown_p
from medassay.stats import Interval

READABLE = 4.5
"""The contrast that WCAG 2.1 asks of small text (AA)."""


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.625, "0.62"), (-0.6, "−0.60"), (1, "1.00"), (-1, "−1.00"), (0, "0.00"), (-0.001, "0.00")],
)
def test_a_correlation_keeps_its_zero_and_its_sign(value: float, shown: str) -> None:
    assert PROPORTION(value) == shown


def test_a_value_that_may_pass_one_keeps_its_zero() -> None:
    assert Style(2)(0.5) == "0.50"


def test_an_interval_stands_in_brackets_and_a_missing_one_is_nothing() -> None:
    one = Interval(low=-0.1, high=0.25, level=0.95, method="m", estimand="e")
    assert bounds(one) == "[−0.10, 0.25]"
    assert bounds(None) == ""


@given(st.floats(0, 1))
def test_a_p_value_is_never_printed_as_zero(p: float) -> None:
    assert not re.fullmatch(r"\.?0+", shown_p(p).lstrip("0"))
    assert p_value(p).startswith(("p = ", "p < "))


def test_words_for_counts() -> None:
    assert (count_of(1, "case"), count_of(2, "case")) == ("1 case", "2 cases")
    assert (listed([]), listed(["A"]), listed(["A", "B"])) == ("", "A", "A and B")


@given(st.floats(-1, 1))
def test_a_value_is_readable_on_its_colour(tau: float) -> None:
    ground = diverging(tau)
    assert contrast(ink_on(ground), ground) >= READABLE


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


@given(st.floats(0.05, 1))
def test_blue_is_agreement_and_orange_is_against(tau: float) -> None:
    red, _, blue = _channels(diverging(tau))
    assert blue > red
    red, _, blue = _channels(diverging(-tau))
    assert red > blue
