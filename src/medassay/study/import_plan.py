"""What a run computes once scores computed elsewhere have taken their places."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from medassay.errors import InvalidInput, Problem
from medassay.models import use_models
from medassay.study.choices import resolve_metrics
from medassay.study.folder import Study
from medassay.study.imported import Imported
from medassay.study.metric_choice import Chosen, LeftOut
from medassay.study.models import models_of
from medassay.study.same_names import (
    computable,
    same_name_problems,
    scale_problem,
    twice_problem,
)
from medassay.study.stand_ins import decide

__all__ = ["check_import", "import_questions", "with_imports"]


def with_imports(study: Study, chosen: Chosen) -> tuple[Study, Chosen]:
    """Leave out metrics whose place an import takes, and imports whose place is computed.

    Whether a metric can be computed is asked of this machine, under the models in force.

    Raises:
        InvalidInput: Scores have the very name of a metric that this machine computes, and
            study.toml does not say which of the two stands for it.
    """
    if not study.imported:
        return study, chosen
    places = decide(study.config, study.imported, computable(chosen.metrics))
    gone = {name for name, place in places.items() if place.imported is not None}
    metrics = tuple(metric for metric in chosen.metrics if str(metric.name) not in gone)
    computed = {str(metric.name) for metric in metrics}
    problems = same_name_problems(study.config, study.imported, chosen.metrics)
    if problems:
        raise InvalidInput(problems)
    left_out = [replace(out, metrics=_without(out, gone)) for out in chosen.left_out]
    return (
        replace(study, imported=_imports_beside(study.imported, computed)),
        Chosen(metrics, tuple(out for out in left_out if out.metrics)),
    )


def import_questions(study: Study) -> list[str]:
    """Say where study.toml has to choose between scores before a metric's place is filled."""
    if not study.imported:
        return []
    with use_models(models_of(study)):
        could = computable(resolve_metrics(study.config.rules.metrics))
    places = decide(study.config, study.imported, could)
    return list(dict.fromkeys(place.question for place in places.values() if place.question))


def check_import(study: Study, theirs: Imported, shown: str) -> list[str]:
    """Say for which metrics scores about to be imported would stand.

    Args:
        study: The study.
        theirs: The scores, as they would lie in the study.
        shown: What their file is called in messages.

    Returns:
        A sentence for each metric whose place they take or may take, for whoever imports them.

    Raises:
        InvalidInput: They are not on the metric's scale, or have its very name while it is computed
            here and study.toml does not choose them.
    """
    with use_models(models_of(study)):
        could = computable(resolve_metrics(study.config.rules.metrics))
    places = decide(study.config, (*study.imported, theirs), could)
    own = set(theirs.table.sources)
    problems: list[Problem] = []
    lines: list[str] = []
    for name, place in places.items():
        rivals = [candidate for candidate in place.rivals if candidate.source in own]
        unfit = next((candidate.unfit for candidate in rivals if candidate.unfit), "")
        if name in own and name in could and not place.choice:
            problems.append(twice_problem(shown, name))
        elif unfit:
            problems.append(scale_problem(shown, name, unfit))
        elif place.imported is not None and place.imported in rivals:
            taker = "These scores take" if name in own else f"{place.imported.source} takes"
            lines.append(f"{taker} the place of {name}, which is not computed.")
        elif rivals and place.question:
            lines.append(place.question)
    if problems:
        raise InvalidInput(problems)
    return list(dict.fromkeys(lines))


def _imports_beside(
    imported: Sequence[Imported], computed: Collection[str]
) -> tuple[Imported, ...]:
    """Leave out imported columns that have the name of a computed one."""
    import polars as pl

    from medassay.scores import ScoreTable

    scores_files = []
    for imported_file in imported:
        frame = imported_file.table.frame
        rest = frame.filter(pl.col("source").is_in(list(computed)).not_())
        scores_files.append(
            imported_file
            if rest.height == frame.height
            else replace(imported_file, table=ScoreTable(rest))
        )
    return tuple(scores_file for scores_file in scores_files if len(scores_file.table))


def _without(left_out: LeftOut, gone: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in left_out.metrics if name not in gone)
