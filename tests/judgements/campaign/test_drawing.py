"""Panels, orders and codes: even, reproducible, and opaque."""

import re
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.judgements.campaign import (
    Draws,
    Item,
    Secret,
    Settings,
    as_code,
    draw_codes,
    find_give_aways,
    make_assignments,
)
from medassay.judgements.campaign.make_plan import balanced_panels, batches_of, with_repeats


def draws(seed: int) -> Draws:
    return Secret(seed.to_bytes(16)).draws("test")


@given(
    items=st.integers(1, 60),
    groups=st.integers(1, 6),
    raters=st.integers(1, 7),
    data=st.data(),
    seed=st.integers(0, 2**32 - 1),
)
def test_loads_never_differ_by_more_than_one(
    items: int, groups: int, raters: int, data: st.DataObject, seed: int
) -> None:
    overlap = data.draw(st.integers(1, raters))
    of_item = [item % groups for item in range(items)]
    panels = balanced_panels(of_item, raters, overlap, draws(seed))
    assert all(len(set(panel)) == overlap for panel in panels)
    loads = Counter(rater for panel in panels for rater in panel)
    assert max(loads.values()) - min(loads[rater] for rater in range(raters)) <= 1


@pytest.mark.parametrize(
    ("items", "groups", "raters", "overlap"), [(280, 28, 26, 3), (100, 5, 3, 2), (60, 6, 4, 2)]
)
def test_pairs_and_systems_are_even_in_designs_of_the_usual_size(
    items: int, groups: int, raters: int, overlap: int
) -> None:
    of_item = [item % groups for item in range(items)]
    panels = balanced_panels(of_item, raters, overlap, draws(3))
    pairs = Counter(pair for panel in panels for pair in combinations(panel, 2))
    counts = [pairs[pair] for pair in combinations(range(raters), 2)]
    assert max(counts) - min(counts) <= 2
    seen = Counter((rater, of_item[i]) for i, panel in enumerate(panels) for rater in panel)
    cells = [seen[rater, group] for rater in range(raters) for group in range(groups)]
    assert max(cells) - min(cells) <= 2


@given(st.integers(0, 2**32 - 1))
def test_no_spreadsheet_reads_a_code_as_more_than_text(seed: int) -> None:
    codes = draw_codes(50, draws(seed))
    assert len(set(codes)) == 50
    for code in codes:
        assert re.fullmatch(r"[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}", code)
        assert as_code(f" {code.lower().replace('-', '–')}\u00a0") == code


@given(st.integers(0, 2**32 - 1), st.integers(0, 7), st.sampled_from("BCDFGHJKLMNPQRSTVWXZ"))
def test_one_wrong_letter_is_noticed(seed: int, place: int, letter: str) -> None:
    (code,) = draw_codes(1, draws(seed))
    letters = list(code.replace("-", ""))
    right, letters[place] = letters[place], letter
    assert (as_code("".join(letters)) == code) == (letter == right)


@given(st.integers(2, 80), st.data(), st.integers(0, 2**32 - 1))
def test_repeats_are_of_the_first_half_and_never_next_to_it(
    count: int, data: st.DataObject, seed: int
) -> None:
    repeats = data.draw(st.integers(0, count // 2))
    met = with_repeats(range(count), repeats, draws(seed))
    assert [item for item, again in met if not again] == list(range(count))
    places = {item: place for place, (item, again) in enumerate(met) if not again}
    for place, (item, again) in enumerate(met):
        if again:
            assert item < count // 2
            assert place > places[item] + 1


def test_batches_hold_ten_to_fifteen() -> None:
    for count in [*range(10, 16), *range(20, 300)]:
        sizes = Counter(batches_of(count, 12)).values()
        assert min(sizes) >= 10 or count < 10
        assert max(sizes) <= 15


def test_the_order_of_the_items_given_changes_nothing() -> None:
    settings = Settings(name="m", kind="answers", raters=("a", "b", "c"), overlap=2)
    items = [Item(str(case), system) for case in range(6) for system in "AB"]
    secret = Secret(bytes(16))
    backwards = make_assignments(settings, items[::-1], secret)
    assert make_assignments(settings, items, secret) == backwards


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("As Phi, I think so.", ["Phi"]),
        ("As an AI language model, I cannot.", ["As an AI language model"]),
        ("I’m a large language model", ["I’m a large language model"]),
        ("Made by Google.", ["Made by Google"]),
        ("GPT-4o says no.", ["GPT-4o"]),
        ("My Med RAG v2 found it.", ["Med RAG v2"]),
        ("The med_rag-v2 pipeline.", ["med_rag-v2"]),
        ("Phi is the angle; Claude Bernard wrote it.", []),
        ("Medical care, v2.", []),
    ],
)  # fmt: skip
def test_words_that_give_a_system_away_are_found(text: str, words: list[str]) -> None:
    assert [one.words for one in find_give_aways(text, ["med-rag-v2", "A", ""])] == words
