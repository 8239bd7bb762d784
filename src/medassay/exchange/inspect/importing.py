"""Inspect's logs as answers, scores and judgements of a study."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from medassay.answers import Answer, Answers
from medassay.campaign.reading import read_label
from medassay.errors import InvalidInput, Problem, nearest
from medassay.exchange.inspect.log import InspectLog, InspectSample, InspectScore, read_inspect
from medassay.exchange.other_tools.declaring import describe_left_behind
from medassay.scores import Name
from medassay.study.contents.metric_scores import Meaning
from medassay.study.folder import Study
from medassay.study.intake.answers import add_answers
from medassay.study.intake.judgements import ImportSummary, add_judgements, add_scores
from medassay.tables import Sheet, finite

_WORDS: Final = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0,
                 "false": 0.0}  # fmt: skip
"""The words that Inspect itself counts as numbers."""
_Key = tuple[str, str, str]


@dataclass(frozen=True)
class LogWishes:
    """What is to be made of logs.

    Attributes:
        system: What the system is called; None: as the log calls its model.
        rater: Whose labels scores are that are called after a dimension; None: they are scores.
        kind: What that rater is.
        name: What the table of scores is called in the study.
    """

    system: str | None = None
    rater: str | None = None
    kind: str = "model"
    name: str = "inspect"


@dataclass
class _Found:
    """What logs hold, put together."""

    answers: dict[tuple[str, str], Answer] = field(default_factory=dict)
    met: set[tuple[str, str]] = field(default_factory=set)
    values: dict[_Key, list[tuple[float | None, str]]] = field(default_factory=dict)
    labels: list[dict[str, object]] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)
    worded: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)


def import_inspect(study: Study, paths: Sequence[Path], wishes: LogWishes) -> list[ImportSummary]:
    """Take what models answered in Inspect, and what scorers and raters said of it.

    A sample is a case by its id, the log's model a system. A scorer becomes a column of scores;
    over several epochs the mean of those that have one. A score whose metadata holds `raters` and
    `labels`, and that is called after a dimension, becomes these raters' judgements.

    Args:
        study: The study.
        paths: Logs as `.eval` or `.json`, or files of precomputed scores.
        wishes: What is to be made of them.

    Raises:
        InvalidInput: Every problem of every file; nothing was written then.
        MissingBackend: A log is compressed in a way that cannot be read here.
    """
    logged = _Found()
    for path in paths:
        try:
            _add_log(study, logged, read_inspect(path), wishes)
        except InvalidInput as error:
            logged.problems += error.problems
    if logged.problems:
        raise InvalidInput(logged.problems)
    return _write(study, logged, wishes)


def _add_log(study: Study, logged: _Found, log: InspectLog, wishes: LogWishes) -> None:
    if log.status != "success":
        logged.left[f"logs that ended as {log.status}; their samples were taken"] += 1
    for sample in log.samples:
        if sample.case not in study.cases:
            must, hint = "be of a case of the study", nearest(sample.case, study.cases.ids)
            got = f'"{sample.case}"'
            logged.problems.append(Problem(log.file, must, got, hint, sample.place, "id"))
            continue
        if sample.failed:
            logged.left["samples that ended in an error"] += 1
            continue
        for scorer, score in sample.scores.items():
            _add_score(study, logged, (log, sample), (scorer, score), wishes)
        if sample.text is not None:
            _add_answer(study, logged, log, sample, wishes.system or log.model)


def _add_answer(
    study: Study, logged: _Found, log: InspectLog, inspect_sample: InspectSample, system: str
) -> None:
    key = (system, inspect_sample.case)
    if key in logged.met:
        logged.left["answers of further epochs"] += 1
        return
    logged.met.add(key)
    ours = study.answers.get(*key)
    if ours is None or not ours.held:
        logged.answers[key] = Answer(
            system=system,
            case=inspect_sample.case,
            text=inspect_sample.text,
            seconds=inspect_sample.seconds,
        )
    elif ours.text is not None and ours.text != inspect_sample.text:
        must, hint = "not replace an answer that the study has", "Remove the old one first."
        got = f'another answer of "{system}" to "{inspect_sample.case}"'
        logged.problems.append(Problem(log.file, must, got, hint, inspect_sample.place, "output"))


def _add_score(
    study: Study,
    logged: _Found,
    there: tuple[InspectLog, InspectSample],
    scored: tuple[str, InspectScore],
    wishes: LogWishes,
) -> None:
    (log, inspect_sample), (scorer, score) = there, scored
    facts = score.metadata or {}
    system = wishes.system or log.model or str(facts.get("system", ""))
    if not system:
        hint = "Say --system NAME: precomputed scores do not."
        logged.problems.append(
            Problem(log.file, "be of a system", "none", hint, inspect_sample.place)
        )
        return
    logged.left["explanations of scores"] += bool(score.explanation)
    dimension = str(facts.get("dimension", scorer))
    if dimension in study.rubric.ids and isinstance(facts.get("raters"), list):
        _add_labels(study, logged, there, (dimension, system), facts)
        return
    if dimension in study.rubric.ids and wishes.rater is not None:
        rated = {"raters": [wishes.rater], "labels": [score.value], "kinds": [wishes.kind]}
        _add_labels(study, logged, there, (dimension, system), rated)
        return
    if isinstance(score.value, list):
        logged.left[f"lists of ratings by {scorer} that name no raters"] += 1
        return
    parts = score.value if isinstance(score.value, dict) else {"": score.value}
    for part, value in parts.items():
        source = f"{scorer}.{part}" if part else scorer
        number = _number(value)
        if number is None and isinstance(value, str):
            logged.left[f"words of {source} that are no numbers, such as {value[:40]}"] += 1
            continue
        if isinstance(value, str):
            logged.worded.add(source)
        logged.values.setdefault((system, inspect_sample.case, source), []).append(
            (number, score.reason or "")
        )


def _number(value: object) -> float | None:
    """Read a value as Inspect does; what it would count as 0 for want of a meaning is None."""
    if isinstance(value, str):
        if value in _WORDS or value.lower() in _WORDS:
            return _WORDS.get(value, _WORDS.get(value.lower()))
        try:
            value = float(value)
        except ValueError:
            return None
    return finite(value) if isinstance(value, bool | int | float) else None


def _add_labels(
    study: Study,
    logged: _Found,
    there: tuple[InspectLog, InspectSample],
    asked: tuple[str, str],
    facts: Mapping[str, object],
) -> None:
    log, inspect_sample = there
    dimension = study.rubric.dimension(asked[0])
    raters, labels = facts["raters"], facts.get("labels")
    if not (isinstance(raters, list) and isinstance(labels, list) and len(raters) == len(labels)):
        must, got = "have a label of each rater in its metadata", "lists of two lengths, or none"
        logged.problems.append(Problem(log.file, must, got, "", inspect_sample.place, dimension.id))
        return
    kinds = facts.get("kinds")
    listed = kinds if isinstance(kinds, list) and len(kinds) == len(raters) else []
    for i, (rater, label) in enumerate(zip(raters, labels, strict=True)):
        word = f"{label:g}" if isinstance(label, float) else str(label)
        label_or_hint = read_label(word, dimension)
        if isinstance(label_or_hint, str):
            must = f"be one of {', '.join(dimension.names)}"
            got = f'"{word}" of {rater}'
            logged.problems.append(
                Problem(log.file, must, got, label_or_hint, inspect_sample.place, dimension.id)
            )
            continue
        logged.labels.append(
            {
                "rater": str(rater),
                "rater_kind": listed[i] if listed else "person",
                "system": asked[1],
                "case": inspect_sample.case,
                "dimension": dimension.id,
                "label": label_or_hint[0],
                "reason": label_or_hint[1],
            }
        )


def _write(study: Study, logged: _Found, wishes: LogWishes) -> list[ImportSummary]:
    rows, repeated = _rows(logged)
    _refuse_wrong_names(rows)
    _refuse_what_cannot_follow(study, logged, rows)
    file = Path(f"{wishes.name}.csv")
    after = {answer.key: answer for answer in (*study.answers, *logged.answers.values())}
    ahead = replace(study, answers=Answers.of(after.values()))
    # Everything is checked before anything is written.
    if rows:
        add_scores(ahead, _sheet(rows), file, wishes.name, Meaning(), dry_run=True)
    if logged.labels:
        add_judgements(ahead, _sheet(logged.labels), dry_run=True)
    done = []
    if logged.answers:
        done.append(add_answers(study, Answers.of(logged.answers.values()), "the logs"))
    if rows:
        done.append(add_scores(ahead, _sheet(rows), file, wishes.name, Meaning()))
    if logged.labels:
        done.append(add_judgements(ahead, _sheet(logged.labels)))
    if not done:
        must, got = "hold answers, scores or ratings", "none that the study lacks or can hold"
        raise InvalidInput(Problem("the logs", must, got))
    notes = describe_left_behind(logged.left)
    if logged.worded:
        words = ", ".join(sorted(logged.worded))
        notes.append(f"words were read as numbers, as Inspect reads them, C as 1, I as 0: {words}.")
    if repeated:
        notes.append(f"{repeated} scores are means over the epochs that have one.")
    return [*done[:-1], replace(done[-1], notes=[*done[-1].notes, *notes])]


def _rows(logged: _Found) -> tuple[list[dict[str, object]], int]:
    rows: list[dict[str, object]] = []
    repeated = 0
    for (system, case, source), values in logged.values.items():
        known = [value for value, _ in values if value is not None]
        repeated += len(values) > 1
        mean = math.fsum(known) / len(known) if known else None
        why = "" if known else "; ".join(dict.fromkeys(reason for _, reason in values if reason))
        rows.append(
            {"system": system, "case": case, "source": source, "value": mean, "detail": why or None}
        )
    return rows, repeated


def _refuse_wrong_names(rows: Sequence[Mapping[str, object]]) -> None:
    problems: list[Problem] = []
    for source in dict.fromkeys(str(row["source"]) for row in rows):
        try:
            Name.parse(source)
        except InvalidInput as error:
            problems += [replace(problem, file="the logs") for problem in error.problems]
    if problems:
        raise InvalidInput(problems)


def _refuse_what_cannot_follow(
    study: Study, logged: _Found, rows: Sequence[Mapping[str, object]]
) -> None:
    """Refuse systems of scores and labels that nobody knows, before the answers are written."""
    known = {*study.systems, *(system for system, _ in logged.answers)}
    named = dict.fromkeys(str(row["system"]) for row in [*rows, *logged.labels])
    strange = [name for name in named if known and name not in known]
    if strange:
        must = "be of a system of the study"
        raise InvalidInput(
            Problem("the logs", must, f'"{name}"', nearest(name, known)) for name in strange
        )


def _sheet(rows: Sequence[Mapping[str, object]]) -> Sheet:
    names = list(rows[0])
    columns = {name: [row[name] for row in rows] for name in names}
    return Sheet("the logs", list(range(1, len(rows) + 1)), columns)
