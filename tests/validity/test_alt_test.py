"""The alternative-annotator test: against its authors' own code, and by cases."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from medassay.errors import InvalidInput
from medassay.judgements import Units
from medassay.validity import alt_test

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "alt_test.json").read_text())


def units_of(one: dict[str, Any]) -> Units:
    codes = np.array(one["codes"]).T
    scores = None if one["scoring"] == "accuracy" else np.arange(4.0)
    scale = "nominal" if scores is None else "interval"
    return Units.from_codes(codes, list("abcd"), scale=scale, scores=scores)  # type: ignore[arg-type]  # one of the scales


@pytest.mark.parametrize("one", GOLDEN["sets"])
def test_the_authors_code_says_the_same(one: dict[str, Any]) -> None:
    found = alt_test(units_of(one), "rater 04", epsilon=one["epsilon"])
    assert found.winning_rate == pytest.approx(one["winning_rate"])
    assert found.advantage == pytest.approx(one["advantage"])
    # Every answer is a case of its own here.
    assert found.winning_rate_clustered == found.winning_rate
    assert found.passes == (one["winning_rate"] >= 0.5)


def test_answers_of_one_case_are_not_so_many_answers() -> None:
    one = GOLDEN["sets"][0]
    read = units_of(one)
    clusters = {unit.case: str(i // 20) for i, unit in enumerate(read.keys)}
    found = alt_test(read, "rater 04", epsilon=one["epsilon"], clusters=clusters)
    assert found.winning_rate == pytest.approx(one["winning_rate"])
    assert all((row.p_clustered or 0) > (row.p or 0) for row in found.raters)


def test_too_few_people_have_no_test_and_strangers_are_refused() -> None:
    read = units_of(GOLDEN["sets"][0])
    found = alt_test(read, "rater 04", fewest_answers=1000)
    assert (found.winning_rate, found.passes) == (None, False)
    assert "got 0" in found.reason
    with pytest.raises(InvalidInput, match="be a rater of the study"):
        alt_test(read, "nobody")
