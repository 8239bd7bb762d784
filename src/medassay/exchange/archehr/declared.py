"""The ArchEHR-QA shared tasks' files, into a study and out of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Final

from medassay.answers import Answers
from medassay.cases import Case, Cases, write_cases
from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.exchange.archehr.answer import EFFECTS, Finding, Reading, tally
from medassay.exchange.archehr.cases import read_archehr_cases
from medassay.exchange.archehr.submission import (
    Form,
    Submission,
    known_ids,
    read_archehr_submission,
)
from medassay.exchange.archehr.write import write_archehr_cases, write_archehr_submission
from medassay.exchange.declaration import Format, Glimpse, Option, Reads, Writes
from medassay.exchange.entrusted import Full, refuse_unasked
from medassay.exchange.outcome import Outcome, Overview
from medassay.study import Study
from medassay.study.config.study_toml import read_config
from medassay.study.intake.answers import add_answers, new_answers
from medassay.study.new import new_study
from medassay.tables import is_there, write_atomically
from medassay.text import count_of


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


_MOST: Final = 20


def told(taken: ArchehrImport, study: Path) -> Outcome:
    """Say what an import took, and what it found."""
    were = "was" if taken.known == 1 else "were"
    there = f", {taken.known} {were} there already" if taken.known else ""
    cases, answers = count_of(taken.cases, "case"), count_of(taken.answers, "answer")
    lines: list[str | Overview] = [f"note: {warning}" for warning in taken.warnings]
    lines += [*said_of(taken.findings), *tally_of(taken.findings)]
    lines.append(f"{cases} and {answers} added{there}.")
    if taken.differing:
        other = "tolerant" if taken.reading == "official" else "official"
        lines.append(
            f"The official scorer does not read {count_of(taken.differing, 'answer')} as meant. "
            f"This is the {taken.reading} reading; for the other: --reading {other}."
        )
    lines += [f"wrote {study / file}" for file in taken.files]
    facts = asdict(taken) | {"findings": [finding.as_dict() for finding in taken.findings]}
    return Outcome(lines, facts | {"summary": [asdict(row) for row in tally(taken.findings)]})


def said_of(findings: Sequence[Finding]) -> list[str]:
    """Say each thing, but of one kind in one file no more than a reader can take in."""
    lines = []
    times_said: Counter[tuple[str, str]] = Counter()
    for finding in findings:
        place = finding.file, finding.kind
        times_said[place] += 1
        if times_said[place] <= _MOST:
            lines.append(f"{finding.effect}: {finding}")
    for (file, kind), times in times_said.items():
        if times > _MOST:
            what = kind.replace("-", " ")
            lines.append(f"{file}: {what}, {times - _MOST:,} more times; --json lists them all.")
    return lines


def tally_of(findings: Sequence[Finding]) -> list[Overview]:
    """Count what was found; nothing where nothing was."""
    if not findings:
        return []
    rows = [
        (row.effect, row.kind.replace("-", " "), str(row.times), str(row.cases or ""),
         EFFECTS[row.effect])
        for row in tally(findings)
    ]  # fmt: skip
    return [Overview(("effect", "what", "times", "cases", "the effect means"), rows)]


_FORMS: Final[dict[str, Form]] = {
    "archehr": "archehr2025",
    "archehr2026-st1": "archehr2026-st1",
    "archehr2026-st2": "archehr2026-st2",
    "archehr2026-st3": "archehr2026-st3",
    "archehr2026-st4": "archehr2026-st4",
}
"""Protocol to form: each subtask of 2026 has a protocol of its own."""


def export_archehr(
    study: Study,
    *,
    form: Form | None = None,
    submission: tuple[str | None, Path | None] = (None, None),
    cases: Path | None = None,
    texts: str | None = None,
) -> tuple[Form, Sequence[Path]]:
    """Write a system's submission, or the cases with their key, or both.

    What is written is read again first: it holds the same, or nothing is written and the reason is
    said. Files that are there already are left alone.

    Args:
        study: The study.
        form: The form; that of the study's protocol if not given.
        submission: A system, and where its answers are written.
        cases: The folder that the cases and their key are written into.
        texts: `full` where texts that the study keeps may be written.

    Returns:
        The form, and the files.

    Raises:
        InvalidInput: One of two is missing, a file is there, or a file cannot hold the study.
        UnknownName: There is no such system.
    """
    system, into = submission
    if not (_pair("--system", system, "--into", into) or cases is not None):
        hint = "For example --system alpha --into alpha.json, or --cases task."
        raise InvalidInput(Problem("medassay export", "say what to write", "nothing", hint))
    chosen = form or _form_of(study)
    task = None if cases is None else (cases / "cases.xml", cases / "key.json")
    wanted = [*([] if into is None else [into]), *(task or ())]
    hint = "Give another name; it was left as it is."
    there = [
        Problem(str(path), "be a new file", "one that exists", hint)
        for path in wanted
        if path.exists()
    ]
    if there:
        raise InvalidInput(there)
    if system is not None and system not in study.systems:
        raise UnknownName("system", system, list(study.systems))
    refuse_unasked(study, "full", texts, wanted)
    if system is not None and into is not None:
        mine = [answer for answer in study.answers if answer.system == system]
        write_archehr_submission(into, mine, chosen)
    if task is not None:
        write_archehr_cases(*task, study.cases, chosen)
    return chosen, wanted


def _pair(option: str, first: object, other: str, second: object) -> bool:
    """Say whether both are given; one alone is a mistake."""
    if (first is None) != (second is None):
        named, lacking = (option, other) if second is None else (other, option)
        raise InvalidInput(Problem(named, f"come with {lacking}", f"no {lacking}"))
    return first is not None


def _form_of(study: Study) -> Form:
    name = study.config.protocol.name
    if name not in _FORMS:
        hint = "For example --format archehr2025."
        must = f"be given for a study of the protocol {name}"
        raise InvalidInput(Problem("--format", must, "none", hint))
    return _FORMS[name]


def _take(
    folder: Path,
    files: Sequence[Path],
    *,
    cases: Annotated[Path, Option("The shared task's cases.", metavar="XML")],
    key: Annotated[Path | None, Option("The key.", metavar="JSON")] = None,
    form: Annotated[Form, Option("The form of the submissions.", ("--format",))] = "archehr2025",
    reading: Annotated[
        Reading, Option("Take what the official scorer reads, or what was meant.")
    ] = "official",
) -> Outcome:
    return told(import_archehr(folder, cases, key, files, form=form, reading=reading), folder)


def _give(
    study: Study,
    into: Path | None,
    *,
    form: Annotated[
        Form | None, Option("The form; that of the study's protocol if not given.", ("--format",))
    ] = None,
    system: Annotated[str | None, Option("Whose answers become a submission.")] = None,
    cases: Annotated[
        Path | None,
        Option("Write cases.xml and key.json into this folder.", metavar="FOLDER"),
    ] = None,
    texts: Full = None,
) -> Outcome:
    chosen, written = export_archehr(
        study, form=form, submission=(system, into), cases=cases, texts=texts
    )
    files = [str(path) for path in written]
    return Outcome([f"wrote {file}" for file in files], {"format": chosen, "files": files})


def _is_one(seen: Glimpse) -> bool:
    return "case_id" in seen.first and not {"answer", "prediction"}.isdisjoint(seen.first)


ARCHEHR: Final = Format(
    id="archehr",
    title="ArchEHR-QA",
    reads=Reads(
        about="ArchEHR-QA: cases as XML, the key, and submissions of 2025 or 2026.",
        files="Submissions as JSON; each is a system called after its file.",
        is_one=_is_one,
        take=_take,
        none=True,
    ),
    writes=Writes(
        about="ArchEHR-QA: a system's submission, or the cases with their key.\n\n"
        "What is written is read again first: it holds the same, or nothing is written and "
        "the reason is said.",
        into="With --system: the submission.",
        metavar="JSON",
        give=_give,
    ),
)
