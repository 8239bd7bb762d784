"""A name is an identity: it prints, and what it prints parses back to it."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.errors import InvalidInput
from medassay.scores import Name

WORDS = st.from_regex(r"[A-Za-z][A-Za-z0-9_.-]*", fullmatch=True)
VALUES = st.text(min_size=1).filter(
    lambda text: text.isprintable() and text == text.strip() and not set(text) & set("(),=")
)
NAMES = st.builds(
    lambda base, k, arguments: Name.of(base, k).with_arguments(arguments),
    WORDS,
    st.none() | st.integers(1, 10**18 - 1),
    st.dictionaries(WORDS, VALUES, max_size=4),
)


@given(NAMES)
def test_what_is_printed_parses_back(name: Name) -> None:
    assert Name.parse(str(name)) == name
    assert hash(Name.parse(str(name))) == hash(name)


@pytest.mark.slow
@given(st.dictionaries(WORDS, VALUES, min_size=2, max_size=4), st.randoms())
def test_the_order_of_arguments_means_nothing(arguments: dict[str, str], random: object) -> None:
    pairs = [f"{key}={value}" for key, value in arguments.items()]
    random.shuffle(pairs)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    assert Name.parse(f"m({','.join(pairs)})") == Name.of("m").with_arguments(arguments)


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("rouge1", "rouge1"),
        (" recall@5 ( ref = human , gold=strict ) ", None),
        ("recall@5( ref = human , gold=strict )", "recall@5(gold=strict,ref=human)"),
        ("length()", "length"),
        ("mean(dimension=two words)", "mean(dimension=two words)"),
    ],
)
def test_spaces_inside_are_dropped(written: str, canonical: str | None) -> None:
    if canonical is None:
        with pytest.raises(InvalidInput):
            Name.parse(written)
    else:
        assert str(Name.parse(written)) == canonical


@pytest.mark.parametrize(
    "text",
    ["", " ", "1st", "a b", "a@0", "a@-1", "a@x", "a(b)", "a(b=)", "a(=c)", "a(b=c,b=d)",
     "a(b=c", "a(b=c))", "a(b=c,)", "a(b=(c))", "a(b=c=d)", "a@5@6", "ä"],
)  # fmt: skip
def test_what_has_another_form_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"name\[@k\]\(key=value,\.\.\.\)") as caught:
        Name.parse(text)
    assert "rouge1(ref=human)" in caught.value.problems[0].try_


@pytest.mark.parametrize("value", ["", " a", "a ", "a,b", "a=b", "(a", "a\nb", "a\tb"])
def test_a_name_that_would_not_parse_back_cannot_be_made(value: str) -> None:
    with pytest.raises(InvalidInput):
        Name.of("mean", dimension=value)
    with pytest.raises(InvalidInput):
        Name("mean", 0)


def test_arguments_are_looked_up_by_key() -> None:
    name = Name.of("mean", dimension="fluency")
    assert (name["dimension"], name.get("mapping")) == ("fluency", None)


@given(NAMES)
def test_a_name_is_the_text_that_it_prints(name: Name) -> None:
    text = str(name)
    assert (name == text, hash(name) == hash(text), type(text)) == (True, True, str)
    assert name.base in name
    assert [*name] == [*text]
    for copied in (copy.deepcopy(name), pickle.loads(pickle.dumps(name))):  # noqa: S301 - our own
        assert (copied, copied.k, copied.arguments) == (name, name.k, name.arguments)


def test_names_sort_by_their_parts() -> None:
    names = [Name.parse(text) for text in ("recall@10", "recall@5", "recall", "bleu(ref=human)")]
    assert [*map(str, sorted(names))] == ["bleu(ref=human)", "recall", "recall@5", "recall@10"]
    assert max(names) >= min(names)
