"""How far raters agree: every dimension, every coefficient; by pair, by system, with themselves."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from medassay.agreement.design import hangs_on_labels
from medassay.agreement.draws import draw_cases
from medassay.agreement.kappas import rater_pairs
from medassay.agreement.on_units import Agreement, agree_on_units, first_names
from medassay.annotations import RaterName, record
from medassay.api_checks import Draws, Level, checked, frame_html, frame_words, table_text
from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.exhibits.drawing import Dotted, plot_intervals
from medassay.exhibits.numbers import Style, bounds, bounds_title
from medassay.judgements import (
    Judgements,
    Preferences,
    Units,
    preference_units,
    repeat_units,
    units,
)
from medassay.stats.randomness import Rng, as_generator, drawn_seed, stream
from medassay.tables import Framed

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

Slicing = Literal["pair", "system", "self"]
_OF_TWO: Final = (
    "mean_pairwise",
    "cohen",
    "cohen(weights=linear)",
    "cohen(weights=quadratic)",
    "gwet",
)
_OF_SEVERAL: Final = (*_OF_TWO, "fleiss", "krippendorff", "krippendorff(level=ordinal)")
_DEFAULTS: Final = {"pair": _OF_TWO, "system": _OF_SEVERAL, "self": _OF_TWO}
_EVERYONE: Final = "all raters"


class Agreements(list[Agreement], Framed):
    """Coefficients in the order of dimensions and readings, one an item."""

    @cached_property
    def frame(self) -> "pl.DataFrame":
        """The same as a frame of polars, a row a coefficient, numbers unrounded."""
        import polars as pl

        kinds = {
            "dimension": pl.String, "labels": pl.String, "coefficient": pl.String,
            "value": pl.Float64, "low": pl.Float64, "high": pl.Float64, "reason": pl.String,
            "answers": pl.Int64, "cases": pl.Int64, "raters": pl.Int64,
        }  # fmt: skip
        rows = [
            (
                row.dimension,
                row.mapping,
                row.coefficient,
                row.value,
                None if row.interval is None else row.interval.low,
                None if row.interval is None else row.interval.high,
                row.reason or None,
                row.n_units,
                row.n_cases,
                row.n_raters,
            )
            for row in self
        ]
        return pl.DataFrame(rows, schema=kinds, orient="row")

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw each coefficient with its interval.

        Args:
            ax: Axes of matplotlib to draw on; those of a new figure if not given.
        """
        rows = [Dotted(_place(row), row.value, row.interval) for row in self]
        return plot_intervals(rows, "agreement", ax)

    def __repr__(self) -> str:
        """Print a coefficient a line, with its interval; decimals as `medassay agree` prints."""
        style = Style(3, bounded=True)
        rows = [
            (
                row.dimension,
                row.mapping,
                row.coefficient,
                row.reason if row.value is None else style(row.value),
                bounds(row.interval, style) or "none",
                f"{row.n_units:,}",
                str(row.n_raters),
            )
            for row in self
        ]
        interval = bounds_title(row.interval for row in self)
        header = ("dimension", "labels", "coefficient", "value", interval, "answers", "raters")
        headline = frame_words("Agreements", self.frame, "dimension")
        if self and not any(row.interval or row.no_interval for row in self):
            headline += ", without intervals: pass rng=1"
        return table_text(headline, header, rows, ".frame")

    def _repr_html_(self) -> str:
        return frame_html(frame_words("Agreements", self.frame, "dimension"), self.frame)


@checked
def agree(  # noqa: PLR0913 - each is a choice of its own, and all but the first have a default
    judgements: Judgements,
    *,
    dimensions: Sequence[str] | None = None,
    coefficient_names: Sequence[str] | None = None,
    only_fitting: bool = False,
    headline: bool = False,
    cases: Sequence[str] | None = None,
    clusters: Mapping[str, str] | None = None,
    phases: Sequence[str] | None = None,
    rng: Rng | None = None,
    replicates: Draws = 1000,
    level: Level = 0.95,
    hushed: bool = False,
) -> Agreements:
    """Compute agreement on each dimension: its labels in full, then each of its mappings.

    Args:
        judgements: What the raters said, with their rubric.
        dimensions: Which dimensions; all that have judgements if not given.
        coefficient_names: Canonical names such as `fleiss` or `cohen(weights=linear)`. One that
            does not fit the data gives a reason. If not given, every coefficient that fits: Cohen's
            kappa for two raters, its mean over pairs for more, weights where labels have an order.
        only_fitting: Leave out what does not fit, instead of giving its reason.
        headline: Add what heads agreement on each scale, where it is not among them: Krippendorff's
            alpha for numbers, ordered labels or others, the intraclass correlation, per cent
            agreement, the share of the commonest label. A mapping gets the alpha alone, where
            nothing that was named has a value that corrects for chance.
        cases: Only these cases; all if not given.
        clusters: Case to cluster, where cases are not independent, such as claims of one question;
            a case that is not named is a cluster alone. Whole clusters are drawn.
        phases: Which phases to read, such as ("calibration", "main"); those that count if not
            given. Adjudication is refused: raters who have talked are no longer independent.
        rng: Draws the cases for the intervals; without it there are none. On two labels, and where
            others than the commonest are rare, they are posteriors (`interval_of`), elsewhere
            percentiles. In simulation 95% percentile intervals hold the truth in 92 to 97% of
            studies from 40 cases on, in 89 to 94% with about 20, in 87 to 93% with ten: with
            fewer than 40 cases read them as too narrow.
        replicates: How many resamples.
        level: Nominal coverage of the intervals.
        hushed: Whether coefficients of other packages keep their own words to themselves: titles,
            details and notes. Their values are the same.

    Raises:
        InvalidInput: A phase is not known or is adjudication.
        UnknownName: No such dimension or coefficient.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> said = [("r1", "A", "4"), ("r2", "A", "4"), ("r1", "B", "1"), ("r2", "B", "2")]
        >>> judgements = Judgements.from_rows(
        ...     [{"rater": r, "system": s, "case": "1", "dimension": "quality", "label": label}
        ...      for r, s, label in said],
        ...     load_rubric("likert5"),
        ... )
        >>> for row in agree(judgements, coefficient_names=["unanimous", "cohen(weights=linear)"]):
        ...     print(row.name, row.value, row.n_units)
        unanimous(dimension=quality) 0.5 2
        cohen(dimension=quality,weights=linear) 0.6666666666666667 2
        unanimous(dimension=quality,mapping=acceptable) 1.0 2
        cohen(dimension=quality,mapping=acceptable,weights=linear) None 2
    """
    rng = as_generator(rng)
    refuse_adjudication(phases)
    rows = Agreements()
    for dimension in dimensions_of(judgements, dimensions):
        readings = [
            units(judgements, dimension, mapping, phases, once=True)
            for mapping in ("full", *judgements.rubric.dimension(dimension).mappings)
        ]
        if cases is not None:
            readings = [read.of_cases(cases) for read in readings]
        # Drawn once a dimension: every coefficient and reading sees the same resamples.
        draws = draw_cases(readings[0], rng, replicates, clusters)
        hangs = hangs_on_labels(readings[0])
        for read in readings:
            rows += agree_on_units(
                read,
                coefficient_names=coefficient_names,
                only_fitting=only_fitting,
                headline=headline,
                draws=draws,
                level=level,
                hangs=hangs,
                hushed=hushed,
            )
    return rows


@checked
def agree_on_preferences(
    preferences: Preferences,
    *,
    cases: Sequence[str] | None = None,
    phases: Sequence[str] | None = None,
    rng: Rng | None = None,
    clusters: Mapping[str, str] | None = None,
    replicates: Draws = 1000,
    level: Level = 0.95,
) -> Agreements:
    """Compute plain agreement on the pairs of answers that were compared more than once.

    Only `unanimous` and `mean_pairwise`: a correction for chance would depend on which of two
    systems comes first in the alphabet.

    Raises:
        InvalidInput: A phase is not known or is adjudication.
    """
    rng = as_generator(rng)
    refuse_adjudication(phases)
    rows = Agreements()
    for dimension in sorted(set(preferences.frame["dimension"])):
        read = preference_units(preferences, dimension, phases)
        read = read if cases is None else read.of_cases(cases)
        rows += agree_on_units(
            read,
            coefficient_names=["unanimous", "mean_pairwise"],
            draws=draw_cases(read, rng, replicates, clusters),
            level=level,
        )
    return rows


def dimensions_of(judgements: Judgements, wanted: Sequence[str] | None) -> Sequence[str]:
    """Give the dimensions that were asked for, else all that have judgements; no marked spans."""
    rubric = judgements.rubric
    judged = set(judgements.frame["dimension"])
    named = (
        [dimension for dimension in rubric.ids if dimension in judged] if wanted is None else wanted
    )
    return [dimension for dimension in named if rubric.dimension(dimension).joinable]


def refuse_adjudication(phases: Sequence[str] | None) -> None:
    """Refuse to read what raters said after they had talked.

    Raises:
        InvalidInput: Adjudication is among the phases.
    """
    if "adjudication" in (phases or ()):
        hint = "Agreement is about what raters said before they talked."
        raise InvalidInput(Problem("phases", "leave adjudication out", "adjudication", hint))


def _place(row: Agreement) -> str:
    """Name a row of the figure by all that it is of."""
    labels = "" if row.mapping == "full" else f", {row.mapping}"
    return f"{row.coefficient}: {row.dimension}{labels}"


@record(infers=False)
class Slice:
    """One coefficient on one part of the judgements.

    Attributes:
        by: pair: two raters; system: one system's answers; self: one rater, first against repeat;
            phase: calibration items alone, or with the others.
        group: Which part: "r1 and r2", the system, the rater ("all raters" for them pooled), or the
            phases.
        agreement: The coefficient there.
    """

    by: Slicing | Literal["phase"]
    group: RaterName
    agreement: Agreement


def slicings() -> tuple[Slicing, ...]:
    """List what agreement can be taken by."""
    return ("pair", "system", "self")


def agree_by(  # noqa: PLR0913 - each is a choice of its own, and all but two have a default
    judgements: Judgements,
    by: Slicing,
    *,
    dimensions: Sequence[str] | None = None,
    coefficient_names: Sequence[str] | None = None,
    cases: Sequence[str] | None = None,
    clusters: Mapping[str, str] | None = None,
    phases: Sequence[str] | None = None,
    rng: Rng | None = None,
    replicates: int = 1000,
    hushed: bool = False,
) -> list[Slice]:
    """Compute agreement on parts of the judgements: each dimension, each reading of its labels.

    Args:
        judgements: What the raters said, with their rubric.
        by: pair: every two raters who share answers. system: every system. self: every rater who
            judged answers again in the phase repeat, and all of them pooled, first against repeat.
        dimensions: Which dimensions; all that have judgements if not given.
        coefficient_names: Canonical names; those of a short list that fit if not given.
        cases: Only these cases; all if not given.
        clusters: As in `agree`.
        phases: As in `agree`; not read for self, which compares main with repeat.
        rng: Draws the cases for the intervals, for each part anew; without it there are none.
        replicates: How many resamples.
        hushed: As in `agree`.

    Raises:
        InvalidInput: A phase is not known or is adjudication.
        UnknownName: No such slicing, dimension or coefficient.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> said = [("r1", "A", "4"), ("r2", "A", "4"), ("r1", "B", "1"), ("r2", "B", "2")]
        >>> judgements = Judgements.from_rows(
        ...     [{"rater": r, "system": s, "case": "1", "dimension": "quality", "label": label}
        ...      for r, s, label in said],
        ...     load_rubric("likert5"),
        ... )
        >>> for one in agree_by(judgements, "pair", coefficient_names=["mean_pairwise"]):
        ...     print(one.group, one.agreement.mapping, one.agreement.value)
        r1 and r2 full 0.5
        r1 and r2 acceptable 1.0
    """
    rng = as_generator(rng)
    if by not in slicings():
        raise UnknownName("way to take agreement by", by, slicings())
    refuse_adjudication(phases)
    base = None if rng is None else drawn_seed(rng)
    slices = []
    for dimension in dimensions_of(judgements, dimensions):
        hangs: dict[str, str] = {}
        for mapping in ("full", *judgements.rubric.dimension(dimension).mappings):
            for group, part in _parts(judgements, by, dimension, mapping, phases):
                read = part if cases is None else part.of_cases(cases)
                # The labels in full come first, and a mapping never adds a part.
                hangs.setdefault(group, hangs_on_labels(read))
                own = None if base is None else stream(base, "s04", dimension, group)
                usual = first_names(read) if read.of_numbers else _DEFAULTS[by]
                rows = agree_on_units(
                    read,
                    coefficient_names=coefficient_names or usual,
                    only_fitting=coefficient_names is None,
                    draws=draw_cases(read, own, replicates, clusters),
                    hangs=hangs[group],
                    hushed=hushed,
                )
                slices += [Slice(by, group, row) for row in rows]
    return slices


def _parts(
    judgements: Judgements, by: Slicing, dimension: str, mapping: str, phases: Sequence[str] | None
) -> Iterator[tuple[str, Units]]:
    if by == "self":
        yield from _occasions(judgements, dimension, mapping)
        return
    # Of one system all that was said of it counts; between raters what was said once does.
    read = units(judgements, dimension, mapping, phases, once=by == "pair")
    if by == "pair":
        for first, two in sorted(rater_pairs(read)):
            names = (read.raters[first], read.raters[two])
            yield " and ".join(names), read.of_raters(names).with_labels(2)
        return
    systems = np.array([unit.system for unit in read.keys])
    for system in sorted(set(systems.tolist())):
        yield system, read.keep(systems == system)


def _occasions(judgements: Judgements, dimension: str, mapping: str) -> Iterator[tuple[str, Units]]:
    pooled = repeat_units(judgements, dimension, mapping)
    if not len(pooled):
        return
    yield _EVERYONE, pooled
    raters = judgements.in_phases(("repeat",))["rater"].unique().sort().to_list()
    for rater in raters:
        own = repeat_units(judgements, dimension, mapping, rater)
        if len(own):
            yield rater, own
