"""The quick look for a drug or sign must never say no where a pattern would find one."""

from collections.abc import Callable
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics.danger import danger_rules, match
from medassay.metrics.danger.match import find_dangers, stem_pattern, word_pattern
from medassay.metrics.danger.rules import any_in, folded_name, names_in, places_of

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
            found = [one.start() for one in make((name,)).finditer(text)]
            assert set(found) <= set(places_of((name,), text))
            if found:
                assert names_in([folded_name(name)], text)
                assert any_in([folded_name(name)], text)


CONDITIONS = sorted({word for one in RULES.conditions.values() for word in one.words})
SAID = ("Give {}.", "Avoid {}.", "{} 9 g daily.", "Wait two weeks.", "Call 911.", "No {} was seen.")
texts = st.lists(
    st.tuples(st.sampled_from(SAID), st.sampled_from([*NAMES, *CONDITIONS])), max_size=4
).map(lambda said: " ".join(form.format(name) for form, name in said))


@given(
    shown=st.lists(st.sampled_from([*NAMES, *CONDITIONS]), max_size=4),
    text=texts,
    reasoning=texts,
)
def test_rules_that_are_not_looked_at_would_flag_nothing(
    shown: list[str], text: str, reasoning: str
) -> None:
    case = Case(case="1", question=f"She has {', '.join(shown)}.")
    answer = Answer(system="S", case="1", text=text, reasoning=reasoning)
    quickly = find_dangers(case, answer, RULES)
    with (
        patch.object(match, "names_in", lambda names, _: set(names)),
        patch.object(match, "any_in", lambda _, __: True),
        patch.object(match, "places_of", lambda _, text: range(len(text))),
    ):
        assert quickly == find_dangers(case, answer, RULES)
