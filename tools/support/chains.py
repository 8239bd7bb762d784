"""Whole chains of reasoning, grounded and invented, and what the rule of hallucination says."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import resolve
from medassay.metrics.arithmetic.support import check_statements
from medassay.models.nli import RuleJudge, Verdict
from medassay.scores import Score
from medassay.stats import mcnemar_exact
from medassay.study import Study
from tools.support.data import DATA
from tools.support.figures import wilson_span

__all__ = ["KINDS", "Chain", "Told", "chain_section", "chains", "tell_chains"]

KINDS: Final = ("grounded", "invented")
_BASES: Final = ("question", "guideline", "invented")
_STUDY: Final = Path(__file__).parents[2] / "src" / "medassay" / "data" / "studies" / "clinical"
_FLAG: Final = "hallucination(against=retrieved,judge=rules,of=reasoning)"
_GRADED: Final = "hallucination(against=retrieved,count=statements,judge=rules,of=reasoning)"
_LEXICAL: Final = "lexical_support(against=retrieved,of=reasoning)"
_HEAD: Final = """
## On whole chains of reasoning

Twelve questions of the clinical study that ships with medassay, each with two chains of six \
statements (`tests/data/support/chains.jsonl`), judged against the ten guidelines that the study's \
pipeline retrieved. Grounded: one statement restates the question, five say in a clinician's words \
what the guideline says. Invented: the same chain with four statements put in place of the \
guideline's, with another drug, number, cause or finding. They were written before the rules had \
been run on any of them and were not changed since, but by the people who wrote the rules, and no \
clinician checked them: that the rules tell them apart as well as here is the most to expect. \
Hallucinated: `hallucination(against=retrieved,judge=rules,of=reasoning)`, more than half of the \
statements without support. Brackets: 95 % Wilson intervals.
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
    """What the metrics say of a chain, and which of its statements the rules call supported."""

    chain: Chain
    hallucinated: bool
    graded: float
    lexical: float
    supported: tuple[bool, ...]


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
    return tuple(
        Told(chain, flag > 0, graded, lexical, supported)
        for chain, flag, graded, lexical, supported in zip(
            told,
            _values(_FLAG, pairs),
            _values(_GRADED, pairs),
            _values(_LEXICAL, pairs),
            _supported(pairs),
            strict=True,
        )
    )


def _values(metric: str, pairs: Sequence[tuple[Case, Answer]]) -> list[float]:
    scores = resolve(metric).score_batch(pairs)
    return [one.value for one in scores if isinstance(one, Score)]


def _supported(pairs: Sequence[tuple[Case, Answer]]) -> list[tuple[bool, ...]]:
    stated = [
        (case, answer.model_copy(update={"text": answer.reasoning, "statements": None}))
        for case, answer in pairs
    ]
    return [
        tuple(one.finding.verdict is Verdict.SUPPORTED for one in rows)
        for rows in check_statements(stated, RuleJudge(), "retrieved")
    ]


def chain_section() -> str:
    """Write what the rules say of the chains, and whether that tells the two kinds apart."""
    told = tell_chains()
    heads = (
        "chains",
        "called hallucinated",
        "graded share, mean",
        "lexical support, mean",
        "statements called supported",
        "that restate the question",
        "that the guideline bears out",
        "invented",
    )
    lines = [
        f"| {' | '.join(heads)} |",
        "| :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        *(_row(kind, [one for one in told if one.chain.kind == kind]) for kind in KINDS),
    ]
    return "\n".join([_HEAD, *lines, "", _verdict(told), ""])


def _row(kind: str, told: Sequence[Told]) -> str:
    flagged, of = sum(one.hallucinated for one in told), len(told)
    seen = Counter(basis for one in told for basis in one.chain.bases)
    good = Counter(
        basis
        for one in told
        for basis, supported in zip(one.chain.bases, one.supported, strict=True)
        if supported
    )
    every = f"{good.total()} of {seen.total()} ({good.total() / seen.total():.0%})"
    cells = [
        kind,
        f"{flagged} of {of} {wilson_span(flagged, of)}",
        f"{sum(one.graded for one in told) / of:.2f}",
        f"{sum(one.lexical for one in told) / of:.2f}",
        every.replace("%", " %"),
        *(f"{good[basis]} of {seen[basis]}" if seen[basis] else "" for basis in _BASES),
    ]
    return f"| {' | '.join(cells)} |"


def _verdict(told: Sequence[Told]) -> str:
    """Say by exact tests over the pairs, and nothing else, whether the kinds are told apart."""
    grounded, invented = ([one for one in told if one.chain.kind == kind] for kind in KINDS)
    pairs = list(zip(grounded, invented, strict=True))
    right = sum(b.hallucinated > a.hallucinated for a, b in pairs)
    wrong = sum(b.hallucinated < a.hallucinated for a, b in pairs)
    lower = sum(a.graded < b.graded for a, b in pairs)
    higher = sum(a.graded > b.graded for a, b in pairs)
    same = len(pairs) - lower - higher
    more = sum(a.lexical > b.lexical for a, b in pairs)
    fewer = sum(a.lexical < b.lexical for a, b in pairs)
    counted = mcnemar_exact(more, fewer).p
    flag, share = mcnemar_exact(right, wrong).p, mcnemar_exact(lower, higher).p
    said = (
        "A judge that reads as the writer does calls no grounded chain hallucinated (a graded "
        "share of at most 0.17: the documents need not hold the question) and every invented one "
        f"(0.67 to 0.83). The rules part {right} of the {len(pairs)} pairs the right way round and "
        f"{wrong} the wrong way (McNemar's exact test, p = {flag:.3f}): by their verdicts "
        f"{_apart(flag)}. The graded share is lower in the grounded chain in {lower} pairs, the "
        f"same in {same} and higher in {higher} (exact sign test, p = {share:.3f}): by it "
        f"{_apart(share)}. Lexical support, which counts words, is higher in the grounded chain in "
        f"{more} pairs and lower in {fewer} (p = {counted:.4f}): by it {_apart(counted)}, which is "
        "easy where drugs and numbers were exchanged for others. Twelve pairs show a large "
        "difference only."
    )
    return f"{said} {_SO}" if flag >= _LEVEL else said


def _apart(p: float) -> str:
    return f"grounded chains {'cannot be' if p >= _LEVEL else 'are'} told from invented ones here"


_LEVEL: Final = 0.05
_SO: Final = (
    "So what rules say of hallucination carries no information about chains in words of their own, "
    "and enters no safety score; a chain that quotes its sources is another matter, since rules "
    "find what is quoted. Whether an NLI model does better on these chains has not been measured."
)
