"""Agreement on units that are already laid out, with intervals from resampled cases."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from medassay.agreement.bands_of import bands_of
from medassay.agreement.coefficient import Coefficient, Declaration, Prepared
from medassay.agreement.complete import hangs_on_labels
from medassay.agreement.draws import CaseDraws
from medassay.agreement.headline import ICC_FORMS, PLAIN, alpha_of
from medassay.agreement.interval_of import interval_of
from medassay.agreement.paradox import paradox
from medassay.agreement.registry import coefficients, find_coefficient
from medassay.judgements import Units
from medassay.marks import DesignName, Words, record
from medassay.scores import Name, Reason, Unscored
from medassay.stats import Interval

__all__ = ["ALL_CASES", "Agreement", "agree_on_units", "first_names"]

ALL_CASES: Final = "all cases"


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
    return [name for name in (alpha, icc, *PLAIN) if name is not None and fits(name)]


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


def _title(declared: Declaration, name: Name) -> str:
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
    return interval_of(value, prepared, prepare, cases, reading.draws, reading.level)
