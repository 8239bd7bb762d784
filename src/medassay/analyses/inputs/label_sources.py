"""Whose labels a dimension's numbers rest on: people's, or a model's."""

from typing import TYPE_CHECKING, Literal

from medassay.analyses.results.whole import JudgedBy
from medassay.judgements import Judgements
from medassay.study.folder import Study

if TYPE_CHECKING:
    import polars as pl


def people_alone(study: Study) -> Judgements:
    """Give what counts as judgement without what models said."""
    models = study.judges.raters
    return study.judgements.without_raters(models) if models else study.judgements


def labels_of(study: Study, rater: str) -> Judgements:
    """Give what one rater judged."""
    import polars as pl

    frame = study.everyone.frame.filter(pl.col("rater") == rater)
    return study.everyone.of_rows(frame)


def counted_models(study: Study, dimension: str) -> list[str]:
    """List the models whose labels on a dimension are counted, and who gave some."""
    frame = study.judgements.current()
    gave = set(frame.filter(frame["dimension"] == dimension)["rater"])
    return [name for name in study.judges.raters if name in gave]


def judged_by(study: Study) -> list[JudgedBy]:
    """Say of each judged dimension whose labels count; nothing where no model's do."""
    if not study.judges.raters:
        return []
    labels, pairs = study.judgements.current(), study.preferences.current()
    found = [
        *(_of_dimension(study, labels, name, "labels") for name in study.rubric.ids),
        *(
            _of_dimension(study, pairs, name, "preferences")
            for name in pairs["dimension"].unique(maintain_order=True)
        ),
    ]
    gave = [by for by in found if by.models or by.people]
    return gave if any(by.models for by in gave) else []


def _of_dimension(
    study: Study, frame: "pl.DataFrame", dimension: str, of: Literal["labels", "preferences"]
) -> JudgedBy:
    gave = set(frame.filter(frame["dimension"] == dimension)["rater"])
    models = [name for name in study.judges.raters if name in gave]
    certified = [
        name
        for name in models
        if of == "labels" and study.standing(name, dimension).status == "honoured"
    ]
    return JudgedBy(
        dimension=dimension,
        models=models,
        people=len(gave) - len(models),
        certified=certified,
        of=of,
    )
