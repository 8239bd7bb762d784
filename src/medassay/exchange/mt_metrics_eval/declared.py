"""The files of scores of mt-metrics-eval, the WMT metrics task's: in and out."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Final, Literal

from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Format, Glimpse, Option, Reads, Writes
from medassay.exchange.other_tools.declaring import WrittenFiles, describe_left_behind, told
from medassay.exchange.outcome import Outcome
from medassay.judgements import Dimension
from medassay.scores import Name
from medassay.study import Scored, Study
from medassay.study.contents.metric_scores import Meaning
from medassay.study.intake.judgements import ImportSummary, add_judgements, add_scores
from medassay.tables import (
    Sheet,
    decimal,
    decode,
    file_bytes,
    folder_problem,
    is_there,
    text_bytes,
    write_atomically,
)
from medassay.text import count_of

NO_TEXT: Final = "[No translation supplied]"
"""How these files say that there is no text."""
_HUMAN: Final = re.compile(r"(?P<pair>[^.-]+-[^.-]+)\.(?P<name>.+)\.(?P<level>\w+)\.score")
_METRIC: Final = re.compile(r"(?P<name>.+)-(?P<ref>[^-]+)\.(?P<level>\w+)\.score")
_PAIR: Final = re.compile(r"[a-z]{2,3}-[a-z]{2,3}[.]")
_LEVELS: Final = ("seg", "sys", "doc", "domain")
_OTHERS: Final = {
    ".rating": "files of error spans (.rating)",
    ".txt": "files of texts: sources, references and outputs",
}


@dataclass(frozen=True)
class SegmentScores:
    """One file of scores of segments.

    Attributes:
        file: The file, as messages call it.
        kind: Whether people or a metric gave them.
        name: What gave them, such as `mqm` or `BLEU`.
        references: What a metric read, such as `refA`, `src` or `all`; empty for people.
        scores: System to its scores in the order of the segments; None where there is none.
    """

    file: str
    kind: Literal["human", "metric"]
    name: str
    references: str
    scores: Mapping[str, Sequence[float | None]]


@dataclass
class SegmentFiles:
    """What files or a folder of mt-metrics-eval hold.

    Attributes:
        scores: The files of scores of segments.
        segments: The names of the segments, where each is a document of its own; empty where they
            have none.
        left: What is not carried over, to how often it occurs.
    """

    scores: list[SegmentScores] = field(default_factory=list)
    segments: list[str] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)


def read_mt_metrics_eval(paths: Sequence[Path], pair: str | None = None) -> SegmentFiles:
    """Read score files, or the folder of a test set with its `human-scores` and `metric-scores`.

    Args:
        paths: Files that end in `.seg.score`, or a test set's folder.
        pair: The language pair, such as `en-de`, where a folder has several.

    Raises:
        InvalidInput: Every problem of every file.
    """
    problems: list[Problem] = []
    segment_files = SegmentFiles()
    for path in paths:
        try:
            if path.is_dir():
                _read_folder(segment_files, path, pair, problems)
            else:
                _read_file(segment_files, path, path.name, problems)
        except InvalidInput as error:
            problems += error.problems
    if not problems and not segment_files.scores:
        must, got = "hold scores of segments, in files that end in .seg.score", "none"
        problems.append(Problem(", ".join(map(str, paths)), must, got))
    if problems:
        raise InvalidInput(problems)
    return segment_files


def write_score_file(path: Path, scores: Mapping[str, Sequence[float | None]]) -> None:
    """Write scores, one block a system; None becomes the word None, which only people's may be."""
    lines = [
        f"{system}\t{'None' if value is None else repr(float(value))}"
        for system, values in scores.items()
        for value in values
    ]
    write_lines(path, lines)


def write_lines(path: Path, lines: Sequence[str]) -> None:
    """Write a text a line; a text of several lines becomes one, since a line is a segment."""
    flat = (" ".join(line.split()) if "\n" in line or "\r" in line else line for line in lines)
    write_atomically(path, text_bytes("".join(f"{line}\n" for line in flat)))


def _read_folder(
    segment_files: SegmentFiles, folder: Path, pair: str | None, problems: list[Problem]
) -> None:
    for name in ("human-scores", "metric-scores"):
        lost = folder_problem(folder / name, name) if is_there(folder / name) else None
        if lost is not None:
            problems.append(lost)
    human = sorted((folder / "human-scores").glob("*.score"))
    metrics = sorted((folder / "metric-scores").glob("*/*.score"))
    pairs = {path.name.partition(".")[0] for path in human} | {file.parent.name for file in metrics}
    if pair is None and len(pairs) > 1:
        must, hint = "hold one language pair", f"Choose one: --pair {min(pairs)}."
        problems.append(Problem(str(folder), must, ", ".join(sorted(pairs)), hint))
        return
    chosen = pair if pair is not None else next(iter(pairs), "")
    if chosen not in pairs:
        known = ", ".join(sorted(pairs)) or "no scores"
        problems.append(Problem(str(folder), f'hold scores of the pair "{chosen}"', known))
        return
    mine = [path for path in human if path.name.startswith(f"{chosen}.")]
    mine += [path for path in metrics if path.parent.name == chosen]
    for path in mine:
        try:
            _read_file(segment_files, path, path.relative_to(folder).as_posix(), problems)
        except InvalidInput as error:
            problems += error.problems
    documents = folder / "documents" / f"{chosen}.docs"
    if is_there(documents):
        segment_files.segments = _segments(documents)
    for path in sorted(folder.rglob("*")):
        if path.suffix in _OTHERS:
            segment_files.left[_OTHERS[path.suffix]] += 1


def _segments(documents: Path) -> list[str]:
    text, _ = decode(file_bytes(documents, documents.name), documents.name)
    names = [line.split()[-1] for line in text.splitlines() if line.split()]
    return names if len(set(names)) == len(names) else []


def _read_file(
    segment_files: SegmentFiles, path: Path, shown: str, problems: list[Problem]
) -> None:
    # Of a file on its own the name tells: people's begins with a language pair.
    above = {path.parent.name, path.parent.parent.name}
    human = "human-scores" in above or (
        "metric-scores" not in above and _PAIR.match(path.name) is not None
    )
    parts = (_HUMAN if human else _METRIC).fullmatch(path.name)
    if parts is None or parts["level"] not in _LEVELS:
        must = "be called NAME-REF.seg.score, or SRC-TGT.NAME.seg.score for people's scores"
        problems.append(Problem(shown, must, f'"{path.name}"'))
        return
    if parts["level"] != "seg":
        segment_files.left[f"files of scores of the level {parts['level']}"] += 1
        return
    scores = _scores(path, shown, human=human, problems=problems)
    lengths = {len(values) for values in scores.values()}
    if len(lengths) > 1:
        got = ", ".join(f"{len(values)} of {name}" for name, values in scores.items())
        problems.append(Problem(shown, "hold as many scores of each system", got))
        return
    references = "" if human else parts["ref"]
    kind: Literal["human", "metric"] = "human" if human else "metric"
    segment_files.scores.append(SegmentScores(shown, kind, parts["name"], references, scores))


def _scores(
    path: Path, shown: str, *, human: bool, problems: list[Problem]
) -> dict[str, list[float | None]]:
    text, _ = decode(file_bytes(path, shown), shown)
    scores: dict[str, list[float | None]] = {}
    for row, line in enumerate(text.splitlines(), start=1):
        cells = line.split()
        if not cells:
            continue
        if len(cells) != 2:  # noqa: PLR2004 - a system and its score
            problems.append(
                Problem(shown, "be a line of SYSTEM SCORE", count_of(len(cells), "word"), "", row)
            )
            continue
        system, word = cells
        value = decimal(word)
        if value is None and not (human and word == "None"):
            hint = "Only people's scores may be missing." if word == "None" else ""
            problems.append(Problem(shown, "have a number as score", f'"{word}"', hint, row))
            continue
        scores.setdefault(system, []).append(value)
    return scores


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


_WRITTEN_PAIR: Final = "en-en"
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
        problems.append(Problem("--into", "be a new folder", f"{folder}, which exists", hint))
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
    asked = [(case.prompt or case.narrative or "") if full else "" for case in study.cases]
    experts = [case.references[0].text if case.references else None for case in study.cases]
    files: dict[str, Sequence[str]] = {
        f"documents/{_WRITTEN_PAIR}.docs": [f"all {name}" for name in names],
        f"sources/{_WRITTEN_PAIR}.txt": asked,
        f"references/{_WRITTEN_PAIR}.{_REFERENCE}.txt": [
            expert if full and expert is not None else NO_TEXT for expert in experts
        ],
    }
    for system in systems:
        answers = [study.answers.get(system, case.case) for case in study.cases]
        files[f"system-outputs/{_WRITTEN_PAIR}/{system}.txt"] = [
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
    stem = f"human-scores/{_WRITTEN_PAIR}.{dimension.id}"
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
            tables[f"metric-scores/{_WRITTEN_PAIR}/{source}-{reference}"] = {
                system: [float(value) for value in grid.values[i]]
                for i, system in enumerate(systems)
            }


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _take(
    study: Study,
    files: Sequence[Path],
    *,
    pair: Annotated[str | None, Option("The language pair, where the folder has several.")] = None,
    name: Annotated[
        str, Option("What the table of scores is called in the study.")
    ] = "mt-metrics-eval",
) -> Outcome:
    return Outcome.of(*import_mt_metrics_eval(study, files, pair, name))


def _give(study: Study, scored: Scored, into: Path) -> Outcome:
    return told(export_mt_metrics_eval(study, scored, into))


def _is_one(seen: Glimpse) -> bool:
    return seen.holds("*.seg.score") or seen.path.name.endswith(".seg.score")


MT_METRICS_EVAL: Final = Format(
    id="mt-metrics-eval",
    title="mt-metrics-eval",
    reads=Reads(
        about="mt-metrics-eval: scores by segment, each a case.",
        files="Files that end in .seg.score, or a test set's folder.",
        is_one=_is_one,
        take=_take,
    ),
    writes=Writes(
        about="mt-metrics-eval: a test set with every metric's and every rater's scores.",
        into="A new folder for the files.",
        metavar="FOLDER",
        give=_give,
    ),
)
