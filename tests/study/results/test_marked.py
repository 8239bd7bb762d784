"""A record of results with a string of which nothing is said cannot be made."""

import pytest

from medassay.privacy import UnmarkedText
from medassay.study.results.plain import Plain


def test_a_record_of_results_says_of_every_string_what_it_is_of() -> None:
    with pytest.raises(UnmarkedText, match=r"Forgetful\.seen \(str\)"):

        class Forgetful(Plain):
            seen: str
