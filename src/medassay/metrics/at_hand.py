"""Which metrics can be computed from what somebody has."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from medassay.answers import Answer, Retrieved, Statement
from medassay.cases import Case, Document, Evidence, Reference
from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.metrics.declaration import Declaration
from medassay.metrics.resolve import declarations, resolve
from medassay.metrics.usual import usual_names
from medassay.scores import Name

__all__ = ["AT_HAND", "metrics_for"]

_PLAIN: Final = "answers"


@dataclass(frozen=True, slots=True)
class _Held:
    """What somebody has beside questions and answers, as the smallest case and answer with it.

    Attributes:
        words: What it is.
        case: A case that has it.
        answer: An answer that has it.
    """

    words: str
    case: Case
    answer: Answer


_CASE: Final = Case(case="1", question="May I run?")
_ANSWER: Final = Answer(system="a", case="1", text="Rest for a day.")


def _case(**more: object) -> Case:
    return Case.model_validate({**_CASE.model_dump(exclude_unset=True), **more})


def _answer(**more: object) -> Answer:
    return Answer.model_validate({**_ANSWER.model_dump(exclude_unset=True), **more})


_HELD: Final[Mapping[str, _Held]] = {
    _PLAIN: _Held("questions and answers, nothing else", _CASE, _ANSWER),
    "references": _Held(
        "an expert's answer to each question",
        _case(references=(Reference(text="Rest."),)),
        _ANSWER,
    ),
    "evidence": _Held(
        "the sentences that an answer should rest on, labelled by relevance",
        _case(evidence=(Evidence(id="1", text="Rest helps.", relevance="essential"),)),
        _answer(text=None, statements=(Statement(text="Rest.", citations=("1",)),)),
    ),
    "contexts": _Held(
        "the texts that each system retrieved",
        _case(documents=(Document(id="d", title="Sprains", text="Rest helps."),)),
        _answer(retrieved=(Retrieved(document="d"),)),
    ),
    "grades": _Held(
        "experts' grades of the documents that systems ranked",
        _case(documents=(Document(id="d", title="Sprains", text="Rest helps.", grade=1),)),
        _answer(retrieved=(Retrieved(document="d"),)),
    ),
    "options": _Held(
        "multiple-choice questions with the right option",
        _case(options={"A": "Rest.", "B": "Run."}, gold="A"),
        _answer(choice="A"),
    ),
    "reasoning": _Held(
        "each system's reasoning beside its answer",
        _case(options={"A": "Rest.", "B": "Run."}),
        _answer(choice="A", reasoning="The ankle is sprained, so it needs rest."),
    ),
}
AT_HAND: Final[Mapping[str, str]] = {name: held.words for name, held in _HELD.items()}
"""What somebody may have, to its meaning in words."""


def metrics_for(have: str) -> list[tuple[str, Declaration]]:
    """List the metrics that what somebody has makes possible, under their usual names.

    What questions and answers alone allow is listed for `answers` only. A metric is tried on the
    smallest case and answer that have the thing: no list has to be kept.

    Args:
        have: One of `AT_HAND`.

    Raises:
        InvalidInput: It is none of these.

    Example:
        >>> [name for name, _ in metrics_for("options")]
        ['exact_match', 'semantic_accuracy']
    """
    if have not in _HELD:
        hint = UnknownName("thing to have", have, list(AT_HAND)).hint
        raise InvalidInput(Problem("--for", "say what you have", f'"{have}"', hint))
    named = [(name, declared) for declared in declarations() for name in _names(declared)]
    return [
        (name, declared)
        for name, declared in named
        if _fits(name, _HELD[have]) and (have == _PLAIN or not _fits(name, _HELD[_PLAIN]))
    ]


def _names(declared: Declaration) -> list[str]:
    """Give a metric's usual names, and those by which it reads other things than usually."""
    names = []
    for usual in usual_names(declared):
        name = Name.parse(usual)
        written = dict(name.arguments)
        others = dict.fromkeys(need.when for need in declared.needs if need.when is not None)
        names.append(usual)
        for parameter, value in others:
            if parameter not in written:
                with suppress(InvalidInput):  # a combination that the metric does not allow
                    more = Name.of(name.base, name.k, **written, **{parameter: value})
                    names.append(str(resolve(more).name))
    return list(dict.fromkeys(names))


def _fits(name: str, held: _Held) -> bool:
    return all(
        (need.of_case is None or need.of_case(held.case) is not None)
        and (need.of_answer is None or need.of_answer(held.answer) is not None)
        for need in resolve(name).needs
    )
