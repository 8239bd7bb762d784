"""The quick look for a drug or sign must never say no where a pattern would find one."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from medassay.metrics.danger import danger_rules
from medassay.metrics.danger.mentions import folded, folds_in, stem_pattern, word_pattern

RULES = danger_rules()
NAMES = sorted(
    {name for names in RULES.drugs.values() for name in names}
    | {name for one in RULES.missed for names in one.shows for name in names}
    | {name for one in RULES.delayed for names in one.shows for name in names}
)
ODD = ("k\u212a", "s\u017f", "i\u0130", "i\u0131")
"""Letters of a to z, with what patterns take for them."""


@given(
    name=st.sampled_from(NAMES),
    around=st.tuples(st.text(max_size=3), st.text(max_size=3)),
    change=st.sampled_from([str.upper, str.lower, str.title, str.swapcase]),
    odd=st.sampled_from(ODD),
)
def test_what_a_pattern_finds_the_quick_look_finds(
    name: str, around: tuple[str, str], change: Callable[[str], str], odd: str
) -> None:
    for told in (name, change(name), name.replace(odd[0], odd[1])):
        text = f"{around[0]}{told}{around[1]}"
        for make in (word_pattern, stem_pattern):
            if make((name,)).search(text) is not None:
                assert folds_in([name], folded(text))
