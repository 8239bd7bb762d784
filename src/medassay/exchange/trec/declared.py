"""TREC's two files, into a study and out of it: runs (what was retrieved) and qrels."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Final

from medassay.answers import Answer, Answers, Retrieved
from medassay.cases import Case, Document, read_cases, write_cases
from medassay.errors import InvalidInput, Problem, UnknownName, nearest
from medassay.exchange.declaration import Format, Glimpse, Option, Reads, Writes
from medassay.exchange.entrusted import Full, refuse_old, refuse_unasked
from medassay.exchange.outcome import Outcome
from medassay.study import Study
from medassay.study.files.names import table_file
from medassay.study.files.placed import refuse_at_urls
from medassay.study.intake.answers import add_answers, new_answers
from medassay.study.intake.judgements import ImportSummary
from medassay.tables import decimal, decode, file_bytes, number_hint, text_bytes, write_atomically
from medassay.text import count_of, plural

_RUN: Final = ("topic", "Q0", "document", "rank", "score", "tag")
_QRELS: Final = ("topic", "0", "document", "grade")
_BREAK: Final = re.compile(r"\r\n|\n|\r")
_Ranking = Sequence[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class TrecRun:
    """What a run file says.

    Attributes:
        rankings: Topic to its documents with their scores, the highest first, ties as trec_eval
            breaks them: by id, from last to first.
        notes: What was odd, and was read all the same.
    """

    rankings: dict[str, list[tuple[str, float]]]
    notes: tuple[Problem, ...]


def read_trec_run(path: Path | str) -> TrecRun:
    """Read a run: `topic Q0 document rank score tag`, one document a line.

    As in trec_eval the scores decide, neither the ranks nor the order of the lines; where they
    differ it is noted.

    Raises:
        InvalidInput: Every line that is none of a run, and every document twice in a ranking.
    """
    path = Path(path)
    problems: list[Problem] = []
    scores: dict[str, dict[str, float]] = {}
    for line, (topic, _, document, _, score, _) in _read_lines(path, _RUN, problems):
        number = decimal(score)
        if number is None:
            must, hint = "have a number as score", number_hint(score)
            problems.append(Problem(path.name, must, f'"{score}"', hint, row=line))
        elif document in scores.setdefault(topic, {}):
            must, got = "name each document once in a ranking", f'"{document}" again'
            hint = "Which of its scores holds?"
            problems.append(Problem(path.name, must, f"{got} for topic {topic}", hint, row=line))
        else:
            scores[topic][document] = number
    if problems:
        raise InvalidInput(problems)
    rankings = {
        topic: sorted(scored.items(), key=lambda item: (item[1], item[0]), reverse=True)
        for topic, scored in scores.items()
    }
    moved = [topic for topic in rankings if not _falls(scores[topic])]
    if not moved:
        return TrecRun(rankings, ())
    got = f"other orders for {len(moved)} of {len(rankings)} topics, {moved[0]} first"
    hint = "The scores were taken, as trec_eval does."
    return TrecRun(rankings, (Problem(path.name, "list documents by falling score", got, hint),))


def read_trec_qrels(path: Path | str) -> dict[str, dict[str, int]]:
    """Read qrels: `topic 0 document grade`, one judgement a line.

    Raises:
        InvalidInput: Every line that is none of qrels, every document that is graded twice, and
            every negative grade.
    """
    path = Path(path)
    problems: list[Problem] = []
    grades: dict[str, dict[str, int]] = {}
    for line, (topic, _, document, grade) in _read_lines(path, _QRELS, problems):
        number = decimal(grade)
        if number is None or not number.is_integer() or number < 0:
            negative = number is not None and number < 0
            hint = "trec_eval counts it as not relevant: write 0." if negative else ""
            must = "have a whole number of 0 or more as grade"
            problems.append(Problem(path.name, must, f'"{grade}"', hint, row=line))
        elif document in grades.setdefault(topic, {}):
            must, got = "grade each document once for a topic", f'"{document}" for {topic} again'
            problems.append(Problem(path.name, must, got, row=line))
        else:
            grades[topic][document] = int(number)
    if problems:
        raise InvalidInput(problems)
    return grades


def write_trec_run(path: Path, rankings: Mapping[str, _Ranking], tag: str) -> None:
    """Write a run; what `read_trec_run` reads of it is the same.

    Raises:
        InvalidInput: An id has a blank in it, which the file cannot hold.
    """
    _refuse_blanks(
        path, {tag, *rankings, *(d for ranking in rankings.values() for d, _ in ranking)}
    )
    lines = [
        f"{topic} Q0 {document} {rank} {score!r} {tag}\n"
        for topic in sorted(rankings)
        for rank, (document, score) in enumerate(rankings[topic], start=1)
    ]
    write_atomically(path, text_bytes("".join(lines)))


def write_trec_qrels(path: Path, grades: Mapping[str, Mapping[str, int]]) -> None:
    """Write qrels; what `read_trec_qrels` reads of it is the same.

    Raises:
        InvalidInput: An id has a blank in it, which the file cannot hold.
    """
    _refuse_blanks(path, {*grades, *(d for graded in grades.values() for d in graded)})
    lines = [
        f"{topic} 0 {document} {grade}\n"
        for topic in sorted(grades)
        for document, grade in sorted(grades[topic].items())
    ]
    write_atomically(path, text_bytes("".join(lines)))


def _read_lines(
    path: Path, columns: Sequence[str], problems: list[Problem]
) -> Iterator[tuple[int, list[str]]]:
    text, _ = decode(file_bytes(path, path.name), path.name)
    some = False
    for number, line in enumerate(_BREAK.split(text), start=1):
        cells = line.split()
        if not cells:
            continue
        some = True
        if len(cells) != len(columns):
            must, got = f"be a line of {' '.join(columns)}", count_of(len(cells), "word")
            problems.append(Problem(path.name, must, got, row=number))
        else:
            yield number, cells
    if not some:
        problems.append(Problem(path.name, f"hold lines of {' '.join(columns)}", "none"))


def _falls(scores: Mapping[str, float]) -> bool:
    """Say whether the lines stand by falling score already."""
    values = list(scores.values())
    return all(a >= b for a, b in pairwise(values))


def _refuse_blanks(path: Path, ids: set[str]) -> None:
    odd = sorted(name for name in ids if name.split() != [name])
    if odd:
        must = "hold ids without blanks, as TREC's files do"
        hint = "A blank would part it in two: give it another id in the study."
        raise InvalidInput([Problem(path.name, must, f'"{name}"', hint) for name in odd])


_HIGHEST: Final = 10_000
"""Retrieval is scored up to this grade: above it a gain is no grade that people give."""


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
        Problem(str(file), "have its own name: the system is named after it",
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


_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_OF_RUN: Final = len(("topic", "Q0", "document", "rank", "score", "tag"))
_OF_QRELS: Final = len(("topic", "0", "document", "grade"))


def _import_runs(
    study: Study,
    files: Sequence[Path],
    *,
    system: Annotated[
        str | None, Option("Whose, if it is one run; each is called after its file if not given.")
    ] = None,
) -> Outcome:
    return Outcome.of_one(import_trec_runs(study, files, system))


def _import_qrels(study: Study, files: Sequence[Path]) -> Outcome:
    return Outcome.of_one(import_trec_qrels(study, files[0]))


def _export_run(
    study: Study,
    into: Path,
    *,
    system: Annotated[str, Option("Whose rankings.")],
    texts: Full = None,
) -> Outcome:
    refuse_old(into)
    refuse_unasked(study, "ids", texts, [into])
    return _lines(into, export_trec_run(study, system, into))


def _export_qrels(study: Study, into: Path, *, texts: Full = None) -> Outcome:
    refuse_old(into)
    refuse_unasked(study, "ids", texts, [into])
    return _lines(into, export_trec_qrels(study, into))


def _lines(path: Path, topics: int) -> Outcome:
    text = f"wrote {path}, {topics} {plural(topics, 'topic')}"
    return Outcome([text], {"file": str(path), "topics": topics})


def _is_run(seen: Glimpse) -> bool:
    words = seen.words
    return len(words) == _OF_RUN and words[1].upper() == "Q0" and _is_number(words[4])


def _is_qrels(seen: Glimpse) -> bool:
    return len(seen.words) == _OF_QRELS and all(_is_number(seen.words[i]) for i in (1, 3))


def _is_number(word: str) -> bool:
    return _NUMBER.fullmatch(word) is not None


RUN: Final = Format(
    id="trec-run",
    title="TREC runs",
    reads=Reads(
        about="TREC runs: what a system retrieved for each case, ties as trec_eval breaks them.",
        files="Lines of: topic Q0 document rank score tag.",
        is_one=_is_run,
        take=_import_runs,
    ),
    writes=Writes(
        about="A system's rankings as a TREC run.",
        into="A new file.",
        metavar="FILE",
        give=_export_run,
    ),
)
QRELS: Final = Format(
    id="trec-qrels",
    title="TREC qrels",
    reads=Reads(
        about="TREC qrels: grades of documents become those of the study's cases.",
        files="Lines of: topic 0 document grade.",
        is_one=_is_qrels,
        take=_import_qrels,
        alone=True,
    ),
    writes=Writes(
        about="The grades of the cases' documents as TREC qrels.",
        into="A new file.",
        metavar="FILE",
        give=_export_qrels,
    ),
)
