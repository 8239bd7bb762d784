"""Ask a system, and write what it answered."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from medassay.answers import Answer, answer_row
from medassay.cases import Case
from medassay.errors import InvalidInput, MedassayError, Problem
from medassay.models.endpoints import Asker, run_all
from medassay.study.answering.corpus import add_corpus
from medassay.study.answering.opened import OpenedSystem, journal_of
from medassay.study.files import ANSWERS, CALLS, STUDY_FILE
from medassay.study.scoring import Progress
from medassay.systems import Code
from medassay.tables import file_stem, jsonl_bytes, read_sheet, write_atomically

__all__ = ["Answered", "answer_study", "first_of"]


@dataclass(frozen=True)
class Answered:
    """What one system did.

    Attributes:
        system: What it is called.
        where: Who was asked; empty where it computes its answers itself.
        answers: Answers that are new in the study.
        known: Answers that were there already, the same.
        unanswered: Answers that are still to be had.
        ended: How the replies that were asked for now ended: answered, empty, refused ...
        failures: Why there is no answer to some, with how many.
        kept: Replies that were kept from before.
        spent: What the replies cost; None where no price is known.
        tokens_in: Tokens of the questions asked now.
        tokens_out: Tokens of the answers.
        stopped: Why not everything was asked; empty where it was.
        torn: Whether the last line of the kept replies was torn off, and dropped.
        files: The study's files that were written.
    """

    system: str
    where: str
    answers: int
    known: int
    unanswered: int
    ended: dict[str, int] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    kept: int = 0
    spent: float | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    stopped: str = ""
    torn: bool = False
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
    """Let one system answer every case, as often as its settings say.

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
    opened = OpenedSystem.of(folder, system, offline=offline, code=code)
    journal = journal_of(folder, system)
    asker = Asker(opened.backend, journal, opened.system.limits, only_kept=True)
    asker.budget = opened.system.limits.budget if budget is None else budget
    refuse_budget(asker, opened, system)
    path = folder / ANSWERS / f"{file_stem(system)}.jsonl"
    try:
        _refuse_others(opened, asyncio.run(opened.kept(asker)), path)
        asked: Counter[str] = Counter()
        if opened.system.backend is not None:
            asker.only_kept, asker.counts = False, asked
            asyncio.run(_ask_all(opened, asker, tell))
            asker.only_kept, asker.counts = True, Counter()
        answers = asyncio.run(opened.kept(asker))
    except* MedassayError as group:
        raise first_of(group) from None
    finally:
        journal.close()
    known = sum(opened.study.answers.get(*answer.key) == answer for answer in answers)
    files = [*add_corpus(folder, opened.system.corpus), *_write(path, system, answers)]
    if opened.system.backend is not None and len(journal):
        files.append(f"{CALLS}/{path.name}")
    return Answered(
        system=system,
        where=opened.backend.where,
        answers=len(answers) - known,
        known=known,
        unanswered=len(opened.cases) * opened.system.samples - len(answers),
        ended={name: count for name, count in sorted(asked.items()) if name != "kept"},
        failures=dict(sorted(asker.failures.items())),
        kept=asked["kept"],
        spent=None if asker.limits.price_in is None else round(asker.spent, 6),
        tokens_in=asker.tokens_in,
        tokens_out=asker.tokens_out,
        stopped=asker.stopped,
        torn=journal.torn,
        files=tuple(files),
    )


def first_of(group: BaseExceptionGroup[MedassayError]) -> BaseException:
    """Give the first of several errors that happened at once."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def refuse_budget(asker: Asker, opened: OpenedSystem, system: str) -> None:
    """Refuse a budget where nobody knows what anything costs.

    Raises:
        InvalidInput: Prices lack.
    """
    limits = opened.system.limits
    if asker.budget is not None and (limits.price_in is None or limits.price_out is None):
        must = "have price_in and price_out, of a million tokens, where there is a budget"
        where = f"systems.{system}"
        raise InvalidInput(Problem(STUDY_FILE, must, "a budget without them", "", None, where))


async def _ask_all(opened: OpenedSystem, asker: Asker, tell: Progress | None) -> None:
    total, done = len(opened.cases) * opened.system.samples, 0

    async def one(job: tuple[Case, int]) -> None:
        nonlocal done
        await opened.system.answer(*job, asker)
        done += 1
        if tell is not None:
            tell(f"{opened.name} answers", done, total)

    try:
        await run_all(opened.jobs, one, opened.system.limits.concurrency, asker.stop)
    finally:
        await opened.backend.close()


def _refuse_others(opened: OpenedSystem, kept: Sequence[Answer], path: Path) -> None:
    """Refuse to go on where the study has answers of the system that came about otherwise.

    Other settings make another system: answers of both in one file would be nobody's.
    """
    study = opened.study
    theirs = [answer for answer in study.answers if answer.system == opened.name]
    if not theirs:
        return
    made = {answer.key: answer for answer in kept}
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
