"""What a value does not say by itself, and that the note is about that very coefficient."""

import pytest

from medassay.agreement import agree_on_units, few_cases
from medassay.judgements import Units

LABELS = ("poor", "fair", "good")


def test_the_paradox_of_a_weighted_kappa_is_told_of_weighted_agreement() -> None:
    # 16 pairs (poor, poor), 2 (poor, fair), 2 (fair, poor): 36 of 40 labels are poor.
    # Plain: agreement 16/20 = 80 %, chance .9² + .1² = 82 %. Linear weights, shares of the largest
    # distance: a step costs 1/2, so agreement is 1 - 4/20/2 = 90 % and chance 1 - .18/2 = 91 %.
    codes = [[0, 0]] * 16 + [[0, 1]] * 2 + [[1, 0]] * 2
    units = Units.from_codes(codes, LABELS, scale="ordinal")
    plain, linear = agree_on_units(units, coefficient_names=["cohen", "cohen(weights=linear)"])
    assert plain.notes[0] == (
        'raters agree on 80 % of pairs, but 90 % of the labels are "poor", so chance alone would '
        "agree on 82 %: read specific agreement, AC1 and S beside it"
    )
    assert linear.notes[0] == (
        "raters agree on 90 % of pairs, near misses counted in part, but 90 % of the labels are "
        '"poor", so chance alone would agree on 91 %: read specific agreement, AC2 and S with the '
        "same weights beside it"
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
