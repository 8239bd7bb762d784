"""A system of a study, made ready; and what it has answered before."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Self

from medassay.answers import Answer
from medassay.cases import Case, Cases, read_documents
from medassay.errors import InvalidInput, Problem, nearest
from medassay.models.endpoints import Allowed, Ask, Backend, Journal, Limits
from medassay.study.answering.work import NOBODY
from medassay.study.config.protocol import protocol_of_system
from medassay.study.config.study_toml import PrivacyChoice
from medassay.study.config.systems import refuse_outside, settings_of
from medassay.study.contents.cases_and_answers import read_study_cases
from medassay.study.files.names import CALLS, STUDY_FILE, table_file
from medassay.study.folder import Study
from medassay.systems import Code, ExtractionRule, Opening, OpenSystem, blind
from medassay.tables import file_stem

__all__ = ["OpenedSystem", "allowed_of", "journal_of"]


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
