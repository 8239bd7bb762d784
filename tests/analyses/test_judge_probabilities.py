"""Probabilities of judges, held against the label of most people."""

import json

import numpy as np
import pytest

from medassay.analyses.builtin.judge_probabilities import (
    JudgeProbabilities,
    ProbabilitiesOf,
    probabilities_of,
    probability_tables,
)
from medassay.analyses.inputs.readable import Design, OnFile, Randomness
from medassay.exhibits import Names
from medassay.judgements import Judgements, Preferences, Raters, load_rubric

ANSWERS = 40


def judged(sure: float, people: int = 3) -> Judgements:
    """Make a judge that is right of 36 of 40 answers, and always as sure."""
    rows: list[dict[str, object]] = []
    for n in range(ANSWERS):
        of = {"system": "A", "case": str(n), "dimension": "quality"}
        truth, other = ("5", "1") if n % 2 else ("1", "5")
        rows += [{"rater": f"p{r}", "label": truth, **of} for r in range(people)]
        label, less = (other, truth) if n % 10 == 0 else (truth, other)
        likely = json.dumps({label: sure, less: round(1 - sure, 3)})
        model = {"rater": "m", "rater_kind": "model", "label": label, "probabilities": likely}
        rows.append({**model, **of})
    return Judgements.from_rows(rows, load_rubric("likert5"))


def found(judgements: Judgements) -> tuple[ProbabilitiesOf, ...]:
    on_file = OnFile(Raters([]), judgements, Preferences.from_rows([]), frozenset({"m"}))
    design = Design(("A",), tuple(map(str, range(ANSWERS))), {}, {})
    randomness = Randomness(200, lambda *_: np.random.default_rng(1))
    return probabilities_of(judgements.rubric, on_file, design, randomness)


@pytest.mark.parametrize(("sure", "ece"), [(0.9, 0.0), (0.6, 0.3)])
def test_a_judge_that_is_right_nine_times_of_ten(sure: float, ece: float) -> None:
    [row] = rows = found(judged(sure))
    assert (row.judge, row.answers, row.without) == ("m", ANSWERS, 0)
    assert row.right == pytest.approx(0.9)
    assert row.sure == pytest.approx(sure)
    assert row.ece == pytest.approx(ece, abs=1e-9)
    # Of two labels, the halved sum over labels is the Brier score of yes or no.
    assert row.brier == pytest.approx(0.9 * (1 - sure) ** 2 + 0.1 * sure**2)
    assert row.base == pytest.approx(0.25)
    assert row.brier is not None
    assert row.brier_interval is not None
    assert row.brier_interval.low < row.brier < row.brier_interval.high
    [table] = probability_tables(JudgeProbabilities(rows), Names())
    assert table.rows[0].cells[0].text == "m"


def test_without_people_there_is_a_reason_and_no_score() -> None:
    [row] = found(judged(0.9, people=0))
    assert (row.brier, row.ece, row.right) == (None, None, None)
    assert row.reason == "no answer has both its probabilities and a label of most people"
