"""Each metric beside what the raters say of what it asks, and the length of each answer."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.inputs.metric_all_cases import AllCases
from medassay.analyses.inputs.metric_controls import given_answers, length_of
from medassay.analyses.inputs.study_columns import StudyColumns, primary_source
from medassay.study.config.study_toml import ProtocolChoice
from medassay.study.folder import Study
from medassay.validity import Chance, Source
from medassay.validity.source import in_canonical_order

_KINDS: Final = (
    {"faithful", "grounded", "support", "hallucinat", "attribut", "entail"},
    {"correct", "accura", "factual", "truth"},
    {"relevan", "topic", "pertinen"},
    {"complete", "coverage", "comprehensive", "thorough"},
    {"harm", "safe", "danger", "toxic"},
    {"fluen", "readab", "clarity", "clear", "understand"},
    {"coheren", "consisten"},
    {"helpful", "useful"},
    {"empath", "tone", "compassion"},
    {"concis", "brevity"},
    {"citation", "cite"},
)
"""Stems of words that ask the same."""


@dataclass(frozen=True)
class HeldMetric:
    """One metric, and the consensus that it is held against.

    Attributes:
        metric: The metric over all cases.
        consensus: What the raters say, over all cases.
        same: Whether raters were asked what the metric asks, by the words of both names.
        imported: Whether its scores came with a file.
    """

    metric: Source
    consensus: Source
    same: bool
    imported: bool


@dataclass(frozen=True)
class AnswerPairs:
    """What shows whether metrics order answers as the raters do.

    Attributes:
        held: Each metric with its consensus; empty where nobody rated.
        metrics: Every metric, over all cases; of these some came with a file.
        imported: Names of those.
        length: How long each answer is; None where no text is held.
        given: Which answers were given, laid out in canonical order; None without sources.
        open: Which of these are to cases of which nobody rated an answer, laid out alike.
        clusters: Case to cluster; None where each case is independent.
        chances: With which chance each answer of the latest draw was drawn; empty where none was.
        tested: Whether the study was made to test scores that came with a file: nothing in it says
            that it was made for something else.
    """

    held: tuple[HeldMetric, ...]
    metrics: tuple[Source, ...]
    imported: frozenset[str]
    length: Source | None
    given: NDArray[np.bool_] | None
    open: NDArray[np.bool_] | None
    clusters: Mapping[str, str] | None
    chances: Mapping[tuple[str, str], Chance]
    tested: bool


def answer_pairs_of(study: Study, score_columns: StudyColumns, over: AllCases) -> AnswerPairs:
    """Lay out what is compared with what."""
    columns = [c for c in score_columns.columns if c.may_speak and c.valued]
    imported = frozenset(c.name for c in columns if c.kind == "imported")
    leading, _ = primary_source(study, score_columns.columns)
    joined = [own for own in over.joined if own.grid.known.any()]
    first = next((own for own in joined if own.name == leading), next(iter(joined), None))
    titles = {own.dimension: f"{own.dimension} {_title(study, own.dimension)}" for own in joined}
    of = {own.dimension: own for own in joined}
    held = []
    for column in columns:
        asked = asks_the_same(_words_of(study, column.name), titles)
        consensus = of[asked] if asked else first
        if consensus is not None:
            metric = over.sources[column.name]
            held.append(HeldMetric(metric, consensus, bool(asked), column.name in imported))
    given = open_ = None
    if over.sources:
        layout = in_canonical_order(next(iter(over.sources.values())).grid)
        given = open_ = given_answers(study, layout)
        if first is not None:
            open_ = given & ~in_canonical_order(first.grid).known.any(axis=0)
    return AnswerPairs(
        tuple(held),
        tuple(over.sources[column.name] for column in columns),
        imported,
        length_of(study, score_columns.columns, over.sources),
        given,
        open_,
        over.clusters,
        over.chances,
        bool(imported) and _made_for_nothing_else(study),
    )


def _made_for_nothing_else(study: Study) -> bool:
    """Say whether no protocol, ranking, right option or choice between answers leads a study."""
    return (
        study.config.protocol == ProtocolChoice()
        and study.config.ranking.by is None
        and not any(case.gold for case in study.cases)
        and (not len(study.preferences) or len(study.judgements) > 0)
    )


def asks_the_same(metric: str, dimensions: Mapping[str, str]) -> str:
    """Find the one dimension that asks what a metric asks, by the words of both.

    Args:
        metric: The metric's name, and what else names it.
        dimensions: Each dimension's id, with the words that name it.

    Returns:
        The dimension's id; empty where none asks the same, or several do.

    Example:
        >>> rubric = {"groundedness": "groundedness", "tone": "tone of voice"}
        >>> asks_the_same("ragas faithfulness", rubric), asks_the_same("bleu", rubric)
        ('groundedness', '')
    """
    same = [name for name, words in dimensions.items() if _kinds(words) & _kinds(metric)]
    return same[0] if len(same) == 1 else ""


def _kinds(words: str) -> set[int]:
    parts = re.findall("[a-z]+", words.lower())
    return {
        at
        for at, stems in enumerate(_KINDS)
        if any(part.startswith(stem) for part in parts for stem in stems)
    }


def _words_of(study: Study, name: str) -> str:
    asked = [own.meaning.question for own in study.imported if name in own.table.sources]
    return name if _kinds(name) else " ".join([name, *asked])


def _title(study: Study, dimension: str) -> str:
    return study.rubric.dimension(dimension).title
