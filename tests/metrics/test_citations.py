"""Citation scores by hand, by both rule sets, pooled, and where something is missing."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.answers import Answer
from medassay.cases import Case
from medassay.exchange.archehr.cases import read_archehr_cases
from medassay.exchange.archehr.submission import read_archehr_submission
from medassay.metrics import resolve
from medassay.metrics.builtin.citations import count_citations, measure_citations
from medassay.scores import Reason, Score, Unscored

PRINTED = Path(__file__).parents[1] / "data" / "archehr"

# Sentences 1 and 2 are essential, 3 and 4 supplementary, 5 is not relevant.
NOTE = {
    "1": "essential",
    "2": "essential",
    "3": "supplementary",
    "4": "supplementary",
    "5": "not-relevant",
}


def case_of(note: dict[str, str] = NOTE, name: str = "1") -> Case:
    evidence = [{"id": i, "text": "x", "relevance": word} for i, word in note.items()]
    return Case.model_validate({"case": name, "evidence": evidence})


def cites(*ids: str, case: str = "1") -> Answer:
    statements = [{"text": "So.", "citations": ids}]
    return Answer.model_validate({"system": "A", "case": case, "statements": statements})


def value(name: str, answer: Answer, case: Case | None = None) -> Score | Unscored:
    return resolve(name).score_batch([(case or case_of(), answer)])[0]


@pytest.mark.parametrize(
    ("gold", "rules", "parts"),
    [
        # cited 1, 3, 5 and 99, which is no sentence
        ("strict", "archehr2025", (1.0, 3.0, 1.0)),  # right 1; wrong 3, 5, 99; missed 2
        ("strict", "archehr2026", (1.0, 3.0, 1.0)),
        ("lenient", "archehr2025", (2.0, 2.0, 2.0)),  # right 1, 3; wrong 5, 99; missed 2, 4
        ("lenient", "archehr2026", (1.0, 2.0, 1.0)),  # 3 counts for nothing
    ],
)
def test_counts_by_hand(gold: str, rules: str, parts: tuple[float, float, float]) -> None:
    inside = f"(gold={gold},rules={rules})"
    right, wrong, missed = parts
    precision, recall = right / (right + wrong), right / (right + missed)
    f1 = 2 * precision * recall / (precision + recall)
    answer = cites("1", "3", "5", "99")
    assert value(f"citation_precision{inside}", answer) == Score(precision, parts)
    assert value(f"citation_recall{inside}", answer) == Score(recall, parts)
    found = value(f"citation_f1{inside}", answer)
    assert isinstance(found, Score)
    assert found.value == pytest.approx(f1)


@pytest.mark.parametrize(("rules", "expected"), [("archehr2025", 0.0), ("archehr2026", 1.0)])
def test_nothing_cited_where_nothing_is_relevant(rules: str, expected: float) -> None:
    barren = case_of({"1": "not-relevant", "2": "supplementary"})
    for measure in ("precision", "recall", "f1"):
        name = f"citation_{measure}(gold=strict,rules={rules})"
        assert value(name, cites(), barren) == Score(expected, (0.0, 0.0, 0.0))
        # One of the two empty is 0 under both rules.
        assert value(name, cites("1"), barren) == Score(0.0, (0.0, 1.0, 0.0))
        assert value(name, cites()) == Score(0.0, (0.0, 0.0, 2.0))


def test_cases_of_one_name_are_not_mixed_up() -> None:
    metric = resolve("citation_precision(gold=strict,rules=archehr2025)")
    other = case_of({"1": "not-relevant"})
    scores = metric.score_batch([(case_of(), cites("1")), (other, cites("1"))])
    assert [s.value for s in scores if isinstance(s, Score)] == [1.0, 0.0]


def test_the_case_that_the_paper_prints() -> None:
    # Sentences 5 and 6 are essential. The first response cites 1; the second 3, 7, 2 and 6: P 1/4,
    # R 1/2, F 1/3; the third 5 and 6.
    [case] = read_archehr_cases(PRINTED / "table4.xml", PRINTED / "table4_key_2025.json")
    metric = resolve("citation_f1(gold=strict,rules=archehr2025)")
    found = []
    for number in (1, 2, 3):
        file = PRINTED / f"table4_response{number}.json"
        [answer] = read_archehr_submission(file, "archehr2025").answers("A")
        found += metric.score_batch([(case, answer)])
    assert [s.value for s in found if isinstance(s, Score)] == [0.0, pytest.approx(1 / 3), 1.0]


def test_micro_pools_counts_and_macro_does_not() -> None:
    metric = resolve("citation_f1(gold=strict,rules=archehr2025)")
    # Case 1: one of one right, both essential ones asked for: P 1, R 1/2, F 2/3.
    # Case 2: four cited, none right: F 0. Pooled: tp 1, fp 4, fn 1 + 2: 2 / (2 + 4 + 3) = 2/9.
    pairs = [
        (case_of(), cites("1")),
        (case_of(name="2"), cites("3", "4", "5", "6", case="2")),
    ]
    scores = metric.score_batch(pairs)
    assert [s.value for s in scores if isinstance(s, Score)] == [pytest.approx(2 / 3), 0.0]
    pooled = metric.pooled(scores)
    assert isinstance(pooled, Score)
    assert pooled.value == pytest.approx(2 / 9)
    assert pooled.parts == (1.0, 4.0, 3.0)


def test_who_does_not_answer_cites_nothing() -> None:
    metric = resolve("citation_f1(gold=strict,rules=archehr2025)")
    assert metric.score_no_answer(case_of()) == Score(0.0, (0.0, 0.0, 2.0))
    blank = Answer(system="A", case="1", text=" ")
    assert metric.score_batch([(case_of(), blank)]) == [Score(0.0, (0.0, 0.0, 2.0))]


def test_a_bare_list_of_evidence_is_what_it_cites() -> None:
    given_ = {"system": "A", "case": "1", "retrieved": [{"document": "1"}, {"document": "5"}]}
    name = "citation_precision(gold=strict,rules=archehr2026)"
    assert value(name, Answer.model_validate(given_)) == Score(0.5, (1.0, 1.0, 1.0))
    # Beside a text, what a system retrieved is not what it cites.
    text = Answer.model_validate(given_ | {"text": "So."})
    assert value(name, text) == Unscored(Reason.ANSWER_LACKS, "no citations")


def test_what_is_missing_is_said() -> None:
    name = "citation_f1(gold=strict,rules=archehr2025)"
    partly = Case.model_validate(
        {
            "case": "1",
            "evidence": [
                {"id": "1", "text": "x", "relevance": "essential"},
                {"id": "2", "text": "y"},
            ],
        }
    )
    lacks = Unscored(Reason.CASE_LACKS, "no relevance in words for every sentence of the evidence")
    assert value(name, cites("1"), partly) == lacks
    assert value(name, cites("1"), Case(case="1")) == lacks


ids = st.lists(st.sampled_from([*NOTE, "99"]))


@given(ids, st.sampled_from(["strict", "lenient"]), st.sampled_from(["archehr2025", "archehr2026"]))
def test_order_and_repetition_do_not_matter(cited: list[str], gold: str, rules: str) -> None:
    counts = count_citations(cited, NOTE, gold=gold, rules=rules)
    again = dict(reversed(NOTE.items()))
    assert counts == count_citations(cited[::-1] * 2, again, gold=gold, rules=rules)


@given(st.lists(st.tuples(*[st.integers(0, 5)] * 3), min_size=1))
def test_f1_is_the_harmonic_mean(rows: list[tuple[int, int, int]]) -> None:
    parts = np.asarray(rows, dtype=np.float64)
    p, r, f = (
        measure_citations(parts, m, rules="archehr2025") for m in ("precision", "recall", "f1")
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        harmonic = np.where(p + r > 0, 2 * p * r / (p + r), 0.0)
    assert np.allclose(f, harmonic)


def test_answers_over_the_limit_and_words_past_it() -> None:
    def over(name: str, words: int) -> Score | Unscored:
        answer = Answer(system="A", case="1", text=" ".join(["w"] * words))
        return value(name, answer, Case(case="1"))

    assert [over("over_limit", n) for n in (0, 75, 76)] == [Score(0.0), Score(0.0), Score(1.0)]
    assert over("over_limit(count=words)", 80) == Score(5.0)
    assert over("over_limit(limit=15)", 16) == Score(1.0)


@pytest.mark.parametrize("name", ["bleu", "rouge1", "rougeLsum"])
def test_the_limit_cuts_what_is_compared(name: str) -> None:
    case = Case.model_validate({"case": "1", "references": [{"text": "a b c d e"}]})
    long, short = (Answer(system="A", case="1", text=t) for t in ("a b c d e x y z", "a b c d e"))
    assert value(f"{name}(limit=5,ref=human)", long, case) == value(
        f"{name}(ref=human)", short, case
    )
    assert value(f"{name}(ref=human)", long, case) != value(f"{name}(ref=human)", short, case)
