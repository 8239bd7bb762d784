"""Of the documents that the system shows first, what share do experts find relevant?"""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.answers import Answer
from medassay.cases import Case, Document, LabelledDocument
from medassay.metrics.declaration import Declaration, Direction, Need, Parameter
from medassay.metrics.registry import Pair, metric
from medassay.scores import Reason, Score, Unscored


def _grades(case: Case) -> tuple[tuple[str, float], ...] | None:
    graded = tuple(
        (document.id, document.grade) for document in case.documents if document.grade is not None
    )
    return graded or None


def _shares(case: Case) -> tuple[tuple[str, float], ...] | None:
    labelled = ((document.id, _share(document)) for document in case.documents)
    return tuple((name, share) for name, share in labelled if share is not None) or None


def _share(document: Document) -> float | None:
    return document.share if isinstance(document, LabelledDocument) else document.grade


def _returned(answer: Answer) -> tuple[str, ...] | None:
    if answer.retrieved is None:
        return None
    return tuple(retrieved.document for retrieved in answer.retrieved)


_TOP: Final = 1.0
_LABELS: Final = Parameter(
    name="labels",
    says="How the labels of several experts on one document are joined: 1 or 0 as most of them say,"
    " and no label where as many say the other (majority); or their mean (mean). A grade in the"
    " cases stands where no expert's label is.",
    values=("majority", "mean"),
    default="majority",
)


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
            Need(
                words="documents that experts, or most of them, labelled from 0 to 1",
                of_case=_grades,
                when=("labels", "majority"),
            ),
            Need(
                words="documents that experts labelled from 0 to 1",
                of_case=_shares,
                when=("labels", "mean"),
            ),
            Need(words="retrieved documents", of_answer=_returned),
        ),
        parameters=(_LABELS,),
        version=2,
        takes_k=True,
        if_no_answer=0,
        undefined_when="on none of the first k do experts say one thing, or a label is above 1",
        reference="The environmental-health question-answering framework's evaluation protocol, "
        'section "Citation Precision@k"; its mean is over what was returned, where precision@k '
        "divides by k",
        blind_spots=(
            "A document without a label, or on which the experts are evenly split, is left out.",
            "A system that returns one document, a good one, has 1: it does not ask for k.",
        ),
    )
)
def precision_returned(
    pairs: Sequence[Pair], arguments: Mapping[str, str]
) -> list[Score | Unscored]:
    """Average the experts' joint labels over the first k documents, in the order of the answer."""
    return [_score(case, answer, arguments) for case, answer in pairs]


def _score(case: Case, answer: Answer, arguments: Mapping[str, str]) -> Score | Unscored:
    read = _shares if arguments["labels"] == "mean" else _grades
    labels = dict(read(case) or ())
    if max(labels.values()) > _TOP:
        return Unscored(Reason.UNDEFINED, "a label is above 1: these are grades, not relevance")
    k = int(arguments["k"])
    labels_of = [labels[name] for name in (_returned(answer) or ())[:k] if name in labels]
    if not labels_of:
        return Unscored(Reason.UNDEFINED, f"{_NO_LABEL[arguments['labels']]} the first {k}")
    return Score(sum(labels_of) / len(labels_of))


_NO_LABEL: Final = {
    "majority": "no label, and none that most experts gave, on any of",
    "mean": "no label on any of",
}
