"""The judge looks only at sentences that may decide; looking at all of them must say the same."""

from hypothesis import given
from hypothesis import strategies as st

from medassay.models.nli import Finding, RuleJudge, Verdict
from medassay.models.nli.alignment import align
from medassay.models.nli.lexicon import lexicon
from medassay.models.nli.opposites import opposites_of
from medassay.models.nli.reading import read_sentence
from medassay.models.nli.rules import weigh

SENTENCES = (
    "Take 500 mg of amoxicillin twice a day for 7 days.",
    "Take 1 g of amoxicillin every 8 hours.",
    "Do not take ibuprofen with warfarin.",
    "Ibuprofen is given with food.",
    "Warfarin raises the risk of bleeding.",
    "The pain is in the left knee and increases at night.",
    "The pain is in the right knee and decreases at night.",
    "She denies fever, cough and chest pain.",
    "He has fever and a cough for 3 days.",
    "He has had fever for at least 5 days.",
    "No chest pain was found.",
    "Blood pressure was 120/80 in the morning.",
    "Hypertension was treated before surgery.",
    "Hypotension was treated after surgery.",
    "Give it by mouth, not intravenously.",
    "Give it intravenously.",
    "Rest.",
    "",
    "Why?",
)
sentences = st.lists(st.sampled_from(SENTENCES), max_size=5).map(tuple)


def judge_all(statement: str, evidence: tuple[str, ...]) -> Finding:
    """Align every sentence, as the rules are written down."""
    claim = read_sentence(statement)
    if not claim.size:
        return Finding(Verdict.NOT_FOUND, None, 0.0, "says nothing that can be looked up")
    readings = [read_sentence(sentence) for sentence in evidence]
    everywhere = claim.units & frozenset().union(*(one.units for one in readings))
    said = {quantity for one in readings for quantity in one.quantities}
    held = frozenset(one for one in claim.quantities if any(other.holds(one) for other in said))
    aligned = [align(claim, one, everywhere, held) for one in readings]
    if not aligned or not max(one.share for one in aligned):
        return Finding(Verdict.NOT_FOUND, None, 0.0, "no word or number in common")
    places = range(len(aligned))
    place = min(places, key=lambda i: (-aligned[i].share, bool(aligned[i].conflicts), i))
    verdict, why = weigh(aligned[place])
    return Finding(verdict, place, aligned[place].share, why)


@given(
    statement=st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=2).map(" ".join),
    passages=st.lists(sentences, max_size=4),
)
def test_looking_at_the_likeliest_sentences_says_what_looking_at_all_says(
    statement: str, passages: list[tuple[str, ...]]
) -> None:
    flat = tuple(sentence for passage in passages for sentence in passage)
    assert RuleJudge().judge_by(statement, passages) == judge_all(statement, flat)
    assert RuleJudge().judge([(statement, flat)]) == [judge_all(statement, flat)]


@given(word=st.from_regex(r"(?:un|in|hypo|dis|over)?[a-z]{1,8}", fullmatch=True))
def test_a_word_is_the_opposite_of_its_opposites(word: str) -> None:
    for other in opposites_of(word):
        assert word in opposites_of(other)


def test_listed_words_are_the_opposites_of_their_opposites() -> None:
    for word in lexicon().opposites:
        assert all(word in opposites_of(other) for other in opposites_of(word))
