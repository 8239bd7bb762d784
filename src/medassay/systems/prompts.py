"""Prompts are data: files of templates that a study can replace by its own."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, ClassVar, Final

from pydantic import BaseModel, ConfigDict, Field

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.models.endpoints import Message
from medassay.systems.dialogue import Prompt
from medassay.tables import file_bytes, read_toml

__all__ = ["PromptFile", "Template", "own_prompts", "read_prompts"]

_FIELD: Final = re.compile(r"\{\{\s*(\w+)\s*\}\}")


class Template(BaseModel):
    """One prompt.

    Attributes:
        text: Its words, with fields such as {{ question }}.
        most_tokens: The longest reply that is wanted.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid")

    text: Annotated[str, Field(min_length=1)]
    most_tokens: Annotated[int, Field(ge=1)] = 400

    def filled(self, fields: Mapping[str, str]) -> str:
        """Put words into the fields; what they hold is never read as a field again.

        Example:
            >>> Template(text="Asked: {{ question }}").filled({"question": "Why {{ x }}?"})
            'Asked: Why {{ x }}?'
        """
        return _FIELD.sub(lambda field: fields[field[1]], self.text)


class PromptFile(BaseModel):
    """A file of prompts.

    Attributes:
        source: Who wrote it.
        system: What the model is told before every prompt; empty for nothing.
        prompts: Name to prompt.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid")

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
