"""What every way of joining labels makes of the raters, as a table."""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.builtin.quality.columns import quality_columns
from medassay.consensus import RaterQuality, mace_settings
from medassay.exhibits import Names
from medassay.exhibits.cells import count, missing, no_such, text
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.sentences import as_sentence, upper_first
from medassay.exhibits.table import Cell, Column, Row, Table

__all__ = ["quality_table"]

_ASK_FOR_MACE: Final = (
    'MACE is fitted where study.toml names it: methods = ["mean", "mace"] under [consensus].'
)
_ERR_APART: Final = "if raters err apart"
"""What nothing shows of a few of them: simulations/mace-competence.md has how often it is so."""


def quality_table(raters: Sequence[RaterQuality], names: Names) -> Table:
    """Put what each way of joining labels makes of a rater side by side."""
    columns = quality_columns(raters)
    by_meaning: dict[str, list[str]] = {}
    for column in columns:
        by_meaning.setdefault(column.meaning, []).append(" = ".join(column.of.values()))
    rows = dict.fromkeys(
        (rater_quality.dimension, rater_quality.rater, rater_quality.n) for rater_quality in raters
    )
    sentence = " ".join(
        as_sentence(f"{'; '.join(own)}: {meaning}") for meaning, own in by_meaning.items()
    )
    if not any(mace_settings(rater_quality.method) for rater_quality in raters):
        sentence += f" {_ASK_FOR_MACE}"
    return Table(
        "rater-quality",
        "What each consensus makes of each rater",
        sentence,
        (
            Column("Rater", ("rater",)),
            Column("Labels", ("labels",), numeric=True),
            *(
                Column(
                    upper_first(quality_column.of[quality_column.method]),
                    (quality_column.method,),
                    numeric=True,
                )
                for quality_column in columns
            ),
        ),
        tuple(
            Row(
                (
                    text(rater),
                    count(n),
                    *(
                        _quality(quality_column.values.get((dimension, rater)))
                        for quality_column in columns
                    ),
                ),
                names.of_dimension(dimension),
            )
            for dimension, rater, n in rows
        ),
        group_field="dimension",
        empty="There are no judgements.",
    )


def _quality(rater_quality: RaterQuality | None) -> Cell:
    if rater_quality is None:
        return no_such()
    if rater_quality.quality is None:
        return missing("Too few others labelled this rater's answers, or they always tied.")
    return Cell(
        PROPORTION(rater_quality.quality),
        (rater_quality.quality,),
        aside=_ERR_APART if mace_settings(rater_quality.method) else "",
    )
