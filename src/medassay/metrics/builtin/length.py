"""How long answers are: no quality, but the control that every other metric needs beside it."""

from collections.abc import Mapping, Sequence

from medassay.metrics.declaration import (
    SPACED,
    SPACED_LETTERS,
    TEXT,
    Declaration,
    Direction,
    Parameter,
    Reads,
)
from medassay.metrics.registry import Pair, metric
from medassay.scores import Reason, Score, Unscored
from medassay.text import count_words

_DECLARATION = Declaration(
    name="length",
    title="Answer length",
    question="How long is the answer?",
    unit="words, or characters",
    low=0,
    high=None,
    direction=Direction.NONE,
    needs=(TEXT,),
    parameters=(
        Parameter(
            name="unit",
            says="What is counted: words between white space, or Unicode characters.",
            values=("words", "characters"),
            default="words",
        ),
    ),
    reads=Reads(
        what=SPACED,
        share=lambda text, arguments: (
            1.0 if arguments["unit"] == "characters" else SPACED_LETTERS(text, arguments)
        ),
        of_answer=lambda answer, _: answer.text or "",
    ),
    version=2,
    if_no_answer=Reason.NEVER_ANSWERED,
    if_empty=0,
    undefined_when="words are counted, and the script has no blanks between them",
    reference="Words as the ArchEHR-QA shared tasks count them against their limits",
    blind_spots=("Everything but the length: it is a control, and says nothing of quality.",),
)


@metric(_DECLARATION)
def length(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Count the words or the characters of each answer; blanks around it do not count."""
    count = count_words if arguments["unit"] == "words" else len
    return [Score(float(count((answer.text or "").strip()))) for _, answer in pairs]
