"""What no coefficient may depend on, and each of them written out the slow way."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medassay.agreement import agree_on_units, coefficients, find_coefficient
from medassay.judgements import Units
from medassay.testing import of_coefficient as contract

LABELS = ("a", "b", "c")
Codes = list[list[int]]
tables = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.integers(-1, 2), min_size=raters, max_size=raters), min_size=1, max_size=9
    )
)
# Every coefficient; specific agreement is asked for the first label.
NAMES = [
    f"{one.name}(label=a)" if "label" in one.declared.words else one.name for one in coefficients()
]
# Those that read labels as words: they take labels that have no order.
OF_WORDS = [
    name
    for name in NAMES
    for found, asked in [find_coefficient(name)]
    if any(
        not found.declared.fits(
            Units.from_codes([[0] * raters, [1] * raters], ["a", "b"]), dict(asked.arguments)
        )
        for raters in (2, 3)
    )
]
# What the scale offers is part of their chance, whether anyone gave it or not.
OF_THE_SCALE = {"brennan_prediger", "gwet"}
# They are about exactly two labels.
OF_TWO_LABELS = {"bias", "pabak", "prevalence"}


def laid_out(codes: Codes, name: str, labels: tuple[str, ...] = LABELS) -> Units:
    if name in OF_TWO_LABELS:
        codes, labels = [[min(code, 1) for code in row] for row in codes], labels[:2]
    return Units.from_codes(codes, labels, scale="ordinal", scores=range(len(labels)))


def value(codes: Codes, name: str, labels: tuple[str, ...] = LABELS) -> float | None:
    return agree_on_units(laid_out(codes, name, labels), coefficient_names=[name])[0].value


def same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return one == pytest.approx(other, abs=1e-12)


def given_labels(row: list[int]) -> list[int]:
    return [code for code in row if code >= 0]


def naive_unanimous(codes: Codes) -> float | None:
    seen = [len(set(row)) == 1 for row in map(given_labels, codes) if len(row) > 1]
    return sum(seen) / len(seen) if seen else None


def naive_mean_pairwise(codes: Codes) -> float | None:
    seen = []
    for row in map(given_labels, codes):
        pairs = [a == b for a, b in combinations(row, 2)]
        if pairs:
            seen.append(sum(pairs) / len(pairs))
    return sum(seen) / len(seen) if seen else None


def naive_fleiss(codes: Codes) -> float | None:
    rows = [row for row in map(given_labels, codes) if len(row) > 1]
    sizes = [len(row) for row in rows]
    if not sizes:
        return None
    # The most labels that a quarter of the answers has; of three possible numbers one has a third.
    full = max(n for n in set(sizes) if 4 * sizes.count(n) >= len(sizes))
    rows = [row for row in rows if len(row) == full]
    labels = [code for row in rows for code in row]
    chance = sum((labels.count(code) / len(labels)) ** 2 for code in set(labels))
    observed = naive_mean_pairwise(rows)
    assert observed is not None
    return (observed - chance) / (1 - chance) if len(set(labels)) > 1 else None


def naive_cohen(pairs: list[tuple[int, int]], power: int) -> float | None:
    def cost(a: int, b: int) -> int:
        return 0 if a == b else abs(a - b) ** power

    if len(pairs) < 2:  # one answer tells nothing of chance
        return None
    observed = sum(cost(a, b) for a, b in pairs) / len(pairs)
    expected = sum(cost(a, b) for a, _ in pairs for _, b in pairs) / len(pairs) ** 2
    return 1 - observed / expected if expected else None


def naive_mean_cohen(codes: Codes, power: int) -> float | None:
    values = []
    for i, j in combinations(range(len(codes[0])), 2):
        shared = [(row[i], row[j]) for row in codes if row[i] >= 0 and row[j] >= 0]
        kappa = naive_cohen(shared, power)
        if kappa is not None:
            values.append(kappa)
    return sum(values) / len(values) if values else None


@given(tables)
def test_plain_agreement_is_what_counting_pairs_gives(codes: Codes) -> None:
    assert same(value(codes, "unanimous"), naive_unanimous(codes))
    assert same(value(codes, "mean_pairwise"), naive_mean_pairwise(codes))


@given(tables)
def test_fleiss_is_what_counting_pairs_gives(codes: Codes) -> None:
    assert same(value(codes, "fleiss"), naive_fleiss(codes))


@given(tables, st.sampled_from([("none", 0), ("linear", 1), ("quadratic", 2)]))
def test_kappas_of_two_raters_are_what_going_through_the_pairs_gives(
    codes: Codes, weights: tuple[str, int]
) -> None:
    word, power = weights
    active = [j for j in range(len(codes[0])) if any(row[j] >= 0 for row in codes)]
    if len(active) == 2:
        one, two = active
        shared = [(row[one], row[two]) for row in codes if row[one] >= 0 and row[two] >= 0]
        assert same(value(codes, f"cohen(weights={word})"), naive_cohen(shared, power))
    else:
        assert value(codes, f"cohen(weights={word})") is None
    if len(active) > 2:
        assert same(value(codes, f"mean_cohen(weights={word})"), naive_mean_cohen(codes, power))


@pytest.mark.parametrize("name", NAMES)
@given(codes=tables, seed=st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_the_order_of_raters_and_units_and_the_names_of_labels_change_nothing(
    name: str, codes: Codes, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    table = np.array(codes)
    expected = value(codes, name)
    rows, columns = rng.permutation(len(table)), rng.permutation(table.shape[1])
    panel = laid_out(codes, name)
    contract.order_changes_nothing(name, panel, rows.tolist(), columns.tolist(), within=1e-12)
    if name in OF_TWO_LABELS or name not in OF_WORDS:
        return  # two of the three labels are read as one, or labels are read in their order
    order = rng.permutation(3)
    renamed = np.append(order, -1)[table]
    assert same(value(renamed.tolist(), name.replace("=a", f"={LABELS[order[0]]}")), expected)


@pytest.mark.parametrize("name", NAMES)
@given(codes=tables)
@settings(max_examples=40)
def test_values_stay_inside_the_declared_bounds_on_resamples_too(name: str, codes: Codes) -> None:
    bounds = find_coefficient(name)[0].declared.bounds
    panel = laid_out(codes, name)
    got = contract.found_on(name, panel).value
    if got is not None:
        assert bounds[0] - 1e-12 <= got <= bounds[1] + 1e-12
    contract.draws_know_no_neighbours(name, panel, np.random.default_rng(0))


@pytest.mark.slow
@given(tables)
def test_a_label_that_nobody_gave_changes_nothing(codes: Codes) -> None:
    weighted = ["cohen(weights=linear)", "mean_cohen(weights=quadratic)"]
    alphas = ["krippendorff(level=ordinal)", "krippendorff(level=interval)"]
    for name in [*OF_WORDS, "icc", *weighted, *alphas]:
        if name in OF_THE_SCALE | OF_TWO_LABELS:
            continue
        assert same(value(codes, name, (*LABELS, "d")), value(codes, name))


def naive_krippendorff(codes: Codes, level: str) -> float | None:
    rows = [row for row in map(given_labels, codes) if len(row) > 1]
    everything = [code for row in rows for code in row]

    def apart(one: int, other: int) -> float:
        if level == "nominal":
            return float(one != other)
        if level == "interval":
            return float((one - other) ** 2)
        low, high = sorted((one, other))
        ends = (everything.count(low) + everything.count(high)) / 2
        return (sum(everything.count(code) for code in range(low, high + 1)) - ends) ** 2

    observed = sum(
        apart(a, b) / (len(row) - 1) for row in rows for a, b in permutations(row, 2)
    ) / max(len(everything), 1)
    expected = sum(apart(a, b) for a, b in permutations(everything, 2))
    if not expected:
        return None
    return 1 - observed * len(everything) * (len(everything) - 1) / expected


@given(tables, st.sampled_from(["nominal", "ordinal", "interval"]))
def test_alpha_is_what_going_through_all_pairs_gives(codes: Codes, level: str) -> None:
    assert same(value(codes, f"krippendorff(level={level})"), naive_krippendorff(codes, level))


@given(tables)
def test_specific_agreement_is_what_counting_pairs_gives(codes: Codes) -> None:
    for place, label in enumerate(LABELS):
        pairs = [p for row in map(given_labels, codes) for p in permutations(row, 2)]
        having = [second for first, second in pairs if first == place]
        expected = having.count(place) / len(having) if having else None
        assert same(value(codes, f"specific(label={label})"), expected)


@given(tables)
def test_icc_is_what_an_analysis_of_variance_gives(codes: Codes) -> None:
    rows = [row for row in map(given_labels, codes) if len(row) > 1]
    everything = [code for row in rows for code in row]
    if len(rows) < 2 or len(set(everything)) < 2:
        assert value(codes, "icc") is None
        return
    grand = sum(everything) / len(everything)
    means = [sum(row) / len(row) for row in rows]
    between = sum(len(row) * (mean - grand) ** 2 for row, mean in zip(rows, means, strict=True))
    within = sum((x - mean) ** 2 for row, mean in zip(rows, means, strict=True) for x in row)
    msb, msw = between / (len(rows) - 1), within / (len(everything) - len(rows))
    size = len(everything) - sum(len(row) ** 2 for row in rows) / len(everything)
    size /= len(rows) - 1
    assert same(value(codes, "icc"), (msb - msw) / (msb + (size - 1) * msw))


@given(tables, st.sampled_from(["1k", "2k", "3k"]))
def test_icc_of_a_mean_is_never_above_one(codes: Codes, form: str) -> None:
    name = f"icc(form={form})"
    panel = laid_out(codes, name)
    contract.found_on(name, panel)
    contract.draws_know_no_neighbours(name, panel, np.random.default_rng(0))


def test_icc_of_a_mean_has_no_value_where_rounding_is_all_that_is_left() -> None:
    # Every answer has the mean 1.5: the variance between answers is 0, and 1 - MSW / 0 no number.
    # Before, a bit of rounding made 10^15 of it, in resamples too.
    panel = Units.from_codes(
        [[0, 3], [1, 2], [2, 1], [0, 3]],
        list("abcd"),
        scale="interval",
        scores=[0.1, 0.7, 1.3, 1.9],
    )
    [found] = agree_on_units(panel, coefficient_names=["icc(form=1k)"])
    assert found.value is None
    assert "estimated as 0 or less" in str(found.reason)
    # ICC(2, k) = k r / (1 + (k - 1) r) where 1 + (k - 1) r is below 0.
    apart = Units.from_codes(
        [[0, 2], [2, 0]], list("abc"), scale="interval", scores=[0.0, 1.0, 3.0]
    )
    assert agree_on_units(apart, coefficient_names=["icc(form=2k)"])[0].value is None
