"""Take the files of the ArchEHR-QA shared tasks into a study."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from medassay.answers import Answers
from medassay.cases import Case, Cases, write_cases
from medassay.errors import InvalidInput, Problem
from medassay.exchange.archehr.cases import read_archehr_cases
from medassay.exchange.archehr.finding import Finding
from medassay.exchange.archehr.readings import Reading
from medassay.exchange.archehr.submission import (
    Form,
    Submission,
    known_ids,
    read_archehr_submission,
)
from medassay.study.config.study_toml import read_config
from medassay.study.folder import Study
from medassay.study.intake.answers import add_answers, new_answers
from medassay.study.new import new_study
from medassay.tables import is_there, write_atomically
from medassay.text import count_of

__all__ = ["ArchehrImport", "import_archehr"]


@dataclass(frozen=True)
class ArchehrImport:
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


def import_archehr(
    folder: Path,
    xml: Path,
    key: Path | None,
    submissions: Sequence[Path],
    *,
    form: Form = "archehr2025",
    reading: Reading = "official",
) -> ArchehrImport:
    """Take cases, key and submissions into a study; each file of answers is a system of its name.

    Everything is read and checked before anything is written. A study that is not there yet is
    made, by the protocol of the form, with texts kept out of reports: the notes of the shared tasks
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
    systems = _names(submissions)
    study = _opened(folder)
    ours = cases if study is None else _agreed(study, cases, form, keyed=key is not None)
    known = known_ids(ours)
    read = [read_archehr_submission(path, form, known) for path in submissions]
    answers = Answers.of(
        answer
        for system, submission in zip(systems, read, strict=True)
        for answer in submission.answers(system, reading)
        if answer.case in ours
    )
    if study is not None:
        new_answers(study, answers, "the submissions")
    files = _put_cases(folder, study, ours, form)
    taken = add_answers(Study.open_whole(folder), answers, "the submissions")
    return ArchehrImport(
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


def _names(submissions: Sequence[Path]) -> list[str]:
    """Name each submission's system after its file."""
    stems = [path.stem.strip() for path in submissions]
    twice = sorted({stem for stem in stems if stems.count(stem) > 1})
    hint = "A system is called after its file: rename one."
    problems = [Problem(f"{stem}.json", "be named once", "two files", hint) for stem in twice]
    hint = "A system is called after its file: rename it."
    problems += [
        Problem(ascii(path.name), "have a name of letters and signs", "one that cannot be shown",
                hint)
        for path, stem in zip(submissions, stems, strict=True)
        if not stem or not stem.isprintable()
    ]  # fmt: skip
    if problems:
        raise InvalidInput(problems)
    return stems


def _opened(folder: Path) -> Study | None:
    """Open the study; None where there is none yet, or one that waits for its cases."""
    if not is_there(folder / "study.toml"):
        return None
    cases = folder / "cases.jsonl"
    if cases.is_file() and not cases.read_bytes().strip():
        read_config(folder)
        return None
    return Study.open_whole(folder)


def _agreed(study: Study, cases: Cases, form: Form, *, keyed: bool) -> Cases:
    """Give the study's cases where these are the same.

    Without a key only what the XML says is compared: the study may know the key already.
    """
    ours = {case.case: case if keyed else _unkeyed(case, form) for case in study.cases}
    theirs = {case.case: case for case in cases}
    other = [case_id for case_id in [*theirs, *ours] if ours.get(case_id) != theirs.get(case_id)]
    if other:
        must = "hold the cases of the XML and the key, or none"
        what = "has other texts or another key" if other[0] in ours and other[0] in theirs else (
            "is not in the XML" if other[0] in ours else "is not in the study"
        )  # fmt: skip
        got = f'{count_of(len(set(other)), "other case")}; "{other[0]}" {what}'
        hint = "Import into a new folder."
        raise InvalidInput(Problem(f"{study.path}/cases", must, got, hint))
    return study.cases


def _unkeyed(case: Case, form: Form) -> Case:
    """Take out of a case what came from the key."""
    if form == "archehr2026-st1":
        return case
    evidence = tuple(sentence.model_copy(update={"relevance": None}) for sentence in case.evidence)
    links = form == "archehr2026-st4"
    return case.model_copy(update={"evidence": () if links else evidence, "references": ()})


def _protocol(form: Form) -> str:
    """Name the protocol of a form: each subtask of 2026 has its own."""
    return "archehr" if form == "archehr2025" else form


def _put_cases(folder: Path, study: Study | None, cases: Cases, form: Form) -> list[str]:
    """Write the cases where the study has none."""
    if study is not None:
        return []
    if not is_there(folder / "study.toml"):
        new_study(folder, _protocol(form), empty=True)
        settings = (folder / "study.toml").read_text(encoding="utf-8")
        private = settings.replace('# [privacy]\n# texts = "full"', '[privacy]\ntexts = "ids"')
        write_atomically(folder / "study.toml", private.encode())
    write_cases(folder / "cases.jsonl", cases)
    return ["cases.jsonl"]
