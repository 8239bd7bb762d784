"""How a system talks with a model without knowing which: it yields prompts and is sent replies.

A reference system is a generator. Whoever drives it decides what a prompt costs, where it goes, how
many run at once and what is kept: an endpoint, the embedded model, or a test.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Final, TypeVar

from medassay.models.endpoints import Message

__all__ = ["Dialogue", "Prompt", "converse"]

_Result = TypeVar("_Result")
_MOST_TOKENS: Final = 400


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


Dialogue = Generator[Prompt, str, _Result]
"""Prompts out, the words of replies in, a result at the end; without a model nothing is yielded."""


def converse(dialogue: Dialogue[_Result], ask: Callable[[Prompt], str] | None = None) -> _Result:
    """Drive a dialogue to its end, one prompt after the other.

    Args:
        dialogue: What yields prompts.
        ask: Asks a model; may be left out where no prompt comes.

    Raises:
        RuntimeError: A prompt comes and nobody can be asked.

    Example:
        >>> def greets():
        ...     reply = yield Prompt((Message("user", "Say hello."),))
        ...     return reply.upper()
        >>> converse(greets(), lambda prompt: "hello")
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
