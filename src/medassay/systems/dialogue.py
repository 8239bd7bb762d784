"""What a model is told: prompts with places, those in files, and a dialogue of them."""

import re
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from medassay.cases import Case
from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.models.endpoints import Message
from medassay.tables import file_bytes, read_toml

_FIELD: Final = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_PLACE: Final = re.compile(r"\{(\w+)\}")
_ROLES: Final[Mapping[str, Literal["system", "user", "assistant"]]] = {
    "user": "user", "assistant": "assistant", "system": "system", "developer": "system",
    "tool": "user",
}  # fmt: skip
PLACES: Final[Mapping[str, Callable[[Case], str]]] = {
    "case": lambda case: case.case,
    "question": lambda case: case.prompt or "",
    "narrative": lambda case: case.narrative or "",
    "evidence": lambda case: "\n".join(
        f"[{sentence.id}] {sentence.text}" for sentence in case.evidence
    ),
    "options": lambda case: "\n".join(f"{key}. {text}" for key, text in case.options.items()),
    "conversation": lambda case: "\n\n".join(f"{turn.role}: {turn.text}" for turn in case.turns),
}
"""What a prompt may say in braces, and what stands there then."""
_Result = TypeVar("_Result")
_MOST_TOKENS: Final = 400


class Template(BaseModel):
    """One prompt.

    Attributes:
        text: Its words, with fields such as {{ question }}.
        most_tokens: The longest reply that is wanted.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    text: Annotated[str, Field(min_length=1)]
    most_tokens: Annotated[int, Field(ge=1)] = 400

    def filled(self, fields: Mapping[str, str]) -> str:
        """Put words into the fields; what they hold is never read as a field again.

        Example:
            >>> Template(text="Asked: {{ question }}").filled({"question": "Why {{ x }}?"})
            'Asked: Why {{ x }}?'
        """
        return _FIELD.sub(lambda field: fields[field[1]], self.text)


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


class PromptFile(BaseModel):
    """A file of prompts.

    Attributes:
        source: Who wrote it.
        system: What the model is told before every prompt; empty for nothing.
        prompts: Name to prompt.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    source: str
    system: str = ""
    prompts: dict[str, Template]

    def asked(self, name: str, fields: Mapping[str, str]) -> Prompt:
        """Fill a prompt's fields; what the file tells the model beforehand stands before it."""
        template = self.prompts[name]
        before = (Message("system", self.system),) if self.system else ()
        messages = (*before, Message("user", template.filled(fields).strip()))
        return Prompt(messages, template.most_tokens, name)


@dataclass(frozen=True, slots=True)
class _Asks:
    """What a system needs of a file of prompts: which prompts, with which fields."""

    prompts: tuple[str, ...]
    fields: frozenset[str]


_NEEDS: Final[Mapping[str, _Asks]] = {
    "options": _Asks(
        ("weigh", "presentation", "findings", "differential", "guideline"),
        frozenset({"passages", "question", "options", "said"}),
    ),
    "cited": _Asks(
        ("together", "answer", "cite"),
        frozenset({"question", "narrative", "sentences", "words", "answer"}),
    ),
    "grounded": _Asks(("answer",), frozenset({"passages", "question"})),
}


def own_prompts(name: str) -> PromptFile:
    """Read a file of prompts that ships: `options`, `cited` or `grounded`.

    Raises:
        UnknownName: There is none of this name.
    """
    if name not in _NEEDS:
        raise UnknownName("file of prompts", name, sorted(_NEEDS))
    source = files("medassay") / "data" / "prompts" / f"{name}.toml"
    return _checked(source.read_bytes(), f"{name}.toml", name)


def read_prompts(path: Path, name: str) -> PromptFile:
    """Read a study's own file of prompts for what `name` is used for.

    Raises:
        InvalidInput: It is no TOML, lacks a prompt, or names a field that nobody fills.
    """
    return _checked(file_bytes(path, path.name), path.name, name)


def _checked(content: bytes, file: str, name: str) -> PromptFile:
    prompt_file = read_toml(PromptFile, content, file)
    asks = _NEEDS[name]
    problems = [
        Problem(file, f"have the prompt [prompts.{prompt}]", "none")
        for prompt in asks.prompts
        if prompt not in prompt_file.prompts
    ]
    problems += [
        Problem(
            file,
            f"name fields that are filled: {', '.join(sorted(asks.fields))}",
            f'"{field}" in [prompts.{prompt}]',
        )
        for prompt, template in prompt_file.prompts.items()
        for field in sorted(set(_FIELD.findall(template.text)) - asks.fields)
    ]
    if problems:
        raise InvalidInput(problems)
    return prompt_file


def filled(template: str, values: Mapping[str, str]) -> str:
    """Put values in the places of a template; what a value says in braces stays as it is.

    Example:
        >>> filled("{question} Be brief.", {"question": "What is {x}?"})
        'What is {x}? Be brief.'
    """
    return _PLACE.sub(lambda match: values.get(match[1], match[0]), template)


def refuse_places(template: str, file: str, known: Mapping[str, object] = PLACES) -> None:
    """Refuse a template with a place that nothing fills.

    Raises:
        InvalidInput: There is one.
    """
    strange = sorted({name for name in _PLACE.findall(template) if name not in known})
    if strange:
        must = f"have places among {', '.join(f'{{{name}}}' for name in known)}"
        raise InvalidInput([Problem(file, must, f"{{{name}}}") for name in strange])


def messages_of(case: Case, template: str | None, instructions: str | None) -> list[Message]:
    """Give what a model is told of a case.

    The conversation so far comes as it went. What the answer replies to comes last: by the
    template or, without one, the narrative, evidence, question and options that the case has.

    Raises:
        InvalidInput: The case asks nothing.

    Example:
        >>> messages_of(Case(case="1", question="Is it safe?"), None, "Be brief.")
        [Message(role='system', text='Be brief.'), Message(role='user', text='Is it safe?')]
    """
    if not case.prompt:
        raise InvalidInput(Problem(case.case, "ask something", "neither question nor user's turn"))
    messages = [Message("system", instructions)] if instructions else []
    turns = [Message(_ROLES[turn.role], turn.text) for turn in case.turns]
    if case.question is None and turns[-1].role == "user":
        turns.pop()
    places = {name: place(case) for name, place in PLACES.items()}
    if template is None:
        parts = ("narrative", "evidence", "question", "options")
        last = "\n\n".join(places[name] for name in parts if places[name])
    else:
        last = filled(template, places)
    return [*messages, *turns, Message("user", last)]


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
