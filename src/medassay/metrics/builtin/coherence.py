"""Coherence: do the steps follow each other, and does none take back what another says?"""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.metrics.builtin.chain_completeness import BLIND_SPOTS, REASONING
from medassay.metrics.declaration import Declaration, Direction, Need, Parameter
from medassay.metrics.reasoning import Coherence, read_coherence, reasoning_rules
from medassay.metrics.registry import Pair, metric
from medassay.metrics.rule_files import rule_facts
from medassay.models.find import looks_english
from medassay.scores import Reason, Score, Unscored

_WHY: Final = {
    "all": "a chain of fewer than two sentences has no steps to hold together",
    "order": "fewer than two steps whose order matters",
    "consistency": "a chain of fewer than two sentences cannot contradict itself",
    "support": "the chain concludes nothing that can be looked up",
}


def _part(measured: Coherence, aspect: str) -> float | None:
    return {
        "all": measured.value,
        "order": measured.order,
        "consistency": measured.consistency,
        "support": measured.support,
    }[aspect]


@metric(
    Declaration(
        name="coherence",
        title="Coherence of reasoning",
        question="Do the steps of the chain follow each other without contradiction or jump?",
        unit="1 without a fault; each fault lowers its aspect, and the aspects are multiplied",
        version=2,
        low=0,
        high=1,
        direction=Direction.HIGHER,
        needs=(
            REASONING,
            Need(words="question", of_case=lambda case: (case.prompt, case.narrative)),
            Need(words="options", of_case=lambda case: tuple(case.options.items())),
            Need(words="choice", of_answer=lambda answer: (answer.choice,)),
        ),
        parameters=(
            Parameter(
                name="aspect",
                says="All of it, or one aspect: the order of the steps, contradictions between"
                " steps and with the choice (consistency), conclusions that something before names"
                " (support).",
                values=("all", "order", "consistency", "support"),
                default="all",
            ),
        ),
        if_no_answer=0,
        undefined_when="the chain has fewer than two sentences or is not in English; for an aspect,"
        " nothing in it can be judged",
        reference="medassay's own: the source (Uprety 2025, part 3) names coherence and leaves it"
        " open. docs/reasoning.md has the rules",
        backend=lambda _: rule_facts("reasoning"),
        parallel=lambda _: True,
        cost="about two milliseconds a chain",
        blind_spots=(
            *BLIND_SPOTS,
            (
                "Contradictions in other words: only what is affirmed and denied in the same words"
                " of content is found, and a choice that the chain gives another letter."
            ),
            "An absent fault is no proof: most short chains have 1.",
        ),
    )
)
def coherence(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Read each chain, and give the aspect asked for."""
    rules, aspect = reasoning_rules(), arguments["aspect"]
    scores: list[Score | Unscored] = []
    for case, answer in pairs:
        chain = answer.reasoning or ""
        if chain.strip() and not looks_english(chain):
            scores.append(Unscored(Reason.UNDEFINED, "the chain does not look English"))
            continue
        value = _part(read_coherence(chain, case, answer.choice, rules), aspect)
        scores.append(Unscored(Reason.UNDEFINED, _WHY[aspect]) if value is None else Score(value))
    return scores
