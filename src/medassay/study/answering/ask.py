"""Ask a system, and write what it answered."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from medassay.answers import Answer, Answers, answer_row
from medassay.cases import Document, read_documents
from medassay.errors import InvalidInput, Problem
from medassay.study.answering.opened import OpenedSystem, journal_of
from medassay.study.answering.work import NOBODY, Estimate, Replies, ask_all, estimate
from medassay.study.files.names import ANSWERS, CALLS, table_file
from medassay.study.files.placed import refuse_at_urls
from medassay.study.intake.cases_per_system import asked_with, write_asked
from medassay.study.scoring.score_study import Progress
from medassay.systems import Code, CorpusText
from medassay.tables import file_stem, jsonl_bytes, read_sheet, write_atomically

__all__ = [
    "Answered",
    "answer_study",
    "estimate_study",
]


@dataclass(frozen=True, kw_only=True)
class Answered(Replies):
    """What one system did.

    Attributes:
        system: What it is called.
        answers: Answers that are new in the study.
        known: Answers that were there already, the same.
        unanswered: Answers that are still to be had.
        files: The study's files that were written.
    """

    system: str
    answers: int
    known: int
    unanswered: int
    files: tuple[str, ...] = ()


def answer_study(
    folder: Path,
    system: str,
    *,
    offline: bool = False,
    code: Code | None = None,
    budget: float | None = None,
    tell: Progress | None = None,
) -> Answered:
    """Let one system answer every case that it is asked, as often as its settings say.

    Every reply is on disk the moment it comes: stopped anywhere, it goes on where it was. A failed
    question is asked again the next time, and nothing else is.

    Args:
        folder: The study.
        system: The system, as study.toml names it.
        offline: Send to this machine alone.
        code: The function of a system of the kind `python`.
        budget: What it may cost from now on; the settings' if not given.
        tell: Is told how far it is.

    Raises:
        InvalidInput: The study or a setting is not as it must be; or the study has answers of this
            system that came about otherwise.
        MissingBackend: A package lacks.
    """
    refuse_at_urls(folder, ANSWERS)
    opened = OpenedSystem.of(folder, system, offline=offline, code=code)
    path = folder / ANSWERS / f"{file_stem(system)}.jsonl"
    journal = journal_of(folder, system)
    answers, replies = ask_all(
        opened, journal, lambda held: _refuse_others(opened, held, path), budget=budget, tell=tell
    )
    known = sum(opened.study.answers.get(*answer.key) == answer for answer in answers)
    asked = write_asked(opened.study, asked_with(opened.study, Answers.of(answers)))
    files = [file.name for file in asked]
    files += [*_add_corpus(folder, opened.system.corpus), *_write(path, system, answers)]
    if opened.backend is not NOBODY and len(journal):
        files.append(f"{CALLS}/{path.name}")
    return Answered(
        **vars(replies),
        system=system,
        answers=len(answers) - known,
        known=known,
        unanswered=opened.total - len(answers),
        files=tuple(files),
    )


def estimate_study(
    folder: Path, system: str, *, offline: bool = False, code: Code | None = None
) -> Estimate:
    """Say what it would take to have a system answer; nothing is asked and nothing written.

    Raises:
        InvalidInput: The study or a setting is not as it must be.
        MissingBackend: A package lacks.
    """
    opened = OpenedSystem.of(folder, system, offline=offline, code=code)
    return estimate(opened, journal_of(folder, system))


def _refuse_others(opened: OpenedSystem, held: Sequence[Answer], path: Path) -> None:
    """Refuse to go on where the study has answers of the system that came about otherwise.

    Other settings make another system: answers of both in one file would be nobody's.
    """
    study = opened.study
    theirs = [answer for answer in study.answers if answer.system == opened.name]
    if not theirs:
        return
    made = {answer.key: answer for answer in held}
    strange = [answer for answer in theirs if made.get(answer.key) != answer]
    elsewhere = len(theirs) > (len(read_sheet(path).rows) if path.is_file() else 0)
    if strange or elsewhere:
        must = "not have answers of the system that came about otherwise"
        got = f"{len(strange or theirs):,} of them, the first to {theirs[0].case}"
        if strange:
            got = f"{len(strange):,} of them, the first to {strange[0].case}"
        hint = (
            "Other settings, prompts or questions make another system: give it another name, or "
            "move the old answers out of the study."
        )
        raise InvalidInput(Problem(f"{ANSWERS}/{path.name}", must, got, hint))


def _write(path: Path, system: str, answers: Sequence[Answer]) -> list[str]:
    """Write all answers in the order of the cases: the same, however often it was stopped."""
    left_out = {"system"} if path.stem == system else set()
    rows = [
        {name: value for name, value in answer_row(answer).items() if name not in left_out}
        for answer in answers
    ]
    if not rows:
        return []
    content = jsonl_bytes(rows)
    if not path.is_file() or path.read_bytes() != content:
        write_atomically(path, content)
    return [f"{ANSWERS}/{path.name}"]


_DOCUMENTS: Final = "documents"


def _add_corpus(folder: Path, texts: Sequence[CorpusText]) -> list[str]:
    """Add texts to a study's documents, for whoever reads what an answer names.

    Returns:
        The files that were written.

    Raises:
        InvalidInput: The study has another text of a name, or holds documents in a form that cannot
            grow.
    """
    path = table_file(folder, _DOCUMENTS)
    held = {} if path is None else read_documents(path)
    problems = [
        Problem(text.id, "be the study's own document", "another text of that name",
                "Rename one of the two.")
        for text in texts
        if text.id in held and held[text.id].text != text.text
    ]  # fmt: skip
    new = {
        text.id: Document(id=text.id, title=text.title, text=text.text)
        for text in texts
        if text.id not in held
    }
    if new and path is not None and path.suffix != ".jsonl":
        must, hint = "be JSON Lines, to grow", "Write it again as documents.jsonl."
        problems.append(Problem(path.name, must, path.suffix, hint))
    if problems:
        raise InvalidInput(problems)
    if not new:
        return []
    refuse_at_urls(folder, _DOCUMENTS)
    rows = [text.model_dump(mode="json", exclude_none=True) for text in (held | new).values()]
    write_atomically(folder / f"{_DOCUMENTS}.jsonl", jsonl_bytes(rows))
    return [f"{_DOCUMENTS}.jsonl"]
