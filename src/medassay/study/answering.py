"""Have the systems that study.toml names answer a study's cases; and ask whoever else is asked."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Final, Protocol, Self, TypeVar

from medassay.answers import Answer, Answers, answer_row
from medassay.cases import Case, Cases, Document, read_documents
from medassay.errors import InvalidInput, MedassayError, Problem, nearest
from medassay.models.endpoints import (
    Allowed,
    Ask,
    Asker,
    Backend,
    Journal,
    Limits,
    NotKept,
    Reply,
    run_all,
)
from medassay.models.endpoints.messages import Body, count_roughly, key_of, most_tokens
from medassay.study.config.protocol import protocol_of_system
from medassay.study.config.study_toml import PrivacyChoice, refuse_outside, settings_of
from medassay.study.contents.cases_and_answers import read_study_cases
from medassay.study.files.names import ANSWERS, CALLS, STUDY_FILE, table_file
from medassay.study.files.placed import refuse_at_urls
from medassay.study.folder import Study
from medassay.study.intake.answers import asked_with, write_asked
from medassay.study.scoring.score_study import Progress
from medassay.systems import Code, CorpusText, ExtractionRule, Opening, OpenSystem, blind
from medassay.tables import file_stem, jsonl_bytes, read_sheet, write_atomically

_Job = TypeVar("_Job")
_Made = TypeVar("_Made")
_Made_co = TypeVar("_Made_co", covariant=True)


class Work(Protocol[_Job, _Made_co]):
    """What is to be asked, and what is made of the replies: a system's answers, a judge's labels.

    What it makes of a job must follow from the replies alone: it is made anew of kept ones.
    """

    @property
    def name(self) -> str:
        """Give the name of who is asked."""

    @property
    def section(self) -> str:
        """Name the table of study.toml that sets it."""

    @property
    def doing(self) -> str:
        """Say what it does, for whoever waits: answers, judges."""

    @property
    def backend(self) -> Backend:
        """Give whom it asks; `NOBODY` where it asks nobody."""

    @property
    def limits(self) -> Limits:
        """Give how fast and for how much it asks."""

    @property
    def jobs(self) -> Iterable[_Job]:
        """Give all that is to be done, in the order of what is made."""

    @property
    def total(self) -> int:
        """Count the jobs."""

    async def make(self, job: _Job, ask: Ask) -> _Made_co | None:
        """Do one; None where nothing came of it."""


class _Nobody:
    """Who is asked by a system that asks nobody."""

    identity: dict[str, object] = {}  # noqa: RUF012 - of every one of them, and never changed
    where = ""

    async def send(self, body: Body) -> Reply:
        raise AssertionError(body)

    async def close(self) -> None:
        """Nothing is open."""


NOBODY: Final = _Nobody()


@dataclass(frozen=True, kw_only=True)
class Replies:
    """How one run of questions went.

    Attributes:
        where: Who was asked; empty where nobody was.
        ended: How the replies that were asked for now ended: answered, empty, refused ...
        failures: Why there is no reply to some, with how many.
        kept: Replies that were kept from before.
        spent: What the replies cost; None where no price is known.
        tokens_in: Tokens of the questions asked now.
        tokens_out: Tokens of the replies.
        stopped: Why not everything was asked; empty where it was.
        torn: Whether the last line of the kept replies was torn off, and dropped.
    """

    where: str = ""
    ended: dict[str, int] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    kept: int = 0
    spent: float | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    stopped: str = ""
    torn: bool = False


@dataclass(frozen=True)
class Estimate:
    """What asking would take, at most.

    Attributes:
        name: The system or judge.
        where: Who would be asked.
        questions: Questions that are to be asked; where later ones depend on replies, the first.
        kept: Replies that are kept already.
        tokens_in: Tokens of the questions, estimated from their length.
        tokens_out: The most tokens that the answers may have; 0 where no limit is set.
        cost: What it costs at most; None where no price is known.
        not_asked: Of a judge: dimension, and why no prompt can show what it speaks of; how often.
    """

    name: str
    where: str
    questions: int
    kept: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    not_asked: dict[str, int] = field(default_factory=dict)


def ask_all(
    work: Work[_Job, _Made],
    journal: Journal,
    refuse: Callable[[list[_Made]], None],
    *,
    budget: float | None = None,
    tell: Progress | None = None,
) -> tuple[list[_Made], Replies]:
    """Do all of a work, asking only what no reply is kept of.

    Every reply is on disk the moment it comes: stopped anywhere, it goes on where it was. A failed
    question is asked again the next time, and nothing else is.

    Args:
        work: What is to be asked.
        journal: Where replies are kept; it is closed at the end.
        refuse: Is given what the kept replies make, before anything is asked, and may raise.
        budget: What it may cost from now on; the settings' if not given.
        tell: Is told how far it is.

    Returns:
        What the replies make, in the order of the jobs; and how they ended.

    Raises:
        InvalidInput: A budget without prices, or what `refuse` raises.
    """
    import asyncio

    asker = Asker(work.backend, journal, work.limits, only_kept=True)
    asker.budget = work.limits.budget if budget is None else budget
    asked: Counter[str] = Counter()
    try:
        _refuse_budget(asker, work)
        refuse(asyncio.run(_kept(work, asker)))
        if work.backend is not NOBODY:
            asker.only_kept, asker.counts = False, asked
            asyncio.run(_ask(work, asker, tell))
            asker.only_kept, asker.counts = True, Counter()
        made = asyncio.run(_kept(work, asker))
    except* MedassayError as group:
        raise _first_of(group) from None
    finally:
        journal.close()
    return made, Replies(
        where=work.backend.where,
        ended={name: count for name, count in sorted(asked.items()) if name != "kept"},
        failures=dict(sorted(asker.failures.items())),
        kept=asked["kept"],
        spent=None if asker.limits.price_in is None else round(asker.spent, 6),
        tokens_in=asker.tokens_in,
        tokens_out=asker.tokens_out,
        stopped=asker.stopped,
        torn=journal.torn,
    )


def estimate(work: Work[_Job, _Made], journal: Journal) -> Estimate:
    """Say what a work would take; nothing is asked and nothing written."""
    import asyncio

    identity = work.backend.identity
    asked: dict[str, tuple[int, int]] = {}
    known_keys: set[str] = set()

    async def ask(body: Body, *, about: object = None, sample: int = 0) -> Reply:
        del about
        key = key_of(identity, body, sample)
        reply = journal.get(key)
        if reply is not None:
            known_keys.add(key)
            return reply
        asked[key] = count_roughly(body), most_tokens(body)
        raise NotKept

    async def all_of_them() -> None:
        for job in work.jobs:
            try:
                await work.make(job, ask)
            except NotKept:
                continue

    asyncio.run(all_of_them())
    journal.close()
    tokens_in = sum(n_in for n_in, _ in asked.values())
    tokens_out = sum(n_out for _, n_out in asked.values())
    cost = work.limits.cost(tokens_in, tokens_out)
    where = work.backend.where
    return Estimate(work.name, where, len(asked), len(known_keys), tokens_in, tokens_out, cost)


async def _kept(work: Work[_Job, _Made], asker: Asker) -> list[_Made]:
    """Make what the kept replies make, in the order of the jobs."""
    results = []
    for job in work.jobs:
        try:
            made = await work.make(job, asker)
        except NotKept:
            continue
        if made is not None:
            results.append(made)
    return results


async def _ask(work: Work[_Job, _Made], asker: Asker, tell: Progress | None) -> None:
    done = 0

    async def one(job: _Job) -> None:
        nonlocal done
        await work.make(job, asker)
        done += 1
        if tell is not None:
            tell(f"{work.name} {work.doing}", done, work.total)

    try:
        await run_all(work.jobs, one, work.limits.concurrency, asker.stop)
    finally:
        await work.backend.close()


def _refuse_budget(asker: Asker, work: Work[_Job, _Made]) -> None:
    """Refuse a budget where nobody knows what anything costs."""
    limits = work.limits
    if asker.budget is not None and (limits.price_in is None or limits.price_out is None):
        must = "have price_in and price_out, of a million tokens, where there is a budget"
        problem = Problem(STUDY_FILE, must, "a budget without them", "", None, work.section)
        raise InvalidInput(problem)


def _first_of(group: BaseExceptionGroup[MedassayError]) -> BaseException:
    """Give the first of several errors that happened at once."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def allowed_of(privacy: PrivacyChoice, *, offline: bool) -> Allowed:
    """Say which addresses a study's texts may be sent to.

    Example:
        >>> allowed_of(PrivacyChoice(texts="ids"), offline=False).holds("api.openai.com")
        False
    """
    if offline:
        return Allowed(why="--offline was given")
    if privacy.texts == "full":
        return Allowed(anywhere=True)
    hosts = frozenset(host.lower() for host in privacy.send_to)
    return Allowed(hosts=hosts, why=f'[privacy] texts is "{privacy.texts}"')


def journal_of(folder: Path, name: str) -> Journal:
    """Open the file that keeps what was replied to a system, or a judge."""
    shown = f"{CALLS}/{file_stem(name)}.jsonl"
    return Journal(folder / shown, shown)


@dataclass(frozen=True)
class OpenedSystem:
    """A system of a study that is ready to answer.

    Attributes:
        study: The study, whole.
        name: What the system is called.
        cases: The cases as systems see them, and as the file has them: documents that another
            system found would make another question.
        system: The system.
    """

    study: Study
    name: str
    cases: Cases
    system: OpenSystem

    @classmethod
    def of(cls, folder: Path, name: str, *, offline: bool, code: Code | None) -> Self:
        """Open a study and one of its systems.

        Raises:
            InvalidInput: The study names no such system, or a setting is not as it must be.
            MissingBackend: A package lacks.
        """
        study = Study.open_whole(folder)
        known = [
            declared for declared, config in study.config.systems.items() if config.kind is not None
        ]
        if name not in known:
            must = "say how it is asked"
            hint = nearest(name, known) or f"Write [systems.{name}] with its kind."
            problem = Problem(STUDY_FILE, must, "no kind", hint, None, f"systems.{name}")
            raise InvalidInput(problem)
        config = study.config.systems[name]
        settings = settings_of(name, config.kind or "", config.settings)
        refuse_outside(folder, name, settings)
        cases = Cases.of(map(blind, read_study_cases(folder)))
        path = table_file(folder, "documents")
        opening = Opening(
            system=name,
            folder=folder,
            cases=tuple(cases),
            documents=() if path is None else tuple(read_documents(path).values()),
            allowed=allowed_of(study.config.privacy, offline=offline),
            rule=_rule(study),
            code=code,
        )
        return cls(study, name, cases, settings.open(opening))

    doing: ClassVar[str] = "answers"

    @property
    def section(self) -> str:
        """Name the table of study.toml that sets it."""
        return f"systems.{self.name}"

    @property
    def backend(self) -> Backend:
        """Give whom it asks."""
        return self.system.backend or NOBODY

    @property
    def limits(self) -> Limits:
        """Give how fast and for how much it asks."""
        return self.system.limits

    @property
    def jobs(self) -> Iterator[tuple[Case, int]]:
        """Give every case that it is asked with every sample, one after the other."""
        return ((case, sample) for case in self.asked for sample in range(self.system.samples))

    @cached_property
    def asked(self) -> list[Case]:
        """List the cases that it is asked: those of asked.csv, where that names it, else all."""
        of = self.study.asked.of or {}
        return [case for case in self.cases if self.name not in of or case.case in of[self.name]]

    @property
    def total(self) -> int:
        """Count the answers that it is to give."""
        return len(self.asked) * self.system.samples

    async def make(self, job: tuple[Case, int], ask: Ask) -> Answer | None:
        """Have it answer one case."""
        return await self.system.answer(*job, ask)


def _rule(study: Study) -> ExtractionRule:
    """Give the rule of confidence in words: the study's, else that of the protocol it is from."""
    chosen = study.config.confidence or protocol_of_system("tfidf").confidence
    rule = ExtractionRule()
    return rule if chosen is None else replace(rule, k=chosen.k, thresholds=chosen.thresholds)


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
        must = "not have answers of this system from other settings"
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
