"""What was evaluated, as the report's opening shows it: the study, its systems, its dimensions."""

from medassay.analyses import results as r
from medassay.study.folder import Study

__all__ = ["dimension_result", "study_info", "system_result"]


def study_info(study: Study) -> r.StudyInfo:
    """Say what was evaluated, and how much there is of everything."""
    config, rules = study.config, study.config.rules
    judged, preferred = study.judgements.current(), study.preferences.current()
    raters = set(judged["rater"].unique()) | set(preferred["rater"].unique())
    return r.StudyInfo(
        title=config.title,
        description=config.description,
        date=config.date,
        protocol=rules.name,
        protocol_title=f"{rules.title}, with dimensions of its own"
        if config.dimensions
        else rules.title,
        source=config.source or rules.source,
        licence=config.licence,
        synthetic=config.synthetic,
        descriptive=rules.descriptive,
        texts=config.privacy.texts,
        raters=config.privacy.raters,
        figure_rows=[
            r.FigureRowInfo(metric=figure_row.metric, title=figure_row.title)
            for figure_row in rules.figure_rows
        ],
        wording=study.rubric.wording,
        counts=r.Counts(
            cases=len(study.cases),
            systems=len(study.systems),
            answers=len(study.answers),
            answers_not_held=study.answers.tally.not_held.total(),
            answers_missing=sum(map(study.missing, study.answers.systems)),
            answers_empty=study.answers.tally.blank.total(),
            answers_not_asked=sum(
                study.asked.left_out(system, len(study.cases)) for system in study.systems
            ),
            raters=len(raters),
            judgements=judged.height,
            preferences=preferred.height,
        ),
        drawn=config.ranking.drawn or "",
        asked=" ".join(study.asked.describe(study.systems, study.cases.ids)[:1]),
    )


def system_result(study: Study, system: str) -> r.SystemResult:
    """Say what a system handed in."""
    tally = study.answers.tally
    system_config = study.system(system)
    return r.SystemResult(
        id=system,
        title=system_config.title or system,
        family=system_config.family,
        answers=tally.given[system],
        not_held=tally.not_held[system],
        missing=study.missing(system),
        empty=tally.blank[system],
        not_asked=study.asked.left_out(system, len(study.cases)),
    )


def dimension_result(study: Study, name: str) -> r.DimensionResult:
    """Lay out a dimension of the rubric with its labels."""
    dimension = study.rubric.dimension(name)
    return r.DimensionResult(
        id=dimension.id,
        title=dimension.title or dimension.id,
        question=dimension.question,
        scale=dimension.scale,
        labels=[
            r.LabelInfo(label=label.label, score=label.score, description=label.description)
            for label in dimension.labels
        ],
        number="" if dimension.number is None else str(dimension.number),
        kinds=[kind.label for kind in dimension.kinds],
    )
