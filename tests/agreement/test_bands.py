from itertools import groupby

import numpy as np
import pytest
from tools.endurance import Endurance

from medassay.agreement import (
    BandSource,
    agree_on_units,
    band,
    band_sources,
    borne_out_band,
    coefficients,
    draw_cases,
)
from medassay.errors import InvalidInput, UnknownName
from medassay.judgements import Units
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


@pytest.mark.parametrize(
    ("value", "low", "high", "source", "word"),
    [
        (0.347, 0.10, 0.80, "archehr", None),  # it has a word for .347 alone
        (0.347, 0.3468, 0.3474, "archehr", "moderate"),
        (0.10, -0.40, 0.15, "mchugh", "none"),  # no word below 0, and one
        (0.10, -0.40, 0.30, "mchugh", None),
        (0.30, 0.15, 0.35, "med-gpt", "fair"),  # .20 alone is between two words
    ],
)
def test_what_a_publication_has_no_word_for_is_one_more(
    value: float, low: float, high: float, source: str, word: str | None
) -> None:
    found = borne_out_band(value, Interval(low, high, 0.95, "percentile", "new cases"), source)
    assert (found if isinstance(found, str) else None) == word


def words_between(low: float, high: float, source: BandSource) -> int:
    """Walk from end to end by the last printed digit, and count words and holes by `band` alone."""
    steps = range(round(low * 10**source.decimals), round(high * 10**source.decimals) + 1)
    said = [band(step / 10**source.decimals, source.name) for step in steps]
    runs = [(word, len(list(own))) for word, own in groupby(map(str, said))]
    return sum(length > 1 or not word.startswith("undefined") for word, length in runs)


@pytest.mark.endure
def test_no_study_is_called_by_a_word_that_its_interval_does_not_bear_out(
    endurance: Endurance,
) -> None:
    studies = endurance.size("small studies", short=12, whole=300)
    titles = {source.title: source for source in band_sources()}
    values = called = 0
    for seed in range(studies):
        rng = np.random.default_rng([412, seed])
        labels = int(rng.integers(2, 6))
        shape = int(rng.integers(3, 90)), int(rng.integers(2, 5))
        noise, rare = rng.uniform(0.1, 2), rng.uniform(-1.5, 1.5)
        seen = rng.normal(rare, 1, size=(shape[0], 1)) + rng.normal(0, noise, size=shape)
        codes = np.digitize(seen, np.linspace(-1, 1, labels - 1))
        if rng.random() < 0.4:
            codes = np.where(rng.random(shape) < 0.25, -1, codes)
        if not ((codes >= 0).sum(axis=1) > 1).any():
            continue
        units = Units.from_codes(codes, "abcdef"[:labels], scale="interval", scores=range(labels))
        for row in agree_on_units(units, draws=draw_cases(units, rng, 100)):
            values += row.value is not None
            if row.interval is None or row.value is None:
                assert not row.bands, row
                continue
            for title, word in row.bands.items():
                called += 1
                assert word == band(row.value, titles[title].name)
                low, high = row.interval.low, row.interval.high
                assert words_between(low, high, titles[title]) <= 2, (row, title)
    endurance.found(f"{values:,} values, {called:,} called by a word, none wrongly")
    assert values > 3 * studies
    assert called > studies
