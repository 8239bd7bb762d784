"""What does each aggregation method say of each rater?"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.consensus_fits import Fitted
from medassay.analyses.results.whole import Records
from medassay.annotations import record
from medassay.consensus import RaterQuality, mace_settings, rater_qualities
from medassay.exhibits import Names
from medassay.exhibits.columns import celled, counted, missing, no_such, shown, table_of
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.sentences import as_sentence, upper_first
from medassay.exhibits.table import Cell, Table


class QualityColumn(NamedTuple):
    """Methods that give every rater the same number, and so share a column.

    Attributes:
        of: Method to its title; the first stands for all.
        meaning: What the number is.
        values: By (dimension, rater).
    """

    of: dict[str, str]
    meaning: str
    values: dict[tuple[str, str], RaterQuality]

    @property
    def method(self) -> str:
        """Give the first method."""
        return next(iter(self.of))


def quality_columns(rater_qualities: Sequence[RaterQuality]) -> list[QualityColumn]:
    """Lay out what methods make of raters: a column each, votes that read alike in one.

    Only numbers decide. Two fits of one model mean the same by their number and differ in it.
    """
    titles = {rater_quality.method: rater_quality.title for rater_quality in rater_qualities}
    columns: dict[tuple[str, tuple[float | None, ...]], QualityColumn] = {}
    for method, title in titles.items():
        own = {
            (rater_quality.dimension, rater_quality.rater): rater_quality
            for rater_quality in rater_qualities
            if rater_quality.method == method
        }
        meaning = next(iter(own.values())).meaning
        alike = meaning, tuple(rater_quality.quality for rater_quality in own.values())
        columns.setdefault(alike, QualityColumn({}, meaning, own)).of[method] = title
    return list(columns.values())


_ASK_FOR_MACE: Final = (
    'For MACE, name it in study.toml: methods = ["mean", "mace"] under [consensus].'
)
_ERR_APART: Final = "if raters err apart"
"""What nothing shows of a few of them: simulations/mace-competence.md has how often it is so."""


def quality_table(raters: Sequence[RaterQuality], names: Names) -> Table:
    """Put what each aggregation method says of a rater side by side."""
    columns = quality_columns(raters)
    by_meaning: dict[str, list[str]] = {}
    for column in columns:
        by_meaning.setdefault(column.meaning, []).append(" = ".join(column.of.values()))
    rows = dict.fromkeys(_Rater(own.dimension, own.rater, own.n) for own in raters)
    sentence = " ".join(
        as_sentence(f"{'; '.join(own)}: {meaning}") for meaning, own in by_meaning.items()
    )
    if not any(mace_settings(rater_quality.method) for rater_quality in raters):
        sentence += f" {_ASK_FOR_MACE}"

    def trusted(column: QualityColumn) -> Callable[[_Rater], Cell]:
        return lambda row: _quality(column.values.get((row.dimension, row.rater)))

    return table_of(
        [(names.of_dimension(row.dimension), row) for row in rows],
        (
            shown("Rater", "rater"),
            counted("Labels", "labels"),
            *(
                celled(
                    upper_first(column.of[column.method]),
                    column.method,
                    trusted(column),
                    numeric=True,
                )
                for column in columns
            ),
        ),
        id="rater-quality",
        title="What each consensus makes of each rater",
        caption=sentence,
        grouped_by="dimension",
        empty="There are no judgements.",
    )


class _Rater(NamedTuple):
    """One rater on one dimension."""

    dimension: str
    rater: str
    labels: int


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


@record(infers=True)
class RaterQualities:
    """Each rater under each aggregation method, by dimension."""

    raters: tuple[RaterQuality, ...]


@analysis(
    Declaration(
        id="quality",
        title="What each consensus makes of each rater",
        question="How far does each aggregation method trust each rater?",
        section="panel",
        part="panel-consensus",
        infers=True,
        reader="organiser",
        place=29,
        tables=lambda qualities, names: [quality_table(qualities.raters, names)],
    )
)
def quality(fitted: Fitted) -> RaterQualities | None:
    """Lay out what the fitted ways say of the raters."""
    qualities = tuple(rater_qualities(fitted.ways))
    return RaterQualities(qualities) if qualities else None


def qualities_in(records: Records) -> tuple[RaterQuality, ...]:
    """Give what a run says of the raters; nothing where it was not asked."""
    qualities = records.of(quality)
    return qualities.raters if qualities else ()
