"""What an endpoint of the OpenAI protocol is sent."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

__all__ = ["Body", "JsonSchema", "Message", "chat_body", "count_roughly", "key_of", "most_tokens"]

Body: TypeAlias = Mapping[str, Any]
"""JSON: what is sent, without what only says how (addresses, keys, time-outs)."""

JsonSchema: TypeAlias = Mapping[str, Any]
_LETTERS_A_TOKEN: Final = 3.5
"""Of English prose and today's tokenizers about four; three and a half errs towards more."""
_LIMITS: Final = ("max_completion_tokens", "max_tokens")


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
