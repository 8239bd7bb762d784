"""Kind `service`: any HTTP service that takes and gives JSON, described by a template."""

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar

from pydantic import Field

from medassay.answers import Answer
from medassay.cases import Case
from medassay.models.endpoints import Ask, Reply
from medassay.models.endpoints.address import key_for
from medassay.models.endpoints.body import Body
from medassay.models.endpoints.protocol import JsonClient
from medassay.models.endpoints.settings import Address
from medassay.systems.opening import (
    AskingSettings,
    AskingSystem,
    Opening,
    OpenSystem,
    SystemSettings,
    answer_of,
    as_fields,
)
from medassay.systems.prompt import PLACES, filled, refuse_places

__all__ = ["ServiceSystem", "at_path"]


def at_path(value: object, path: str) -> object:
    """Give what stands at a place of JSON; None where nothing does.

    A place is keys and numbers from 0 with dots between; `*` is each item of a list.

    Example:
        >>> at_path({"hits": [{"id": "a"}, {"id": "b"}]}, "hits.*.id")
        ['a', 'b']
        >>> at_path({"hits": []}, "hits.0.id") is None
        True
    """
    step, _, rest = path.partition(".")
    if not step:
        return value
    if step == "*":
        return [at_path(entry, rest) for entry in value] if isinstance(value, list) else None
    if isinstance(value, Mapping):
        return at_path(value.get(step), rest)
    if isinstance(value, list) and step.isdecimal() and int(step) < len(value):
        return at_path(value[int(step)], rest)
    return None


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
        return _Open(opening.system, self, _ServiceBackend(self, opening))


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
        text = at_path(reply_body, self._settings.answer)
        if not isinstance(text, str):
            return Reply.failed("malformed", f"no text at {self._settings.answer}")
        raw_fields = {
            name: at_path(reply_body, path) for name, path in self._settings.fields.items()
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


class _Open(AskingSystem[ServiceSystem]):
    async def answer(self, case: Case, sample: int, ask: Ask) -> Answer | None:
        places = {name: place(case) for name, place in PLACES.items()}
        body = _rendered(self.settings.body, places)
        reply = await ask(body, about={"case": case.case, "sample": sample}, sample=sample)
        return answer_of(self.system, case.case, sample, reply)
