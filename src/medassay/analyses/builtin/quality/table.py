"""What every way of joining labels makes of the raters, as a table."""

from collections.abc import Sequence

from medassay.analyses.builtin.quality.columns import quality_columns
from medassay.consensus import RaterQuality
from medassay.exhibits import Names
from medassay.exhibits.cells import count, missing, no_such, text
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.sentences import as_sentence, upper_first
from medassay.exhibits.table import Cell, Column, Row, Table

__all__ = ["quality_table"]


def quality_table(raters: Sequence[RaterQuality], names: Names) -> Table:
    """Put what each way of joining labels makes of a rater side by side."""
    columns = quality_columns(raters)
    told: dict[str, list[str]] = {}
    for one in columns:
        told.setdefault(one.meaning, []).append(" = ".join(one.of.values()))
    rows = dict.fromkeys((one.dimension, one.rater, one.n) for one in raters)
    said = " ".join(as_sentence(f"{'; '.join(own)}: {meaning}") for meaning, own in told.items())
    return Table(
        "rater-quality",
        "What each consensus makes of each rater",
        said,
        (
            Column("Rater", ("rater",)),
            Column("Labels", ("labels",), numeric=True),
            *(
                Column(upper_first(one.of[one.method]), (one.method,), numeric=True)
                for one in columns
            ),
        ),
        tuple(
            Row(
                (
                    text(rater),
                    count(n),
                    *(_quality(one.values.get((dimension, rater))) for one in columns),
                ),
                names.of_dimension(dimension),
            )
            for dimension, rater, n in rows
        ),
        group_field="dimension",
        empty="There are no judgements.",
    )


def _quality(found: RaterQuality | None) -> Cell:
    if found is None:
        return no_such()
    if found.quality is None:
        return missing("Too few others labelled this rater's answers, or they always tied.")
    return Cell(PROPORTION(found.quality), (found.quality,))
