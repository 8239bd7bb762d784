"""Judgements as arrays: the one input of every agreement and consensus method."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from medassay.api_checks import ArrayLike
from medassay.errors import InvalidInput, Problem
from medassay.judgements.rubric import Dimension, Scale
from medassay.scores import UNIT, Unit, with_defaults

if TYPE_CHECKING:
    import polars as pl

    from medassay.judgements.preferences import Preferences
    from medassay.judgements.table import Judgements


@dataclass(frozen=True, eq=False)
class Units:
    """Who said what on one dimension: one unit an answer, with holes.

    A hole is an answer that a rater did not judge, or judged without giving a label. Only the
    labels given are stored, so a pool of a thousand raters costs no more than its labels.

    Attributes:
        dimension: The dimension's id.
        mapping: The mapping that the labels were read through; "full" for none.
        scale: nominal, ordinal or interval.
        labels: The labels, in order; a code is a position in this tuple.
        scores: float64, one a label, or None where the labels have no scores.
        raters: The raters, sorted.
        keys: What each unit is about (system, case, sample, about), sorted; units without any label
            included.
        unit: For each label given the position of its unit; sorted, then by rater.
        rater: For each label given the position of its rater.
        code: For each label given its code.
        case_order: For each unit a number that orders its case as `cases` does, where the cases
            were laid out together with the units; None where they are still to be found.
        of_numbers: Whether raters gave numbers: then labels and scores are the numbers that were
            given, from low to high.
    """

    dimension: str
    mapping: str
    scale: Scale
    labels: tuple[str, ...]
    scores: NDArray[np.float64] | None
    raters: tuple[str, ...]
    keys: tuple[Unit, ...]
    unit: NDArray[np.int64]
    rater: NDArray[np.int64]
    code: NDArray[np.int64]
    case_order: NDArray[np.int64] | None = None
    of_numbers: bool = False

    @classmethod
    def from_codes(
        cls,
        codes: ArrayLike,
        labels: Sequence[str],
        *,
        keys: Sequence[tuple[str, str] | Unit] | None = None,
        scale: Scale = "nominal",
        scores: ArrayLike | None = None,
    ) -> "Units":
        """Make units from an array of codes, shape (units, raters), -1 for a hole.

        Without keys each unit is a case of its own.

        Raises:
            InvalidInput: A code is no position in `labels`, or the shapes do not fit.

        Example:
            >>> units = Units.from_codes([[0, 1], [1, -1]], ["no", "yes"])
            >>> units.counts.tolist()
            [[1, 1], [0, 1]]
        """
        table = np.asarray(codes, dtype=np.int64)
        if table.ndim != 2 or (keys is not None and len(keys) != len(table)):  # noqa: PLR2004 - units and raters
            got = f"shape {table.shape}"
            raise InvalidInput(Problem("codes", "have the shape (units, raters)", got))
        if table.size and not -1 <= table.min() <= table.max() < len(labels):
            got = f"{table.min()} to {table.max()}"
            must = f"lie between -1 (a hole) and {len(labels) - 1}"
            raise InvalidInput(Problem("codes", must, got))
        unit, rater = np.nonzero(table >= 0)
        width = len(str(max(table.shape)))
        own: Sequence[tuple[str, str] | Unit] = (
            keys if keys is not None else [("", f"{i:0{width}}") for i in range(len(table))]
        )
        return cls(
            dimension="labels",
            mapping="full",
            scale=scale,
            labels=tuple(labels),
            scores=None if scores is None else np.asarray(scores, dtype=np.float64),
            raters=tuple(f"rater {j:0{width}}" for j in range(table.shape[1])),
            keys=tuple(Unit(*key) for key in own),
            unit=unit.astype(np.int64),
            rater=rater.astype(np.int64),
            code=table[unit, rater],
            case_order=np.arange(len(table)) if keys is None else None,
        )

    def __len__(self) -> int:
        """Count the units."""
        return len(self.keys)

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """Lay the codes out, shape (units, raters); -1 is a hole."""
        table = np.full((len(self.keys), len(self.raters)), -1, dtype=np.int64)
        table[self.unit, self.rater] = self.code
        return table

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Count how many raters gave each unit each label, shape (units, labels)."""
        size = len(self.labels)
        place = self.unit * size
        place += self.code
        flat = np.bincount(place, minlength=len(self.keys) * size)
        return flat.reshape(len(self.keys), size).astype(np.int64, copy=False)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Count the labels that each unit was given, shape (units,)."""
        return np.bincount(self.unit, minlength=len(self.keys)).astype(np.int64, copy=False)

    @property
    def n_cases(self) -> int:
        """Count the cases."""
        if self.case_order is not None:
            return int(np.count_nonzero(np.bincount(self.case_order)))
        return len({unit.case for unit in self.keys})

    @cached_property
    def cases(self) -> tuple[str, ...]:
        """List the cases, sorted."""
        return tuple(sorted({unit.case for unit in self.keys}))

    @cached_property
    def case(self) -> NDArray[np.int64]:
        """Give each unit's position in `cases`."""
        if self.case_order is not None:
            return np.unique(self.case_order, return_inverse=True)[1].astype(np.int64, copy=False)
        place = {case: at for at, case in enumerate(self.cases)}
        return np.array([place[unit.case] for unit in self.keys], dtype=np.int64)

    def worst(
        self, badness: NDArray[np.float64] | NDArray[np.int64] | NDArray[np.bool_]
    ) -> dict[tuple[str, str], int]:
        """Give the place of the worst unit of each system and case; those without a label are out.

        An answer is as harmful as its worst part, and a case as the worst answer to it.

        Args:
            badness: One a unit; the highest is the worst, and the first of equal ones stands.

        Example:
            >>> keys = [Unit("A", "1", about="statement:1"), Unit("A", "1", about="statement:2")]
            >>> units = Units.from_codes([[0], [1]], ["safe", "harmful"], keys=keys)
            >>> units.worst(units.counts[:, 1])
            {('A', '1'): 1}
        """
        worst: dict[tuple[str, str], int] = {}
        for place in np.flatnonzero(self.sizes).tolist():
            pair = self.keys[place].pair
            if pair not in worst or badness[place] > badness[worst[pair]]:
                worst[pair] = place
        return worst

    def keep(self, wanted: NDArray[np.bool_]) -> "Units":
        """Keep the units where the mask is true, and the raters who gave one of them a label."""
        if wanted.all() and np.bincount(self.rater, minlength=len(self.raters)).all():
            return self
        mask = wanted[self.unit]
        place = np.cumsum(wanted) - 1
        present, rater = np.unique(self.rater[mask], return_inverse=True)
        return replace(
            self,
            raters=tuple(self.raters[i] for i in present),
            keys=tuple(self.keys[i] for i in np.flatnonzero(wanted)),
            unit=place[self.unit[mask]].astype(np.int64),
            rater=rater.astype(np.int64),
            code=self.code[mask],
            case_order=None if self.case_order is None else self.case_order[wanted],
        )

    def of_cases(self, cases: Iterable[str]) -> "Units":
        """Keep the units of these cases."""
        chosen = set(cases)
        return self.keep(np.array([unit.case in chosen for unit in self.keys], dtype=np.bool_))

    def of_raters(self, raters: Iterable[str]) -> "Units":
        """Keep what these raters said, and every unit."""
        chosen = set(raters)
        mask = np.array([rater in chosen for rater in self.raters], dtype=np.bool_)
        by_them = mask[self.rater] if len(self.rater) else np.zeros(0, dtype=np.bool_)
        place = np.cumsum(mask) - 1
        return replace(
            self,
            raters=tuple(rater for rater in self.raters if rater in chosen),
            unit=self.unit[by_them],
            rater=place[self.rater[by_them]].astype(np.int64),
            code=self.code[by_them],
        )

    def only(self, mask: NDArray[np.bool_]) -> "Units":
        """Keep the labels where the mask, one entry a label given, is true; and every unit."""
        return replace(self, unit=self.unit[mask], rater=self.rater[mask], code=self.code[mask])

    def with_labels(self, least: int) -> "Units":
        """Keep the units that at least so many raters gave a label."""
        return self.keep(self.sizes >= least)


def units(
    judgements: "Judgements",
    dimension: str,
    mapping: str = "full",
    phases: Sequence[str] | None = None,
    *,
    once: bool = False,
) -> Units:
    """Lay out what the raters said on one dimension.

    Where one rater judged one answer in several of these phases, the phase named last counts.

    Args:
        judgements: What the raters said.
        dimension: The dimension's id.
        mapping: "full" for the labels themselves, or the name of one of the rubric's mappings. A
            mapped reading has two labels; the first scores 1, the second 0.
        phases: Which phases to read; those that count if not given.
        once: Whether a label that was carried from one system's answer to another's counts once:
            for how far raters agree, what was said once is one label.

    Raises:
        UnknownName: No such dimension or mapping.
        InvalidInput: No such phase.

    Example:
        >>> from medassay.judgements import Judgements, load_rubric
        >>> rows = [("r1", "A", "Yes"), ("r2", "A", "No"), ("r1", "B", "Partially")]
        >>> judgements = Judgements.from_rows(
        ...     [{"rater": r, "system": s, "case": "1", "dimension": "answers-question", "label": l}
        ...      for r, s, l in rows],
        ...     load_rubric("archehr"),
        ... )
        >>> units(judgements, "answers-question").codes.tolist()
        [[0, 2], [1, -1]]
        >>> units(judgements, "answers-question", "published").codes.tolist()
        [[0, 1], [0, -1]]
    """
    import polars as pl

    reading = tuple(judgements.counts if phases is None else phases)

    def read() -> Units:
        declared = judgements.rubric.dimension(dimension)
        rows = judgements.in_phases(reading).filter(pl.col("dimension") == dimension)
        return _read_labels(_said_once(rows) if once else rows, declared, mapping)

    return judgements.once(("units", once, dimension, mapping, *reading), read)


def _said_once(rows: "pl.DataFrame") -> "pl.DataFrame":
    """Make one unit of a document whose labels were carried, with what each rater said of it last.

    Raters meet the systems in different orders, so each has carried from another: the unit bears
    the first of the systems.
    """
    import polars as pl

    if rows["carried"].is_null().all():
        return rows
    what = ["case", "about"]
    is_shared = pl.col("carried").is_not_null().any().over(what)
    shared, rest = rows.filter(is_shared), rows.filter(~is_shared)
    said = shared.filter(pl.col("carried").is_null()).sort("time", maintain_order=True)
    said = said.unique([*what, "rater"], keep="last", maintain_order=True)
    first = (
        shared.select(*what, "system", "sample")
        .sort("system", "sample")
        .unique(what, keep="first", maintain_order=True)
    )
    said = said.drop("system", "sample").join(first, on=what).select(rows.columns)
    return pl.concat([rest, said])


def _read_labels(rows: "pl.DataFrame", dimension: Dimension, mapping: str) -> Units:
    """Lay out rows with rater, system, case and label (or number), read through a mapping."""
    import polars as pl

    if dimension.number is not None:
        return _read_numbers(rows, dimension)
    reading = dimension.mapped(mapping)
    labels = tuple(dict.fromkeys(reading.values()))
    codes = {name: labels.index(read) for name, read in reading.items()}
    rows = rows.with_columns(
        code=pl.col("label").replace_strict(codes, default=None, return_dtype=pl.Int64)
    )
    scale: Scale = dimension.scale if mapping == "full" else "nominal"
    scores = dimension.scores if mapping == "full" else (1.0, 0.0)
    return _from_frame(rows, dimension.id, mapping, scale, labels, scores)


def _read_numbers(rows: "pl.DataFrame", dimension: Dimension) -> Units:
    """Lay out numbers: each that was given is a label whose score it is."""
    import polars as pl

    numbers = rows["number"].drop_nulls().unique().sort().to_list()
    codes = dict(zip(numbers, range(len(numbers)), strict=True))
    rows = rows.with_columns(
        code=pl.col("number").replace_strict(codes, default=None, return_dtype=pl.Int64)
    )
    labels = tuple(f"{number:g}" for number in numbers)
    read = _from_frame(rows, dimension.id, "full", dimension.scale, labels, tuple(numbers))
    return replace(read, of_numbers=True)


def preference_units(
    preferences: "Preferences", dimension: str, phases: Sequence[str] | None = None
) -> Units:
    """Lay out what the raters preferred: one unit a case and pair of systems.

    The labels are "first", "second" and "tie", where first and second stand for the two systems in
    alphabetical order, whichever was shown as a. The system of a key reads "A vs B".
    """
    import polars as pl

    rows = preferences.in_phases(phases).filter(pl.col("dimension") == dimension)
    rows = rows.with_columns(system=pl.col("first") + " vs " + pl.col("second"))
    rows = rows.with_columns(
        code=pl.when(pl.col("choice") == "tie")
        .then(2)
        .when(pl.col("winner") == pl.col("first"))
        .then(0)
        .when(pl.col("winner") == pl.col("second"))
        .then(1)
    )
    labels = ("first", "second", "tie")
    return _from_frame(rows, dimension, "full", "nominal", labels, None)


def _from_frame(
    rows: "pl.DataFrame",
    dimension: str,
    mapping: str,
    scale: Scale,
    labels: tuple[str, ...],
    scores: tuple[float, ...] | None,
) -> Units:
    import polars as pl

    key = list(UNIT)
    rows = with_defaults(rows)
    keys = rows.select(key).unique().sort(key).with_row_index("unit")
    raters = rows.select("rater").unique().sort("rater").with_row_index("rater_place")
    labelled = rows.drop_nulls("code").join(keys, on=key).join(raters, on="rater")
    labelled = (
        labelled.select("unit", "rater_place", "code").cast(pl.Int64).sort("unit", "rater_place")
    )
    return Units(
        dimension=dimension,
        mapping=mapping,
        scale=scale,
        labels=labels,
        scores=None if scores is None else np.array(scores, dtype=np.float64),
        raters=tuple(raters["rater"].to_list()),
        keys=tuple(map(Unit._make, keys.select(key).iter_rows())),
        unit=labelled["unit"].to_numpy(),
        rater=labelled["rater_place"].to_numpy(),
        code=labelled["code"].to_numpy(),
        case_order=keys["case"].rank("dense").to_numpy().astype(np.int64),
    )


def repeat_units(
    judgements: "Judgements", dimension: str, mapping: str = "full", rater: str | None = None
) -> Units:
    """Lay out what raters said of an answer at first and, in the phase repeat, again.

    The two raters of these units are two occasions, "first" and "repeat". One unit is one answer
    and one rater who gave it a label on both; the first occasion is the phase main or, where there
    is none, calibration.

    Args:
        judgements: What the raters said.
        dimension: The dimension's id.
        mapping: As in `units`.
        rater: Only this rater; all of them, pooled, if not given.

    Raises:
        UnknownName: No such dimension or mapping.

    Example:
        >>> from medassay.judgements import Judgements, load_rubric
        >>> said = [("main", "4"), ("repeat", "5")]
        >>> judgements = Judgements.from_rows(
        ...     [{"rater": "r1", "system": "A", "case": "1", "dimension": "quality",
        ...       "phase": phase, "label": label} for phase, label in said],
        ...     load_rubric("likert5"),
        ... )
        >>> units = repeat_units(judgements, "quality")
        >>> units.raters, units.codes.tolist()
        (('first', 'repeat'), [[3, 4]])
    """
    import polars as pl

    declared = judgements.rubric.dimension(dimension)
    wanted = pl.col("dimension") == dimension
    if rater is not None:
        wanted &= pl.col("rater") == rater
    occasions = [
        judgements.in_phases(phases)
        .filter(wanted)
        .filter(pl.col(declared.column).is_not_null())
        .select(
            rater=pl.lit(occasion),
            system=pl.col("system") + " by " + pl.col("rater"),
            case="case",
            sample="sample",
            about="about",
            label="label",
            number="number",
        )
        for occasion, phases in (("first", ("calibration", "main")), ("repeat", ("repeat",)))
    ]
    return _read_labels(pl.concat(occasions), declared, mapping).with_labels(2)
