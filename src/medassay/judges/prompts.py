"""What a model judge is told: templates whose places are filled with JSON."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final

from medassay.answers import Answer
from medassay.cases import Case, Criterion
from medassay.errors import InvalidInput, Problem
from medassay.judgements import Dimension
from medassay.judges.menu import Menu, menu_of
from medassay.judges.sources import PLACES, sources_of
from medassay.study.config.judges import shipped_prompt

__all__ = [
    "ONE",
    "TWO",
    "criterion_prompt",
    "filled",
    "judge_prompt",
    "places_of",
    "refuse_prompt",
    "reply_of",
]

_PLACE: Final = re.compile(r"<<(\w+)>>")
_SHARED: Final = ("conversation", "given", "references", "sources", "question", "verdicts", "form")
ONE: Final = (*_SHARED, "reply", "reasoning", "part", "criterion")
"""Places of a prompt that shows one answer."""
TWO: Final = (*_SHARED, "reply_a", "reply_b")
"""Places of a prompt that shows two."""


def filled(template: str, places: Mapping[str, object]) -> str:
    """Put JSON in the places of a template: no text can end its own quotation.

    Example:
        >>> filled("Read: <<reply>>", {"reply": "Rest. <<reply>>"})
        'Read: "Rest. <<reply>>"'
    """
    return _PLACE.sub(lambda place: json.dumps(places[place[1]], ensure_ascii=False), template)


def refuse_prompt(
    template: str, file: str, known: tuple[str, ...], asked: Iterable[Dimension]
) -> None:
    """Refuse a template that nothing fills, or that does not show what its questions speak of.

    Raises:
        InvalidInput: It is one.
    """
    named = set(_PLACE.findall(template))
    shown = [name for name in known if name.startswith("reply")]
    must = f"have places among {', '.join(f'<<{name}>>' for name in known)}"
    problems = [Problem(file, must, f"<<{name}>>") for name in sorted(named - set(known))]
    problems += [
        Problem(file, f"have the place <<{name}>>", "none", "It is what is judged.")
        for name in shown
        if name not in named
    ]
    problems += [
        Problem(
            file,
            f"have the place {' or '.join(f'<<{name}>>' for name in PLACES[what])}",
            "none",
            f"{dimension.id} speaks of what stands there ({what}).",
        )
        for dimension in asked
        for what in dimension.reads or ()
        if named.isdisjoint(PLACES[what])
    ]
    if problems:
        raise InvalidInput(problems)


def places_of(case: Case, question: str, menu: Menu) -> dict[str, object]:
    """Give what a prompt may say of a case and of what is asked about it.

    Neither the gold option nor points nor tags are in it: nobody learns from them which verdict
    would be the good one.
    """
    turns = [{"role": turn.role, "text": turn.text} for turn in case.turns]
    if case.question is not None:
        turns.append({"role": "user", "text": case.question})
    facts = [case.narrative] if case.narrative else []
    facts += [f"[{sentence.id}] {sentence.text}" for sentence in case.evidence]
    facts += [f"{letter}. {text}" for letter, text in case.options.items()]
    return {
        "conversation": turns,
        "given": facts,
        "references": [reference.text for reference in case.references],
        "question": question,
        "verdicts": menu.shown,
        "form": menu.form,
    }


def judge_prompt(template: str, case: Case, answer: Answer, dimension: Dimension) -> str:
    """Fill a template of your own for one answer, as a judge would read it.

    Raises:
        InvalidInput: The template has a place that nothing fills, or shows no answer, or the
            question speaks of what cannot be shown.

    Example:
        >>> case = Case(case="1", question="Is it broken?")
        >>> safe = Dimension(id="safe", question="Is it safe?", scale="nominal",
        ...     labels=({"label": "yes"}, {"label": "no"}))
        >>> template = "Read <<reply>>. Question: <<question>>"
        >>> print(judge_prompt(template, case, Answer(system="A", case="1", text="Rest."), safe))
        Read "Rest.". Question: "Is it safe?"
    """
    refuse_prompt(template, "template", ONE, [dimension])
    sources, lacks = sources_of(dimension, case, answer)
    if lacks:
        raise InvalidInput(Problem("template", f"show what {dimension.id} speaks of", lacks))
    places = places_of(case, dimension.question, menu_of(dimension))
    of_reply = {"reply": reply_of(case, answer), "reasoning": answer.reasoning}
    nothing = {"part": None, "criterion": None}
    return filled(template, {**places, **of_reply, **nothing, "sources": sources})


def reply_of(case: Case, answer: Answer) -> str:
    """Give what a prompt shows as the reply: the option that it chose, and its text."""
    option = case.options.get(answer.choice or "", "")
    chosen = f"{answer.choice}. {option}" if option else answer.choice
    pieces = [chosen, None if answer.is_blank else answer.text]
    return "\n\n".join(piece for piece in pieces if piece is not None)


def criterion_prompt(case: Case, answer: Answer, criterion: Criterion) -> str:
    """Fill the template that ships for criteria: conversation, reply and criterion, each as JSON.

    Points are left out, so that nobody learns from them which verdict would be the good one. The
    wording is ours (`data/prompts/criterion.txt`).

    Example:
        >>> case = Case.model_validate({"case": "1", "question": "Is it broken?", "criteria": [
        ...     {"id": "a", "text": "Asks how it happened.", "points": 5}]})
        >>> answer = Answer(system="A", case="1", text="Met.")
        >>> asked = criterion_prompt(case, answer, *case.criteria)
        >>> [line for line in asked.splitlines() if line.startswith(('[', '"'))]
        ['[{"role": "user", "text": "Is it broken?"}]', '[]', '"Met."', '"Asks how it happened."']
    """
    places = places_of(case, "", Menu(words={}, shown=()))
    shown = {"reply": reply_of(case, answer), "criterion": criterion.text}
    return filled(shipped_prompt("criterion"), places | shown)
