"""Lay a panel's rows out as cases and answers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from medassay.answers import Answer, Retrieved
from medassay.cases import Case, Document
from medassay.errors import Problem, nearest
from medassay.exchange.environmental_health.rows import (
    AnswerRow,
    ConfidenceRow,
    PanelRows,
    Placed,
    RankedRow,
    ScenarioRow,
)

__all__ = ["LaidOut", "reshape_rows"]


@dataclass(frozen=True)
class LaidOut:
    """A panel's rows in medassay's own records.

    Attributes:
        cases: A case for each query that a row is about, and for each scenario without one.
        answers: What the system returned for them.
        relevance: Rater, case, document, label: what single experts said of documents.
        documents: How many documents were returned, each counted for every query.
        labels: How many labels they have, with the name of an expert or without.
        means: Case to the mean of normalised similarities that the group's file states.
        not_asked: Other wordings of a query that no row is about, scenario by scenario.
    """

    cases: Sequence[Case]
    answers: Sequence[Answer]
    relevance: Sequence[tuple[str, str, str, int]]
    documents: int
    labels: int
    means: Mapping[str, float]
    not_asked: Mapping[str, int]


def reshape_rows(
    rows: PanelRows, system: str, rated: Iterable[str], problems: list[Problem]
) -> LaidOut:
    """Make cases of the queries, and one system's answers of what it returned for them.

    Args:
        rows: The panel's rows.
        system: What the system is called.
        rated: Queries that experts rated.
        problems: Where everything that is wrong is added: queries of unknown scenarios, two labels
            of one expert for one document, rankings with holes.
    """
    rankings = _rankings(rows.ranked, problems)
    confidence = _once(rows.confidence, problems)
    texts = _once(rows.answers, problems)
    about = {*rated, *rankings, *confidence, *texts}
    asked = _asked(rows, problems)
    problems += _not_asked([*rows.ranked, *rows.confidence, *rows.answers], asked)
    answered = sorted({*rankings, *confidence, *texts})
    # A scenario's own wording is a case where something is known of it, or of no wording of it.
    scenarios = {asked[name].scenario for name in about if name in asked}
    used = [case_query for name, case_query in asked.items() if name in about or (
        name == case_query.scenario and case_query.scenario not in scenarios)]  # fmt: skip
    left: dict[str, int] = {}
    for name, query in asked.items():
        if name not in about and name != query.scenario:
            left[query.scenario] = left.get(query.scenario, 0) + 1
    return LaidOut(
        cases=[case_query.as_case(rankings.get(case_query.case, {})) for case_query in used],
        answers=[
            _answer(system, name, rankings.get(name), confidence.get(name), texts.get(name))
            for name in answered
        ],
        relevance=[
            (expert, name, document.id, label)
            for name, ranking in sorted(rankings.items())
            for _, document in sorted(ranking.items())
            for expert, label in sorted(document.labels.items())
            if expert
        ],
        documents=sum(map(len, rankings.values())),
        labels=sum(
            len(document.labels) for ranking in rankings.values() for document in ranking.values()
        ),
        means={
            name: placed.record.normalized_similarity_mean
            for name, placed in sorted(confidence.items())
            if placed.record.normalized_similarity_mean is not None
        },
        not_asked=left,
    )


@dataclass(frozen=True)
class _Asked:
    case: str
    scenario: str
    row: ScenarioRow

    def as_case(self, ranking: Mapping[int, "_Found"]) -> Case:
        facts = {
            "scenario": self.scenario,
            "pollutant": self.row.pollutant,
            "outcome": self.row.outcome,
            "topic": self.row.topic_id,
            "type": self.row.scenario_type,
        }
        return Case(
            case=self.case,
            question=self.row.query,
            documents=tuple(
                Document(id=document.id, grade=document.grade)
                for _, document in sorted(ranking.items())
            ),
            tags={name: value for name, value in facts.items() if value is not None},
        )


@dataclass
class _Found:
    id: str
    labels: dict[str, int]
    similarity: float | None = None

    @property
    def grade(self) -> float | None:
        """The label that no expert's name stands beside; those of experts go to relevance.csv."""
        return self.labels.get("")


def _asked(rows: PanelRows, problems: list[Problem]) -> dict[str, _Asked]:
    asked: dict[str, _Asked] = {}
    for placed in rows.scenarios:
        name = placed.record.scenario_id
        if name in asked:
            problems.append(
                placed.problem("be given once", f'"{name}" again', column="scenario_id")
            )
        asked[name] = _Asked(name, name, placed.record)
    for query in rows.queries:
        name = query.record.query_instance_id
        if name in asked:
            must, got = "be given once", f'"{name}" again'
            problems.append(query.problem(must, got, column="query_instance_id"))
        asked[name] = _Asked(name, query.record.scenario_id, query.record)
    return asked


def _rankings(
    rows: Sequence[Placed[RankedRow]], problems: list[Problem]
) -> dict[str, dict[int, _Found]]:
    rankings: dict[str, dict[int, _Found]] = {}
    for placed in rows:
        record = placed.record
        ranking = rankings.setdefault(record.case or "", {})
        name = record.document or f"rank-{record.document_rank}"
        ranked = ranking.setdefault(record.document_rank, _Found(name, {}))
        if record.document and ranked.id != name:
            must = f"name the document at rank {record.document_rank} once"
            problems.append(placed.problem(must, f'"{name}" and "{ranked.id}"', column="document"))
        if record.relevance is not None:
            expert = record.expert_id or ""
            if expert in ranked.labels:
                who = f"by {expert}" if expert else "without an expert_id"
                got = f"rank {record.document_rank} of {record.case} twice {who}"
                problems.append(placed.problem("label a document once", got, column="relevance"))
            ranked.labels[expert] = record.relevance
        if record.similarity is not None:
            if ranked.similarity not in (None, record.similarity):
                got = f"{ranked.similarity:g} and {record.similarity:g}"
                must = "give a document one similarity"
                problems.append(placed.problem(must, got, column="similarity"))
            ranked.similarity = record.similarity
    first = {row.record.case: row for row in reversed(rows)}
    for case, ranking in rankings.items():
        missing = sorted(set(range(1, max(ranking) + 1)) - set(ranking))
        if missing:
            must = f"hold every rank of {case} from 1 to {max(ranking)}"
            got = f"no rank {', '.join(map(str, missing))}"
            hint = "A document that nobody labelled still has a row, with no relevance in it."
            problems.append(first[case].problem(must, got, hint, "document_rank"))
        names = [document.id for document in ranking.values()]
        for name in sorted({name for name in names if names.count(name) > 1}):
            got = f'"{name}" at two ranks'
            problems.append(
                first[case].problem("rank a document once", got, f"Look at {case}.", "document")
            )
    return rankings


def _not_asked(
    rows: Sequence[Placed[RankedRow] | Placed[ConfidenceRow] | Placed[AnswerRow]],
    asked: Mapping[str, _Asked],
) -> list[Problem]:
    problems = []
    for placed in rows:
        name = placed.record.case or ""
        if asked and name not in asked:
            column = "query_instance_id" if placed.record.query_instance_id else "scenario_id"
            hint = nearest(name, asked)
            problems.append(placed.problem("be a query that was asked", f'"{name}"', hint, column))
    return problems


_OneEach = TypeVar("_OneEach", ConfidenceRow, AnswerRow)


def _once(rows: Sequence[Placed[_OneEach]], problems: list[Problem]) -> dict[str, Placed[_OneEach]]:
    by_name: dict[str, Placed[_OneEach]] = {}
    for row in rows:
        name = row.record.case or ""
        if name in by_name:
            got = f'"{name}" again, after row {by_name[name].row}'
            problems.append(row.problem("stand once in the table", got, column="scenario_id"))
        by_name.setdefault(name, row)
    return by_name


def _answer(
    system: str,
    case: str,
    ranking: Mapping[int, _Found] | None,
    confidence: Placed[ConfidenceRow] | None,
    text: Placed[AnswerRow] | None,
) -> Answer:
    return Answer(
        system=system,
        case=case,
        text=None if text is None else text.record.answer,
        retrieved=None
        if ranking is None
        else tuple(
            Retrieved(document=document.id, score=document.similarity)
            for _, document in sorted(ranking.items())
        ),
        confidence_label=None if confidence is None else confidence.record.system_confidence,
    )
