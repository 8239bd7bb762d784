"""The settings of an endpoint, as study.toml has them."""

from typing import Annotated, Any, ClassVar, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from medassay.marks import Guarded
from medassay.models.endpoints.address import host_of
from medassay.tables import wrong

__all__ = ["EMBEDDED", "Address", "EmbeddedOrAddress", "EndpointSettings", "Limits"]

EMBEDDED: Final = "embedded"
"""In place of an address: the model that runs in this process."""
_Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
_Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]


def _address(value: str) -> str:
    if value.split("://", maxsplit=1)[0] not in {"http", "https"} or not host_of(value):
        hint = "Such as http://127.0.0.1:11434/v1, which is Ollama's."
        raise wrong("be an address that begins with http:// or https://", f'"{value}"', hint)
    if "@" in value.split("://")[1].split("/", maxsplit=1)[0]:
        hint = "Keys and passwords come from the environment alone."
        raise wrong("be an address without a user or password", "one with them", hint)
    return value


Address = Annotated[
    str, AfterValidator(_address), Guarded("medassay.models.endpoints.address.Allowed.holds")
]
"""An address of the web, without a password."""


def _embedded_or_address(value: str) -> str:
    return value if value == EMBEDDED else _address(value)


EmbeddedOrAddress = Annotated[
    str,
    AfterValidator(_embedded_or_address),
    Guarded("medassay.models.endpoints.address.Allowed.holds"),
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

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid")

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
