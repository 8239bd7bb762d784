"""Scores of mt-metrics-eval as scores and judgements of a study."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from medassay.errors import InvalidInput, Problem
from medassay.exchange.mt_metrics_eval.files import (
    SegmentFiles,
    SegmentScores,
    read_mt_metrics_eval,
)
from medassay.exchange.other_tools.declaring import describe_left_behind
from medassay.judgements import Dimension
from medassay.scores import Name
from medassay.study.contents.metric_scores import Meaning
from medassay.study.folder import Study
from medassay.study.intake.judgements import ImportSummary, add_judgements, add_scores
from medassay.tables import Sheet
from medassay.text import count_of

__all__ = ["import_mt_metrics_eval"]

_Rows = list[tuple[str, str, str, float | None]]


def import_mt_metrics_eval(
    study: Study, paths: Sequence[Path], pair: str | None = None, name: str = "mt-metrics-eval"
) -> list[ImportSummary]:
    """Take scores of segments: a segment is a case.

    Which case a segment is, the document's name says where each document is one segment and is
    called after a case; else the segments are the study's cases, in the study's order. A metric's
    scores become a column of scores. So do people's, unless they are called DIMENSION.RATER, and
    are scores of that dimension's labels: then they are that rater's judgements.

    Args:
        study: The study.
        paths: Score files, or the folder of a test set.
        pair: The language pair, where the folder has several.
        name: What the table of scores is called in the study.

    Raises:
        InvalidInput: Every problem of every file; nothing was written then.
    """
    segment_files = read_mt_metrics_eval(paths, pair)
    cases = _cases(study, segment_files)
    problems = [
        Problem(
            segment_scores.file, f"hold {count_of(len(cases), 'score')} of each system, one a case",
            f"{len(values)} of {system}",
        )
        for segment_scores in segment_files.scores
        for system, values in list(segment_scores.scores.items())[:1]
        if len(values) != len(cases)
    ]  # fmt: skip
    if problems:
        raise InvalidInput(problems)
    rated = {
        segment_scores.file: there
        for segment_scores in segment_files.scores
        if (there := _of_rater(study, segment_scores))
    }
    covered = {dimension.id for dimension, _ in rated.values()}
    left = Counter(segment_files.left)
    labels: list[dict[str, object]] = []
    values: _Rows = []
    sources = _sources(segment_files.scores, problems)
    for score in segment_files.scores:
        if score.file in rated:
            dimension, rater = rated[score.file]
            labels += _labels(score, dimension, rater, cases, problems)
        elif score.kind == "human" and score.name in covered:
            left["files of people's means, which follow from the raters' own files"] += 1
        elif score.file in sources:
            values += [
                (system, cases[i], sources[score.file], value)
                for system, scores in score.scores.items()
                for i, value in enumerate(scores)
            ]
    if problems:
        raise InvalidInput(problems)
    return _write(study, values, labels, name, left)


def _write(
    study: Study, values: _Rows, labels: list[dict[str, object]], name: str, left: Counter[str]
) -> list[ImportSummary]:
    judged = _sheet("the raters' files", labels)
    rows = [
        {"system": system, "case": case, "source": source, "value": value}
        for system, case, source, value in values
    ]
    scored, file = _sheet("the score files", rows), Path(f"{name}.csv")
    # Everything is checked before anything is written.
    if labels:
        add_judgements(study, judged, dry_run=True)
    done = []
    if values:
        done.append(add_scores(study, scored, file, name, Meaning()))
    if labels:
        done.append(add_judgements(study, judged))
    notes = describe_left_behind(left)
    return [*done[:-1], replace(done[-1], notes=[*done[-1].notes, *notes])]


def _sheet(file: str, rows: Sequence[Mapping[str, object]]) -> Sheet:
    names = list(rows[0]) if rows else []
    return Sheet(
        file, list(range(1, len(rows) + 1)), {name: [row[name] for row in rows] for name in names}
    )


def _cases(study: Study, segment_files: SegmentFiles) -> list[str]:
    if segment_files.segments and all(segment in study.cases for segment in segment_files.segments):
        return segment_files.segments
    return [case.case for case in study.cases]


def _of_rater(study: Study, segment_scores: SegmentScores) -> tuple[Dimension, str] | None:
    """Say whose judgements of what a file holds; None where it says so of no rater."""
    if segment_scores.kind != "human":
        return None
    for dimension in study.rubric.dimensions:
        opening = f"{dimension.id}."
        if segment_scores.name.startswith(opening) and dimension.scores is not None:
            return dimension, segment_scores.name.removeprefix(opening)
    return None


def _labels(
    segment_scores: SegmentScores,
    dimension: Dimension,
    rater: str,
    cases: Sequence[str],
    problems: list[Problem],
) -> list[dict[str, object]]:
    label_of = dict(zip(dimension.scores or (), dimension.names, strict=True))
    rows: list[dict[str, object]] = []
    for system, scores in segment_scores.scores.items():
        for case, value in zip(cases, scores, strict=True):
            if value is None:
                continue
            if value not in label_of:
                must = f"hold scores of {dimension.id}: {', '.join(f'{s:g}' for s in label_of)}"
                got = f"{value:g} of {system} for {case}"
                problems.append(Problem(segment_scores.file, must, got))
                continue
            rows.append(
                {
                    "rater": rater,
                    "system": system,
                    "case": case,
                    "dimension": dimension.id,
                    "label": label_of[value],
                }
            )
    return rows


def _sources(files: Sequence[SegmentScores], problems: list[Problem]) -> dict[str, str]:
    """Name each file's scores after the metric, with its references where there are several."""
    times = Counter(
        segment_scores.name for segment_scores in files if segment_scores.kind == "metric"
    )
    names = {}
    for scores in files:
        several = scores.kind == "metric" and times[scores.name] > 1
        text = f"{scores.name}(references={scores.references})" if several else scores.name
        try:
            names[scores.file] = str(Name.parse(text))
        except InvalidInput as error:
            problems += [replace(each, file=scores.file) for each in error.problems]
    return names
