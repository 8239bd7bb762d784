from hypothesis import given
from hypothesis import strategies as st

from medassay.models.concepts import Vocabulary

KEYS = ["aid", "diabetes", "diabetes mellitus", "fever", "lassa fever", "type 2 diabetes mellitus"]
KNOWN = Vocabulary(
    KEYS, [0, 1, 1, 2, 3, 4], [(f"C{i}", f"c{i}") for i in range(5)], frozenset({"aid"})
)


def found(text: str) -> list[str]:
    return [text[one.start : one.end] for one in KNOWN.find(text)]


def test_the_longest_name_wins() -> None:
    assert found("Type-2 diabetes mellitus, not diabetes") == [
        "Type-2 diabetes mellitus",
        "diabetes",
    ]
    assert KNOWN.concepts("Diabetes! Diabetes mellitus?") == {"C1"}


def test_no_name_reaches_across_punctuation() -> None:
    assert found("In Lassa: fever. Diabetes (mellitus)") == ["fever", "Diabetes"]


def test_everyday_words_count_in_capitals_only() -> None:
    assert found("AIDS; hearing aids; Aids") == ["AIDS"]


def test_what_is_denied_is_named_all_the_same() -> None:
    assert KNOWN.concepts("no fever") == KNOWN.concepts("fever")


def test_other_scripts_and_signs_name_nothing() -> None:
    for text in ("", "发烧和疟疾", "الحمى", "बुखार", "🤒", "?!…", "\x00\x1b", "\u200d"):
        assert not KNOWN.find(text)


def test_a_long_text_is_read_to_its_end() -> None:
    assert len(KNOWN.find("it is fever " * 10_000)) == 10_000


@given(st.lists(st.sampled_from([*"ab,", "fever", "lassa", "diabetes", "mellitus", "type", "2"])))
def test_it_finds_what_the_slow_way_finds(words: list[str]) -> None:
    """Try every stretch of words, from the longest on, at every place."""
    text, expected, place = " ".join(words), [], 0
    while place < len(words):
        for end in range(len(words), place, -1):
            if " ".join(words[place:end]) in KEYS:
                expected.append(" ".join(words[place:end]))
                place = end - 1
                break
        place += 1
    assert found(text) == expected
