"""What every consensus makes of the raters, and how far ties matter."""

from medassay.analyses.results import QualityResult, Results, quality_columns
from medassay.exhibits.cells import count, missing, no_such, text
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.sentences import as_sentence, upper_first
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.names import Names

__all__ = ["rater_quality"]


def rater_quality(results: Results) -> Table:
    """Put what each way of joining labels makes of a rater side by side."""
    names = Names(results)
    columns = quality_columns(results.quality)
    told: dict[str, list[str]] = {}
    for one in columns:
        told.setdefault(one.meaning, []).append(" = ".join(one.of.values()))
    raters = dict.fromkeys((one.dimension, one.rater, one.n) for one in results.quality)
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
            for dimension, rater, n in raters
        ),
        group_field="dimension",
        empty="There are no judgements.",
        synthetic=results.study.synthetic,
    )


def _quality(found: QualityResult | None) -> Cell:
    if found is None:
        return no_such()
    if found.quality is None:
        return missing("Nobody else labelled this rater's answers, or they always tied.")
    return Cell(PROPORTION(found.quality), (found.quality,))
