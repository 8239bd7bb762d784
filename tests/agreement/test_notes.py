"""What a value does not say by itself, and that the note is about that very coefficient."""

import numpy as np
import pytest

from medassay.agreement import agree_on_units, draw_cases, few_cases
from medassay.judgements import Units

LABELS = ("poor", "fair", "good")


def test_the_paradox_of_a_weighted_kappa_is_told_of_weighted_agreement() -> None:
    # 16 pairs (poor, poor), 2 (poor, fair), 2 (fair, poor): 36 of 40 labels are poor.
    # Plain: agreement 16/20 = 80%, chance .9² + .1² = 82%. Linear weights, shares of the largest
    # distance: a step costs 1/2, so agreement is 1 - 4/20/2 = 90% and chance 1 - .18/2 = 91%.
    codes = [[0, 0]] * 16 + [[0, 1]] * 2 + [[1, 0]] * 2
    units = Units.from_codes(codes, LABELS, scale="ordinal")
    plain, linear = agree_on_units(units, coefficient_names=["cohen", "cohen(weights=linear)"])
    assert plain.notes[0] == (
        '90% of the labels are "poor", so chance alone agrees on 82% of pairs (raters on 80%): '
        "also read specific agreement, AC1 and S"
    )
    assert linear.notes[0] == (
        '90% of the labels are "poor", so chance alone agrees on 91% of pairs (raters on 90%, near '
        "misses counted in part): also read specific agreement, AC2 and S with the same weights"
    )


@pytest.mark.parametrize("level", ["ordinal", "interval"])
def test_alpha_with_distances_is_told_of_its_own_distances(level: str) -> None:
    codes = [[0, 0]] * 16 + [[0, 1]] * 2 + [[1, 0]] * 2
    units = Units.from_codes(codes, LABELS, scale="interval", scores=[0, 1, 2])
    (alpha,) = agree_on_units(units, coefficient_names=[f"krippendorff(level={level})"])
    assert "near misses counted in part" in alpha.notes[0]


def test_a_mean_of_kappas_says_how_unevenly_pairs_share_answers() -> None:
    codes = [[0, 0, -1]] * 5 + [[1, 1, 1]] * 5 + [[0, 1, 0]] * 2
    (uneven,) = agree_on_units(Units.from_codes(codes, LABELS), coefficient_names=["mean_cohen"])
    assert uneven.notes[0] == (
        "each of the 3 of 3 pairs of raters who share answers counts alike, though they share 7 to "
        "12"
    )
    full = [[0, 0, 0]] * 5 + [[1, 1, 1]] * 5
    (even,) = agree_on_units(Units.from_codes(full, LABELS), coefficient_names=["mean_cohen"])
    assert even.notes == ()


@pytest.mark.parametrize(
    ("cases", "said"),
    [([], ""), ([40, 0], ""), ([39], "89 to 94"), ([14, 50], "87 to 93"), ([9], "as few as 9")],
)
def test_few_cases_are_said_as_they_were_measured(cases: list[int], said: str) -> None:
    assert (said in few_cases(cases)) == bool(few_cases(cases) or not said)
    assert bool(few_cases(cases)) == bool(said)


def test_a_mean_of_kappas_of_few_answers_each_has_a_reason_instead_of_an_interval() -> None:
    # 26 raters, 5 of them an answer, 120 answers: two raters share 120 * (5 * 4) / (26 * 25) = 3.7
    # answers on average. Resamples of so few hold fewer different ones, and their kappas fall.
    rng = np.random.default_rng(4)
    codes = np.full((120, 26), -1)
    for row in codes:
        chosen = rng.choice(26, 5, replace=False)
        row[chosen] = np.clip(rng.integers(0, 3) + rng.integers(-1, 2, 5), 0, 2)
    units = Units.from_codes(codes.tolist(), LABELS, scale="ordinal")
    draws = draw_cases(units, rng, 200)
    mean, alpha = agree_on_units(
        units, coefficient_names=["mean_cohen(weights=quadratic)", "krippendorff"], draws=draws
    )
    assert mean.value is not None
    assert mean.interval is None
    assert "pairs of raters share few answers" in mean.no_interval
    assert alpha.value is not None
    assert alpha.interval is not None
    assert alpha.interval.low < alpha.value < alpha.interval.high


def test_a_mean_of_kappas_over_raters_who_all_rate_all_keeps_its_interval() -> None:
    rng = np.random.default_rng(4)
    codes = np.clip(rng.integers(0, 3, (80, 1)) + rng.integers(-1, 2, (80, 3)), 0, 2)
    units = Units.from_codes(codes.tolist(), LABELS)
    draws = draw_cases(units, rng, 200)
    (mean,) = agree_on_units(units, coefficient_names=["mean_cohen"], draws=draws)
    assert mean.value is not None
    assert mean.interval is not None
    assert mean.interval.low < mean.value < mean.interval.high
