"""What a model is told of a case: the conversation, and what the case offers."""

import re
from collections.abc import Callable, Mapping
from typing import Final, Literal

from medassay.cases import Case
from medassay.errors import InvalidInput, Problem
from medassay.models.endpoints import Message

__all__ = ["PLACES", "filled", "messages_of", "refuse_places"]

_PLACE: Final = re.compile(r"\{(\w+)\}")
_ROLES: Final[Mapping[str, Literal["system", "user", "assistant"]]] = {
    "user": "user", "assistant": "assistant", "system": "system", "developer": "system",
    "tool": "user",
}  # fmt: skip

PLACES: Final[Mapping[str, Callable[[Case], str]]] = {
    "case": lambda case: case.case,
    "question": lambda case: case.asked or "",
    "narrative": lambda case: case.narrative or "",
    "evidence": lambda case: "\n".join(
        f"[{sentence.id}] {sentence.text}" for sentence in case.evidence
    ),
    "options": lambda case: "\n".join(f"{key}. {text}" for key, text in case.options.items()),
    "conversation": lambda case: "\n\n".join(f"{turn.role}: {turn.text}" for turn in case.turns),
}
"""What a prompt may say in braces, and what stands there then."""


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
    if not case.asked:
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
