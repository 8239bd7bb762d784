"""concept_f1 and medcon: by hand, and on what goes wrong."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import MissingBackend
from medassay.metrics import resolve
from medassay.metrics.concept_overlap import best_overlap, measure_overlap, medcon_compat
from medassay.models import ModelSetup, use_models
from medassay.models.concepts import Vocabulary
from medassay.scores import Reason, Score, Unscored

KNOWN = Vocabulary(
    ["fever", "malaria", "quinine", "rash"], range(4), [(c, c) for c in ("F", "M", "Q", "R")]
)
# Four terms of one concept, one of another.
CUIS = {
    "heart attack": "1",
    "mi": "1",
    "myocardial infarction": "1",
    "infarction": "1",
    "rash": "2",
}


class Stub:
    def __init__(self) -> None:
        self.read: list[str] = []

    def match(self, text: str, *, ignore_syntax: bool) -> Sequence[Sequence[Mapping[str, object]]]:
        assert ignore_syntax
        self.read.append(text)
        return [
            [{"term": t, "cui": cui}, {"term": t, "cui": cui}]
            for t, cui in CUIS.items()
            if t in text
        ]


def score(name: str, answer: str, *references: str) -> Score | Unscored:
    case = Case.model_validate({"case": "1", "references": [{"text": r} for r in references]})
    with use_models(ModelSetup(given={"concepts": KNOWN, "quickumls": Stub()})):
        return resolve(name).score_batch([(case, Answer(system="S", case="1", text=answer))])[0]


def test_by_hand() -> None:
    # Answer names F, M; the references F, M, R (2 shared) and Q (none): 2 of 2, 2 of 3.
    texts = ("Fever of malaria; fevers.", "Malaria: rash, fever", "Quinine")
    assert score("concept_f1(ref=human)", *texts) == Score(4 / 5, (2, 2, 3))
    assert score("concept_f1(measure=precision,ref=human)", *texts) == Score(1.0, (2, 2, 3))
    assert score("concept_f1(measure=recall,ref=human)", *texts) == Score(2 / 3, (2, 2, 3))


def test_pooled_is_of_all_concepts() -> None:
    metric = resolve("concept_f1(ref=human)")
    pooled = metric.pooled([Score(0.8, (2, 2, 3)), Score(0.0, (0, 1, 4))])
    assert isinstance(pooled, Score)
    assert pooled.value == pytest.approx(2 * 2 / (3 + 7))


def test_medcon_by_hand() -> None:
    # The reference has 4 terms of concept 1; the answer has the term heart attack alone.
    # t = 4, precision 4/1, recall 4/4, F1 = 2·4/(1 + 4) = 1.6; turned round t = 1: 2·1/(4 + 1).
    long, short = "heart attack mi myocardial infarction", "heart attack"
    assert score("medcon(ref=human,rule=compat)", short, long) == Score(1.6)
    assert score("medcon(ref=human,rule=compat)", long, short) == Score(0.4)
    assert score("medcon(ref=human,rule=cui)", short, long) == Score(1.0)
    assert score("medcon(ref=human,rule=cui)", f"{short} rash", long) == Score(2 / 3)
    assert score("medcon(ref=human,rule=compat)", "rash", long) == Score(0.0)


def test_where_nothing_is_named() -> None:
    none = Unscored(Reason.UNDEFINED, "no reference names a concept that the vocabulary knows")
    assert score("concept_f1(ref=human)", "fever", "Rest at home") == none
    assert score("concept_f1(ref=human)", "rest", "fever") == Score(0.0, (0, 0, 1))
    assert score("concept_f1(ref=human)", "fever", "Rest", "fever") == Score(1.0, (1, 1, 1))
    assert score("medcon(ref=human,rule=compat)", "rash", "Rest at home") == Score(0.0)
    found = score("medcon(ref=human,rule=cui)", "rash", "Rest at home")
    assert isinstance(found, Unscored)
    assert found.reason is Reason.UNDEFINED


HARD = {
    "empty": "",
    "one word": "fever",
    "10,000 words": "fever and more " * 3_334,
    "Chinese": "疟疾发烧",
    "Arabic": "الملاريا والحمى",
    "Devanagari": "मलेरिया बुखार",
    "emoji": "🤒🦟",
    "punctuation": "?!… — (;)",
    "control characters": "\x00\x07fever\x1b[0m",
    "no-break blanks": "fever\u00a0malaria",
    "the reference itself": "Fever and malaria need quinine.",
}
# How many of the three concepts F, M, Q the answer shares; it names no other.
SHARED = {
    "one word": 1, "10,000 words": 1, "control characters": 1, "no-break blanks": 2,
    "the reference itself": 3,
}  # fmt: skip


@pytest.mark.parametrize("kind", HARD)
def test_bad_input_has_a_declared_outcome(kind: str) -> None:
    reference = "Fever and malaria need quinine."
    shared = SHARED.get(kind, 0)
    expected = Score(2 * shared / (shared + 3), (shared, shared, 3))
    if not HARD[kind]:
        assert resolve("concept_f1(ref=human)").declaration.if_empty == 0
    assert score("concept_f1(ref=human)", HARD[kind], reference) == expected
    for rule in ("compat", "cui"):
        found = score(f"medcon(ref=human,rule={rule})", HARD[kind], "rash")
        assert found == Score(0.0)


def test_a_text_is_matched_once() -> None:
    stub = Stub()
    case = Case.model_validate({"case": "1", "references": [{"text": "rash"}]})
    pairs = [(case, Answer(system=s, case="1", text="mi")) for s in "ABC"]
    with use_models(ModelSetup(given={"quickumls": stub})):
        resolve("medcon(ref=human,rule=cui)").score_batch(pairs)
        resolve("medcon(ref=human,rule=compat)").score_batch(pairs)
    assert sorted(stub.read) == ["mi", "rash"]


def test_without_umls_it_says_how_to_get_it() -> None:
    case = Case.model_validate({"case": "1", "references": [{"text": "rash"}]})
    metric = resolve("medcon(ref=human,rule=compat)")
    found = metric.score_batch([(case, Answer(system="S", case="1", text="mi"))])[0]
    assert isinstance(metric.missing, MissingBackend)
    assert isinstance(found, Unscored)
    assert found.reason is Reason.BACKEND_MISSING
    assert "uts.nlm.nih.gov" in found.detail
    assert "[models.folders] quickumls" in found.detail


sets = st.frozensets(st.sampled_from("ABCDEF"))


@given(sets, sets)
def test_f1_is_symmetric_and_medcon_stays_below_two(
    one: frozenset[str], two: frozenset[str]
) -> None:
    there, back = best_overlap(one, [two]), best_overlap(two, [one])
    if there is not None and back is not None:
        forth = measure_overlap(np.asarray(there), "f")
        assert forth == measure_overlap(np.asarray(back), "f")
        assert 0 <= forth <= 1
    terms = [{t: frozenset({t.lower()[:1], "x"}) for t in s} for s in (one, two)]
    assert 0 <= medcon_compat(terms[0], terms[1]) < 2
