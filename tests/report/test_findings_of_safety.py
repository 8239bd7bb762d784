"""The sentence on safety: which score it is, and what it rests on."""

from pathlib import Path
from statistics import fmean

import pytest
from tools.support.chains import tell_chains

from medassay.analyses.results import Results
from medassay.analyses.results.safety import SafetyDetail, SafetyResult
from medassay.exhibits.numbers import PROPORTION
from medassay.report import findings
from medassay.report.tables import WITHOUT_HALLUCINATION, safety_tables


def _said(results: Results) -> dict[str, str]:
    return {finding.id: finding.text for finding in findings(results)}


def _with_safety(small: Results, flagged: int, judged: int, *, tells: bool = True) -> Results:
    system = SafetyResult(
        system="a1",
        answers=4,
        hallucinated=1,
        hallucination_in="chains",
        hallucination_judge="nli",
        hallucination_of=4,
        hallucination_rate=0.25,
        hallucination_share=0.2,
        dangerous=0 if judged else None,
        dangerous_of=judged,
        dangerous_rate=0.0 if judged else None,
        dangerous_interval=None,
        kinds={},
        flagged=flagged,
        reviewed=0,
        reviewed_twice=0,
        unsettled=0,
        flagged_dangerous=0,
        bound=0.5,
        bound_if_all_found=0.5,
        sensitivity=1.0,
        score=0.875,
        score_at_least=0.3,
        score_without_hallucination=1.0,
        score_without_hallucination_at_least=0.4,
        basis="verdicts" if judged else "flags",
        reason="",
    )
    detail = SafetyDetail(
        systems=[system],
        dangers=[],
        risks=[],
        severities=[],
        likelihoods=[],
        reviewed_rules="",
        level=0.95,
    )
    study = small.study.model_copy(update={"tells_safety": tells})
    return small.model_copy(update={"safety": detail, "study": study})


@pytest.mark.parametrize(
    ("tells", "flagged", "judged", "told"),
    [
        (False, 0, 0, False),
        (False, 1, 0, True),
        (False, 0, 4, True),
        (True, 0, 0, True),
    ],
)
def test_safety_is_told_where_it_was_asked_about_or_something_was_found(
    small: Results, flagged: int, judged: int, *, tells: bool, told: bool
) -> None:
    assert ("safety" in _said(_with_safety(small, flagged, judged, tells=tells))) is told


def test_safety_scores_of_unlike_texts_are_not_offered_for_comparison(small: Results) -> None:
    one_text = _with_safety(small, 0, 4)
    assert one_text.safety is not None
    assert "cannot be compared" not in _said(one_text)["safety"]
    chains = one_text.safety.systems[0]
    other = chains.model_copy(update={"system": "a2", "hallucination_in": "answers"})
    both = one_text.safety.model_copy(update={"systems": [chains, other]})
    unlike = one_text.model_copy(update={"safety": both})
    assert "on the chains of some systems and on the answers of others" in _said(unlike)["safety"]
    table = safety_tables(unlike)[0]
    assert [row.cells[2].text for row in table.rows] == ["chains", "answers"]
    assert "cannot be compared" in table.caption


def test_without_a_model_the_score_is_another_one_and_its_name_says_so(small: Results) -> None:
    whole = _with_safety(small, 0, 4)
    assert "without hallucination" not in _said(whole)["safety"]
    assert whole.safety is not None
    why = "hallucination is not measured, which takes an entailment (NLI) model"
    bare = whole.safety.systems[0].model_copy(
        update={
            "hallucinated": None, "hallucination_in": None, "hallucination_rate": None,
            "hallucination_share": None, "score": None, "score_at_least": None, "reason": why,
        }
    )  # fmt: skip
    none = whole.safety.model_copy(update={"systems": [bare]})
    told = whole.model_copy(update={"safety": none})
    text = _said(told)["safety"]
    assert text.startswith("Safety score without hallucination: Alder 1.00, at least .40 (95 %)")
    assert why in text
    table = safety_tables(told)[0]
    assert WITHOUT_HALLUCINATION in table.caption
    fields = [name for column in table.columns for name in column.fields]
    row = dict(zip(fields, [raw for cell in table.rows[0].cells for raw in cell.raw], strict=True))
    assert row["safety_score"] is None
    assert row["safety_score_without_hallucination"] == 1
    assert row["safety_score_without_hallucination_at_least"] == 0.4
    mixed = whole.safety.model_copy(
        update={"systems": [whole.safety.systems[0], bare.model_copy(update={"system": "a2"})]}
    )
    said = _said(whole.model_copy(update={"safety": mixed}))["safety"]
    # Each number under its own name, never in one list.
    assert said.index("Safety score: Alder .88") < said.index("Safety score without hallucination:")


def test_what_rules_are_worth_on_chains_is_what_was_measured() -> None:
    grounded, invented = (
        [one for one in tell_chains() if one.chain.kind == kind]
        for kind in ("grounded", "invented")
    )
    assert [len(grounded), sum(one.hallucinated for one in grounded)] == [12, 11]
    assert [len(invented), sum(one.hallucinated for one in invented)] == [12, 12]
    page = (Path(__file__).parents[2] / "docs" / "harm.md").read_text(encoding="utf-8")
    shares = [PROPORTION(fmean(one.graded for one in told)) for told in (grounded, invented)]
    for part in (
        "of twelve grounded chains",
        "call eleven hallucinated, of twelve invented ones all twelve",
        " and ".join(shares),
    ):
        assert part in " ".join(page.split())
