"""What docs/support.md says of the rules is what they do now; see tools/make_support_page.py."""

import numpy as np
import pytest
from tools.make_support_page import PAGE, SEED, measured, pair_rows
from tools.support.baselines import by_thresholds, codes_of, folds, majority
from tools.support.chains import chain_section, chains, tell_chains
from tools.support.data import claims, pairs
from tools.support.figures import accuracy, differences, measure
from tools.support.ranks import area, area_rows, lexical_support

from medassay.metrics.builtin.lexical_support import AUC_ON_CLAIMS
from medassay.models.nli import RuleJudge, Verdict
from medassay.stats.calibration import auroc


def test_the_table_of_pairs_is_what_the_rules_say_now() -> None:
    assert "\n".join(pair_rows()) in PAGE.read_text(encoding="utf-8")


def test_the_row_of_the_rules_is_what_they_say_now() -> None:
    told = claims()
    truth = codes_of([one.label for one in told])
    said = codes_of([f.verdict for f in RuleJudge().judge([(c.text, c.evidence) for c in told])])
    found = measure(truth, said, [one.question for one in told], SEED)
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    row = next(line for line in lines if line.startswith("| rules |"))
    assert row.startswith(f"| rules | {found.accuracy.value:.2f} ({found.accuracy.low:.2f}")
    assert all(f"| {k} of {n}" in row for k, n in found.hits)


@pytest.mark.slow
def test_the_baseline_that_a_judge_must_beat_is_what_was_measured() -> None:
    found = measured()
    assert "\n".join(area_rows(found)) in PAGE.read_text(encoding="utf-8")
    own = found["lexical support"][0]
    told = [f"{one:.2f}".removeprefix("0") for one in (own.value, own.low, own.high)]
    assert "AUC {} (95 % {} to {})".format(*told) == AUC_ON_CLAIMS
    # On the same resamples the rules' verdicts are below it.
    rules = next(less for name, (_, less) in found.items() if name.startswith("rules"))
    assert rules.low > 0


def test_the_area_is_that_of_every_pair_of_claims() -> None:
    told = claims()
    values = lexical_support(told)
    right = np.array([one.label is Verdict.SUPPORTED for one in told])
    each = np.ones(len(told), dtype=np.int64)
    above = values[right][:, None] - values[~right]
    assert area(values, right, each) == pytest.approx(
        ((above > 0).sum() + (above == 0).sum() / 2) / above.size
    )
    assert area(values, right, each) == pytest.approx(auroc(values, right))


def test_the_pairs_are_whole() -> None:
    told = pairs()
    assert len(told) == 200
    assert {one.kind for one in told} == {
        "dose", "negation", "laterality", "drug", "number", "time",
    }  # fmt: skip
    sentences = [s for one in told for s in (one.source, one.contradiction, one.paraphrase)]
    assert len(set(sentences)) == 600


def test_the_section_on_chains_is_what_the_rules_say_now() -> None:
    assert chain_section() in PAGE.read_text(encoding="utf-8")


def test_the_chains_are_whole() -> None:
    told = chains()
    twins = list(zip(told[::2], told[1::2], strict=True))
    assert len({one.question for one in told}) == len(twins) == 12
    for grounded, invented in twins:
        assert (grounded.kind, invented.kind) == ("grounded", "invented")
        assert grounded.question == invented.question
        assert grounded.bases == ("question", *["guideline"] * 5)
        assert sorted(invented.bases) == ["guideline", *["invented"] * 4, "question"]
        kept = zip(grounded.texts, invented.texts, invented.bases, strict=True)
        assert all((good != other) is (basis == "invented") for good, other, basis in kept)


def test_a_chain_is_told_as_its_statements_are() -> None:
    """The metric splits a chain into the six statements that were written, and counts them."""
    for one in tell_chains():
        assert len(one.supported) == len(one.chain.texts) == 6
        unsupported = one.supported.count(False)
        assert one.graded == pytest.approx(unsupported / 6)
        assert one.hallucinated is (unsupported > 3)


@pytest.mark.parametrize("place", [0, 34, 67, 100, 133])
def test_a_small_part_by_name(place: int) -> None:
    """The first pair of each kind but time."""
    one = pairs()[place]
    assert RuleJudge().judge([(one.contradiction, [one.source])])[0].verdict is Verdict.CONTRADICTED
    assert RuleJudge().judge([(one.paraphrase, [one.source])])[0].verdict is not (
        Verdict.CONTRADICTED
    )


def test_no_question_is_on_both_sides_of_a_fold() -> None:
    told = claims()
    fold = folds(told, SEED)
    of_question: dict[str, set[int]] = {}
    for one, place in zip(told, fold.tolist(), strict=True):
        of_question.setdefault(one.question, set()).add(place)
    assert (len(told), len(of_question), len(set(fold.tolist()))) == (399, 50, 10)
    assert all(len(places) == 1 for places in of_question.values())


def test_thresholds_find_what_a_cosine_tells_apart() -> None:
    told = claims()
    fold = folds(told, SEED)
    truth = codes_of([one.label for one in told])
    perfect = -truth.astype(np.float64)  # supported highest, contradicted lowest
    questions = [one.question for one in told]
    best = measure(truth, by_thresholds(perfect, truth, fold, accuracy), questions, SEED)
    most = measure(truth, majority(truth, fold), questions, SEED)
    gap = differences(best, most)[0]
    assert best.accuracy.value > 0.95
    assert most.accuracy.value == pytest.approx(234 / 399)
    assert gap.low > 0
