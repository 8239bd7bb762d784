"""Cases that ask nearly the same are one cluster, where a verdict could turn on it."""

import pytest

from medassay.cases import Case, Cases, near, near_clusters

STEMS = [
    f"May a person of {40 + at} with {illness} take {drug} every morning before breakfast"
    for at, (illness, drug) in enumerate(
        (illness, drug)
        for illness in ("asthma", "gout", "migraine", "anaemia", "epilepsy")
        for drug in ("ibuprofen", "aspirin")
    )
]


def cases(texts: list[str]) -> Cases:
    return Cases.of(Case(case=f"c{at:03}", question=text) for at, text in enumerate(texts))


def test_each_group_is_the_cluster_of_its_first_case() -> None:
    of = near_clusters(cases([f"{stem}{end}" for stem in STEMS for end in ("?", ", please?")]))
    assert list(of) == [f"c{at:03}" for at in range(20)]
    assert list(of.values()) == [f"c{at - at % 2:03}" for at in range(20)]


def test_near_equal_to_one_another_is_one_group() -> None:
    steps = [" ".join(f"word{k}" for k in range(at, at + 14)) for at in range(3)]
    texts = [*steps, *STEMS[:4]]
    ends = {tuple(sorted((pair.first, pair.second))) for pair in near.near_pairs(cases(texts))[0]}
    assert ("c000", "c002") not in ends  # each is near to the one between alone
    assert near_clusters(cases(texts)) == dict.fromkeys(["c000", "c001", "c002"], "c000")


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        (STEMS, "no two are near"),
        ([*STEMS, *(f"Why {at}?" for at in range(20)), STEMS[0]], "one pair of 31 changes nothing"),
        (["What do you say to this patient?"] * 6 + STEMS[:5], "over half ask the same"),
        ([], "there are none"),
    ],
)
def test_nothing_is_joined(texts: list[str], why: str) -> None:
    assert near_clusters(cases(texts)) == {}, why


def test_a_form_filled_in_asks_a_question_each_time_but_the_same_words_do_not() -> None:
    form = (
        "What is the highest daily dose of drug{} for an adult with asthma and with sound kidneys"
    )
    more = (
        "who is pregnant, takes no other drug, has no fever, sleeps well and asks you by telephone"
    )
    ill = [f"{form} {more}".format(at) for at in range(30)]
    assert near_clusters(cases(ill[:20] + [f"Why {at}?" for at in range(30)]))
    others = [f"Why {at} or {at + 1}?" for at in range(60)]
    assert near_clusters(cases(ill + others)) == {}
    again = near_clusters(cases([*ill, *ill[:12], *others]))
    assert again == {f"c{at:03}": f"c{at % 30:03}" for at in (*range(12), *range(30, 42))}


def test_half_of_the_cases_are_joined_and_more_are_not() -> None:
    asked = ["What do you say to this patient?"]
    assert len(near_clusters(cases(asked * 5 + STEMS[:5]))) == 5
    assert near_clusters(cases(asked * 6 + STEMS[:5])) == {}


def test_where_pairs_are_too_many_to_list_nothing_is_joined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = [f"{stem}{end}" for stem in STEMS for end in ("?", ", please?")]
    monkeypatch.setattr(near, "_MOST_JOINED", 10)  # as many as there are: there may be more
    assert near_clusters(cases(texts)) == {}
    monkeypatch.setattr(near, "_MOST_JOINED", 11)
    assert len(near_clusters(cases(texts))) == 20
