"""A study's answers, scores and ratings as logs of Inspect."""

from pathlib import Path

from medassay.answers import Answer
from medassay.campaign.rating_sheet import SYNTHETIC
from medassay.errors import InvalidInput, Problem
from medassay.exchange.inspect.write import LoggedSample, LoggedScore, inspect_log, inspect_ratings
from medassay.exchange.other_tools.declaring import WrittenFiles
from medassay.study.folder import Study
from medassay.study.scoring.score_study import Scored
from medassay.tables import file_stems, printable, write_atomically
from medassay.text import count_of


def export_inspect(study: Study, scored: Scored, folder: Path) -> WrittenFiles:
    """Write a log of each system, and files of precomputed scores of what its raters said.

    A dimension's score is the list of its raters' labels, as numbers where the labels have scores;
    the metadata name the raters and the labels. `krippendorff_alpha` of Inspect reads such lists.

    Raises:
        InvalidInput: The folder is there, or the study has no answers.
    """
    if folder.exists():
        hint = "Give another name; it was left as it is."
        raise InvalidInput(Problem("--into", "be a new folder", f"{folder}, which exists", hint))
    if not len(study.answers):
        raise InvalidInput(Problem("the study", "have answers", "none"))
    scores = _scores(study, scored)
    task = study.config.title or printable(study.path.resolve().name)
    notes: dict[str, object] = {"from": "medassay"}
    if study.config.synthetic:
        notes["synthetic"] = SYNTHETIC
    contents: dict[str, bytes] = {}
    stems, rated = file_stems(study.answers.systems), file_stems(study.rubric.ids)
    for system, stem in stems.items():
        samples = _samples(study, system, scores)
        contents[f"{stem}.json"] = inspect_log(task, system, samples, notes=notes)
        for name in study.rubric.ids:
            if any(name in sample.scores for sample in samples):
                contents[f"ratings/{stem}.{rated[name]}.json"] = inspect_ratings(samples, name)
    for name, content in contents.items():
        write_atomically(folder / name, content)
    files = [str(folder / name) for name in contents]
    counts = {"system": len(study.answers.systems), "answer": len(study.answers)}
    return WrittenFiles(counts, files, _notes(study))


_Scores = dict[tuple[str, str], dict[str, LoggedScore]]


def _scores(study: Study, scored: Scored) -> _Scores:
    by_sample: _Scores = {}
    for table in (scored.table, *(imported.table for imported in study.imported)):
        columns = table.frame.select("system", "case", "source", "value", "reason", "detail")
        for system, case, source, value, reason, detail in columns.iter_rows():
            why = ": ".join(word for word in (reason, detail) if word)
            by_sample.setdefault((system, case), {})[source] = LoggedScore(value, why)
    rated: dict[tuple[str, str], dict[str, list[tuple[str, str, str, str]]]] = {}
    rows = study.everyone.in_phases().sort("rater")
    columns = rows.select("system", "case", "dimension", "rater", "rater_kind", "label", "reason")
    for system, case, dimension, rater, kind, label, reason in columns.iter_rows():
        of = rated.setdefault((system, case), {}).setdefault(dimension, [])
        of.append((rater, kind, label or "", reason or ""))
    for key, dimensions in rated.items():
        for name, labels in dimensions.items():
            by_sample.setdefault(key, {})[name] = _ratings(study, key[0], name, labels)
    return by_sample


def _ratings(
    study: Study, system: str, name: str, lines: list[tuple[str, str, str, str]]
) -> LoggedScore:
    dimension = study.rubric.dimension(name)
    of = dict(zip(dimension.names, dimension.scores, strict=True)) if dimension.scores else {}
    # A rater who could not judge has no rating; the metadata still say so.
    values = [of.get(label, label) for *_, label, _ in lines if label]
    facts = {
        "dimension": name,
        "system": system,
        "raters": [rater for rater, *_ in lines],
        "kinds": [kind for _, kind, *_ in lines],
        "labels": [label or reason for *_, label, reason in lines],
    }
    return LoggedScore(values, metadata=facts)


def _samples(study: Study, system: str, scores: _Scores) -> list[LoggedSample]:
    allowed = study.config.privacy.texts
    full = allowed == "full"
    samples = []
    for case in study.cases:
        answer = study.answers.get(system, case.case)
        if answer is None:
            continue
        samples.append(
            LoggedSample(
                case.case,
                (case.prompt or case.narrative or "") if full else "",
                [reference.text for reference in case.references] if full else [],
                _output(answer) if full else "",
                scores.get((system, case.case), {}),
                answer.seconds,
            )
        )
    return samples


def _output(answer: Answer) -> str | None:
    said = answer.text or answer.choice
    return said if said is not None or not answer.held else ""


def _notes(study: Study) -> list[str]:
    notes = []
    if unread := study.answers.tally.not_held.total():
        notes.append(
            f"not carried over: the text of {count_of(unread, 'answer')}, which is not held."
        )
    lost = sum(map(study.missing, study.answers.systems))
    if lost:
        notes.append(f"not carried over: {count_of(lost, 'answer')} never given.")
    cited = sum(bool(answer.citations) for answer in study.answers)
    rankings = sum(bool(answer.retrieved) for answer in study.answers)
    for count, what in ((cited, "citations"), (rankings, "rankings")):
        if count:
            notes.append(f"not carried over: the {what} of {count_of(count, 'answer')}.")
    comments = study.everyone.in_phases()["comment"].count()
    if comments:
        notes.append(f"not carried over: {count_of(comments, 'comment')}.")
    others = len(study.everyone.current()) - len(study.everyone.in_phases())
    if others:
        notes.append(
            f"not carried over: {count_of(others, 'judgement')} of phases that do not count."
        )
    if study.config.privacy.texts != "full":
        notes.append(f'[privacy] texts = "{study.config.privacy.texts}": no texts were written.')
    return notes
