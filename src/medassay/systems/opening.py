"""What a kind of system is: settings that open into something that answers."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from medassay.answers import Answer, answer_row
from medassay.cases import Case, Document
from medassay.models.endpoints import Allowed, Ask, Backend, Limits, Reply
from medassay.systems.corpus import CorpusText
from medassay.systems.extract import ExtractionRule


@dataclass(frozen=True)
class Code:
    """A function of the user's own, named on the command line.

    Attributes:
        name: What it is called there.
        function: Case in; a text, the fields of an answer, or an answer out.
        digest: The hash of the file that it stands in: other code answers anew.
    """

    name: str
    function: Callable[[Case], Any]
    digest: str


@dataclass(frozen=True)
class Opening:
    """What a system is opened with.

    Attributes:
        system: What it is called.
        folder: The study's folder; files that settings name lie in it.
        cases: What is asked.
        documents: What the study has to search in.
        allowed: Which addresses may be sent to.
        rule: How the environmental-health pipeline is set.
        code: A function that the command line allows.
    """

    system: str
    folder: Path
    cases: Sequence[Case]
    documents: Sequence[Document] = ()
    allowed: Allowed = field(default_factory=Allowed)
    rule: ExtractionRule = field(default_factory=ExtractionRule)
    code: Code | None = None


class OpenSystem(Protocol):
    """A system that is ready to answer."""

    @property
    def backend(self) -> Backend | None:
        """Give whom it asks; None where it computes its answers by itself, the same every time."""

    @property
    def limits(self) -> Limits:
        """Give how fast and for how much it asks."""

    @property
    def samples(self) -> int:
        """Give how many answers it gives to each case."""

    @property
    def corpus(self) -> Sequence[CorpusText]:
        """Give texts of its own that answers name; they become documents of the study."""

    async def answer(self, case: Case, sample: int, ask: Ask) -> Answer | None:
        """Answer; None where no answer was had.

        Whatever it asks goes through `ask(body, about={...}, sample=sample)`, as often as it likes:
        every reply is kept, and what it makes of them must follow from them alone.
        """


class AskingSettings(Limits):
    """What the settings of every kind have that asks somebody.

    Attributes:
        samples: How many answers to each case.
    """

    samples: Annotated[int, Field(ge=1, le=1000)] = 1


_Settings = TypeVar("_Settings", bound=AskingSettings)


@dataclass(frozen=True)
class AskingSystem(Generic[_Settings]):
    """What every system has in common that asks one backend; a subclass says how it answers.

    Attributes:
        system: What it is called.
        settings: How it is set.
        backend: Whom it asks.
    """

    system: str
    settings: _Settings
    backend: Backend

    @property
    def limits(self) -> Limits:
        """Give how fast and for how much it asks."""
        return self.settings

    @property
    def samples(self) -> int:
        """Give how many answers it gives to each case."""
        return self.settings.samples

    @property
    def corpus(self) -> Sequence[CorpusText]:
        """Give no text of its own."""
        return ()


class SystemSettings(BaseModel):
    """The settings of one kind of system; a subclass is all that makes a kind known.

    Class attributes:
        kind: The word in study.toml.
        files: Which settings name files or folders of the study.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    kind: ClassVar[str]
    files: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def open(self, opening: Opening) -> OpenSystem:
        """Make the system ready.

        Raises:
            InvalidInput: Something that it needs is not as it must be.
            MissingBackend: A package lacks.
        """


def blind(case: Case) -> Case:
    """Give a case without what its answer is held against: what is asked and offered stays.

    Example:
        >>> seen = blind(Case(case="1", question="Safe?", gold="A", tags={"condition": "asthma"}))
        >>> seen.question, seen.gold, seen.tags
        ('Safe?', None, {})
    """
    evidence = tuple(sentence.model_copy(update={"relevance": None}) for sentence in case.evidence)
    documents = tuple(document.model_copy(update={"grade": None}) for document in case.documents)
    hidden: dict[str, object] = {"references": (), "criteria": (), "gold": None, "tags": {}}
    return case.model_copy(update={"evidence": evidence, "documents": documents, **hidden})


def answer_of(system: str, case: str, sample: int, reply: Reply) -> Answer | None:
    """Make the answer that a reply is; None where there is none.

    A refused or cut-off answer is one, and says so; an empty one has an empty text.

    Example:
        >>> answer_of("A", "1", 0, Reply("cut_off", "Rest and")).ended
        'cut_off'
    """
    if reply.ended == "failed":
        return None
    fields_given: dict[str, object] = {"system": system, "case": case, "sample": sample}
    if reply.ended in {"refused", "cut_off"}:
        fields_given["ended"] = reply.ended
    if reply.cost is not None:
        fields_given["cost"] = reply.cost
    fields = dict(reply.fields or {})
    if not fields.keys() & {"statements", "turns", "text"}:
        fields["text"] = reply.text
    return Answer.model_validate({**fields, **fields_given})


def as_fields(given: Mapping[str, object]) -> dict[str, object] | str:
    """Give fields of an answer as JSON has them; or say which is none.

    Example:
        >>> from decimal import Decimal
        >>> as_fields({"text": "Rest.", "confidence": Decimal("0.5")})
        {'text': 'Rest.', 'confidence': 0.5}
        >>> as_fields({"confidence": 7})
        'confidence cannot be read'
    """
    from pydantic import ValidationError

    strange = {"system", "case", "sample"} & set(given)
    if strange:
        return f"it names {', '.join(sorted(strange))} itself"
    try:
        text = {} if given.keys() & {"statements", "turns", "text"} else {"text": ""}
        answer = Answer.model_validate({**text, **given, "system": "A", "case": "1"})
    except ValidationError as error:
        return f"{'.'.join(map(str, error.errors()[0]['loc']))} cannot be read"
    left_out = {"system", "case", *text}
    return {name: value for name, value in answer_row(answer).items() if name not in left_out}
