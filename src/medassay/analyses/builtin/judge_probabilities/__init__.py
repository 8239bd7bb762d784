"""How far can the probabilities of model judges be believed, by people's labels?"""

from medassay.analyses.builtin.judge_probabilities.compute import probabilities_of
from medassay.analyses.builtin.judge_probabilities.record import JudgeProbabilities
from medassay.analyses.builtin.judge_probabilities.tables import probability_tables
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Design, OnFile, Randomness
from medassay.judgements import Rubric

__all__ = ["judge_probabilities"]


@analysis(
    Declaration(
        id="judge_probabilities",
        title="Probabilities of judges",
        question="Where a judge gives a label a probability of .80, do most people give that label "
        "four times of five?",
        section="judges",
        infers=True,
        reader="methodologist",
        place=10,
        tables=probability_tables,
    )
)
def judge_probabilities(
    rubric: Rubric, on_file: OnFile, design: Design, randomness: Randomness
) -> JudgeProbabilities | None:
    """Hold each judge's probabilities against the label of most people, on each dimension."""
    rows = probabilities_of(rubric, on_file, design, randomness)
    return JudgeProbabilities(rows) if rows else None
