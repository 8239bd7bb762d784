"""A study's scores and judgements as a test set of mt-metrics-eval."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.mt_metrics_eval.files import NO_TEXT, write_lines, write_score_file
from medassay.exchange.other_tools.declaring import WrittenFiles
from medassay.judgements import Dimension
from medassay.study.folder import Study
from medassay.study.scoring.score_study import Scored
from medassay.text import count_of

__all__ = ["export_mt_metrics_eval"]

_PAIR: Final = "en-en"
_REFERENCE: Final = "ref"

_Scores = Mapping[str, Sequence[float | None]]


def export_mt_metrics_eval(study: Study, scored: Scored, folder: Path) -> WrittenFiles:
    """Write a test set: a case is a segment and a document of its own, under the pair `en-en`.

    Each metric's scores, each rater's labels as their scores, and the mean of the raters are
    files of scores by segment, and their means files by system.

    Raises:
        InvalidInput: The folder is there, or a name cannot stand in these files.
    """
    systems = list(study.answers.systems) or list(study.systems)
    _check(study, folder, systems)
    files = _texts(study, systems)
    notes = _flattened(study)
    tables: dict[str, _Scores] = {}
    _add_people(study, systems, tables, notes)
    _add_metrics(study, scored, systems, tables, notes)
    for name, lines in files.items():
        write_lines(folder / name, lines)
    for name, scores in tables.items():
        write_score_file(folder / f"{name}.seg.score", scores)
        write_score_file(folder / f"{name}.sys.score", {s: [_mean(v)] for s, v in scores.items()})
    written = [*files, *(f"{name}.{level}.score" for name in tables for level in ("seg", "sys"))]
    counts = {"segment": len(study.cases), "system": len(systems)}
    return WrittenFiles(counts, [str(folder / name) for name in written], notes)


def _check(study: Study, folder: Path, systems: Sequence[str]) -> None:
    problems = []
    if folder.exists():
        hint = "Give another name; it was left as it is."
        problems.append(Problem("--into", "be a new folder", f"{folder}, which is there", hint))
    raters = study.judgements.frame["rater"].unique().sort().to_list()
    for what, names in (("system", systems), ("case", study.cases.ids), ("rater", raters)):
        problems += [
            Problem("the study", f"have ids of a {what} without blanks or /", f'"{name}"')
            for name in names
            if name.split() != [name] or "/" in name or "\\" in name
        ]
    if not systems:
        problems.append(Problem("the study", "have systems", "none"))
    if problems:
        raise InvalidInput(problems)


def _texts(study: Study, systems: Sequence[str]) -> dict[str, Sequence[str]]:
    """Give the texts that [privacy] lets out, a line a case."""
    texts = study.config.privacy.texts
    full = texts == "full"
    names = [case.case for case in study.cases]
    asked = [(case.asked or case.narrative or "") if full else "" for case in study.cases]
    experts = [case.references[0].text if case.references else None for case in study.cases]
    files: dict[str, Sequence[str]] = {
        f"documents/{_PAIR}.docs": [f"all {name}" for name in names],
        f"sources/{_PAIR}.txt": asked,
        f"references/{_PAIR}.{_REFERENCE}.txt": [
            expert if full and expert is not None else NO_TEXT for expert in experts
        ],
    }
    for system in systems:
        answers = [study.answers.get(system, case.case) for case in study.cases]
        files[f"system-outputs/{_PAIR}/{system}.txt"] = [
            answer.text if full and answer is not None and answer.text is not None else NO_TEXT
            for answer in answers
        ]
    return files


def _flattened(study: Study) -> list[str]:
    notes = []
    broken = sum("\n" in (answer.text or "") for answer in study.answers)
    if broken:
        verb = "is" if broken == 1 else "are"
        notes.append(f"{count_of(broken, 'answer')} of several lines {verb} one line there.")
    more = sum(len(case.references) > 1 for case in study.cases)
    if more:
        notes.append(f"not carried over: the further references of {count_of(more, 'case')}.")
    unread = study.answers.tally.not_held.total()
    if unread:
        text = count_of(unread, "answer")
        notes.append(f"{text} with a text that is not held: {NO_TEXT} stands in its place.")
    if study.config.privacy.texts != "full":
        notes.append(f'[privacy] texts = "{study.config.privacy.texts}": no texts were written.')
    if study.config.synthetic:
        notes.append("The study is made up. These files have no place to say so: say it yourself.")
    return notes


def _add_people(
    study: Study, systems: Sequence[str], tables: dict[str, _Scores], notes: list[str]
) -> None:
    rows = study.judgements.in_phases()
    for dimension in study.rubric.dimensions:
        mine = rows.filter(dimension=dimension.id)
        if not mine.height:
            continue
        if dimension.about != "answer":
            notes.append(
                f"not carried over: {dimension.id}, which is about each {dimension.about}."
            )
            continue
        if not dimension.scored:
            notes.append(f"not carried over: {dimension.id}, whose labels have no scores.")
            continue
        of = dict(zip(dimension.names, dimension.scores or (), strict=True))
        by_rater: dict[str, dict[tuple[str, str], float]] = {}
        column = dimension.column
        ours = mine.filter(sample=0).select("rater", "system", "case", column).drop_nulls(column)
        for rater, system, case, value in ours.sort("rater", "system", "case").iter_rows():
            by_rater.setdefault(rater, {})[system, case] = of[value] if of else value
        _add_dimension(study, systems, dimension, by_rater, tables)
        reasons = mine["reason"].count()
        if reasons:
            notes.append(
                f"not carried over: {count_of(reasons, 'reason')} for having no label of "
                f"{dimension.id}; they are None there."
            )
    comments = rows["comment"].count()
    if comments:
        notes.append(f"not carried over: {count_of(comments, 'comment')}.")


def _add_dimension(
    study: Study,
    systems: Sequence[str],
    dimension: Dimension,
    by_rater: Mapping[str, Mapping[tuple[str, str], float]],
    tables: dict[str, _Scores],
) -> None:
    stem = f"human-scores/{_PAIR}.{dimension.id}"
    cases = [case.case for case in study.cases]
    tables[stem] = {
        system: [
            _mean([of[system, case] for of in by_rater.values() if (system, case) in of])
            for case in cases
        ]
        for system in systems
    }
    for rater, of in by_rater.items():
        tables[f"{stem}.{rater}"] = {
            system: [of.get((system, case)) for case in cases] for system in systems
        }


def _add_metrics(
    study: Study,
    scored: Scored,
    systems: Sequence[str],
    tables: dict[str, _Scores],
    notes: list[str],
) -> None:
    cases = [case.case for case in study.cases]
    asked = study.asked.mask_of_some(systems, cases)
    columns = [scored.table, *(imported.table for imported in study.imported)]
    against = {str(metric.name): "ref" in metric.arguments for metric in scored.metrics}
    for table in columns:
        for source in table.sources:
            grid = table.grid(source, systems, cases, asked)
            if grid.asked is not None and not grid.missing.any():
                notes.append(
                    f"not carried over: {source}, since not every system was asked every case. "
                    "A metric there has a score of all or of none."
                )
                continue
            missing = int(grid.missing.sum())
            if missing:
                notes.append(
                    f"not carried over: {source}, which has no score for {missing} of "
                    f"{missing + int(grid.known.sum())} answers. A metric there has all or none."
                )
                continue
            reference = _REFERENCE if against.get(source, False) else "src"
            tables[f"metric-scores/{_PAIR}/{source}-{reference}"] = {
                system: [float(value) for value in grid.values[i]]
                for i, system in enumerate(systems)
            }


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
