"""Which metrics a run computes: the study's own, those asked for beside them, or only some.

Scores that were computed elsewhere may take the place of some of them.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from medassay.annotations import DesignName, Words, record
from medassay.errors import InvalidInput, MissingBackend, Problem
from medassay.metrics import BoundMetric, declarations, resolve, usual_names
from medassay.models import use_models
from medassay.scores import Name
from medassay.study.config.study_toml import StudyConfig, as_shown
from medassay.study.contents.metric_scores import Imported
from medassay.study.folder import Study, models_of
from medassay.study.opening.choices import (
    computable,
    resolve_metrics,
    same_name_problems,
    scale_problem,
    twice_problem,
)
from medassay.study.opening.stand_ins import decide, imported_names

_ALL: Final = "all"
ONLY: Final = "--only"
"""The option of most verbs for metrics instead of the study's own."""

_REF: Final = "ref"


@record(infers=False)
class LeftOut:
    """Metrics that a run has no value of, and what they would need.

    Attributes:
        metrics: Their canonical names.
        lacks: What is missing.
        install: The line that installs it; empty where the study's data lack it.
    """

    metrics: tuple[DesignName, ...]
    lacks: Words
    install: Words


@dataclass(frozen=True)
class Chosen:
    """The metrics of a run.

    Attributes:
        metrics: Those that are computed, in order.
        left_out: Those that `all` stands for, or that the study names, and that cannot be: first
            those whose parts this machine lacks, then those whose data the study lacks.
    """

    metrics: tuple[BoundMetric, ...]
    left_out: tuple[LeftOut, ...] = ()


def choose_metrics(
    study: Study,
    more: Sequence[str] | None = None,
    only: Sequence[str] | None = None,
    *,
    option: str = ONLY,
) -> Chosen:
    """Choose the metrics of a run.

    Args:
        study: The study.
        more: Metrics beside the study's own; one that it has already changes nothing. `all` stands
            for every metric that can score an answer of the study on this machine, in its usual
            forms: against experts' answers and against the note, with its declared choices. A
            metric that is named already, in any form against the same, gets no second form.
        only: Metrics instead of the study's own; `all` as above.
        option: The option that `only` was typed under, for what is said of a wrong name.

    Raises:
        InvalidInput: A name is wrong, or means a column of scores that the study has imported.
    """
    chosen = named_metrics(study.config, more, only, option=option)
    with use_models(models_of(study)):
        left = _by_part(chosen)
        if names_all(more, only):
            chosen += _usual(study, chosen, left)
    typed = {str(metric.name) for metric in chosen}
    if not only:
        typed -= {str(resolve(name).name) for name in study.config.rules.metrics}
    twice = sorted(_imported(study) & typed)
    if twice:
        must = "name metrics that the study has not imported"
        raise InvalidInput(Problem(option if only else "--metrics", must, f'"{twice[0]}"'))
    return Chosen(tuple(chosen), _in_order(_rows(left)))


def names_all(more: Sequence[str] | None, only: Sequence[str] | None) -> bool:
    """Say whether `all` is among the metrics asked for: what it stands for depends on the data."""
    return _ALL in (*(more or ()), *(only or ()))


def named_metrics(
    config: StudyConfig,
    more: Sequence[str] | None = None,
    only: Sequence[str] | None = None,
    *,
    option: str = ONLY,
) -> list[BoundMetric]:
    """Resolve the metrics that a run computes by their names; `all` adds none here.

    Raises:
        InvalidInput: A name is wrong.
    """
    chosen = list(
        resolve_metrics(_named(only), option, None)
        if only and _named(only)
        else resolve_metrics(() if only else config.rules.metrics)
    )
    have = {str(metric.name) for metric in chosen}
    added = resolve_metrics(_named(more), "--metrics", None) if more else ()
    chosen += [metric for metric in added if str(metric.name) not in have]
    return [as_shown(metric, config) for metric in chosen]


def left_out_of(metrics: Sequence[BoundMetric]) -> tuple[LeftOut, ...]:
    """Give the metrics whose parts this machine lacks, under the models in force."""
    return _in_order(_rows(_by_part(metrics)))


def left_out_now(before: Sequence[LeftOut], metrics: Sequence[BoundMetric]) -> tuple[LeftOut, ...]:
    """Give what was left out, with what turned out to lack something when it was computed.

    That a model is damaged shows only when it is loaded.
    """
    known = {name for left_out in before for name in left_out.metrics}
    left = _by_part([metric for metric in metrics if str(metric.name) not in known])
    return _in_order((*before, *_rows(left)))


def _by_part(metrics: Sequence[BoundMetric]) -> dict[tuple[str, str], list[str]]:
    left: dict[tuple[str, str], list[str]] = {}
    for metric in metrics:
        if metric.missing is not None:
            left.setdefault(_part(metric.missing), []).append(str(metric.name))
    return left


def _rows(left: Mapping[tuple[str, str], Sequence[str]]) -> list[LeftOut]:
    return [LeftOut(tuple(names), lacks, install) for (lacks, install), names in left.items()]


def _in_order(rows: Iterable[LeftOut]) -> tuple[LeftOut, ...]:
    return tuple(sorted(rows, key=lambda left_out: (not left_out.install, left_out.lacks)))


def _named(names: Sequence[str]) -> list[str]:
    return [name for name in names if name != _ALL]


def _imported(study: Study) -> set[str]:
    return imported_names(study.config, study.imported)


def _part(missing: MissingBackend) -> tuple[str, str]:
    return missing.package, missing.install


def _usual(
    study: Study, chosen: Sequence[BoundMetric], left: dict[tuple[str, str], list[str]]
) -> list[BoundMetric]:
    """Give the usual forms that can be scored; put the others with what they lack."""
    known = {_family(metric.name) for metric in chosen}
    imported = _imported(study)
    bound_metrics = []
    for name in (name for declaration in declarations() for name in usual_names(declaration)):
        metric = as_shown(resolve(name), study.config)
        if _family(metric.name) in known or str(metric.name) in imported:
            continue
        lacks = _data_lacking(study, metric)
        if lacks:
            left.setdefault((lacks, ""), []).append(str(metric.name))
        elif metric.missing is not None:
            left.setdefault(_part(metric.missing), []).append(str(metric.name))
        else:
            bound_metrics.append(metric)
    return bound_metrics


def _family(name: Name) -> tuple[str, str | None]:
    return name.base, name.get(_REF)


def _data_lacking(study: Study, metric: BoundMetric) -> str:
    """Say what no case or no answer of the study has; empty where some answer can be scored."""
    whole = {}
    why: dict[str, int] = {}
    for case in study.cases:
        lacking = metric.case_lacks(case)
        if lacking is None:
            whole[case.case] = case
        else:
            why[lacking.detail] = why.get(lacking.detail, 0) + 1
    if not whole:
        return max(why, key=lambda detail: why[detail], default="no cases")
    why.clear()
    for answer in study.answers:
        if answer.case in whole:
            cannot = metric.why_not(whole[answer.case], answer)
            if cannot is None:
                return ""
            words = cannot.detail or cannot.reason.words
            why[words] = why.get(words, 0) + 1
    return max(why, key=lambda detail: why[detail], default="no answers")


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
