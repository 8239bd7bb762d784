"""Take the files of the ArchEHR-QA shared tasks into a study."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from medassay.answers import Answers
from medassay.cases import Cases, write_cases
from medassay.errors import InvalidInput, Problem
from medassay.formats import (
    Finding,
    Form,
    Reading,
    Submission,
    known_ids,
    read_archehr_cases,
    read_archehr_submission,
)
from medassay.study.answers_intake import add_answers
from medassay.study.folder import Study
from medassay.study.new import new_study
from medassay.tables import write_atomically

__all__ = ["TakenArchehr", "take_archehr"]


@dataclass(frozen=True)
class TakenArchehr:
    """What an import of shared-task files did.

    Attributes:
        cases: Cases that are new.
        answers: Answers that are new.
        known: Answers that the study had already.
        reading: By which reading the answers were taken.
        differing: Answers that the two readings read differently.
        files: The study's files that were written.
        findings: What is to be known about the submissions, file by file.
        warnings: What is to be known about the cases and the key.
    """

    cases: int
    answers: int
    known: int
    reading: Reading
    differing: int
    files: list[str]
    findings: list[Finding]
    warnings: list[str]


def take_archehr(
    folder: Path,
    xml: Path,
    key: Path | None,
    submissions: Sequence[Path],
    *,
    form: Form = "archehr2025",
    reading: Reading = "official",
) -> TakenArchehr:
    """Take cases, key and submissions into a study; each file of answers is a system of its name.

    Everything is read and checked before anything is written. A study that is not there yet is
    made, by the protocol `archehr`, with texts kept out of reports: the notes of the shared tasks
    are under a data use agreement.

    Args:
        folder: The study's folder, an existing study or a new one.
        xml: The cases.
        key: The key; None where it is not at hand.
        submissions: A file for each system.
        form: Their form.
        reading: `official` takes what the official scorer reads, with what it loses; `tolerant`
            what was meant.

    Raises:
        InvalidInput: The files of the shared task are broken, two submissions have one name, or the
            study holds other cases or answers already.
    """
    cases = read_archehr_cases(xml, key, form)
    known = known_ids(cases)
    _check_names(submissions)
    read = [read_archehr_submission(path, form, known) for path in submissions]
    files = _put_cases(folder, cases)
    answers = [
        answer
        for path, submission in zip(submissions, read, strict=True)
        for answer in submission.answers(path.stem, reading)
        if answer.case in cases
    ]
    taken = add_answers(Study.open(folder), Answers.of(answers), "the submissions")
    return TakenArchehr(
        cases=len(cases) if files else 0,
        answers=taken.added,
        known=taken.known,
        reading=reading,
        differing=sum(map(_differing, read)),
        files=[*files, *taken.files],
        findings=[finding for submission in read for finding in submission.findings],
        warnings=[str(warning) for warning in cases.warnings],
    )


def _differing(submission: Submission) -> int:
    return len(submission.differing)


def _check_names(submissions: Sequence[Path]) -> None:
    stems = [path.stem for path in submissions]
    twice = sorted({stem for stem in stems if stems.count(stem) > 1})
    if twice:
        hint = "A system is called after its file: rename one."
        raise InvalidInput(
            [Problem(f"{stem}.json", "be named once", "two files", hint) for stem in twice]
        )


def _put_cases(folder: Path, cases: Cases) -> list[str]:
    """Write the cases where the study has none; refuse where it has others."""
    path = folder / "cases.jsonl"
    if not (folder / "study.toml").is_file():
        new_study(folder, "archehr", empty=True)
        settings = (folder / "study.toml").read_text(encoding="utf-8")
        private = settings.replace('# [privacy]\n# texts = "full"', '[privacy]\ntexts = "ids"')
        write_atomically(folder / "study.toml", private.encode())
    elif not (path.is_file() and not path.read_bytes().strip()):
        study = Study.open(folder)
        if study.cases.records != cases.records:
            must = "hold the cases of the XML and the key, or none"
            got = f"{len(study.cases)} other cases"
            hint = "Import into a new folder."
            raise InvalidInput(Problem(f"{folder}/cases", must, got, hint))
        return []
    write_cases(path, cases)
    return ["cases.jsonl"]
