"""Agreement on units that are already laid out, its interval, and which coefficient heads it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.bands import bands_of
from medassay.agreement.coefficient import (
    Coefficient,
    CoefficientDeclaration,
    Prepared,
    coefficients,
    find_coefficient,
)
from medassay.agreement.design import hangs_on_labels
from medassay.agreement.draws import CaseDraws, distance_of_units
from medassay.annotations import DesignName, Words, record
from medassay.judgements import Dimension, Units
from medassay.scores import Name, Reason, Unit, Unscored
from medassay.stats import Interval, percentile_interval

ALL_CASES: Final = "all cases"
ICC_FORMS: Final = ("icc(form=2)", "icc")
"""ICC(A,1), and ICC(1) where raters differ from answer to answer."""
RULE: Final = (
    "The headline is the coefficient that the protocol names, else Krippendorff's alpha: "
    "interval for numbers, ordinal for ordered labels, nominal for others and for two labels."
)
_PLAIN: Final = ("mean_pairwise", "commonest")
"""Per cent agreement, and how common the commonest label is."""
POSTERIOR: Final = "Dirichlet posterior"
"""What the interval with prior answers is called."""
FEWEST_RARER: Final = 60
"""So many cases with a label other than the commonest carry an interval without prior answers."""
_ESTIMAND: Final = "these raters and systems, new cases"
_COMMON: Final = 0.75
"""Where one label has more than this share of all labels, the others are rare."""
_FEW: Final = 30
_TAIL: Final = 0.4
"""Of what the level leaves, what is cut off a posterior: its middle 95% held in 91.6 to 97% of
simulated studies, so its middle 98% is what 95% is taken for."""
_ROUNDING: Final = 1e-9
Prepare = Callable[[Units], Prepared | Unscored]
_MOST_ROWS: Final = 5_000
"""Beyond so many prior answers they cost more than they tell."""
_HIGH_AGREEMENT: Final = 0.7
_LOW_VALUE: Final = 0.4
_COMMON_LABEL: Final = 0.7


@record(infers=False)
class Agreement:
    """One coefficient on one reading of one dimension.

    Attributes:
        dimension: The dimension's id.
        mapping: The mapping that the labels were read through; "full" for none.
        subset: Which cases it was taken over, in words.
        coefficient: The coefficient's own canonical name, such as `cohen(weights=linear)`.
        title: What a table calls it.
        value: The value, or None.
        reason: Why there is no value; empty where there is one.
        interval: For the same raters on new cases; None where it could not be had.
        no_interval: Why there is no interval; empty where there is one or none was asked for.
        n_units: Answers that the value reads.
        n_cases: Cases that these answers belong to.
        n_raters: Raters with a label on one of them.
        n_pairs: Pairs of labels compared.
        notes: What a reader of the value must know, such as high agreement beside a low kappa.
        one: What 1 means.
        zero: What 0 means.
        below_zero: What a value below 0 means.
        bands: Publication to the word that it has for the value; they differ.
    """

    dimension: DesignName
    mapping: DesignName
    subset: Words
    coefficient: DesignName
    title: Words
    value: float | None
    reason: Words
    interval: Interval | None
    no_interval: Words
    n_units: int
    n_cases: int
    n_raters: int
    n_pairs: int
    notes: tuple[Words, ...]
    one: Words
    zero: Words
    below_zero: Words
    bands: dict[DesignName, Words]

    @property
    def name(self) -> Name:
        """Give the canonical name of the value, dimension and mapping included."""
        coefficient = Name.parse(self.coefficient)
        arguments = {**dict(coefficient.arguments), "dimension": self.dimension}
        if self.mapping != "full":
            arguments["mapping"] = self.mapping
        return coefficient.with_arguments(arguments)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Give what a reader must know, and why there is no interval."""
        return tuple(text for text in (*self.notes, self.no_interval) if text)


def agree_on_units(
    read: Units,
    *,
    coefficient_names: Sequence[str] | None = None,
    only_fitting: bool = False,
    headline: bool = False,
    draws: CaseDraws | None = None,
    level: float = 0.95,
    hangs: str | None = None,
    hushed: bool = False,
) -> list[Agreement]:
    """Compute coefficients on units that are already laid out.

    Args:
        read: Who said what.
        coefficient_names: As in `agree`.
        only_fitting: As in `agree`.
        headline: As in `agree`.
        draws: Draws of the cases, as `draw_cases` gives them; no intervals if not given.
        level: Nominal coverage of the intervals.
        hangs: Why answers with all labels are no sample, as `hangs_on_labels` says of the labels
            before they were mapped; found from these units if not given.
        hushed: As in `agree`.
    """
    reading = _Reading(read, draws, level, hangs_on_labels(read) if hangs is None else hangs)
    if coefficient_names is None:
        chosen = [
            (coefficient, name)
            for coefficient, name in _all(read, hushed=hushed)
            if not _misfit(coefficient, name, read)
        ]
    else:
        chosen = [find_coefficient(name, hushed=hushed) for name in coefficient_names]
    if only_fitting:
        chosen = [
            (coefficient, name)
            for coefficient, name in chosen
            if not _misfit(coefficient, name, read)
        ]
    rows = [_one(coefficient, name, reading) for coefficient, name in chosen]
    return [*rows, *_added(reading, chosen, rows)] if headline else rows


class _Reading(NamedTuple):
    """The units, the draws of their cases, the level, and why complete answers are no sample."""

    units: Units
    draws: CaseDraws | None
    level: float
    hangs: str


def _added(
    reading: _Reading,
    chosen: Sequence[tuple[Coefficient, Name]],
    rows: Sequence[Agreement],
) -> list[Agreement]:
    """Give what heads the labels as given and was not asked for.

    Alpha takes holes and rotating raters, so it has a value wherever one of its kind has. A mapping
    is the dimension's labels over again: there alpha only takes the place of a coefficient that was
    asked for and that has no value.
    """
    read = reading.units
    asked = {name for _, name in chosen}
    if read.mapping == "full":
        found = [find_coefficient(one) for one in first_names(read)]
        return [_one(one, name, reading) for one, name in found if name not in asked]
    correcting = [
        row.value
        for (coefficient, _), row in zip(chosen, rows, strict=True)
        if coefficient.declared.corrects_for_chance
    ]
    alpha, name = find_coefficient(alpha_of(read))
    if not correcting or name in asked or any(v is not None for v in correcting):
        return []
    row = _one(alpha, name, reading)
    return [row] if row.value is not None else []


def first_names(read: Units) -> list[str]:
    """Name what heads agreement on these labels, of what fits them.

    Example:
        >>> first_names(Units.from_codes([[0, 1]], ["no", "yes"]))
        ['krippendorff', 'mean_pairwise', 'commonest']
    """
    alpha = alpha_of(read)

    def fits(name: str) -> bool:
        return not _misfit(*find_coefficient(name), read)

    icc = next((name for name in ICC_FORMS if alpha != "krippendorff" and fits(name)), None)
    return [name for name in (alpha, icc, *_PLAIN) if name is not None and fits(name)]


def _all(read: Units, *, hushed: bool) -> list[tuple[Coefficient, Name]]:
    """List every coefficient with the parameters that it declares for these units."""
    return [
        find_coefficient(str(Name.of(coefficient.name).with_arguments(arguments)), hushed=hushed)
        for coefficient in coefficients()
        for arguments in _variants(coefficient, read)
    ]


def _variants(coefficient: Coefficient, read: Units) -> Sequence[dict[str, str]]:
    """Give the declared variants, else each value of each closed parameter."""
    if coefficient.declared.variants is not None:
        return coefficient.declared.variants(read)
    closed = {
        key: values
        for key, values in coefficient.declared.parameters.items()
        if isinstance(values, tuple)
    }
    return [{key: value} for key, values in closed.items() for value in values] or [{}]


def _misfit(coefficient: Coefficient, name: Name, read: Units) -> str:
    if read.of_numbers and not coefficient.declared.numbers:
        return "raters gave numbers, and it compares labels"
    return coefficient.declared.fits(read, dict(name.arguments))


def _one(coefficient: Coefficient, name: Name, reading: _Reading) -> Agreement:
    read = reading.units
    misfit = _misfit(coefficient, name, read)
    prepared: Prepared | Unscored = (
        Unscored(Reason.UNDEFINED, misfit)
        if misfit
        else coefficient.prepare(read, **dict(name.arguments))
    )
    if isinstance(prepared, Prepared) and prepared.complete_only and reading.hangs:
        prepared = Unscored(Reason.UNDEFINED, reading.hangs)
    value: float | None = None
    interval, no_interval = None, ""
    notes: tuple[str, ...] = ()
    if isinstance(prepared, Prepared):
        at_once = prepared.value
        if at_once is None:
            at_once = float(prepared.at(np.ones((1, len(prepared.used.cases))))[0])
        if np.isfinite(at_once):
            value = at_once
            interval, no_interval = _interval(value, prepared, coefficient, name, reading)
            notes = tuple(
                note for note in (prepared.note, _paradox(coefficient, prepared, value)) if note
            )
        undefined = Unscored(Reason.UNDEFINED, coefficient.declared.undefined)
        reason = "" if value is not None else str(undefined)
    else:
        reason = str(prepared)
    used = prepared.used if isinstance(prepared, Prepared) else read.with_labels(2)
    declared = coefficient.declared
    return Agreement(
        dimension=read.dimension,
        mapping=read.mapping,
        subset=ALL_CASES,
        coefficient=str(name),
        title=_title(declared, name),
        value=value,
        reason=reason,
        interval=interval,
        no_interval=no_interval,
        n_units=len(used),
        n_cases=used.n_cases,
        n_raters=len(used.raters),
        n_pairs=prepared.pairs if isinstance(prepared, Prepared) else 0,
        notes=notes,
        one=declared.one,
        zero=declared.zero,
        below_zero=declared.below_zero,
        bands=bands_of(name, value, interval),
    )


def _title(declared: CoefficientDeclaration, name: Name) -> str:
    """Give the declared title; what was chosen beside the defaults follows in brackets."""
    chosen = (
        ", ".join(f"{key} {value}" for key, value in name.arguments)
        if declared.called is None
        else declared.called(dict(name.arguments))
    )
    return f"{declared.title} ({chosen})" if chosen else declared.title


def _paradox(coefficient: Coefficient, prepared: Prepared, value: float) -> str:
    if not coefficient.declared.chance_from_labels:
        return ""
    return paradox(prepared.used, value, prepared.costs)


def _interval(
    value: float, prepared: Prepared, coefficient: Coefficient, name: Name, reading: _Reading
) -> tuple[Interval | None, str]:
    if reading.draws is None:
        return None, ""

    def prepare(units: Units) -> Prepared | Unscored:
        return coefficient.prepare(units, **dict(name.arguments))

    cases = reading.units.with_labels(2).cases
    return _interval_of(value, prepared, prepare, cases, reading.draws, reading.level)


@record(infers=False)
class Headline:
    """What heads agreement on one dimension.

    Attributes:
        dimension: The dimension.
        coefficient: The first that the protocol names and that has a value, else the alpha of the
            scale.
        beside: What is said with it: the intraclass correlation, per cent agreement, the share of
            the commonest label.
    """

    dimension: DesignName
    coefficient: DesignName
    beside: tuple[DesignName, ...]

    def rows_of(self, panel: "Sequence[Agreement]") -> "list[Agreement]":
        """Give the headline's values on the labels as given, then those beside it."""
        return [
            row
            for name in (self.coefficient, *self.beside)
            for row in panel
            if (row.dimension, row.mapping, row.coefficient) == (self.dimension, "full", name)
        ]


def alpha_of(scale: Units | Dimension) -> str:
    """Name Krippendorff's alpha for a scale: of numbers, of ordered labels, of any others.

    Example:
        >>> alpha_of(Units.from_codes([[0, 1]], ["bad", "fair", "good"], scale="ordinal"))
        'krippendorff(level=ordinal)'
        >>> alpha_of(Units.from_codes([[0, 1]], ["no", "yes"], scale="ordinal"))
        'krippendorff'
    """
    numbers = scale.of_numbers if isinstance(scale, Units) else scale.number is not None
    two = len(scale.labels) == 2 and not numbers  # noqa: PLR2004 - two labels have no order
    return (
        "krippendorff" if two or scale.scale == "nominal" else f"krippendorff(level={scale.scale})"
    )


def headlines(
    panel: "Sequence[Agreement]", dimensions: Sequence[Dimension], named: Sequence[str]
) -> Iterator[Headline]:
    """Choose for each dimension what heads its agreement.

    Args:
        panel: What is known.
        dimensions: The dimensions.
        named: Canonical names of the coefficients that the protocol wants first.
    """
    for dimension in dimensions:
        own = [row for row in panel if (row.dimension, row.mapping) == (dimension.id, "full")]
        known = {row.coefficient for row in own}
        # Of one answer alpha is 0, whatever the labels.
        valued = {row.coefficient for row in own if row.value is not None and row.n_units > 1}
        wanted = [name for name in (*named, alpha_of(dimension)) if name in known]
        if wanted:
            chosen = next((name for name in wanted if name in valued), wanted[-1])
            icc = next((name for name in ICC_FORMS if name in known), "")
            beside = tuple(name for name in (icc, *_PLAIN) if name in known - {chosen})
            yield Headline(dimension.id, chosen, beside)


@dataclass(frozen=True, slots=True)
class _Rarity:
    """How rare labels are: two labels only, the commonest's share, cases with another one."""

    binary: bool
    commonest: float
    cases: int

    @property
    def posterior(self) -> bool:
        """Say whether prior answers are needed."""
        return self.binary or (self.commonest > _COMMON and self.cases < _FEW)

    @property
    def refused(self) -> str:
        """Say why there is no interval without prior answers; empty where there may be one."""
        if self.commonest <= _COMMON or self.cases >= FEWEST_RARER:
            return ""
        return (
            f"only {self.cases} of the cases have a label other than the commonest: under "
            f"{FEWEST_RARER} resampled cases give an interval that is too narrow"
        )


def _interval_of(
    value: float,
    prepared: Prepared,
    prepare: Prepare,
    cases: tuple[str, ...],
    draws: CaseDraws,
    level: float,
) -> tuple[Interval | None, str]:
    """Give the interval of a value for the same raters on new cases, or why there is none.

    Two labels, and more where one of them has more than three quarters of all labels and fewer than
    30 cases have another: the cases weigh as in a Bayesian bootstrap, with a few prior answers
    (`prior_answers`); for independent answers with all their labels on a scale of two this is the
    Dirichlet(1/2) posterior of how many raters give the label. It is widened to hold the value,
    which where raters agree everywhere lies at an end (as Brown, Cai & DasGupta 2001 do for shares,
    doi:10.1214/ss/1009213286). Of its draws the middle 98% are taken for 95%, since their middle
    95% held in fewer. Elsewhere: percentiles of resampled cases.

    Args:
        value: What the coefficient is on the labels as they are.
        prepared: The coefficient on them.
        prepare: Prepares it on other units.
        cases: The cases of `draws`, in order.
        draws: Draws of the cases.
        level: Nominal coverage.
    """
    used = prepared.used
    if used.n_cases < 2:  # noqa: PLR2004 - one case cannot be resampled
        return None, "one case only: nothing to resample"
    position = {case: i for i, case in enumerate(cases)}
    columns = [position[case] for case in used.cases]
    rarity = _rarity(used)
    if rarity.posterior and not prepared.without_sign:
        drawn = _posterior(value, prepared, prepare, draws.weights[:, columns], draws)
        if drawn is not None:
            return _holding(value, drawn, level), ""
    return _percentiles(value, prepared, draws.counts[:, columns], rarity, level)


def _percentiles(
    value: float,
    prepared: Prepared,
    counts: NDArray[np.float64],
    rarity: _Rarity,
    level: float,
) -> tuple[Interval | None, str]:
    values = prepared.at(counts)
    values = values[np.isfinite(values)]
    if not values.size:
        return None, "no resample of the cases has a value"
    if np.ptp(values) == 0:
        return None, f"every resample of the cases gives {value:.3g}: nothing to resample"
    shift = float(values.mean()) - value
    if prepared.mean_of_pairs and abs(shift) > values.std():
        return None, (
            f"resampling cases alone moves it by {shift:.2f}, since pairs of raters share few "
            "answers: an interval would miss the value; krippendorff has one"
        )
    if rarity.refused and not prepared.without_sign:
        return None, rarity.refused
    return percentile_interval(values, estimand=_ESTIMAND, level=level), ""


def _rarity(used: Units) -> _Rarity:
    counts = np.bincount(used.code, minlength=len(used.labels))
    another = used.code != counts.argmax()
    return _Rarity(
        binary=len(used.labels) == 2,  # noqa: PLR2004 - two labels
        commonest=float(counts.max() / counts.sum()),
        cases=len(np.unique(used.case[used.unit[another]])),
    )


def _posterior(
    value: float,
    prepared: Prepared,
    prepare: Prepare,
    weights: NDArray[np.float64],
    draws: CaseDraws,
) -> NDArray[np.float64] | None:
    """Draw the value with prior answers, or nothing where they would make it another value."""
    used = prepared.used
    complete = len(used.code) == len(used) * len(used.raters)
    if prepared.mean_of_pairs and not complete:
        return None  # nothing says which two of many raters would share a prior answer
    added = prior_answers(used)
    if added is None:
        return None
    widened = prepare(added.units)
    if isinstance(widened, Unscored) or len(widened.used.cases) != len(added.units.cases):
        return None
    real = np.arange(len(widened.used.cases)) < added.cases
    (alone,) = widened.at(real[None].astype(np.float64))
    if not abs(float(alone) - value) <= _ROUNDING:
        return None  # it reads more than the answers that it compares
    drawn = widened.at(np.hstack([weights, draws.gammas(added.shapes)]))
    drawn = drawn[np.isfinite(drawn)]
    return drawn if drawn.size and np.ptp(drawn) > 0 else None


def _holding(value: float, drawn: NDArray[np.float64], level: float) -> Interval:
    tail = _TAIL * (1 - level) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return Interval(
        min(float(low), value), max(float(high), value), level, POSTERIOR, _ESTIMAND, drawn.size
    )


@dataclass(frozen=True, eq=False)
class PriorAnswers:
    """Units with prior answers below them, each on a case of its own after all the others.

    Attributes:
        units: The units as they were, then the prior answers.
        cases: How many cases are real: the first so many of `units.cases`.
        shapes: How many answers each prior answer counts for, as the shape of its gamma weight.
    """

    units: Units
    cases: int
    shapes: NDArray[np.float64]


def prior_answers(units: Units) -> PriorAnswers | None:
    """Add each way in which the labels of an answer can fall, for a small part of an answer.

    With m labels an answer of a scale of two labels, 0, 1, ... m raters can give the first of them.
    Each of these m + 1 counts is worth half an answer: the Dirichlet(1/2) prior of Jeffreys. More
    labels have more ways; they share as many prior answers, (m + 1) / 2, evenly. Which raters
    stand behind a count is even too, by turns. Where answers differ in their number of labels, each
    number has its own ways, for its share of the answers.

    Args:
        units: Units with two labels or more each.

    Returns:
        None where there are more than 5,000 ways.

    Source: Jeffreys (1946), An invariant form for the prior probability in estimation problems,
        doi:10.1098/rspa.1946.0056; for a bootstrap of weights, Rubin (1981), The Bayesian
        bootstrap, doi:10.1214/aos/1176345338.

    Example:
        >>> added = prior_answers(Units.from_codes([[0, 0], [0, 1], [0, 0]], ["no", "yes"]))
        >>> added.units.codes[added.cases :].tolist(), added.shapes.tolist()
        ([[0, 0], [0, 1], [1, 0], [1, 1]], [0.5, 0.25, 0.25, 0.5])
    """
    labels = len(units.labels)
    sizes, answers = np.unique(units.sizes, return_counts=True)
    if sum(comb(int(m) + labels - 1, labels - 1) * int(m) for m in sizes) > _MOST_ROWS:
        return None
    codes: list[tuple[int, ...]] = []
    shapes: list[float] = []
    for m, share in zip(sizes.tolist(), (answers / answers.sum()).tolist(), strict=True):
        ways = list(combinations_with_replacement(range(labels), m))
        each = share * (m + 1) / 2 / len(ways)
        for way in ways:
            turns = sorted({way[turn:] + way[:turn] for turn in range(m)})
            codes += turns
            shapes += [each / len(turns)] * len(turns)
    return PriorAnswers(_below(units, codes), len(units.cases), np.array(shapes))


def _below(units: Units, codes: list[tuple[int, ...]]) -> Units:
    """Put answers below the units; the first raters give their labels."""
    sizes = np.array([len(labels) for labels in codes], dtype=np.int64)
    # A name that begins with the last case's sorts after it.
    last, width = units.cases[-1], len(str(len(codes)))
    return replace(
        units,
        keys=(*units.keys, *(Unit("", f"{last} {i:0{width}}") for i in range(len(codes)))),
        unit=np.concatenate([units.unit, np.repeat(len(units) + np.arange(len(codes)), sizes)]),
        rater=np.concatenate([units.rater, *(np.arange(size) for size in sizes)]),
        code=np.concatenate([units.code, *(np.array(labels) for labels in codes)]),
        case_order=np.concatenate([units.case, len(units.cases) + np.arange(len(codes))]),
    )


def paradox(used: Units, value: float, costs: NDArray[np.float64] | None = None) -> str:
    """Say that agreement is high though the coefficient is low, or nothing.

    Said where pairs agree on at least 70%, the coefficient is at most 0.4, and one label holds at
    least 70% of all labels. Then chance alone would already agree often, and a few disagreements
    weigh heavily: the coefficient speaks about the labels' frequencies as much as about the raters.

    Args:
        used: The units that the coefficient reads, each with a pair of labels.
        value: The coefficient.
        costs: How far it sets labels apart, as shares of the largest. Agreement is then one less
            the mean distance, as the coefficient sees it; without them any difference counts as 1.

    Source:
        Feinstein & Cicchetti (1990), High agreement but low kappa, I: The problems of two
        paradoxes, doi:10.1016/0895-4356(90)90158-L. The three bounds are ours.

    Example:
        >>> codes = [[0, 0]] * 18 + [[0, 1], [1, 0]]
        >>> paradox(Units.from_codes(codes, ["yes", "no"]), -0.05)
        '95% of the labels are "yes", so chance alone agrees on 90% of pairs (raters on 90%): \
also read specific agreement, AC1 and S'
    """
    shares = np.bincount(used.code, minlength=len(used.labels)) / len(used.code)
    common = int(np.argmax(shares))
    if value > _LOW_VALUE or shares[common] < _COMMON_LABEL:
        return ""
    apart = 1 - np.eye(len(shares)) if costs is None else costs
    observed = 1 - float(distance_of_units(used, apart).mean())
    if observed < _HIGH_AGREEMENT:
        return ""
    chance = 1 - float(shares @ apart @ shares)
    how, beside = (
        ("", "AC1 and S")
        if costs is None
        else (", near misses counted in part", "AC2 and S with the same weights")
    )
    return (
        f'{100 * shares[common]:.0f}% of the labels are "{used.labels[common]}", so chance alone '
        f"agrees on {100 * chance:.0f}% of pairs (raters on {100 * observed:.0f}%{how}): also read "
        f"specific agreement, {beside}"
    )
