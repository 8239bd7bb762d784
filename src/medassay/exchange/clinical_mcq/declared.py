"""The clinical framework's questions, guidelines and JSON reports, into a study."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Final

from medassay.analyses.results import Results
from medassay.answers import Answer, Answers
from medassay.cases import Case, Cases, write_cases
from medassay.errors import InvalidInput, Problem, nearest
from medassay.exchange.clinical_mcq.files import Chosen, ClinicalFiles, is_clinical, read_clinical
from medassay.exchange.declaration import Format, Option, Reads, Writes
from medassay.exchange.entrusted import refuse_old
from medassay.exchange.outcome import Outcome, told
from medassay.report import clinical_files
from medassay.report.clinical_report import clinical_report_schema
from medassay.study import Study
from medassay.study.intake.answers import add_answers, completed, new_answers, other_than
from medassay.study.new import new_study
from medassay.tables import json_bytes, jsonl_bytes, read_record, write_atomically
from medassay.text import count_of

_PROTOCOL: Final = "clinical-mcq"
_FIELDS: Final = ("choice", "confidence", "reasoning", "retrieved")


@dataclass(frozen=True)
class ClinicalImport:
    """What an import of the framework's files did.

    Attributes:
        cases: Questions.
        documents: Guidelines.
        systems: Pipelines.
        answers: What they chose, as far as the study had it not yet.
        known: Answers that were there already.
        files: The study's files that were written.
        notes: What was odd about the files, and what was left.
    """

    cases: int
    documents: int
    systems: int
    answers: int
    known: int
    files: list[str]
    notes: list[str]


def import_clinical(
    folder: Path,
    paths: Sequence[Path],
    *,
    system: str | None = None,
    answered: bool = False,
    synthetic: bool = False,
) -> ClinicalImport:
    """Make a study of questions and guidelines, or add what a pipeline chose to one.

    Everything is read and checked before anything is written.

    Args:
        folder: The study's folder: new or empty where questions are given, else a study's.
        paths: Questions, guidelines, results of pipelines, whichever there are.
        system: What the pipeline is called; as its results say, or as their file, if not given.
        answered: Whether questions that no result speaks of are left out.
        synthetic: Whether the data are made up: every page and figure then says so.

    Raises:
        InvalidInput: Every problem of every file, or the folder does not fit them.
    """
    clinical_files = read_clinical(paths)
    unasked = _leave_unasked(clinical_files) if answered else 0
    study = Study.open_whole(folder) if (folder / "study.toml").exists() else None
    _refuse_what_does_not_fit(clinical_files, study)
    cases = study.cases if study else Cases.of(case for case, _, _ in clinical_files.cases.values())
    problems: list[Problem] = []
    other_scores: list[Chosen] = []
    answers = _answers(clinical_files.chosen, cases, system, problems, other_scores)
    if problems:
        raise InvalidInput(problems)
    answers, kept = _keeping_scores(answers, study)
    files: list[str] = []
    if study is None:
        new_study(folder, _PROTOCOL, empty=True, synthetic=synthetic)
        write_cases(folder / "cases.jsonl", cases)
        files += ["study.toml", "cases.jsonl"]
        if clinical_files.documents:
            content = jsonl_bytes(clinical_files.documents.values())
            write_atomically(folder / "documents.jsonl", content)
            files.append("documents.jsonl")
        study = Study.open_whole(folder)
    else:
        new_answers(study, Answers.of(answers), "the results")
    taken = add_answers(study, Answers.of(answers), "the results")
    return ClinicalImport(
        cases=len(clinical_files.cases),
        documents=len(clinical_files.documents),
        systems=len({answer.system for answer in answers}),
        answers=taken.added,
        known=taken.known,
        files=[*files, *taken.files],
        notes=[
            *_notes(clinical_files, answers, unasked),
            *_said_of_scores(len(other_scores) + kept),
            *taken.notes,
        ],
    )


def _leave_unasked(clinical_files: ClinicalFiles) -> int:
    """Leave out the questions that no result speaks of, and say how many."""
    before = len(clinical_files.cases)
    spoken = {chosen.case for chosen in clinical_files.chosen}
    clinical_files.cases = {
        name: case for name, case in clinical_files.cases.items() if name in spoken
    }
    return before - len(clinical_files.cases)


def _refuse_what_does_not_fit(clinical_files: ClinicalFiles, study: Study | None) -> None:
    if study is None and not clinical_files.cases:
        hint = "Give the file of questions too, or name with --into a study that has them."
        raise InvalidInput(Problem("the files", "hold questions", "none", hint))
    if study is not None and (clinical_files.cases or clinical_files.documents):
        what = "questions" if clinical_files.cases else "guidelines"
        must, hint = "be new where questions or guidelines are given", "Give the results alone."
        raise InvalidInput(Problem("--into", must, f"a study, and {what}", hint))


def _answers(
    chosen: Sequence[Chosen],
    cases: Cases,
    system: str | None,
    problems: list[Problem],
    other_scores: list[Chosen],
) -> list[Answer]:
    by_answer: dict[tuple[str, str], tuple[Answer, Chosen]] = {}
    for choice in chosen:
        if choice.case not in cases:
            must, hint = "be a question of the study", nearest(choice.case, cases.ids)
            got = f'"{choice.case}"'
            problems.append(Problem(choice.file, must, got, hint, choice.row, "question_id"))
            continue
        case = cases[choice.case]
        _check_gold(choice, case, problems)
        answer = _answer(choice, case, system or choice.system or _stem(choice.file), problems)
        if answer is None:
            continue
        key = answer.system, answer.case
        if key in by_answer:
            if _in_scores_alone(by_answer[key][0], answer):
                answer = answer.model_copy(update={"retrieved": by_answer[key][0].retrieved})
                other_scores.append(choice)
            answer = _joined(answer, choice, by_answer[key], problems)
        by_answer[key] = answer, choice
    return [answer for answer, _ in by_answer.values()]


def _stem(file: str) -> str:
    return Path(file).stem


def _check_gold(chosen: Chosen, case: Case, problems: list[Problem]) -> None:
    gold = chosen.cells.get("gold")
    if gold is not None and case.gold is not None and str(gold).strip() != case.gold:
        must = f"name the right option of {case.case} as the questions do, {case.gold}"
        problems.append(
            Problem(chosen.file, must, f'"{gold}"', "", chosen.row, chosen.columns.get("gold"))
        )


def _answer(chosen: Chosen, case: Case, system: str, problems: list[Problem]) -> Answer | None:
    if not _answered(chosen):
        return None
    text = str(chosen.cells.get("choice", "")).strip()
    cells = {name: chosen.cells[name] for name in _FIELDS if chosen.cells.get(name) is not None}
    if "choice" in cells and text not in case.options:
        # Such as "Cannot answer from the provided context."
        cells = {**cells, "text": text}
        del cells["choice"]
    ours: list[Problem] = []
    answer = read_record(
        Answer, {"system": system, "case": case.case, **cells}, file=chosen.file, row=chosen.row,
        problems=ours,
    )  # fmt: skip
    theirs = {**chosen.columns, "text": chosen.columns.get("choice", "choice")}
    problems += [replace(bad, column=theirs.get(bad.column or "", bad.column)) for bad in ours]
    return answer


def _answered(chosen: Chosen) -> bool:
    """Say whether there is an answer: a file may say what was retrieved alone."""
    return chosen.cells.get("choice", "") is not None


def _joined(
    answer: Answer, chosen: Chosen, known: tuple[Answer, Chosen], problems: list[Problem]
) -> Answer:
    """Put together what two files say of one answer; they may not say two things."""
    other, where = known
    differing = other_than(other, answer)
    for name in ("text", *_FIELDS):
        ours, theirs = getattr(answer, name), getattr(other, name)
        if ours is not None and theirs is not None and name in differing:
            must = f"say of an answer what {where.file}, row {where.row} says of it"
            column = chosen.columns.get("choice" if name == "text" else name)
            got = "another ranking" if name == "retrieved" else f'"{ours}"'
            problems.append(Problem(chosen.file, must, got, "", chosen.row, column))
    return completed(answer, other)


def _keeping_scores(answers: Sequence[Answer], study: Study | None) -> tuple[list[Answer], int]:
    """Leave the study's scores of documents where only these differ; give also how often."""
    same, kept = [], 0
    for answer in answers:
        ours = study.answers.get(*answer.key) if study else None
        if ours is not None and _in_scores_alone(ours, answer):
            same.append(answer.model_copy(update={"retrieved": ours.retrieved}))
            kept += 1
        else:
            same.append(answer)
    return same, kept


def _in_scores_alone(one: Answer, other: Answer) -> bool:
    """Say whether two rankings list the same documents in the same order, with other scores."""
    ours, theirs = one.retrieved or (), other.retrieved or ()
    listed = [found.document for found in ours] == [found.document for found in theirs]
    return listed and "retrieved" in other_than(one, other)


def _notes(clinical_files: ClinicalFiles, answers: Sequence[Answer], unasked: int) -> list[str]:
    notes = []
    if unasked:
        notes.append(f"{count_of(unasked, 'question')} left out that no result speaks of.")
    if clinical_files.left:
        names = ", ".join(sorted(clinical_files.left))
        notes.append(f"not carried over of the questions: {names}.")
    if clinical_files.cases:
        notes.append(
            "the guideline that a question was written from is graded 1; nobody graded the others."
        )
        notes += _unwritten(clinical_files)
    if clinical_files.unread:
        notes.append(
            f"not carried over of the results: {', '.join(sorted(clinical_files.unread))}."
        )
    again = sum(chosen.again > 0 for chosen in clinical_files.chosen)
    if again:
        notes.append(
            f"{count_of(again, 'ranking')} with a document more than once: its first place counts, "
            "and what follows moves up."
        )
    unanswered = sum(not _answered(chosen) for chosen in clinical_files.chosen)
    if unanswered:
        notes.append(
            f"{count_of(unanswered, 'question')} without a predicted answer: taken as never "
            "answered."
        )
    unsure = sum(answer.confidence is None for answer in answers)
    if unsure:
        notes.append(f"{count_of(unsure, 'answer')} without a confidence.")
    if clinical_files.passed:
        notes.append(f"no guideline, and left: {', '.join(clinical_files.passed)}.")
    return notes


def _said_of_scores(count: int) -> list[str]:
    """Say of how many rankings two files differ in the scores alone."""
    if not count:
        return []
    many = f"{count_of(count, 'ranking')} with the same documents in the same order"
    hint = "If these are two pipelines, give each its own --system."
    return [f"{many} and other scores: the scores that came first stay. {hint}"]


def _unwritten(clinical_files: ClinicalFiles) -> list[str]:
    named: Mapping[str, None] = dict.fromkeys(
        document.id for case, _, _ in clinical_files.cases.values() for document in case.documents
    )
    lacking = [name for name in named if name not in clinical_files.documents]
    if not lacking:
        return []
    n = count_of(len(lacking), "guideline")
    return [f"{n} named by the questions without a text, {lacking[0]} first."]


_IN_A_REPORT: Final = "clinical/"
_SCHEMA: Final = "new_dataset_eval.schema.json"


def _take(
    folder: Path,
    files: Sequence[Path],
    *,
    system: Annotated[
        str | None,
        Option("What the pipeline is called; as its results say, or as their file, if not given."),
    ] = None,
    answered: Annotated[bool, Option("Leave out the questions that no result speaks of.")] = False,
    synthetic: Annotated[bool, Option("The data are made up: every page says so.")] = False,
) -> Outcome:
    taken = import_clinical(folder, files, system=system, answered=answered, synthetic=synthetic)
    counts = (
        (taken.cases, "question", "questions"),
        (taken.documents, "guideline", "guidelines"),
        (taken.systems, "pipeline", "pipelines"),
        (taken.answers, "answer", "answers"),
        (taken.known, "answer that was there", "answers that were there"),
    )
    return told(folder, asdict(taken), counts, files=taken.files, notes=taken.notes)


def _give(study: Study, results: Results, into: Path) -> Outcome:
    refuse_old(into, "folder")
    files = clinical_files(results)
    if not files:
        must = "hold multiple-choice questions and answers"
        raise InvalidInput(Problem(str(study.path), must, "none", "Cases need options and gold."))
    contents = {name.removeprefix(_IN_A_REPORT): content for name, content in files.items()}
    contents[_SCHEMA] = json_bytes(clinical_report_schema())
    for name, content in contents.items():
        write_atomically(into / name, content)
    written = [str(into / name) for name in contents]
    return Outcome(
        [f"wrote {file}" for file in written], {"run": results.run.name, "files": written}
    )


CLINICAL_MCQ: Final = Format(
    id="clinical-mcq",
    title="Clinical evaluation framework",
    reads=Reads(
        about="The clinical framework's questions and guidelines, and what pipelines chose.",
        files="Questions and results as JSON, guideline_NUMBER_NAME.txt; a folder stands for its "
        "files.",
        is_one=is_clinical,
        take=_take,
    ),
    writes=Writes(
        about="The clinical framework's JSON report of each system: "
        "new_dataset_eval_N_cases.json.\n\n"
        "The study is run first, where it was not yet. The schema of the "
        "reports is written beside them.",
        into="A new folder for the reports.",
        metavar="FOLDER",
        give=_give,
    ),
)
