"""A metric tried on one answer: its value, and what it read to come to it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medassay.exhibits.numbers import Style

if TYPE_CHECKING:
    from medassay.metrics import BoundMetric
    from medassay.metrics.needs import Content
    from medassay.study import Study

__all__ = ["Read", "StatementTried", "Tried", "metrics_of", "try_metric"]


@dataclass(frozen=True, slots=True)
class Read:
    """One thing that a metric reads.

    Attributes:
        words: What it is, as the metric's declaration says.
        of: Whether it stands in the case or the answer.
        there: Whether it is there at all.
        lines: What it found, a piece a line; empty where the study keeps its texts.
    """

    words: str
    of: str
    there: bool
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StatementTried:
    """One statement of the answer as the metric looked at it."""

    text: str
    verdict: str
    strength: str
    evidence: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of it.

    Attributes:
        name: The metric's canonical name.
        question: The question that it answers.
        unit: What one unit of the number is.
        range: The least and the largest value, in words.
        direction: Which way is better, in words.
        value: The value, as it prints; empty where there is none.
        why: Why there is none.
        parts: The sums behind the value, by name.
        read: What it read.
        statements: What it found of each statement, where it looks at statements.
        blind_spots: What it cannot see.
        reference: Its source.
        signature: All that the number depends on.
    """

    name: str
    question: str
    unit: str
    range: str
    direction: str
    value: str
    why: str
    parts: tuple[tuple[str, str], ...]
    read: tuple[Read, ...]
    statements: tuple[StatementTried, ...]
    blind_spots: tuple[str, ...]
    reference: str
    signature: str


_BETTER: Mapping[str, str] = {
    "higher": "higher is better",
    "lower": "lower is better",
    "none": "neither way is better",
}


def metrics_of(study: "Study", system: str, case: str) -> "dict[str, BoundMetric]":
    """Give the metrics to try on an answer, by canonical name.

    First those that study.toml names, whether they can score it or not: each then says what it
    lacks. Then those that can on this machine, in their usual forms.
    """
    from medassay.metrics import Level, declarations, resolve, usual_names
    from medassay.models import use_models
    from medassay.study.config.package_words import as_shown
    from medassay.study.folder import models_of
    from medassay.study.metric_choice import named_metrics

    asked, answer = study.cases[case], study.answers.get(system, case)
    own = {str(one.name): one for one in named_metrics(study.config)}
    with use_models(models_of(study)):
        for name in (name for one in declarations() for name in usual_names(one)):
            metric = as_shown(resolve(name), study.config)
            lacks = metric.case_lacks(asked) if answer is None else metric.why_not(asked, answer)
            if lacks is None and metric.missing is None:
                own.setdefault(str(metric.name), metric)
    return {name: one for name, one in own.items() if one.declaration.level is Level.ANSWER}


def try_metric(study: "Study", metric: "BoundMetric", system: str, case: str) -> Tried:
    """Score one answer, and tell what the metric read of it and of its case.

    No model is fetched: one that is not on this machine is a reason why there is no value.
    """
    from dataclasses import replace

    from medassay.metrics.run import reference_corpora
    from medassay.models import use_models
    from medassay.scores import Score
    from medassay.study.folder import models_of

    asked, answer = study.cases[case], study.answers.get(system, case)
    full = study.config.privacy.texts == "full"
    setup = replace(models_of(study), corpora=reference_corpora(study.cases))
    declared = metric.declaration
    statements: tuple[StatementTried, ...] = ()
    with use_models(setup):
        if answer is None:
            outcome = metric.score_no_answer(asked)
        else:
            outcome = metric.score_batch([(asked, answer)])[0]
            if declared.statements is not None and isinstance(outcome, Score) and full:
                rows = declared.statements.check([(asked, answer)], metric.arguments)[0]
                statements = tuple(
                    StatementTried(
                        row.statement, row.finding.verdict.value,
                        Style(2, bounded=True)(row.finding.strength),
                        row.source or "", row.sentence if row.source else "",
                    )
                    for row in rows
                )  # fmt: skip
        signature = str(metric.signature)
    read = []
    for need in metric.needs:
        content: Content | None = None
        if need.of_case is not None:
            content = need.of_case(asked)
        elif need.of_answer is not None and answer is not None:
            content = need.in_answer(answer) if need.is_met_by(answer) else None
        of = "case" if need.of_case is not None else "answer"
        lines = _lines(content) if full and content is not None else ()
        read.append(Read(need.words, of, content is not None, lines))
    low, high = metric.range
    style = Style.of_scale(low, high)
    return Tried(
        str(metric.name),
        declared.question,
        declared.unit,
        f"{'no least value' if low is None else f'{low:g}'} to "
        f"{'no largest' if high is None else f'{high:g}'}",
        _BETTER[declared.direction.value],
        style(outcome.value) if isinstance(outcome, Score) else "",
        "" if isinstance(outcome, Score) else str(outcome) if full else outcome.reason.words,
        tuple(
            (name.replace("_", " "), f"{value:g}")
            for name, value in zip(declared.parts, outcome.parts, strict=False)
        )
        if isinstance(outcome, Score)
        else (),
        tuple(read),
        statements,
        declared.blind_spots,
        declared.reference,
        signature,
    )


def _lines(content: "Content") -> tuple[str, ...]:
    """Write down what a need found, a piece a line."""
    if isinstance(content, str):
        return (content,)
    if isinstance(content, Mapping):
        return tuple(f"{name}: {value:g}" for name, value in content.items())
    return tuple(_line(piece) for piece in content if piece is not None)


def _line(piece: object) -> str:
    if isinstance(piece, tuple | list):
        return " · ".join(_line(part) for part in piece if part not in (None, "", ()))
    return str(piece)
