"""What the rules say of small examples, each with what decides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.models.nli import RuleJudge, Verdict

NOTE = [
    "She has a history of asthma.",
    "Amoxicillin 500 mg was given twice a day for 7 days.",
    "There was no fever, chills or rash.",
    "The left ankle was swollen.",
]
words = st.lists(
    st.sampled_from(["left", "right", "no", "500", "mg", "fever", "ankle", "swollen", "twice", "a",
                     "day", "not", ",", "asthma", "amoxicillin", "ibuprofen", "high", "low", "."]),
    max_size=10,
).map(" ".join)  # fmt: skip


@pytest.mark.parametrize(
    ("statement", "verdict", "place", "why"),
    [
        ("She has asthma.", Verdict.SUPPORTED, 0, "100 %"),
        # 500 mg = 0.5 g; twice a day = every 12 hours; 7 days = 1 week
        ("Amoxicillin 0.5 g every 12 hours for 1 week.", Verdict.SUPPORTED, 1, "100 %"),
        ("Amoxicillin 250 mg was given twice a day.", Verdict.CONTRADICTED, 1, "number: 250 mg"),
        ("Amoxicillin was given three times a day.", Verdict.CONTRADICTED, 1, "number: three"),
        ("Ibuprofen 500 mg was given twice a day.", Verdict.CONTRADICTED, 1, "drug: ibuprofen"),
        ("She had fever and chills.", Verdict.CONTRADICTED, 2, "negation"),
        ("She had no rash.", Verdict.SUPPORTED, 2, "100 %"),
        ("The right ankle was swollen.", Verdict.CONTRADICTED, 3, "side: right"),
        ("Her mother is a teacher.", Verdict.NOT_FOUND, None, "in common"),
        # words agree, but no sentence has the number
        ("The left ankle was swollen for 3 weeks.", Verdict.NOT_FOUND, 3, "no 3 weeks there"),
    ],
)
def test_the_deciding_sentence_and_the_reason(
    statement: str, verdict: Verdict, place: int | None, why: str
) -> None:
    found = RuleJudge().judge([(statement, NOTE)])[0]
    assert (found.verdict, found.decided_by) == (verdict, place)
    assert why in found.why


@pytest.mark.parametrize(
    ("statement", "evidence", "verdict"),
    [
        ("Do not avoid milk.", "Drink milk; avoid tea.", Verdict.SUPPORTED),  # two cues cancel
        ("It is not only safe.", "It is safe.", Verdict.SUPPORTED),
        ("Fracture was ruled out.", "There was a fracture.", Verdict.CONTRADICTED),
        ("Use it above 12 years.", "Use it below 12 years.", Verdict.CONTRADICTED),
        ("Use it from 5 to 10 days.", "Use it for 7 days.", Verdict.SUPPORTED),
        ("Use it for 7 days.", "Use it for 5 to 10 days.", Verdict.NOT_FOUND),
        ("Pressure was 120/80.", "Pressure was 140/80.", Verdict.CONTRADICTED),
        ("Hyperglycaemia was seen.", "Hypoglycemia was seen.", Verdict.CONTRADICTED),
        ("Tylenol helps against pain.", "Paracetamol helps against pain.", Verdict.SUPPORTED),
        ("The pulse was 1,200.", "The pulse was 1200.", Verdict.SUPPORTED),
    ],
)
def test_single_rules(statement: str, evidence: str, verdict: Verdict) -> None:
    assert RuleJudge().judge([(statement, [evidence])])[0].verdict is verdict


@pytest.mark.parametrize("blank", ["", " ", "?!…", "😀", "\x00", "the of and"])
def test_what_says_nothing_is_not_found(blank: str) -> None:
    assert RuleJudge().judge([(blank, NOTE)])[0].verdict is Verdict.NOT_FOUND
    assert RuleJudge().judge([("She has asthma.", [blank])])[0].verdict is Verdict.NOT_FOUND
    assert RuleJudge().judge([("She has asthma.", [])])[0].decided_by is None


@given(statement=words, evidence=st.lists(words, min_size=1, max_size=4))
def test_findings_are_whole_and_know_no_neighbours(statement: str, evidence: list[str]) -> None:
    judge = RuleJudge()
    found = judge.judge([(statement, evidence)])[0]
    assert judge.judge([("Else.", ["Else."]), (statement, evidence)])[1] == found
    assert 0 <= found.strength <= 1
    assert (found.decided_by is None) == (found.strength == 0)
    if found.verdict is not Verdict.NOT_FOUND:
        assert found.decided_by is not None


@given(sentence=words)
def test_a_sentence_supports_itself_if_it_says_anything(sentence: str) -> None:
    found = RuleJudge().judge([(sentence, [sentence])])[0]
    assert found.verdict is not Verdict.CONTRADICTED
    assert found.strength in {0.0, 1.0}
    assert (found.verdict is Verdict.SUPPORTED) == (found.strength == 1.0)


@given(evidence=st.lists(words, min_size=1, max_size=4, unique=True), statement=words)
def test_the_order_of_the_evidence_changes_only_ties(evidence: list[str], statement: str) -> None:
    there = RuleJudge().judge([(statement, evidence)])[0]
    back = RuleJudge().judge([(statement, evidence[::-1])])[0]
    assert there.strength == pytest.approx(back.strength)
