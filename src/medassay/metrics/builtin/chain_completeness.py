"""Chain completeness: are all steps of the reasoning there?"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

import numpy as np
from numpy.typing import NDArray

from medassay.answers import Answer
from medassay.metrics.declaration import Declaration, Direction, Need, Parameter
from medassay.metrics.reasoning import read_steps, reasoning_rules
from medassay.metrics.registry import Pair, metric
from medassay.metrics.rule_files import rule_facts
from medassay.scores import Score, Unscored

if TYPE_CHECKING:
    from medassay.metrics.reasoning import Patterns


def _reasoning(answer: Answer) -> str | None:
    if answer.reasoning is None:
        return "" if answer.is_blank else None
    return answer.reasoning


REASONING: Final = Need(words="chain of reasoning", of_answer=_reasoning)
BLIND_SPOTS: Final = (
    "Rules see words: a step in other words is missed, and empty words that name it pass.",
    "Whether what a step says is true, or bears on the case.",
    "The patterns are English; a study can bring its own ([reasoning] steps in study.toml).",
)


def _pool(sums: NDArray[np.float64], _: Mapping[str, str]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = sums[..., 0] / sums[..., 1]
    return shares


@metric(
    Declaration(
        name="chain_completeness",
        title="Chain completeness",
        question="How many of the steps of clinical reasoning does the chain have?",
        unit="a fraction of the steps",
        low=0,
        high=1,
        direction=Direction.HIGHER,
        needs=(REASONING,),
        parameters=(
            Parameter(
                name="patterns",
                says="The one pattern a step that was published, found even inside other words; or"
                " our wider ones, with denied mentions left out (wider).",
                values=("published", "wider"),
                default="published",
            ),
        ),
        if_no_answer=0,
        undefined_when="never",
        reference="Five steps, a pattern each: Uprety (2025), Medical Question-Answering System,"
        " part 3. wider: medassay's own, docs/reasoning.md",
        parts=("found", "steps"),
        pool=_pool,
        backend=lambda _: rule_facts("reasoning"),
        parallel=lambda _: True,
        cost="next to nothing",
        blind_spots=(
            *BLIND_SPOTS,
            (
                "The published patterns ask next to nothing: nearly every chain passes, as the"
                " source's own 100% shows, and 'unconditional' counts as a differential diagnosis."
            ),
        ),
    )
)
def chain_completeness(
    pairs: Sequence[Pair], arguments: Mapping[str, str]
) -> list[Score | Unscored]:
    """Count the steps that are there."""
    rules, patterns = reasoning_rules(), cast("Patterns", arguments["patterns"])
    scores: list[Score | Unscored] = []
    for _, answer in pairs:
        found_steps = read_steps(answer.reasoning or "", rules, patterns)
        hits = sum(found_step.span is not None for found_step in found_steps)
        scores.append(Score(hits / len(found_steps), (float(hits), float(len(found_steps)))))
    return scores
