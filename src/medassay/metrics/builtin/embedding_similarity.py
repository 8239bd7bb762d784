"""How near an answer's sentence embedding comes to a reference's, or to the question's."""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.metrics.declaration import (
    LIMIT,
    ODD_FOR_ENCODERS,
    REFERENCES,
    TEXT,
    Declaration,
    Direction,
    Need,
    Parameter,
    answer_text,
    references,
)
from medassay.metrics.registry import Pair, metric
from medassay.metrics.token_match import (
    BLIND_SPOTS,
    COST,
    MODEL,
    WINDOWS,
    cautions_for_english,
    cosine,
    count_windows,
    pieces_known,
    sentence_backend,
)
from medassay.models.encoders import WINDOW, sentence_vectors
from medassay.scores import Reason, Score, Unscored

_PURPOSE: Final = "embedding_similarity"

_DECLARATION = Declaration(
    name="embedding_similarity",
    title="Embedding similarity",
    question="Is the answer about what the reference, or the question, is about?",
    unit="a cosine",
    low=-1,
    high=1,
    direction=Direction.HIGHER,
    needs=(
        *REFERENCES,
        Need(words="question", of_case=lambda case: case.prompt, when=("ref", "question")),
        TEXT,
    ),
    parts=WINDOWS,
    libraries=("numpy",),
    parameters=(
        Parameter(
            name="ref",
            says="What the answer is compared with: experts' answers (human; the nearest counts),"
            " the question and the essential evidence (note), or the question alone (question).",
            values=("human", "note", "question"),
        ),
        MODEL,
        LIMIT,
    ),
    symmetric=True,
    if_no_answer=Reason.NEVER_ANSWERED,
    if_empty=Reason.EMPTY_ANSWER,
    odd=ODD_FOR_ENCODERS,
    reads=pieces_known(lambda arguments: (arguments["model"], None), _PURPOSE),
    undefined_when="a text has no piece that the model reads, such as control characters alone, or"
    " over half of its letters are unknown to it",
    reference="Reimers & Gurevych 2019, doi:10.18653/v1/D19-1410: the mean of the token states, a"
    " long text in windows",
    settings=lambda _: {"pooling": "mean", "window": str(WINDOW)},
    version=3,
    backend=sentence_backend(_PURPOSE),
    cautions=cautions_for_english(lambda arguments: arguments["model"]),
    cost=COST,
    blind_spots=(
        *BLIND_SPOTS,
        "An answer that only repeats the question is as near to it as can be: 1 with ref=question.",
    ),
)


@metric(_DECLARATION)
def embedding_similarity(
    pairs: Sequence[Pair], arguments: Mapping[str, str]
) -> list[Score | Unscored]:
    """Compare each answer with the nearest of its references."""
    model, ref = arguments["model"], arguments["ref"]
    texts = [answer_text(answer, arguments) for _, answer in pairs]
    targets = [
        (case.prompt or "",) if ref == "question" else references(case, ref) for case, _ in pairs
    ]
    flat = [text for group in targets for text in group]
    answers = sentence_vectors(model, texts, purpose=_PURPOSE)
    others = iter(sentence_vectors(model, flat, purpose=_PURPOSE))
    windows = count_windows(model, texts, purpose=_PURPOSE)
    wide = iter(count_windows(model, flat, purpose=_PURPOSE))
    scores: list[Score | Unscored] = []
    for vector, count, group in zip(answers, windows, targets, strict=True):
        near = [cosine(vector, next(others)) for _ in group]
        parts = (float(count), float(max(next(wide) for _ in group)))
        known = [value for value in near if value is not None]
        nothing = Unscored(Reason.UNDEFINED, "no piece of text that the model reads")
        scores.append(Score(max(known), parts) if known else nothing)
    return scores
