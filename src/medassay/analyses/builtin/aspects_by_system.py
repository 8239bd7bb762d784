"""Which aspects does each system meet?"""

from typing import Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Design
from medassay.annotations import DesignName, SystemName, record
from medassay.exhibits import PROPORTION, Names, Table, shown, table_of
from medassay.exhibits.columns import Shown, named, system_column
from medassay.exhibits.table import Column
from medassay.judgements import Judgements, Rubric

_MET: Final = "met"
"""The reading of a label by which an aspect is met or not met."""


@record(infers=False)
class AspectLabel:
    """How often a label was given."""

    label: DesignName
    count: int


@record(infers=False)
class Aspect:
    """What raters said of one aspect of one system's answers.

    Attributes:
        dimension: The aspect.
        system: The system.
        judgements: How many have a label.
        without_label: How many have a reason instead.
        met: How many labels say that it is met.
        share: Of the labels; None where there is none.
        answers: How many answers have a label.
        met_by_all: How many of these have none but labels that say so.
        labels: Each label of the aspect, and how often it was given.
    """

    dimension: DesignName
    system: SystemName
    judgements: int
    without_label: int
    met: int
    share: float | None
    answers: int
    met_by_all: int
    labels: tuple[AspectLabel, ...]


@record(infers=False)
class AspectsBySystem:
    """What raters said of each aspect, by system."""

    aspects: tuple[Aspect, ...]


def _labels(aspect: Aspect) -> str:
    return ", ".join(f"{label.label} {label.count:,}" for label in aspect.labels)


def _table(system: AspectsBySystem, names: Names) -> Table:
    return table_of(
        system.aspects,
        (
            Shown(
                Column("Aspect", ("dimension",)),
                lambda row: named(names.of_dimension(row.dimension), row.dimension),
            ),
            system_column(names),
            shown("Judgements", "judgements", "{:,}".format, adds=("without_label",)),
            shown("Met", "share", PROPORTION, adds=("met",), why_not=lambda _: "No label."),
            shown("Labels", _labels, file="labels"),
            shown("Answers", "answers", "{:,}".format),
            shown("Met by all raters", "met_by_all", "{:,}".format),
        ),
        id="aspects-by-system",
        title="Aspects, by system",
        caption="What raters said of each aspect of a system's answers. Met: the share of labels "
        "that say so; how often each label was given stands beside it. Met by all raters: answers "
        "of which nobody said otherwise. They are shares of these answers and raters.",
        empty="Nobody judged an aspect.",
    )


@analysis(
    Declaration(
        id="aspects_by_system",
        title="Aspects, by system",
        question="Which aspects do each system's answers meet, as the raters say?",
        section="ratings",
        part="ratings-given",
        infers=False,
        reader="clinician",
        place=3,
        tables=lambda aspects, names: [_table(aspects, names)],
    )
)
def aspects_by_system(
    rubric: Rubric, judgements: Judgements, design: Design
) -> AspectsBySystem | None:
    """Count the labels of every dimension that is read as met or not met, by system."""
    import polars as pl

    dimensions = [dimension for dimension in rubric.dimensions if _MET in dimension.mappings]
    rows = judgements.counted
    aspects = []
    for dimension in dimensions:
        means = dimension.mappings[_MET]
        for system in design.systems:
            mine = rows.filter(dimension=dimension.id, system=system)
            labelled = mine.drop_nulls("label").select(
                "case",
                "label",
                met=pl.col("label").replace_strict(means, return_dtype=pl.String) == _MET,
            )
            by_answer = labelled.group_by("case").agg(pl.col("met").all())
            met = int(labelled["met"].sum())
            aspects.append(
                Aspect(
                    dimension=dimension.id,
                    system=system,
                    judgements=labelled.height,
                    without_label=mine.height - labelled.height,
                    met=met,
                    share=met / labelled.height if labelled.height else None,
                    answers=by_answer.height,
                    met_by_all=int(by_answer["met"].sum()),
                    labels=tuple(
                        AspectLabel(name, int((labelled["label"] == name).sum()))
                        for name in dimension.names
                    ),
                )
            )
    return AspectsBySystem(tuple(aspects)) if any(aspect.judgements for aspect in aspects) else None
