import pytest

from medassay.agreement import BandSource, band, band_sources, borne_out_band, coefficients
from medassay.errors import InvalidInput, UnknownName
from medassay.scores import Unscored
from medassay.stats import Interval


@pytest.mark.parametrize(
    ("value", "source", "word"),
    [
        (0.347, "landis-koch", "fair"),
        (0.347, "med-gpt", "fair"),
        (0.347, "archehr", "moderate"),
        (0.347, "mchugh", "minimal"),
        (0.444, "med-gpt", "moderate"),
        (-0.2, "landis-koch", "poor"),
        (0.0, "landis-koch", "slight"),
        (0.2, "landis-koch", "slight"),
        (0.205, "landis-koch", "slight"),  # 0.205 in binary lies just below, and rounds to 0.20
        (0.206, "landis-koch", "fair"),
        (1.0, "landis-koch", "almost perfect"),
        (0.667, "krippendorff", "for tentative conclusions only"),
        (0.75, "koo-li", "good"),
        (0.75, "fleiss", "fair to good"),
        (0.75, "cicchetti", "excellent"),
    ],
)
def test_each_source_has_its_own_word(value: float, source: str, word: str) -> None:
    assert band(value, source) == word


@pytest.mark.parametrize(
    ("value", "source"), [(0.2, "med-gpt"), (0.204, "altman"), (-0.1, "mchugh"), (0.346, "archehr")]
)
def test_a_hole_of_a_source_has_a_reason(value: float, source: str) -> None:
    said = band(value, source)
    assert isinstance(said, Unscored)
    assert "has no word for" in str(said)


@pytest.mark.parametrize("source", band_sources(), ids=lambda source: source.name)
def test_bands_ascend_and_speak_of_known_coefficients(source: BandSource) -> None:
    ends = [end for _, low, high in source.bands for end in (low, high)]
    assert ends == sorted(ends)
    assert set(source.about) <= {one.name for one in coefficients()}
    assert source.source


def test_a_source_that_is_not_known_is_helped() -> None:
    with pytest.raises(UnknownName, match='Did you mean "landis-koch"'):
        band(0.5, "landis-kock")
    with pytest.raises(InvalidInput, match="finite"):
        band(float("nan"), "fleiss")


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [
        (0.31, 0.48, "fair"),  # fair and moderate
        (0.21, 0.60, "fair"),  # to the last of both
        (0.204, 0.60, None),  # rounds to .20, which is slight
        (0.35, 0.61, None),
        (-1.0, 1.0, None),
    ],
)
def test_an_interval_wider_than_two_words_leaves_none(
    low: float, high: float, word: str | None
) -> None:
    found = borne_out_band(
        0.36, Interval(low, high, 0.95, "percentile", "new cases"), "landis-koch"
    )
    assert (found if isinstance(found, str) else None) == word
    if word is None:
        assert "the interval reaches over" in str(found)


def test_a_value_without_an_interval_has_no_word() -> None:
    found = borne_out_band(1.0, None, "landis-koch")
    assert isinstance(found, Unscored)
    assert "without an interval" in found.detail
