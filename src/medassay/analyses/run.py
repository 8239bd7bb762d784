"""Run a study from scores to results: ask, describe, and put all into one structure.

An earlier run read for what stands beside this one.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from medassay.__about__ import __version__
from medassay.analyses import results as r
from medassay.analyses.ask import asked_of, cautions_of, check_analyses, not_asked
from medassay.analyses.builtin.quality import qualities_in
from medassay.analyses.builtin.rater_effects import effects_in
from medassay.analyses.builtin.rater_flow import rater_flow
from medassay.analyses.descriptive import as_told, kinds_of_statistics
from medassay.analyses.inputs.answer_dangers import Dangers
from medassay.analyses.inputs.answer_reasoning import ChainsRead
from medassay.analyses.inputs.label_sources import judged_by
from medassay.analyses.inputs.readable import Inputs
from medassay.analyses.inputs.study_columns import (
    ScoreColumn,
    StudyColumns,
    collect_columns,
    primary_source,
    ranking_cases,
)
from medassay.analyses.inputs.study_description import methods_of, notes_of, ranking_rule
from medassay.analyses.measures import chosen_right, measures_of
from medassay.analyses.reading import results_of
from medassay.analyses.registry import broken_analyses
from medassay.analyses.results import Results
from medassay.analyses.results.whole import EarlierChange, EarlierRun, EarlierValue, ShortenedResult
from medassay.analyses.shown_cases import (
    answer_marks,
    case_results,
    describe_shown,
    find_statements,
    shown_cases,
)
from medassay.errors import InvalidInput, Problem
from medassay.metrics import BoundMetric
from medassay.metrics.statements import keeping_tallies
from medassay.scores import ScoreTable
from medassay.study.contents.private import Pseudonyms
from medassay.study.files.names import RATERS_NAMED
from medassay.study.folder import Study
from medassay.study.metric_choice import left_out_now
from medassay.study.opening.choices import earlier_report
from medassay.study.runs.run import Run
from medassay.study.scoring.processes import Elsewhere
from medassay.study.scoring.score_study import Progress, Scored, score_study
from medassay.tables import csv_bytes, parse_widely, write_atomically

if TYPE_CHECKING:
    import polars as pl


def with_earlier(study: Study, results: Results) -> Results:
    """Put what an earlier run measured beside a run; the same run where study.toml names none.

    Raises:
        InvalidInput: What is named is no report.json that this medassay reads.
    """
    path = earlier_report(study.path, study.config)
    if path is None:
        return results
    try:
        written: Any = parse_widely(path.read_text(encoding="utf-8"))
        before = results_of({name: own for name, own in written.items() if name != "findings"})
    except (ValidationError, ValueError, AttributeError) as error:
        where = "the earlier run"
        must = "name a report.json that this version of medassay wrote"
        hint = "Run that study again: medassay run STUDY."
        raise InvalidInput(Problem(where, must, f'"{path}"', hint)) from error
    systems = [system.id for system in results.systems]
    values = [
        EarlierValue(system=system, measure=measure.title, value=spot.value, text=spot.text)
        for measure in measures_of(before, systems)
        for system, spot in measure.spots.items()
        if spot.value is not None
    ]
    earlier = EarlierRun(
        name=before.run.name, values=values, changes=list(_changes(results, before))
    )
    return results.model_copy(update={"earlier": earlier})


def _changes(results: Results, before: Results) -> Iterator[EarlierChange]:
    if "none" in {results.study.texts, before.study.texts}:
        return  # their cases are numbered, so that equal numbers need not be equal cases
    for system in results.systems:
        now, then = chosen_right(results, system.id), chosen_right(before, system.id)
        shared = now.keys() & then.keys()
        if shared:
            yield EarlierChange(
                system=system.id,
                questions=len(shared),
                became_right=sum(now[case] and not then[case] for case in shared),
                became_wrong=sum(then[case] and not now[case] for case in shared),
            )


def shortened_results(table: ScoreTable, columns: Sequence[ScoreColumn]) -> list[ShortenedResult]:
    """Count for every metric of a run the texts cut and those read in windows."""
    return count_shortened(table, [c.metric for c in columns if c.metric is not None])


def count_shortened(table: ScoreTable, metrics: Sequence[BoundMetric]) -> list[ShortenedResult]:
    """Count the scores of long texts by what their parts say; metrics without any are left out.

    A part whose name ends in `_cut` counts what was not read; one in `_windows` the windows that a
    text was read in.
    """
    results = []
    for metric in metrics:
        name, parts = str(metric.name), metric.declaration.parts
        cut = [i for i, part in enumerate(parts) if part.endswith("_cut")]
        windows = [i for i, part in enumerate(parts) if part.endswith("_windows")]
        if not (cut or windows) or name not in table.sources:
            continue
        rows = table.select(name)
        shortened = ShortenedResult(
            metric=name,
            scored=int(rows["value"].count()),
            cut=_above(rows, cut, 0),
            in_windows=_above(rows, windows, 1),
        )
        if shortened.cut or shortened.in_windows:
            results.append(shortened)
    return results


def _above(rows: "pl.DataFrame", places: Sequence[int], bound: int) -> int:
    import polars as pl

    if not places:
        return 0
    above = (pl.col("parts").list.get(i, null_on_oob=True) > bound for i in places)
    return rows.filter(pl.any_horizontal(above)).height


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
        protocol_title=f"{rules.title}, with the study's own dimensions"
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


def assemble(
    study: Study,
    scored: Scored,
    score_columns: StudyColumns,
    run_name: str,
    progress: Progress | None = None,
) -> r.Results:
    """Compute what is left to compute, and lay everything out."""
    table, columns = score_columns.table, score_columns.columns
    primary, fallback = primary_source(study, columns)
    inputs = Inputs(study, score_columns, progress)
    sources = list(inputs.part(tuple[r.SourceResult, ...]))
    dangers = inputs.part(Dangers)
    shown = shown_cases(study, dangers)
    statements = find_statements(study, columns, shown)
    questions = list(
        dict.fromkeys(place.question for place in score_columns.places.values() if place.question)
    )
    answered, failed = asked_of(inputs)
    results = r.Results(
        study=study_info(study),
        run=r.RunInfo(
            name=run_name,
            seed=study.config.run.seed,
            replicates=study.config.run.replicates,
            software=f"medassay {__version__}",
            inputs=study.inputs,
        ),
        systems=[system_result(study, system) for system in study.systems],
        dimensions=[dimension_result(study, name) for name in study.rubric.ids],
        sources=sources,
        questions=questions,
        shortened=shortened_results(table, columns),
        verdicts=statements.verdicts,
        ranking_rule=ranking_rule(study),
        ranking_cases=list(ranking_cases(study)),
        primary=primary,
        primary_asked=not fallback,
        judged_by=judged_by(study),
        analyses=answered,
        not_asked=not_asked(study),
        cases=case_results(
            study,
            table,
            columns,
            statements.shown,
            answer_marks(study, inputs.part(ChainsRead), dangers.flags, statements.shown),
            shown,
        ),
        methods=methods_of(study, columns),
        warnings=[
            *notes_of(study, sources),
            *questions,
            *(f"Left out: {problem}" for problem in broken_analyses()),
            *failed,
            *fallback,
            *describe_shown(study, shown),
            *scored.cautions,
            *cautions_of(answered),
        ],
    )
    results = as_told(study, with_earlier(study, results))
    return results.model_copy(update={"statistics": kinds_of_statistics(results)})


_COLUMNS = ("rater", "pseudonym", "dimension", "effect", "about", "value", "low", "high", "labels",
            "reason")  # fmt: skip


def write_leads_file(study: Path, pseudonyms: Pseudonyms, results: Results) -> None:
    """Write competence, severity and all else that is told of single people, by name.

    Owner-only, beside the key, and replaced by each run. Where people are named anyway, or nobody
    rated, there is none.
    """
    names = {text: name for name, text in pseudonyms.of.items()}
    if pseudonyms.named or not names:
        return
    known = [row for row in sorted(_rows(results), key=str) if row[0] in names]
    rows = [(names[str(row[0])], *row) for row in known]
    write_atomically(study / RATERS_NAMED, csv_bytes(_COLUMNS, rows), owner_only=True)


def _rows(results: Results) -> Iterator[tuple[object, ...]]:
    for row in qualities_in(results.analyses):
        yield (row.rater, row.dimension, f"quality by {row.title}", row.method, row.quality, None,
               None, row.n, "")  # fmt: skip
    for effect in effects_in(results.analyses):
        span = effect.interval
        yield (effect.rater, effect.dimension, effect.kind, effect.about, effect.effect,
               span and span.low, span and span.high, effect.n, effect.reason)  # fmt: skip
    flow = results.analyses.of(rater_flow)
    for count in flow.raters if flow else ():
        yield (count.rater.rater, "", "judgements", "", count.judgements, None, None, None, "")


def run_study(
    run: Run,
    progress: Progress | None = None,
    *,
    fresh: bool = False,
    elsewhere: Elsewhere | None = None,
) -> tuple[Results, Scored]:
    """Score, join, compare: everything that a report shows. Writes the run's scores.parquet.

    The key to raters' pseudonyms, and what was found of each by name, go into the study's folder,
    for the lead alone.

    Args:
        run: The run.
        progress: Told how far it is.
        fresh: Believe no score that is kept.
        elsewhere: Where metrics that run on a model are scored, if not in this process.

    Raises:
        InvalidInput: study.toml asks for an analysis that is not there.
    """
    check_analyses(run.study)
    run.pseudonyms.write_key(run.study.path, run.name)
    with keeping_tallies():
        scored = score_study(run.study, run.metrics, progress, fresh=fresh, elsewhere=elsewhere)
        score_columns = collect_columns(run.study, scored)
        write_atomically(run.folder / "scores.parquet", score_columns.table.to_parquet())
        results = assemble(run.study, scored, score_columns, run.name, progress)
    write_leads_file(run.study.path, run.pseudonyms, results)
    now = left_out_now(run.left_out, run.metrics)
    return results.model_copy(update={"left_out": list(now)}), scored
