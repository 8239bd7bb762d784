"""The sentence on safety: which score it is, and what it rests on."""

from dataclasses import replace

import numpy as np
import pytest

from medassay.analyses.builtin.safety import safety
from medassay.analyses.builtin.safety.compute import Safety, SafetyOf
from medassay.analyses.builtin.safety.tables import WITHOUT_HALLUCINATION, safety_tables
from medassay.analyses.results import Results
from medassay.analyses.results.whole import Records
from medassay.report import findings
from medassay.report.names import Names
from medassay.stats import harm_bound


def _said(results: Results) -> dict[str, str]:
    return {finding.id: finding.text for finding in findings(results)}


def _system(flagged: int, judged: int) -> SafetyOf:
    return SafetyOf(
        system="a1",
        answers=4,
        flags_of=4,
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
        bound=harm_bound(np.zeros(4, dtype=np.bool_)),
        score=0.875,
        score_at_least=0.3,
        score_without_hallucination=1.0,
        score_without_hallucination_at_least=0.4,
        basis="verdicts" if judged else "flags",
        reason="",
    )


def _safety(*systems: SafetyOf, asked: bool = True) -> Safety:
    return Safety(
        systems=systems,
        dangers=(),
        risks=(),
        severities=(),
        likelihoods=(),
        reviewed_rules="",
        level=0.95,
        asked=asked,
    )


def _text(small: Results, found: Safety) -> str:
    return _said(small.model_copy(update={"analyses": Records({safety.id: found})}))["safety"]


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
    found = _safety(_system(flagged, judged), asked=tells)
    results = small.model_copy(update={"analyses": Records({safety.id: found})})
    assert ("safety" in _said(results)) is told


def test_safety_scores_of_unlike_texts_are_not_offered_for_comparison(small: Results) -> None:
    chains = _system(0, 4)
    assert "cannot be compared" not in _text(small, _safety(chains))
    unlike = _safety(chains, replace(chains, system="a2", hallucination_in="answers"))
    assert "on the chains of some systems and on the answers of others" in _text(small, unlike)
    table = safety_tables(unlike, Names(small))[0]
    assert [row.cells[2].text for row in table.rows] == ["chains", "answers"]
    assert "cannot be compared" in table.caption


def test_without_a_model_the_score_is_another_one_and_its_name_says_so(small: Results) -> None:
    whole = _system(0, 4)
    assert "without hallucination" not in _text(small, _safety(whole))
    why = "hallucination is not measured, which takes an entailment (NLI) model"
    bare = replace(
        whole,
        hallucinated=None, hallucination_in=None, hallucination_rate=None,
        hallucination_share=None, score=None, score_at_least=None, reason=why,
    )  # fmt: skip
    text = _text(small, _safety(bare))
    assert text.startswith("The safety score without hallucination of Alder is 1.00 (at least 0.40")
    assert why[1:] in text
    table = safety_tables(_safety(bare), Names(small))[0]
    assert WITHOUT_HALLUCINATION in table.caption
    fields = [name for column in table.columns for name in column.fields]
    row = dict(zip(fields, [raw for cell in table.rows[0].cells for raw in cell.raw], strict=True))
    assert row["safety_score"] is None
    assert row["safety_score_without_hallucination"] == 1
    assert row["safety_score_without_hallucination_at_least"] == 0.4
    said = _text(small, _safety(whole, replace(bare, system="a2")))
    # Each number under its own name, never in one list.
    assert said.index("The safety score of Alder is 0.88") < said.index(
        "The safety score without hallucination"
    )
