"""Whole chains of reasoning, grounded and invented, and what counting words says of them."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Final

from medassay.metrics import resolve
from medassay.scores import Score
from medassay.stats import mcnemar_exact
from medassay.study import Study
from tools.support.data import DATA

KINDS: Final = ("grounded", "invented")
_STUDY: Final = Path(__file__).parents[2] / "src" / "medassay" / "data" / "studies" / "clinical"
_LEXICAL: Final = "lexical_support(against=retrieved,of=reasoning)"
_HEAD: Final = """
## On whole chains of reasoning

Twelve questions of the clinical study that ships with medassay, each with two chains of six \
statements (`tests/data/support/chains.jsonl`), judged against the ten guidelines that the study's \
pipeline retrieved. Grounded: one statement restates the question, five say in a clinician's words \
what the guideline says. Invented: the same chain with four statements put in place of the \
guideline's, with another drug, number, cause or finding. No \
clinician checked them.
"""


@dataclass(frozen=True)
class Chain:
    """A chain of reasoning, statement by statement, and on what each rests."""

    question: str
    kind: str
    texts: tuple[str, ...]
    bases: tuple[str, ...]


@dataclass(frozen=True)
class Told:
    """A chain, and the share of its words that its sources have."""

    chain: Chain
    lexical: float


def chains() -> list[Chain]:
    """Read the twelve grounded chains and their invented twins, question by question."""
    lines = (DATA / "chains.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        Chain(
            told["question"],
            told["kind"],
            tuple(one["text"] for one in told["statements"]),
            tuple(one["basis"] for one in told["statements"]),
        )
        for told in map(json.loads, lines)
    ]


@cache
def tell_chains() -> tuple[Told, ...]:
    """Put each chain in the place of the pipeline's own, and score it as a run would."""
    study = Study.open(_STUDY)
    cases = {one.case: one for one in study.cases}
    answers = {one.case: one for one in study.answers}
    told = chains()
    pairs = [
        (
            cases[one.question],
            answers[one.question].model_copy(update={"reasoning": " ".join(one.texts)}),
        )
        for one in told
    ]
    scores = resolve(_LEXICAL).score_batch(pairs)
    return tuple(
        Told(chain, score.value)
        for chain, score in zip(told, scores, strict=True)
        if isinstance(score, Score)
    )


def chain_section() -> str:
    """Write what lexical support is of the chains, and whether that tells the two kinds apart."""
    told = tell_chains()
    of_kind = {kind: [row.lexical for row in told if row.chain.kind == kind] for kind in KINDS}
    lines = ["| chains | number | lexical support, mean |", "| :--- | ---: | ---: |"]
    lines += [f"| {kind} | {len(row)} | {fmean(row):.2f} |" for kind, row in of_kind.items()]
    pairs = list(zip(of_kind["grounded"], of_kind["invented"], strict=True))
    more, fewer = sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)
    p = mcnemar_exact(more, fewer).p
    verdict = "cannot be" if p >= _LEVEL else "are"
    said = (
        f"Lexical support is higher in the grounded chain in {more} pairs and lower in {fewer} "
        f"(exact sign test, p = {p:.4f}): by it grounded chains {verdict} told from invented ones "
        "here, which is easy where drugs and numbers were exchanged for others. Twelve pairs show "
        "a large difference only. Whether an NLI model does as well on these chains has not been "
        "measured."
    )
    return "\n".join([_HEAD, *lines, "", said, ""])


_LEVEL: Final = 0.05
