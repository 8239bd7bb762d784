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
    kept = {str(metric.name) for metric in metrics}
    problems = same_name_problems(study.config, study.imported, chosen.metrics)
    if problems:
        raise InvalidInput(problems)
    left_out = [replace(one, metrics=_without(one, gone)) for one in chosen.left_out]
    return (
        replace(study, imported=_imports_beside(study.imported, kept)),
        Chosen(metrics, tuple(one for one in left_out if one.metrics)),
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
    said: list[str] = []
    for name, place in places.items():
        rivals = [one for one in place.rivals if one.source in own]
        unfit = next((one.unfit for one in rivals if one.unfit), "")
        if name in own and name in could and not place.choice:
            problems.append(twice_problem(shown, name))
        elif unfit:
            problems.append(scale_problem(shown, name, unfit))
        elif place.imported is not None and place.imported in rivals:
            taker = "These scores take" if name in own else f"{place.imported.source} takes"
            said.append(f"{taker} the place of {name}, which is not computed.")
        elif rivals and place.question:
            said.append(place.question)
    if problems:
        raise InvalidInput(problems)
    return list(dict.fromkeys(said))


def _imports_beside(
    imported: Sequence[Imported], computed: Collection[str]
) -> tuple[Imported, ...]:
    """Leave out imported columns that have the name of a computed one."""
    import polars as pl

    from medassay.scores import ScoreTable

    found = []
    for one in imported:
        frame = one.table.frame
        rest = frame.filter(pl.col("source").is_in(list(computed)).not_())
        found.append(one if rest.height == frame.height else replace(one, table=ScoreTable(rest)))
    return tuple(one for one in found if len(one.table))


def _without(one: LeftOut, gone: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in one.metrics if name not in gone)
