"""What raters said twice: the input of agreement of raters with themselves."""

from typing import TYPE_CHECKING

from medassay.judgements.units import Units, read_labels

if TYPE_CHECKING:
    from medassay.judgements.table import Judgements

__all__ = ["repeat_units"]


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

    asked = judgements.rubric.dimension(dimension)
    wanted = pl.col("dimension") == dimension
    if rater is not None:
        wanted &= pl.col("rater") == rater
    occasions = [
        judgements.in_phases(phases)
        .filter(wanted)
        .filter(pl.col(asked.column).is_not_null())
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
    return read_labels(pl.concat(occasions), asked, mapping).with_labels(2)
