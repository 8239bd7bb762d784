"""Numbers that are written in words are the numbers they name."""

import pytest

from medassay.models.nli.quantities import find_quantities
from medassay.models.nli.tokens import tokens


@pytest.mark.parametrize(
    ("words", "milligrams"),
    [("five", 5), ("twenty", 20), ("twenty five", 25), ("two hundred", 200)],
)
def test_a_number_in_words_is_read_whole(words: str, milligrams: float) -> None:
    [written], _ = find_quantities(tokens(f"Take {words} mg."))
    [in_digits], _ = find_quantities(tokens(f"Take {milligrams} mg."))
    assert (written.kind, written.low, written.high) == ("mass", in_digits.low, in_digits.high)
