"""TREC's runs and qrels, into a study and out of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from medassay.answers import Answer, Answers, Retrieved
from medassay.cases import Case, Document, read_cases, write_cases
from medassay.errors import InvalidInput, Problem, UnknownName, nearest
from medassay.exchange.trec.files import (
    read_trec_qrels,
    read_trec_run,
    write_trec_qrels,
    write_trec_run,
)
from medassay.study.files.names import table_file
from medassay.study.files.placed import refuse_at_urls
from medassay.study.folder import Study
from medassay.study.intake.answers import add_answers, new_answers
from medassay.study.intake.judgements import ImportSummary

_HIGHEST: Final = 10_000
"""Retrieval is scored up to this grade: above it a gain is no grade that people give."""

__all__ = ["export_trec_qrels", "export_trec_run", "import_trec_qrels", "import_trec_runs"]


def import_trec_runs(
    study: Study, files: Sequence[Path], system: str | None = None
) -> ImportSummary:
    """Take runs as the answers of systems, each called after its file: a ranking for each topic.

    Nothing is written where any file has a problem.

    Args:
        study: The study.
        files: The runs.
        system: What the system of a single run is called.

    Raises:
        InvalidInput: Every problem of every file: also a topic that is no case, other answers of
            the system, and two files of one name.
    """
    called = _called(files, system)
    problems: list[Problem] = []
    notes: list[Problem] = []
    answers: list[Answer] = []
    topics: dict[str, None] = {}
    for file, name in zip(files, called, strict=True):
        try:
            run = read_trec_run(file)
            _refuse_third_party(study, file, run.rankings)
            from_run = Answers.of(_answers_of(run.rankings, name))
            new_answers(study, from_run, file.name)
        except InvalidInput as error:
            problems += error.problems
            continue
        answers += from_run
        notes += run.notes
        topics |= dict.fromkeys(run.rankings)
    if problems:
        raise InvalidInput(problems)
    shown = files[0].name if len(files) == 1 else f"{len(files)} runs"
    taken = add_answers(study, Answers.of(answers), shown)
    ungraded = [
        topic
        for topic in topics
        if not any(document.grade is not None for document in study.cases[topic].documents)
    ]
    if ungraded:
        got = f"none for {len(ungraded)} of {len(topics)}, {ungraded[0]} first"
        hint = "Retrieval is not scored there; add them with: medassay import --from trec-qrels."
        notes.append(Problem(shown, "have judgements for its topics", got, hint))
    taken.notes.extend(map(str, _together(notes)))
    return taken


def _called(files: Sequence[Path], system: str | None) -> list[str]:
    """Name the system of each run.

    Raises:
        InvalidInput: One name for several runs, or two runs of one name.
    """
    if system:
        if len(files) > 1:
            must, hint = "name the system of one run", "Without it each is called after its file."
            got = f'"{system}" for {len(files)} runs'
            raise InvalidInput(Problem("--system", must, got, hint))
        return [system]
    first: dict[str, Path] = {}
    problems = [
        Problem(str(file), "have a name of its own, which its system is called by",
                f'"{file.stem}", as {first[file.stem]} has', "Import it alone, with --system.")
        for file in files
        if first.setdefault(file.stem, file) is not file
    ]  # fmt: skip
    if problems:
        raise InvalidInput(problems)
    return [file.stem for file in files]


def _answers_of(rankings: Mapping[str, Sequence[tuple[str, float]]], system: str) -> list[Answer]:
    return [
        Answer(
            system=system,
            case=topic,
            retrieved=tuple(Retrieved(document=d, score=score) for d, score in ranking),
        )
        for topic, ranking in rankings.items()
    ]


def _together(notes: Sequence[Problem]) -> list[Problem]:
    """Say once what is odd about many files, with the first of them."""
    of_kind: dict[str, list[Problem]] = {}
    for note in notes:
        of_kind.setdefault(note.must, []).append(note)
    return [
        same[0]
        if len(same) == 1
        else replace(same[0], file=f"{len(same)} runs", got=f"{same[0].got}, in {same[0].file}")
        for same in of_kind.values()
    ]


def import_trec_qrels(study: Study, file: Path) -> ImportSummary:
    """Take grades as those of the cases' documents; grades that are there already stay.

    Raises:
        InvalidInput: A problem of the file, a topic that is no case, or another grade of a
            document.
    """
    study.require_whole()
    refuse_at_urls(study.path, "cases")
    grades = read_trec_qrels(file)
    _refuse_third_party(study, file, grades)
    path = table_file(study.path, "cases")
    if path is None:
        raise InvalidInput(Problem("cases", "be a file of the study", "nothing there"))
    problems: list[Problem] = []
    added = 0
    records = []
    # Read anew: the study's own cases hold the texts of documents.jsonl too.
    for case in read_cases(path):
        new = grades.get(case.case, {})
        known = {document.id: document.grade for document in case.documents}
        problems += [
            Problem(
                file.name,
                "not change a grade that the study has",
                f'{grade} for "{name}" of {case.case}, not {known[name]:g}',
            )
            for name, grade in new.items()
            if known.get(name) not in {None, grade}
        ]
        added += sum(known.get(name) is None for name in new)
        records.append(_graded(case, new))
    if problems:
        raise InvalidInput(problems)
    total = sum(map(len, grades.values()))
    if added:
        write_cases(path, records)
    taken = ImportSummary("grades", added, total - added, [path.name] if added else [])
    taken.notes.extend(map(str, _too_high(file.name, grades)))
    return taken


def _too_high(file: str, grades: Mapping[str, Mapping[str, int]]) -> list[Problem]:
    """Say which cases will have no retrieval scores; the grades are kept, for the file has them."""
    too_high = [
        (topic, document, grade)
        for topic, graded in grades.items()
        for document, grade in graded.items()
        if grade > _HIGHEST
    ]
    if not too_high:
        return []
    topic, document, grade = too_high[0]
    must = f"have grades of at most {_HIGHEST:,}"
    got = f'{len(too_high):,} above, {grade} for "{document}" of {topic} first'
    return [Problem(file, must, got, "Their cases have no retrieval scores; is it another column?")]


def export_trec_run(study: Study, system: str, path: Path) -> int:
    """Write a system's rankings as a run, and say how many.

    A ranking without scores gets falling whole numbers, so that its order stays.
    """
    if system not in study.answers.systems:
        raise UnknownName("system", system, study.answers.systems)
    rankings = {}
    for answer in study.answers:
        if answer.system != system or not answer.retrieved:
            continue
        retrieved_documents = answer.retrieved
        scored = [
            (retrieved.document, retrieved.score)
            for retrieved in retrieved_documents
            if retrieved.score is not None
        ]
        if len(scored) < len(retrieved_documents):
            scored = [
                (retrieved.document, float(len(retrieved_documents) - i))
                for i, retrieved in enumerate(retrieved_documents)
            ]
        rankings[answer.case] = scored
    if not rankings:
        must = "have rankings of the system"
        raise InvalidInput(Problem(str(study.path), must, f'none of "{system}"'))
    write_trec_run(path, rankings, system)
    return len(rankings)


def export_trec_qrels(study: Study, path: Path) -> int:
    """Write the cases' grades as qrels, and say how many cases have any."""
    grades = {
        case.case: {
            document.id: document.grade for document in case.documents if document.grade is not None
        }
        for case in study.cases
    }
    graded_cases = {name: graded for name, graded in grades.items() if graded}
    must = "have whole numbers as grades, as TREC's files do"
    problems = [
        Problem("cases", must, f'{grade:g} for "{document}" of {name}')
        for name, graded in graded_cases.items()
        for document, grade in graded.items()
        if not grade.is_integer()
    ]
    if not graded_cases:
        problems.append(Problem("cases", "have documents with grades", "none"))
    if problems:
        raise InvalidInput(problems)
    whole = {
        name: {d: int(grade) for d, grade in graded.items()}
        for name, graded in graded_cases.items()
    }
    write_trec_qrels(path, whole)
    return len(graded_cases)


def _graded(case: Case, grades: Mapping[str, int]) -> Case:
    own = [
        document.model_copy(update={"grade": float(grades[document.id])})
        if document.id in grades
        else document
        for document in case.documents
    ]
    listed = {document.id for document in own}
    more = [Document(id=name, grade=g) for name, g in grades.items() if name not in listed]
    return case.model_copy(update={"documents": (*own, *more)})


def _refuse_third_party(study: Study, file: Path, topics: Mapping[str, object]) -> None:
    problems = [
        Problem(file.name, "name cases of the study as topics", f'"{topic}"',
                nearest(topic, study.cases.ids))
        for topic in topics
        if topic not in study.cases
    ]  # fmt: skip
    if problems:
        raise InvalidInput(problems)
