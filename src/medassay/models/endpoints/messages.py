"""What is sent to a model, and what comes back."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, Final, Literal, NamedTuple, Self, TypeAlias, get_args

from medassay.tables import without_halves

Body: TypeAlias = Mapping[str, Any]
"""JSON: what is sent, without what only says how (addresses, keys, time-outs)."""
JsonSchema: TypeAlias = Mapping[str, Any]
_LETTERS_A_TOKEN: Final = 3.5
"""Of English prose and today's tokenizers about four; three and a half errs towards more."""
_LIMITS: Final = ("max_completion_tokens", "max_tokens")
Ended: TypeAlias = Literal["answered", "empty", "refused", "cut_off", "failed"]
"""answered: a text to its end. empty: no text. refused: the endpoint says that it declines.
cut_off: the text stops at the limit of tokens. failed: there is no answer, and `failure` says why.
"""
ENDED: Final[tuple[Ended, ...]] = get_args(Ended)
Failure: TypeAlias = Literal[
    "key", "not_found", "quota", "rate", "too_long", "timeout", "connection", "server",
    "malformed", "too_large", "not_allowed", "code", "other",
]  # fmt: skip
"""key: no key, or a wrong one. quota: nothing left to spend. rate: too many questions in a time.
too_long: the question is longer than the model reads. malformed: no JSON of the form expected.
too_large: an answer without end. not_allowed: an address that may not be sent to. code: a function
of the user's own raised an error."""
Token: TypeAlias = tuple[str, float, tuple[tuple[str, float], ...]]
"""A token, its log-probability, and those that might have stood there with theirs."""


class Message(NamedTuple):
    """One turn of what a model is told."""

    role: Literal["system", "user", "assistant"]
    text: str


def chat_body(
    messages: Sequence[Message],
    parameters: Mapping[str, object],
    *,
    schema: JsonSchema | None = None,
    top: int = 0,
) -> dict[str, Any]:
    """Make the body of a chat completion.

    Args:
        messages: What is told.
        parameters: Temperature, most tokens, seed and the like, as the protocol calls them.
        schema: The JSON that the reply must be, where the endpoint can hold it to one.
        top: Of how many tokens the log-probabilities are asked for at each place; 0: none.

    Example:
        >>> chat_body([Message("user", "Is it safe?")], {"max_tokens": 5})
        {'messages': [{'role': 'user', 'content': 'Is it safe?'}], 'max_tokens': 5}
    """
    body: dict[str, Any] = {
        "messages": [{"role": message.role, "content": message.text} for message in messages],
        **parameters,
    }
    if schema is not None:
        form = {"name": "reply", "strict": True, "schema": schema}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    if top:
        body |= {"logprobs": True, "top_logprobs": top}
    return body


def key_of(identity: Mapping[str, object], body: Body, sample: int) -> str:
    """Give the hash of all that decides a reply: who is asked, what, and for which time.

    Example:
        >>> one, other = ({"model": name} for name in "ab")
        >>> key_of(one, {"q": 1}, 0) == key_of(one, {"q": 1}, 0)
        True
        >>> key_of(one, {"q": 1}, 0) in {key_of(other, {"q": 1}, 0), key_of(one, {"q": 1}, 1)}
        False
    """
    whole = {"of": identity, "body": body, "sample": sample}
    text = json.dumps(whole, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def count_roughly(body: Body) -> int:
    """Estimate the tokens of a question before it is sent: a token for 3.5 letters, rounded up."""
    messages = body.get("messages")
    if isinstance(messages, list):
        letters = sum(len(message["content"]) for message in messages)
    else:
        letters = len(json.dumps(body, ensure_ascii=False))
    return int(letters / _LETTERS_A_TOKEN) + 1


def most_tokens(body: Body) -> int:
    """Give the most tokens that the answer may have; 0 where the body sets no limit."""
    limits = (body.get(name) for name in _LIMITS)
    return next((limit for limit in limits if isinstance(limit, int)), 0)


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply.

    Attributes:
        ended: How it ended.
        text: What was said; of a cut-off answer, as far as it went.
        failure: Why there is no answer; None where there is one.
        detail: The same in words that quote neither question nor key.
        model: The model that the endpoint says it is.
        tokens_in: Tokens of the question, as the endpoint counts them.
        tokens_out: Tokens of the answer.
        seconds: Time it took, retries included.
        cost: What it cost, by the settings' prices.
        tokens: The answer's tokens with log-probabilities, where they were asked for and given.
        fields: What a service gave beside the text, by the names of an answer's fields.
    """

    ended: Ended
    text: str = ""
    failure: Failure | None = None
    detail: str = ""
    model: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float = 0.0
    cost: float | None = None
    tokens: tuple[Token, ...] = ()
    fields: Mapping[str, object] | None = None

    @classmethod
    def failed(cls, failure: Failure, detail: str) -> Self:
        """Say that there is no answer, and why.

        Example:
            >>> Reply.failed("timeout", "no answer within 60 s").ended
            'failed'
        """
        return cls("failed", failure=failure, detail=detail)

    @classmethod
    def said(cls, text: str, fields: Mapping[str, object] | None = None) -> Self:
        """Give what a service or a function said; blanks only are an empty answer."""
        blank = not text.strip() and not fields
        return cls("empty" if blank else "answered", text, fields=fields)

    def after(self, seconds: float) -> "Reply":
        """Give the reply with the time that it took."""
        return replace(self, seconds=round(seconds, 3))

    def shown(self) -> "Reply":
        r"""Give the reply as people and files can read it: half of a character as its code.

        Example:
            >>> Reply("answered", "Rest \ud83d").shown().text
            'Rest \\ud83d'
        """
        return _changed(self, without_halves)

    def masked(self, mask: Callable[[str], str]) -> "Reply":
        """Give the reply with a mask over the key that an endpoint may have sent back.

        Tokens that spell it are left out, all of them.

        Example:
            >>> tokens = (("se", -0.1, ()), ("cret", -0.1, ()))
            >>> reply = Reply("answered", "secret", tokens=tokens)
            >>> reply = reply.masked(lambda text: text.replace("secret", "[key]"))
            >>> reply.text, reply.tokens
            ('[key]', ())
        """
        spelt = "".join(token for token, _, _ in self.tokens)
        holds_key = mask(self.text) != self.text or mask(spelt) != spelt
        return _changed(replace(self, tokens=()) if holds_key else self, mask)

    def as_row(self) -> dict[str, object]:
        """Give what is not empty, as JSON has it."""
        row = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in row.items() if value not in ("", None, ())}

    @classmethod
    def of_row(cls, row: Mapping[str, object]) -> "Reply":
        """Read a reply from a row of a journal.

        Raises:
            ValueError: It is none.
        """
        known = {name: row[name] for name in cls.__slots__ if name in row}
        if known.get("ended") not in ENDED:
            raise ValueError("ended")
        raw_tokens: list[Sequence[object]] = known.pop("tokens", [])  # type: ignore[assignment]  # as written by us
        tokens = tuple(
            (str(token), float(str(lp)), tuple((str(t), float(p)) for t, p in top))  # type: ignore[attr-defined]  # as above
            for token, lp, top in raw_tokens
        )
        return cls(**known, tokens=tokens)  # type: ignore[arg-type]  # checked above, as far as it is read


def reply_of_completion(completion: object) -> Reply:
    """Read a chat completion of the OpenAI protocol.

    The verdict of how it ended is the protocol's own: a refusal is a `refusal` of the message or
    the finish reason `content_filter`; a cut-off answer has the finish reason `length`. Words such
    as "I cannot help" are an answer: nobody can tell them from advice by rule.

    Example:
        >>> made = {"choices": [{"finish_reason": "length", "message": {"content": "Rest and"}}]}
        >>> reply_of_completion(made).ended
        'cut_off'
        >>> reply_of_completion({"error": "no"}).failure
        'malformed'
    """
    malformed = Reply.failed("malformed", "the reply is no chat completion")
    if not isinstance(completion, Mapping):
        return malformed
    choices = completion.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
        return malformed
    content, refusal = message.get("content"), message.get("refusal")
    if not (content is None or isinstance(content, str)):
        return malformed
    reason = choice.get("finish_reason")
    text = content or ""
    if refusal or reason == "content_filter":
        ended: Ended = "refused"
        text = text or (refusal if isinstance(refusal, str) else "")
    elif reason == "length":
        ended = "cut_off"
    else:
        ended = "answered" if text.strip() else "empty"
    usage = completion.get("usage")
    counted = usage if isinstance(usage, Mapping) else {}
    model = completion.get("model")
    return Reply(
        ended=ended,
        text=text,
        model=model if isinstance(model, str) else "",
        tokens_in=_count(counted.get("prompt_tokens")),
        tokens_out=_count(counted.get("completion_tokens")),
        tokens=_tokens(choice.get("logprobs")),
    )


def _changed(reply: Reply, change: Callable[[str], str]) -> Reply:
    return replace(
        reply,
        text=change(reply.text),
        detail=change(reply.detail),
        model=change(reply.model),
        tokens=_with_texts(reply.tokens, change),
        fields=_with_texts(reply.fields, change),
    )


def _with_texts(value: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401 - what JSON holds, and tuples
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {_with_texts(key, change): _with_texts(part, change) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_with_texts(part, change) for part in value)
    return value


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _tokens(logprobs: object) -> tuple[Token, ...]:
    """Read the tokens' log-probabilities; what has another form gives none."""
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    try:
        return tuple(
            (
                str(token["token"]),
                _finite(token["logprob"]),
                tuple(
                    (str(t["token"]), _finite(t["logprob"])) for t in token.get("top_logprobs", ())
                ),
            )
            for token in content or ()
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return ()


def _finite(value: Any) -> float:  # noqa: ANN401 - whatever an endpoint sends
    number = float(value)
    if not isfinite(number):
        raise ValueError(value)
    return number
