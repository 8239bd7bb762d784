"""How a system talks with a model without knowing which: it yields prompts and is sent replies.

A reference system is a generator. Whoever drives it decides what a prompt costs, where it goes, how
many run at once and what is kept: an endpoint, the embedded model, or a test.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

__all__ = ["Dialogue", "Message", "Prompt", "Reply", "converse"]

_Result = TypeVar("_Result")
_MOST_TOKENS: Final = 400


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked of a model.

    Attributes:
        messages: The messages, in order.
        most_tokens: The longest reply that is wanted.
        purpose: Which step of the system asks, for logs and for the record.
    """

    messages: tuple[Message, ...]
    most_tokens: int = _MOST_TOKENS
    purpose: str = "answer"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said.

    Attributes:
        text: Its words; empty where it gave none.
        cut_off: Whether it was cut off at the longest reply.
    """

    text: str
    cut_off: bool = False


Dialogue = Generator[Prompt, Reply, _Result]
"""Prompts out, replies in, a result at the end; one that needs no model yields nothing."""


def converse(dialogue: Dialogue[_Result], ask: Callable[[Prompt], Reply] | None = None) -> _Result:
    """Drive a dialogue to its end, one prompt after the other.

    Args:
        dialogue: What yields prompts.
        ask: Asks a model; may be left out where no prompt comes.

    Raises:
        RuntimeError: A prompt comes and nobody can be asked.

    Example:
        >>> def greets():
        ...     reply = yield Prompt((Message("user", "Say hello."),))
        ...     return reply.text.upper()
        >>> converse(greets(), lambda prompt: Reply("hello"))
        'HELLO'
    """
    try:
        prompt = next(dialogue)
        while True:
            if ask is None:
                raise RuntimeError(f"nobody is there to ask: {prompt.purpose}")
            prompt = dialogue.send(ask(prompt))
    except StopIteration as end:
        result: _Result = end.value
        return result
