"""Numbers in place of labels: interval alpha and intraclass correlation, mean and median."""

import numpy as np
import pytest

from medassay.agreement import agree, krippendorff_alpha
from medassay.agreement.krippendorff import coincidences
from medassay.consensus import consensus
from medassay.judgements import Dimension, Judgements, Label, NumberScale, Rubric, units

RUBRIC = Rubric(
    name="close",
    dimensions=(
        Dimension(
            id="adequacy", question="How good?", scale="interval",
            number=NumberScale(low=0, high=100),
        ),
        Dimension(
            id="errors", question="Which?", scale="nominal", about="span",
            kinds=(Label(label="wrong"),),
        ),
    ),
)  # fmt: skip


def drawn(cases: int = 40) -> Judgements:
    rng = np.random.default_rng(3)
    truth = rng.uniform(20, 80, cases)
    rows: list[dict[str, object]] = [
        {"rater": f"r{r}", "system": "A", "case": f"{c:02}", "dimension": "adequacy",
         "number": round(float(truth[c] + rng.normal(0, 8)), 3)}
        for c in range(cases)
        for r in range(3)
        if (c + r) % 5
    ]  # fmt: skip
    rows += [
        {"rater": "r1", "system": "A", "case": "01", "dimension": "errors", "kind": "wrong",
         "about": "span:0-4"}
    ]  # fmt: skip
    return Judgements.from_rows(rows, RUBRIC)


def test_interval_alpha_of_numbers_is_that_of_their_table_of_coincidences() -> None:
    judgements = drawn()
    read = units(judgements, "adequacy").with_labels(2)
    assert read.of_numbers
    table = krippendorff_alpha(coincidences(read.counts), "interval", read.scores)
    rows = agree(judgements, coefficient_names=["krippendorff(level=interval)", "icc"], rng=1)
    assert [row.dimension for row in rows] == ["adequacy", "adequacy"]  # spans have no kappa
    assert rows[0].value == pytest.approx(float(table), abs=1e-12)
    assert rows[1].value == pytest.approx(0.8, abs=0.1)


def test_only_what_reads_numbers_is_computed_of_them() -> None:
    rows = agree(drawn(), rng=1, replicates=20)
    assert {row.coefficient.partition("(")[0] for row in rows} == {"krippendorff", "icc"}
    (kappa,) = agree(drawn(), coefficient_names=["fleiss"])
    assert kappa.value is None


def test_mean_and_median_join_numbers_and_nothing_else_does() -> None:
    judgements = drawn()
    read = units(judgements, "adequacy")
    table = consensus(judgements, ["mean", "median", "majority"])
    assert set(table.sources) == {
        "mean(dimension=adequacy)", "median(dimension=adequacy)", "majority(dimension=adequacy)",
    }  # fmt: skip
    of = {
        (source, case): (value, reason)
        for source, case, value, reason in table.frame.select(
            "source", "case", "value", "reason"
        ).iter_rows()
    }
    assert read.scores is not None
    numbers = {
        case: read.scores[read.code[read.unit == place]] for place, case in enumerate(read.cases)
    }
    for case, said in numbers.items():
        assert of["mean(dimension=adequacy)", case][0] == pytest.approx(said.mean())
        assert of["median(dimension=adequacy)", case][0] == pytest.approx(np.median(said))
        assert of["majority(dimension=adequacy)", case] == (None, "undefined")
