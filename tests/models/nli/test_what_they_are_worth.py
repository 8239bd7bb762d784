"""What docs/support.md says of counting words holds now; see tools/make_support_page.py."""

import numpy as np
import pytest
from tools.make_support_page import PAGE, measured
from tools.support.chains import chain_section, chains
from tools.support.data import claims, pairs
from tools.support.ranks import area, area_rows, lexical_support

from medassay.metrics.builtin.lexical_support import AUC_ON_CLAIMS
from medassay.models.nli import SupportVerdict
from medassay.stats.calibration import auroc


@pytest.mark.slow
def test_the_baseline_that_a_judge_must_beat_is_what_was_measured() -> None:
    found = measured()
    assert "\n".join(area_rows(found)) in PAGE.read_text(encoding="utf-8")
    own = found["lexical support"][0]
    told = [f"{one:.2f}" for one in (own.value, own.low, own.high)]
    assert "AUC {} (95% {} to {})".format(*told) == AUC_ON_CLAIMS


def test_the_area_is_that_of_every_pair_of_claims() -> None:
    told = claims()
    values = lexical_support(told)
    right = np.array([one.label is SupportVerdict.SUPPORTED for one in told])
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


def test_the_section_on_chains_is_what_is_counted_now() -> None:
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
