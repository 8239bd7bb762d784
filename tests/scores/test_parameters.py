"""The one way to write the parameters of a name."""

import pytest

from medassay.errors import InvalidInput
from medassay.scores import Name, Number, read_parameters

KNOWN: dict[str, tuple[str, ...] | Number] = {
    "ties": ("first", "none"),
    "least": Number("1"),
    "raters": Number(None, 2),
}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("majority", "majority"),
        ("majority(ties=first,least=1)", "majority"),
        ("majority(ties=none,least=2)", "majority(least=2,ties=none)"),
        ("majority(raters=3)", "majority(raters=3)"),
    ],
)
def test_defaults_are_left_out(written: str, read: str) -> None:
    assert str(read_parameters(Name.parse(written), KNOWN)) == str(Name.parse(read))


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("majority(tie=none)", 'only the parameters ties, least, raters; got "tie"'),
        ("majority(ties=last)", "have ties be one of first, none"),
        ("majority(raters=1)", "have raters be a whole number, 2 or more"),
        ("majority(least=many)", "have least be a whole number, 1 or more"),
    ],
)
def test_what_is_not_allowed_is_named(written: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        read_parameters(Name.parse(written), KNOWN)


def test_a_word_must_be_said() -> None:
    with pytest.raises(InvalidInput, match="say its label"):
        read_parameters(Name.parse("specific"), {}, ["label"])
    assert str(read_parameters(Name.parse("specific(label=a)"), {}, ["label"])) == (
        "specific(label=a)"
    )
