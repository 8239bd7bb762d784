"""How near the option that was chosen comes to the right one."""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics.declaration import Content, Declaration, Direction, Need
from medassay.metrics.registry import Pair, metric
from medassay.metrics.token_match import BLIND_SPOTS, COST, MODEL, cosine, sentence_backend
from medassay.models.encoders import WINDOW, sentence_vectors
from medassay.scores import Reason, Score, Unscored

_PURPOSE: Final = "semantic_accuracy"


def _options(case: Case) -> Content | None:
    if case.gold is None or not case.options:
        return None
    return (case.gold, tuple(case.options.items()))


def _choice(answer: Answer) -> str | None:
    return answer.choice


_DECLARATION = Declaration(
    name="semantic_accuracy",
    title="Semantic accuracy",
    question="How near does the chosen option come to the right one in what it says?",
    unit="a cosine, 1 for the right option; a negative one counts 0, so that no wrong option is"
    " worse than none",
    low=0,
    high=1,
    direction=Direction.HIGHER,
    needs=(
        Need(words="options with a gold choice", of_case=_options),
        Need(words="choice", of_answer=_choice),
    ),
    parameters=(MODEL,),
    if_no_answer=0,
    undefined_when="the chosen letter is no option of the case, or an option has no piece that the"
    " model reads",
    reference="mean of cos(embedding of the choice, embedding of the gold option), as clinical"
    " multiple-choice pipelines define it; embeddings of Reimers & Gurevych 2019,"
    " doi:10.18653/v1/D19-1410",
    settings=lambda _: {"pooling": "mean", "window": str(WINDOW), "negative": "0"},
    libraries=("numpy",),
    backend=sentence_backend(_PURPOSE),
    cost=COST,
    blind_spots=(
        *BLIND_SPOTS,
        "Two drugs of one class are near each other, and one of them may be the dangerous choice.",
    ),
)


@metric(_DECLARATION)
def semantic_accuracy(
    pairs: Sequence[Pair], arguments: Mapping[str, str]
) -> list[Score | Unscored]:
    """Compare the texts of the two options."""
    chosen = [case.options.get(answer.choice or "") for case, answer in pairs]
    gold = [case.options.get(case.gold or "") for case, _ in pairs]
    model = arguments["model"]
    ours = sentence_vectors(model, [text or "" for text in chosen], purpose=_PURPOSE)
    theirs = sentence_vectors(model, [text or "" for text in gold], purpose=_PURPOSE)
    scores: list[Score | Unscored] = []
    for (case, answer), text, our, two in zip(pairs, chosen, ours, theirs, strict=True):
        near = cosine(our, two)
        if answer.choice == case.gold:
            scores.append(Score(1.0))
        elif text is None:
            scores.append(Unscored(Reason.UNDEFINED, "the chosen letter is no option of the case"))
        elif near is None:
            scores.append(Unscored(Reason.UNDEFINED, "an option without text that can be read"))
        else:
            scores.append(Score(max(0.0, near)))
    return scores
