"""What every consensus makes of the raters, and how far ties matter."""

from medassay.analyses.results import QualityResult, Results, quality_columns
from medassay.consensus import TieSensitivity
from medassay.exhibits.cells import count, missing, named, no_such, text
from medassay.exhibits.numbers import PROPORTION, Style
from medassay.exhibits.sentences import as_sentence, upper_first
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.names import Names

__all__ = ["rater_quality", "tie_rules"]

_POINTS = Style(2)


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


def tie_rules(results: Results) -> Table:
    """Show each system's mean by majority under each rule for ties."""
    names = Names(results)
    found = [one for one in results.ties if one.ties]
    none = [names.of_dimension(one.dimension) for one in results.ties if not one.ties]
    without = f" No answer is tied on {', '.join(none)}." if none else ""
    return Table(
        "tie-rules",
        "Majority, by the rule for ties",
        "Mean points of each system by majority vote where a tie has no score, takes the lowest of "
        f"the labels that lead together, or the median of the answer's labels.{without}",
        (
            Column("System", ("system",)),
            Column("Ties left out", ("unscored",), numeric=True),
            Column("Lower label", ("lower",), numeric=True),
            Column("Median", ("median",), numeric=True),
        ),
        tuple(
            Row(
                (
                    named(names.of_system(each.system), each.system),
                    *(_mean(value) for value in (each.unscored, each.lower, each.median)),
                ),
                names.of_dimension(one.dimension),
                _tied(one),
            )
            for one in found
            for each in one.means
        ),
        group_field="dimension",
        empty="No answer is tied.",
        synthetic=results.study.synthetic,
    )


def _tied(one: TieSensitivity) -> str:
    said = f"{one.ties:,} of {one.answers:,} answers tied"
    return f"{said}; the rule moves a mean by up to {_POINTS(one.largest)}" if one.largest else said


def _mean(value: float | None) -> Cell:
    return missing("No answer has a value.") if value is None else Cell(_POINTS(value), (value,))


def _quality(found: QualityResult | None) -> Cell:
    if found is None:
        return no_such()
    if found.quality is None:
        return missing("Nobody else labelled this rater's answers, or they always tied.")
    return Cell(PROPORTION(found.quality), (found.quality,))
