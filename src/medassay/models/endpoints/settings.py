"""Which endpoint may be asked, at which address, and how much."""

import ipaddress
import os
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar, Final, TypeAlias
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from medassay.annotations import Guarded
from medassay.errors import InvalidInput, Problem
from medassay.tables import wrong

EMBEDDED: Final = "embedded"
"""In place of an address: the model that runs in this process."""
_Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
_Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_OPENAI: Final = "api.openai.com"
_NAME: Final = re.compile(r"[a-z0-9]+(-+[a-z0-9]+)*(\.[a-z0-9]+(-+[a-z0-9]+)*)*")
_SHORTEST_SECRET: Final = 8
Mask: TypeAlias = Callable[[str], str]
"""A text in, and the same without a key out."""


def _address(value: str) -> str:
    if value.split("://", maxsplit=1)[0] not in {"http", "https"} or not host_of(value):
        hint = "Such as http://127.0.0.1:11434/v1, which is Ollama's."
        raise wrong("be an address that begins with http:// or https://", f'"{value}"', hint)
    if "@" in value.split("://")[1].split("/", maxsplit=1)[0]:
        hint = "Keys and passwords come from the environment alone."
        raise wrong("be an address without a user or password", "one with them", hint)
    return value


Address = Annotated[
    str, AfterValidator(_address), Guarded("medassay.models.endpoints.settings.Allowed.holds")
]
"""An address of the web, without a password."""


def _embedded_or_address(value: str) -> str:
    return value if value == EMBEDDED else _address(value)


EmbeddedOrAddress = Annotated[
    str,
    AfterValidator(_embedded_or_address),
    Guarded("medassay.models.endpoints.settings.Allowed.holds"),
]
"""An address of the web, or the model that runs in this process."""


class Limits(BaseModel):
    """How fast, how long and for how much an endpoint is asked; none of it changes an answer.

    Attributes:
        concurrency: Questions that are under way at a time.
        per_minute: At most so many questions in a minute.
        tokens_per_minute: At most so many tokens in a minute, questions and answers, estimated.
        timeout: Seconds that one try may take, from the question to the end of the answer.
        retries: How often a question is asked again at once where the endpoint is overloaded, fails
            or sends what cannot be read.
        price_in: Price of a million tokens of questions.
        price_out: Price of a million tokens of answers.
        budget: What all may cost together.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    concurrency: Annotated[int, Field(ge=1, le=1024)] = 8
    per_minute: _Positive | None = None
    tokens_per_minute: _Positive | None = None
    timeout: _Positive = 120.0
    retries: Annotated[int, Field(ge=0, le=20)] = 4
    price_in: _Price | None = None
    price_out: _Price | None = None
    budget: _Price | None = None

    def cost(self, tokens_in: int | None, tokens_out: int | None) -> float | None:
        """Give what so many tokens cost; None where a price or a count is not known.

        Example:
            >>> Limits(price_in=2, price_out=8).cost(1_000_000, 500_000)
            6.0
        """
        if self.price_in is None or self.price_out is None:
            return None
        if tokens_in is None or tokens_out is None:
            return None
        return round((tokens_in * self.price_in + tokens_out * self.price_out) / 1e6, 9)


class EndpointSettings(Limits):
    """An endpoint of the OpenAI protocol, or the embedded model.

    Attributes:
        base_url: Its address, such as http://127.0.0.1:11434/v1; "embedded" is the model that runs
            in this process.
        model: The model, as the endpoint calls it.
        snapshot: Which state of the model it is, where its name does not say.
        parameters: What decides how it answers: temperature, max_tokens, seed ...
    """

    base_url: EmbeddedOrAddress = EMBEDDED
    model: Annotated[str, Field(min_length=1)] = "smollm2-135m-instruct"
    snapshot: str = ""
    parameters: dict[str, Any] = {}

    @property
    def sent(self) -> dict[str, Any]:
        """Give the parameters that are sent: the settings' own or, where they name none, two.

        Those are the likeliest words (temperature 0) and at most 1,024 tokens. Some models refuse
        one or the other: parameters of the settings replace both.
        """
        return self.parameters or {"temperature": 0, "max_tokens": 1024}


@dataclass(frozen=True)
class Allowed:
    """Which addresses may be sent to; this machine's own (loopback) always.

    Attributes:
        anywhere: Every address may be.
        hosts: Else these.
        why: What forbids others, for messages.

    Example:
        >>> ids = Allowed(hosts=frozenset({"llm.clinic.example"}), why='[privacy] texts = "ids"')
        >>> ids.holds("llm.clinic.example"), ids.holds("127.0.0.1"), ids.holds("api.openai.com")
        (True, True, False)
    """

    anywhere: bool = False
    hosts: Collection[str] = frozenset()
    why: str = ""

    def holds(self, host: str) -> bool:
        """Say whether a host may be sent to."""
        return self.anywhere or is_here(host) or host in self.hosts


def host_of(address: str) -> str:
    """Give the host of an address, in small letters; empty where it has none.

    Example:
        >>> host_of("http://LocalHost:11434/v1"), host_of("localhost")
        ('localhost', '')
    """
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""


def is_here(host: str) -> bool:
    """Say whether a host is this machine: a loopback address, or the name localhost.

    Example:
        >>> is_here("127.0.0.1"), is_here("::1"), is_here("localhost.example.org")
        (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def key_variable(host: str) -> str:
    """Name the variable of the environment that holds the key for a host.

    It follows from the host, and no file can name another: a study that somebody sent could
    otherwise have the key of one address sent to another. No two hosts share a name: a point is
    one `_`, a hyphen two; a host of other signs, or with a hyphen at an end of a part, is spelt out
    in hexadecimal digits.

    Example:
        >>> key_variable("api.openai.com"), key_variable("api.mistral.ai")
        ('OPENAI_API_KEY', 'MEDASSAY_KEY_API_MISTRAL_AI')
        >>> key_variable("api-mistral.ai"), key_variable("::1")
        ('MEDASSAY_KEY_API__MISTRAL_AI', 'MEDASSAY_KEYHEX_3A3A31')
    """
    if host == _OPENAI:
        return "OPENAI_API_KEY"
    if _NAME.fullmatch(host):
        return f"MEDASSAY_KEY_{host.upper().replace('-', '__').replace('.', '_')}"
    return f"MEDASSAY_KEYHEX_{host.encode(errors='surrogatepass').hex().upper()}"


def key_for(address: str) -> str | None:
    """Give the key for an address from the environment; None where it holds none.

    Raises:
        InvalidInput: There is one, and whoever stands on the way could read it.
    """
    host = host_of(address)
    key = os.environ.get(key_variable(host)) or None
    if key is not None and urlsplit(address).scheme != "https" and not is_here(host):
        must = "be an address that begins with https://, since a key goes with the questions"
        hint = f"Write https://, or unset {key_variable(host)}."
        raise InvalidInput(Problem("study.toml", must, f'"{address}"', hint))
    return key


def key_masks(key: str | None) -> Mask:
    """Give what takes a key out of a text, whatever signs stand between its letters and digits.

    A key of fewer than eight signs is no secret, but a word such as "none".

    Example:
        >>> key_masks("sk-12345678")("No such key: sk_12345678."), key_masks("ollama")("ollama")
        ('No such key: [key].', 'ollama')
    """
    if key is None or len(key) < _SHORTEST_SECRET:
        return str
    spelt = "".join(sign if sign.isalnum() else r"[\W_]" for sign in key)
    return partial(re.compile(spelt).sub, "[key]")
