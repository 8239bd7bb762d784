"""The kinds of systems that answer: recorded, TF-IDF, a function, an endpoint, a service."""

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import Field

from medassay.answers import Answer, Answers, answer_row, read_answers
from medassay.cases import Case, Cases, Turn
from medassay.errors import InvalidInput, Problem
from medassay.models import file_digest
from medassay.models.endpoints import (
    Ask,
    EndpointSettings,
    Limits,
    Message,
    Reply,
    chat_body,
    open_backend,
)
from medassay.models.endpoints.messages import Body
from medassay.models.endpoints.protocol import JsonClient
from medassay.models.endpoints.settings import Address, key_for
from medassay.systems.corpus import CorpusText, corpus_text, read_corpus
from medassay.systems.dialogue import PLACES, filled, messages_of, refuse_places
from medassay.systems.extract import answer_with_tfidf
from medassay.systems.opening import (
    AskingSettings,
    AskingSystem,
    Code,
    Opening,
    OpenSystem,
    SystemSettings,
    answer_of,
    as_fields,
    blind,
)
from medassay.systems.reference import CitedSystem, GroundedSystem, OptionsSystem, RetrievalSystem
from medassay.tables import file_bytes

_FORM = "name a function as module:function or file.py:function"


class RecordedSystem(SystemSettings):
    """[systems.NAME] kind = "recorded": what the system answered elsewhere.

    Attributes:
        file: A file of the study with its answers: .jsonl, .csv, .parquet or a workbook.
    """

    kind: ClassVar[str] = "recorded"
    files: ClassVar[tuple[str, ...]] = ("file",)
    file: Annotated[str, Field(min_length=1)]

    def open(self, opening: Opening) -> OpenSystem:
        """Read the file; its answers are this system's, whatever it calls itself."""
        answers = read_answers(opening.folder / self.file, Cases.of(opening.cases))
        if len(answers.systems) > 1:
            got = f"those of {', '.join(answers.systems)}"
            raise InvalidInput(Problem(self.file, "hold the answers of one system", got))
        return _Given.of(
            opening.system,
            (answer.model_copy(update={"system": opening.system}) for answer in answers),
        )


class TfidfSystem(SystemSettings):
    """[systems.NAME] kind = "tfidf": the environmental-health protocol's own pipeline.

    Attributes:
        corpus: A folder of the study with texts (.txt, .md); the study's documents if not given.
        k: How many documents are returned; as `[confidence]` says if not given.
        normalised: Confidence from similarities within each query, or over the whole run.
    """

    kind: ClassVar[str] = "tfidf"
    files: ClassVar[tuple[str, ...]] = ("corpus",)
    corpus: str | None = None
    k: Annotated[int, Field(ge=1)] | None = None
    normalised: Literal["query", "run"] = "query"

    def texts(self, opening: Opening) -> list[CorpusText]:
        """Give the texts that are searched.

        Raises:
            InvalidInput: There are none.
        """
        if self.corpus is not None:
            return read_corpus(opening.folder / self.corpus)
        texts = [
            corpus_text(document.id, document.text)
            for document in opening.documents
            if document.text
        ]
        if not texts:
            must = "have texts to search: documents, or a folder named as corpus"
            where = f"systems.{opening.system}.corpus"
            raise InvalidInput(Problem("study.toml", must, "neither", "", None, where))
        return texts

    def open(self, opening: Opening) -> OpenSystem:
        """Answer every case: confidence may depend on all of them."""
        rule = replace(opening.rule, normalised=self.normalised)
        if self.k is not None:
            rule = replace(rule, k=self.k)
        texts = self.texts(opening)
        answers = answer_with_tfidf(opening.cases, texts, opening.system, rule)
        return _Given.of(opening.system, answers, texts if self.corpus is not None else ())


class FunctionSystem(AskingSettings, SystemSettings):
    """[systems.NAME] kind = "python".

    Attributes:
        version: Which state of the system it is, where the function calls something that changes.
    """

    kind: ClassVar[str] = "python"
    version: str = ""

    def open(self, opening: Opening) -> OpenSystem:
        """Take the function that the command line allows."""
        if opening.code is None:
            must = "be given its function on the command line"
            hint = "Add --allow-code module:function. No study can name code by itself."
            where = f"systems.{opening.system}"
            raise InvalidInput(Problem("study.toml", must, "none", hint, None, where))
        cases = {case.case: case for case in opening.cases}
        return _OpenFunction(
            opening.system, self, _FunctionBackend(opening.code, self.version, cases)
        )


class EndpointSystem(EndpointSettings, AskingSettings, SystemSettings):
    """[systems.NAME] kind = "endpoint".

    Attributes:
        prompt: A file of the study: what is asked of each case, with places in braces.
        instructions: A file of the study: what the model is told beforehand.
        live: The user's turns of a conversation are put one after the other, each after the
            system's own reply to the one before; else the conversation is told as it went.
    """

    kind: ClassVar[str] = "endpoint"
    files: ClassVar[tuple[str, ...]] = ("prompt", "instructions")
    prompt: str | None = None
    instructions: str | None = None
    live: bool = False

    def open(self, opening: Opening) -> OpenSystem:
        """Read the prompt, and find who is asked."""
        prompt, instructions = (
            None if name is None else _text(opening.folder, name)
            for name in (self.prompt, self.instructions)
        )
        if prompt is not None and self.prompt is not None:
            refuse_places(prompt, self.prompt)
        backend = open_backend(self, opening.allowed)
        return _OpenEndpoint(opening.system, self, backend, prompt, instructions)


class ServiceSystem(AskingSettings, SystemSettings):
    """[systems.NAME] kind = "service".

    Attributes:
        url: Where the question goes, by POST.
        body: What is sent, with places in braces; a place that is a text of its own takes what the
            case has there.
        answer: Where in the reply the answer's text stands, such as `result.answer`.
        fields: Where else what of an answer stands: retrieved, choice, confidence, statements ...
        key_header: The header that the key goes into, instead of `Authorization: Bearer`.
        version: Which state of the service it is: another one is asked anew.
    """

    kind: ClassVar[str] = "service"
    url: Address
    body: dict[str, Any] = Field(default_factory=lambda: {"question": "{question}"}, min_length=1)
    answer: Annotated[str, Field(min_length=1)] = "answer"
    fields: dict[str, str] = Field(default_factory=dict)
    key_header: str | None = None
    version: str = ""

    def open(self, opening: Opening) -> OpenSystem:
        """Look through the template, and open the connection."""
        for text in _texts(self.body):
            refuse_places(text, "study.toml")
        return _OpenService(opening.system, self, _ServiceBackend(self, opening))


KINDS: Final[dict[str, type[SystemSettings]]] = {
    settings.kind: settings
    for settings in (
        EndpointSystem,
        ServiceSystem,
        RecordedSystem,
        FunctionSystem,
        TfidfSystem,
        RetrievalSystem,
        OptionsSystem,
        CitedSystem,
        GroundedSystem,
    )
}


@dataclass(frozen=True)
class _Given:
    system: str
    answers: Answers
    backend: None
    limits: Limits
    samples: int
    corpus: Sequence[CorpusText]

    @classmethod
    def of(cls, system: str, made: Iterable[Answer], corpus: Sequence[CorpusText] = ()) -> "_Given":
        answers = Answers.of(made)
        most = max((answer.sample for answer in answers), default=0) + 1
        return cls(system, answers, None, Limits(), most, corpus)

    async def answer(self, case: Case, sample: int, ask: Ask) -> Answer | None:
        del ask  # nobody is asked
        return self.answers.get(self.system, case.case, sample)


def load_code(name: str) -> Code:
    """Load the function that `--allow-code` names; nothing else may.

    A file is loaded by itself: the folder that it lies in is not searched for other modules.

    Raises:
        InvalidInput: There is no such module, file or function, or it cannot be loaded.
    """
    place, _, function = name.rpartition(":")
    if not place or not function.isidentifier():
        raise InvalidInput(Problem("--allow-code", _FORM, f'"{name}"'))
    try:
        module = _of_file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
        attribute = getattr(module, function)
        source = Path(inspect.getfile(module))
    except Exception as error:  # whatever the user's own code raises while it is loaded
        got = f"{type(error).__name__}: {error}"
        raise InvalidInput(Problem("--allow-code", _FORM, got)) from error
    if not callable(attribute):
        raise InvalidInput(Problem("--allow-code", _FORM, f"{function}, which is no function"))
    return Code(name, attribute, file_digest(source))


def _of_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class _FunctionBackend:
    code: Code
    version: str
    cases: Mapping[str, Case]

    @property
    def identity(self) -> Mapping[str, object]:
        function = self.code.name.rpartition(":")[2]
        return {"function": function, "code": self.code.digest, "version": self.version}

    @property
    def where(self) -> str:
        return self.code.name

    async def send(self, body: Body) -> Reply:
        """Call the function with the case; in a thread, where it is no coroutine."""
        case = Case.model_validate(body)
        try:
            if inspect.iscoroutinefunction(self.code.function):
                made = await self.code.function(case)
            else:
                from asyncio import to_thread

                made = await to_thread(self.code.function, case)
        except Exception as error:  # noqa: BLE001 - the user's own code: whatever it raises is a failure of this case
            return Reply.failed("code", type(error).__name__)
        if made is None:
            return Reply.said("")
        if isinstance(made, str):
            return Reply.said(made)
        row = answer_row(made) if isinstance(made, Answer) else made
        if not isinstance(row, Mapping):
            return Reply.failed("code", f"it gave {type(made).__name__}, no text and no answer")
        fields = as_fields(
            {name: cell for name, cell in row.items() if name not in {"system", "case", "sample"}}
        )
        if isinstance(fields, str):
            return Reply.failed("code", fields)
        text = fields.get("text")
        return Reply.said(text if isinstance(text, str) else "", fields)

    async def close(self) -> None:
        """Nothing is open."""


class _OpenFunction(AskingSystem[FunctionSystem]):
    async def answer(self, case: Case, sample: int, ask: Ask) -> Answer | None:
        body = blind(case).model_dump(mode="json", exclude_defaults=True)
        reply = await ask(body, about={"case": case.case, "sample": sample}, sample=sample)
        return answer_of(self.system, case.case, sample, reply)


def _text(folder: Path, name: str) -> str:
    return file_bytes(folder / name, name).decode("utf-8-sig").strip()


@dataclass(frozen=True)
class _OpenEndpoint(AskingSystem[EndpointSystem]):
    prompt: str | None
    instructions: str | None

    async def answer(self, case: Case, sample: int, ask: Ask) -> Answer | None:
        if self.settings.live and len([t for t in case.turns if t.role == "user"]) > 1:
            return await self._converse(case, sample, ask)
        messages = messages_of(case, self.prompt, self.instructions)
        reply = await ask(
            chat_body(messages, self.settings.sent), about=_about(case, sample), sample=sample
        )
        return answer_of(self.system, case.case, sample, reply)

    async def _converse(self, case: Case, sample: int, ask: Ask) -> Answer | None:
        """Hold the conversation: only the user's turns are the case's."""
        messages = [Message("system", self.instructions)] if self.instructions else []
        turns: list[Turn] = []
        asked = [turn for turn in case.turns if turn.role == "user"]
        if case.question is not None:
            asked.append(Turn(role="user", text=case.question))
        costs, ended = [], None
        for place, turn in enumerate(asked):
            messages.append(Message("user", turn.text))
            about = {**_about(case, sample), "turn": place}
            reply = await ask(chat_body(messages, self.settings.sent), about=about, sample=sample)
            if reply.ended == "failed":
                return None
            messages.append(Message("assistant", reply.text))
            turns += [turn, Turn(role="assistant", text=reply.text)]
            costs.append(reply.cost)
            ended = reply.ended if reply.ended in {"refused", "cut_off"} else None
        return Answer(
            system=self.system,
            case=case.case,
            sample=sample,
            turns=tuple(turns),
            cost=None if None in costs else round(sum(filter(None, costs)), 9),
            ended=ended,
        )


def _about(case: Case, sample: int) -> dict[str, object]:
    return {"case": case.case, "sample": sample}


def _at_path(value: object, path: str) -> object:
    """Give what stands at a place of JSON; None where nothing does.

    A place is keys and numbers from 0 with dots between; `*` is each item of a list.

    Example:
        >>> _at_path({"hits": [{"id": "a"}, {"id": "b"}]}, "hits.*.id")
        ['a', 'b']
        >>> _at_path({"hits": []}, "hits.0.id") is None
        True
    """
    step, _, rest = path.partition(".")
    if not step:
        return value
    if step == "*":
        return [_at_path(entry, rest) for entry in value] if isinstance(value, list) else None
    if isinstance(value, Mapping):
        return _at_path(value.get(step), rest)
    if isinstance(value, list) and step.isdecimal() and int(step) < len(value):
        return _at_path(value[int(step)], rest)
    return None


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = (
        value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    )
    return [text for entry in inner for text in _texts(entry)]


def _rendered(value: object, places: Mapping[str, str]) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return filled(value, places)
    if isinstance(value, Mapping):
        return {key: _rendered(inner, places) for key, inner in value.items()}
    return [_rendered(entry, places) for entry in value] if isinstance(value, list) else value


class _ServiceBackend:
    """Sends a body, and reads the reply by its paths."""

    def __init__(self, settings: ServiceSystem, opening: Opening) -> None:
        self._settings = settings
        self._client = JsonClient(settings.url, settings, opening.allowed)

    @property
    def identity(self) -> Mapping[str, object]:
        chosen = self._settings
        read = {"answer": chosen.answer, "fields": chosen.fields}
        return {"at": chosen.url, "version": chosen.version, "read": read}

    @property
    def where(self) -> str:
        return self._settings.url

    async def send(self, body: Body) -> Reply:
        return self._client.kept(await self._sent(body))

    async def _sent(self, body: Body) -> Reply:
        reply_body = await self._client.post(self._settings.url, body, self._headers)
        if isinstance(reply_body, Reply):
            return reply_body
        text = _at_path(reply_body, self._settings.answer)
        if not isinstance(text, str):
            return Reply.failed("malformed", f"no text at {self._settings.answer}")
        raw_fields = {
            name: _at_path(reply_body, path) for name, path in self._settings.fields.items()
        }
        fields = {
            name: _as_field(name, value) for name, value in raw_fields.items() if value is not None
        }
        read = as_fields({"text": text, **fields})
        if isinstance(read, str):
            return Reply.failed("malformed", read)
        return Reply.said(text, {name: read[name] for name in fields if name in read} or None)

    @cached_property
    def _headers(self) -> dict[str, str]:
        header, key = self._settings.key_header, key_for(self._settings.url)
        return {header: key or "", "Authorization": ""} if header else {}

    async def close(self) -> None:
        await self._client.close()


def _as_field(name: str, value: object) -> object:
    """Give documents that come as ids alone the form that an answer has."""
    if name == "retrieved" and isinstance(value, list):
        return [{"document": entry} if isinstance(entry, str | int) else entry for entry in value]
    return value


class _OpenService(AskingSystem[ServiceSystem]):
    async def answer(self, case: Case, sample: int, ask: Ask) -> Answer | None:
        places = {name: place(case) for name, place in PLACES.items()}
        body = _rendered(self.settings.body, places)
        reply = await ask(body, about={"case": case.case, "sample": sample}, sample=sample)
        return answer_of(self.system, case.case, sample, reply)
