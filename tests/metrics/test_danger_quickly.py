"""The quick look for a drug or sign must never say no where a pattern would find one."""

from hypothesis import given
from hypothesis import strategies as st

from medassay.metrics.danger import danger_rules
from medassay.metrics.danger.mentions import folds_in, stem_pattern, word_pattern

RULES = danger_rules()
NAMES = sorted(
    {name for names in RULES.drugs.values() for name in names}
    | {name for one in RULES.missed for names in one.shows for name in names}
    | {name for one in RULES.delayed for names in one.shows for name in names}
)
ODD = {"k": "K", "s": "ſ", "i": "İ"}  # letters that fold into others  # noqa: RUF001 - on purpose


@given(
    name=st.sampled_from(NAMES),
    around=st.tuples(st.text(max_size=3), st.text(max_size=3)),
    change=st.sampled_from([str.upper, str.lower, str.title, str.swapcase]),
    odd=st.sampled_from(sorted(ODD)),
)
def test_what_a_pattern_finds_the_quick_look_finds(
    name: str, around: tuple[str, str], change: object, odd: str
) -> None:
    assert callable(change)
    for told in (name, change(name), name.replace(odd, ODD[odd])):
        text = f"{around[0]}{told}{around[1]}"
        for make in (word_pattern, stem_pattern):
            if make((name,)).search(text) is not None:
                assert folds_in(name, text.casefold())
