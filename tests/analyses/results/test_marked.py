"""A record of results that does not say what its values are cannot be made."""

import pytest

from medassay.annotations import PValue, UnmarkedText, WrongInference
from medassay.annotations.record import Plain
from medassay.stats import Interval


def test_a_record_of_results_says_of_every_string_what_it_is_of() -> None:
    with pytest.raises(UnmarkedText, match=r"Forgetful\.seen \(str\)"):

        class Forgetful(Plain, infers=False):
            seen: str


def test_a_record_of_results_says_whether_it_infers() -> None:
    with pytest.raises(TypeError, match="infers"):

        class Silent(Plain):
            n: int


def test_a_record_that_describes_can_do_without_every_inference() -> None:
    with pytest.raises(WrongInference, match=r"Sure\.p, Sure\.around must hold an inference"):

        class Sure(Plain, infers=False):
            p: PValue
            around: Interval
            perhaps: PValue | None
            more: list[Interval]
