"""Whether answers keep to the word limit: what is past it, the shared tasks' scorers do not see."""

from collections.abc import Mapping, Sequence

from medassay.metrics.declaration import (
    SPACED,
    SPACED_LETTERS,
    TEXT,
    WORDS,
    Declaration,
    Direction,
    Parameter,
    Reads,
    between,
)
from medassay.metrics.registry import Pair, metric
from medassay.scores import Reason, Score, Unscored
from medassay.text import count_words


def _range(arguments: Mapping[str, str]) -> tuple[float, float | None]:
    return 0, 1 if arguments["count"] == "answers" else None


_DECLARATION = Declaration(
    name="over_limit",
    title="Over the word limit",
    question="Is the answer longer than allowed?",
    unit="1 for an answer over the limit and 0 for another, so that the mean is a share; or words",
    low=0,
    high=None,
    range_with=_range,
    direction=Direction.LOWER,
    needs=(TEXT,),
    parameters=(
        Parameter(
            name="limit",
            says="How many words are allowed.",
            kind="integer",
            low=1,
            default="75",
        ),
        Parameter(
            name="count",
            says="Whether answers over the limit are counted, or the words past it.",
            values=("answers", "words"),
            default="answers",
        ),
        WORDS,
    ),
    reads=Reads(what=SPACED, share=SPACED_LETTERS, of_answer=lambda answer, _: answer.text or ""),
    version=2,
    if_no_answer=Reason.NEVER_ANSWERED,
    if_empty=0,
    undefined_when="the answer's script has no blanks between words",
    reference="The limit of 75 words of the ArchEHR-QA shared tasks",
    blind_spots=("Everything but the length.",),
)


@metric(_DECLARATION)
def over_limit(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Count the words of each answer that are past the limit, or say that there are any."""
    limit, parted = int(arguments["limit"]), between(arguments)
    past = [max(count_words(answer.text or "", parted) - limit, 0) for _, answer in pairs]
    if arguments["count"] == "words":
        return [Score(float(words)) for words in past]
    return [Score(float(words > 0)) for words in past]
