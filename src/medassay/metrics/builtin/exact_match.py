"""Does the answer choose the right option?"""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.answers import Answer, chosen_option
from medassay.cases import Case
from medassay.metrics.declaration import Declaration, Direction, Need, Parameter
from medassay.metrics.registry import Pair, metric
from medassay.scores import Score, Unscored


def _options(case: Case) -> tuple[object, ...] | None:
    return tuple(case.options.items()) or None


def _choice(answer: Answer) -> tuple[object, ...] | None:
    """Give what the choice is read from: the choice stated, or else the text."""
    if answer.choice is not None:
        return ("choice", answer.choice)
    return None if answer.text is None else ("text", answer.text)


_DECLARATION: Final = Declaration(
    name="exact_match",
    title="Accuracy",
    question="Does the answer choose the right option?",
    unit="1 for the right option and 0 for another or none, so that the mean is the accuracy",
    version=2,
    low=0,
    high=1,
    direction=Direction.HIGHER,
    needs=(
        Need(words="options", of_case=_options),
        Need(words="gold option", of_case=lambda case: case.gold),
        Need(words="choice, stated or in words", of_answer=_choice),
    ),
    parameters=(
        Parameter(
            name="missing",
            says="An answer that chooses no option is wrong (wrong), or counts as if it had chosen"
            " the case's first option (first), as some published scripts do.",
            values=("wrong", "first"),
            default="wrong",
        ),
    ),
    if_no_answer=0,
    if_empty=None,  # as any answer without a recognisable choice: `missing` rules it
    undefined_when="never; an answer without a recognisable choice is wrong",
    blind_spots=(
        "A right option chosen for a wrong reason counts in full.",
        "All wrong options are equally wrong, the dangerous one too.",
        "The phrases by which a choice is read from text are English.",
    ),
    reference="the accuracy of multiple-choice questions; `first` is the rule of the MIRAGE"
    " benchmark's script, Xiong et al. 2024, doi:10.18653/v1/2024.findings-acl.372",
)


@metric(_DECLARATION)
def exact_match(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Compare each answer's option with the gold one."""
    scores: list[Score | Unscored] = []
    for case, answer in pairs:
        chosen = chosen_option(case, answer)
        if chosen is None and arguments["missing"] == "first":
            chosen = next(iter(case.options))
        scores.append(Score(float(chosen == case.gold)))
    return scores
