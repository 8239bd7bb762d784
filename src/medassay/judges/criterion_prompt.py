"""What a model that grades by criteria is asked: one criterion of one answer at a time."""

import json
from functools import cache
from importlib.resources import files

from medassay.answers import Answer
from medassay.cases import Case, Criterion

__all__ = ["criterion_prompt"]


def criterion_prompt(case: Case, answer: Answer, criterion: Criterion) -> str:
    """Fill the template that ships: conversation, reply and criterion, each as JSON.

    Points are left out, so that nobody learns from them which verdict would be the good one. As
    JSON no text can end its own quotation. The wording is ours (`data/prompts/criterion.txt`).

    Example:
        >>> case = Case.model_validate({"case": "1", "question": "Is it broken?", "criteria": [
        ...     {"id": "a", "text": "Asks how it happened.", "points": 5}]})
        >>> answer = Answer(system="A", case="1", text="Met.")
        >>> asked = criterion_prompt(case, answer, *case.criteria)
        >>> [line for line in asked.splitlines() if line.startswith(('[', '"'))]
        ['[{"role": "user", "text": "Is it broken?"}]', '"Met."', '"Asks how it happened."']
    """
    turns = [{"role": turn.role, "text": turn.text} for turn in case.turns]
    if case.question is not None:
        turns.append({"role": "user", "text": case.question})
    filled = {
        "conversation": _json(turns),
        "reply": _json(answer.text or ""),
        "criterion": _json(criterion.text),
    }
    parts = _template().split("<<")
    return parts[0] + "".join(
        filled[name] + rest for name, rest in (part.split(">>", 1) for part in parts[1:])
    )


@cache
def _template() -> str:
    return (files("medassay") / "data" / "prompts" / "criterion.txt").read_text(encoding="utf-8")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
