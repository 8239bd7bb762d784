"""Chains of reasoning, read by rules, with the words that decided."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.toy_judge import ToyJudge

from medassay.answers import Answer
from medassay.cases import Case, Document
from medassay.errors import InvalidInput
from medassay.metrics import resolve
from medassay.metrics.reasoning import (
    read_coherence,
    read_references,
    read_steps,
    reasoning_rules,
)
from medassay.models import ModelSetup, use_models
from medassay.scores import Reason, Score, Unscored

GOOD = (
    "A 54-year-old man presents with sudden chest pain and sweating. The ECG shows ST elevation. "
    "Pulmonary embolism is less likely, as there is no pleuritic pain. The ACS guideline "
    "recommends primary PCI within two hours. Therefore the answer is B, primary PCI, because he "
    "is within the window."
)
CASE = Case.model_validate(
    {
        "case": "1",
        "question": "Sudden chest pain, ST elevation. What is the next step?",
        "options": {"A": "Oral antibiotics", "B": "Primary PCI", "C": "Chest drain"},
        "gold": "B",
        "documents": [
            {"id": "acs-01", "title": "Cardiovascular Emergencies (ACS)", "text": "x"},
            {"id": "g2", "title": "Sepsis", "text": "Give " + " ".join("abcdefghijkl")},
            {"id": "g3", "title": "Asthma Management"},
        ],
    }
)


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    with use_models(ModelSetup(given={"toy": ToyJudge()})):
        yield


def chain(said: str, /, **more: object) -> Answer:
    return Answer.model_validate({"system": "S", "case": "1", "reasoning": said, **more})


def value(name: str, answer: Answer, case: Case = CASE) -> float:
    found = resolve(name).score_batch([(case, answer)])[0]
    assert isinstance(found, Score), found
    return found.value


def test_the_published_patterns_are_found_inside_words_and_the_wider_ones_are_not() -> None:
    said = chain("Unconditional: no designs, the answer is B.")
    # 'signs' in designs, 'condition' in unconditional, 'answer': three of five.
    assert value("chain_completeness", said) == pytest.approx(3 / 5)
    assert value("chain_completeness(patterns=wider)", said) == 0


def test_a_whole_chain_has_all_steps_and_the_words_that_decided() -> None:
    assert value("chain_completeness(patterns=wider)", chain(GOOD)) == 1
    # It never says 'clinical presentation', 'differential', 'symptoms', 'signs' or 'findings'.
    assert value("chain_completeness", chain(GOOD)) == pytest.approx(2 / 5)
    for one in read_steps(GOOD, reasoning_rules(), "wider"):
        assert one.span is not None
        assert GOOD[one.span.start : one.span.end] == one.span.words


@pytest.mark.parametrize(
    "text",
    [
        "No guideline was found.",
        "It is not recommended by anyone.",
        "Without a guideline we go on.",
    ],
)
def test_a_denied_guideline_is_none(text: str) -> None:
    steps = {one.step: one.span for one in read_steps(text, reasoning_rules(), "wider")}
    assert steps["guideline"] is None


def test_a_denial_in_the_sentence_before_denies_nothing() -> None:
    steps = {
        s.step: s.span
        for s in read_steps("He has none. Not so. Guidelines say rest.", reasoning_rules(), "wider")
    }
    assert steps["guideline"] is not None


def test_the_last_step_needs_a_reason() -> None:
    steps = {
        one.step: one.span for one in read_steps("The answer is B.", reasoning_rules(), "wider")
    }
    assert steps["answer"] is None


@pytest.mark.parametrize(
    ("text", "by", "document"),
    [
        ("As ACS-01 says, go on.", "id", "acs-01"),
        ("Both [1, 3] agree.", "rank", "acs-01"),
        ("Document 3 says so.", "rank", "g3"),
        ("Under cardiovascular emergencies it says so.", "title", "acs-01"),
        ("The sepsis guideline says so.", "title", "g2"),
        ("So: a b c d e f g h, and on.", "overlap", "g2"),
    ],
)
def test_a_document_is_referred_to_by_id_place_title_or_words(
    text: str, by: str, document: str
) -> None:
    known = {one.id: one for one in CASE.documents}
    found = {one.document: one for one in read_references(text, list(known), known, "any")}
    assert found[document].by == by
    span = found[document].span
    assert span is not None
    assert text[span.start : span.end] == span.words


@pytest.mark.parametrize(
    "text", ["He has sepsis.", "Seven words: a b c d e f g.", "In [7] nothing.", "acs-012", ""]
)
def test_what_is_no_reference(text: str) -> None:
    known = {one.id: one for one in CASE.documents}
    assert all(one.span is None for one in read_references(text, list(known), known, "any"))


def test_ids_that_are_numbers_are_read_before_places() -> None:
    known = {one: Document(id=one) for one in ("3", "9")}
    found = read_references("See [9].", ["3", "9"], known, "any")
    assert [one.by for one in found] == ["", "rank"]


def test_the_published_rule_takes_titles_as_written_and_is_another_number() -> None:
    listed = [{"document": one} for one in ("acs-01", "g2", "g3")]
    said = chain("Cardiovascular emergencies, [2], and Asthma Management.", retrieved=listed)
    assert value("evidence_utilisation(by=published)", said) == pytest.approx(1 / 3)
    assert value("evidence_utilisation", said) == 1
    nothing = chain("x", retrieved=[])
    found = resolve("evidence_utilisation").score_batch([(CASE, nothing)])[0]
    assert found == Unscored(Reason.UNDEFINED, "nothing was retrieved")


def test_a_good_chain_is_coherent() -> None:
    found = read_coherence(GOOD, CASE, "B", reasoning_rules())
    assert (found.order, found.consistency, found.support) == (1, 1, 1)
    assert not found.faults


def test_an_answer_before_its_reasons_is_out_of_order() -> None:
    text = (
        "The answer is B because of the ECG. Alternative causes were ruled out. "
        "The patient presents with chest pain."
    )
    found = read_coherence(text, CASE, "B", reasoning_rules())
    # Steps: presentation (sentence 3), symptoms (1, 3), differential (2), answer (1). Pairs with
    # different places: pres-diff wrong, pres-ans wrong, symp-diff right (symptoms begin in 1),
    # symp-ans right (same sentence), diff-ans wrong: 3 of 5.
    assert found.order == pytest.approx(2 / 5)
    assert [fault.kind for fault in found.faults].count("order") == 3


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Pneumonia is unlikely on this film. The diagnosis is pneumonia.", "contradiction"),
        ("The film rules out pneumonia. Fever is consistent with pneumonia.", "contradiction"),
        ("He has chest pain. So the answer is A.", "choice"),
        ("Primary PCI is contraindicated here. He should rest.", "choice"),
        ("He has chest pain. Therefore the answer is A.", "jump"),
        ("He is well. Hence scleroderma.", "jump"),
    ],
)
def test_faults_are_found_with_their_words(text: str, kind: str) -> None:
    found = read_coherence(text, CASE, "B", reasoning_rules())
    faults = [fault for fault in found.faults if fault.kind == kind]
    assert len(faults) == 1
    assert all(text[s.start : s.end] == s.words for s in faults[0].spans)
    assert value("coherence", chain(text, choice="B")) < 1


@pytest.mark.parametrize(
    "text",
    [
        "Pneumonia is unlikely on this film. The diagnosis is bronchitis from chest pain.",
        "The patient has fever. The patient has no rash.",
        "Pulmonary embolism is unlikely. Pulmonary embolism needs a scan.",
        "He has chest pain. He needs primary PCI. Therefore the answer is B.",
    ],
)
def test_what_is_no_contradiction(text: str) -> None:
    found = read_coherence(text, CASE, "B", reasoning_rules())
    assert not [fault for fault in found.faults if fault.kind in {"contradiction", "choice"}]


def test_one_sentence_and_other_languages_have_no_coherence() -> None:
    for text in ("B.", "一日两次。休息。", ""):
        found = resolve("coherence").score_batch([(CASE, chain(text, choice="B"))])[0]
        assert isinstance(found, Unscored)
        assert found.reason is Reason.UNDEFINED


def test_an_answer_without_a_chain_says_so() -> None:
    answer = Answer.model_validate({"system": "S", "case": "1", "choice": "B"})
    for name in ("chain_completeness", "coherence"):
        found = resolve(name).score_batch([(CASE, answer)])[0]
        assert found == Unscored(Reason.ANSWER_LACKS, "no chain of reasoning")


OWN = """
version = 1
source = "ours"
[[steps]]
id = "rest"
title = "Rest"
place = 1
published = "rest"
wider = ['\\brest\\b']
[coherence]
denied = []
concludes = []
affirms = []
denies = []
general = []
"""


def test_a_study_can_bring_its_own_steps(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(OWN, encoding="utf-8")
    shipped = resolve("chain_completeness").signature
    with use_models(ModelSetup(folders={"rules/reasoning": "own.toml"}, base=tmp_path)):
        assert value("chain_completeness", chain("Rest.")) == 1
        assert resolve("chain_completeness").signature != shipped


@pytest.mark.parametrize(
    ("old", "new", "must"),
    [
        ("'\\brest\\b'", "'(rest'", "be a regular expression"),
        ("affirms = []", "affirms = ['is it']", "have {x} once"),
        ("place = 1", "place = 0", "place"),
        ("general = []", "generals = []", "generals"),
    ],
)
def test_faults_of_the_file_are_named(tmp_path: Path, old: str, new: str, must: str) -> None:
    (tmp_path / "own.toml").write_text(OWN.replace(old, new), encoding="utf-8")
    with (
        use_models(ModelSetup(folders={"rules/reasoning": "own.toml"}, base=tmp_path)),
        pytest.raises(InvalidInput) as caught,
    ):
        reasoning_rules()
    assert must in str(caught.value)


@pytest.mark.parametrize("text", ["", " \n"])
@pytest.mark.parametrize(
    "name",
    [
        "hallucination(against=retrieved,judge=toy,of=reasoning)",
        "lexical_support(against=retrieved,of=reasoning)",
        "chain_completeness",
        "evidence_utilisation",
        "exact_match",
    ],
)
def test_an_empty_text_beside_a_choice_is_no_empty_answer(name: str, text: str) -> None:
    case = Case.model_validate(
        {
            "case": "1",
            "options": {"A": "Aspirin", "B": "Rest"},
            "gold": "A",
            "documents": [{"id": "d", "title": "Chest pain", "text": "Give aspirin at once."}],
        }
    )
    given = {"choice": "A", "retrieved": [{"document": "d"}]}
    without = chain("Symptoms suggest chest pain. Give aspirin at once.", **given)
    beside = chain(without.reasoning or "", **given, text=text)
    assert not beside.is_blank
    assert beside == without
    assert value(name, beside, case) == value(name, without, case)
    assert chain("Rest.", text=text).is_blank


@pytest.mark.parametrize("text", [{"text": ""}, {"text": " \n"}, {"statements": []}])
def test_an_empty_text_beside_a_chain_is_empty_for_metrics_of_the_text_alone(
    text: dict[str, object],
) -> None:
    case = Case.model_validate(
        {"case": "1", "documents": [{"id": "d", "text": "Give aspirin 300 mg at once."}]}
    )
    said, given = "Give aspirin 300 mg. Whales sing at night.", {"retrieved": [{"document": "d"}]}
    of_text = "hallucination(against=retrieved,judge=toy)"
    for name in (
        "hallucination(against=retrieved,judge=toy,of=reasoning)",
        "hallucination(against=retrieved,count=statements,judge=toy,of=reasoning)",
        "lexical_support(against=retrieved,of=reasoning)",
        "evidence_utilisation",
    ):
        metric = resolve(name)
        beside, without = chain(said, **given, **text), chain(said, **given)
        assert metric.score_batch([(case, beside)]) == metric.score_batch([(case, without)])
        assert isinstance(metric.score_batch([(case, beside)])[0], Score)
        assert metric.content_key(case, beside) == metric.content_key(case, without)
        assert metric.why_not(case, beside) is None
        # What the chain is held against is lacking as ever.
        lacking = Unscored(Reason.ANSWER_LACKS, "no retrieved documents")
        assert metric.score_batch([(case, chain(said, **text))]) == [lacking]
        assert metric.why_not(case, chain(said, **text)) == lacking
    of_chain = of_text.replace(")", ",of=reasoning)")
    for empty, name in (
        (chain(said, **given, **text), of_text),
        (chain(said, **text), of_text),
        (chain(" ", **given, **text), of_chain),
    ):
        assert resolve(name).score_batch([(case, empty)]) == [Unscored(Reason.EMPTY_ANSWER)]


def test_hallucination_reads_the_chain_where_asked() -> None:
    flag = "hallucination(against=retrieved,judge=toy,of=reasoning)"
    case = Case.model_validate(
        {"case": "1", "documents": [{"id": "d", "text": "Give aspirin 300 mg at once."}]}
    )
    answer = chain(
        "Give aspirin 300 mg. Whales sing at night. Dogs bark loudly.",
        retrieved=[{"document": "d"}],
    )
    # Two of three claims have no support: more than half.
    assert value(flag, answer, case) == 1
    graded = "hallucination(against=retrieved,count=statements,judge=toy,of=reasoning)"
    assert value(graded, answer, case) == pytest.approx(2 / 3)
    # Exactly half is not more than half.
    half = chain("Give aspirin 300 mg. Whales sing at night.", retrieved=[{"document": "d"}])
    assert value(flag, half, case) == 0
    silent = chain("Why?", retrieved=[{"document": "d"}])
    found = resolve(flag).score_batch([(case, silent)])
    assert found == [Unscored(Reason.UNDEFINED, "the answer states nothing that can be checked")]
