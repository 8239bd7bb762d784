"""Of the documents that the system shows first, what share do experts find relevant?"""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics.declaration import Declaration, Direction
from medassay.metrics.needs import Need
from medassay.metrics.registry import Pair, metric
from medassay.scores import Reason, Score, Unscored

__all__: list[str] = []


def _labels(case: Case) -> tuple[tuple[str, float], ...] | None:
    graded = tuple((d.id, d.grade) for d in case.documents if d.grade is not None)
    return graded or None


def _returned(answer: Answer) -> tuple[str, ...] | None:
    if answer.retrieved is None:
        return None
    return tuple(one.document for one in answer.retrieved)


_TOP: Final = 1.0


@metric(
    Declaration(
        name="precision_returned",
        title="Citation precision over what was returned",
        question="Of the first k documents returned, what share do the experts find relevant?",
        unit="a fraction",
        low=0,
        high=1,
        direction=Direction.HIGHER,
        needs=(
            Need(words="documents that experts labelled from 0 to 1", of_case=_labels),
            Need(words="retrieved documents", of_answer=_returned),
        ),
        takes_k=True,
        if_no_answer=0,
        undefined_when="the first k hold no labelled document, or a label is above 1",
        reference="The environmental-health question-answering framework's evaluation protocol, "
        'section "Citation Precision@k"; its mean is over what was returned, where precision@k '
        "divides by k",
        blind_spots=(
            "A document without a label is left out of the mean, neither right nor wrong.",
            "A system that returns one document, a good one, has 1: it does not ask for k.",
        ),
    )
)
def precision_returned(
    pairs: Sequence[Pair], arguments: Mapping[str, str]
) -> list[Score | Unscored]:
    """Average the experts' labels over the first k documents, in the order of the answer.

    Where several experts labelled a document its label is their mean.
    """
    return [_score(case, answer, int(arguments["k"])) for case, answer in pairs]


def _score(case: Case, answer: Answer, k: int) -> Score | Unscored:
    labels = dict(_labels(case) or ())
    if max(labels.values()) > _TOP:
        return Unscored(Reason.UNDEFINED, "a label is above 1: these are grades, not relevance")
    found = [labels[name] for name in (_returned(answer) or ())[:k] if name in labels]
    if not found:
        return Unscored(Reason.UNDEFINED, f"none of the first {k} documents has a label")
    return Score(sum(found) / len(found))
