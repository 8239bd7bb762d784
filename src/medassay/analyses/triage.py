"""Which answers of a study people should judge next."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Final, Literal

import numpy as np
from pydantic import Field

from medassay.analyses.adjudication import unsettled_answers
from medassay.analyses.dangers import rule_flags
from medassay.analyses.draw import DrawEntry, chances_bytes, draw_entries, with_numbers
from medassay.analyses.score_columns import StudyColumns, collect_columns
from medassay.errors import InvalidInput, Problem
from medassay.judgements import HARM_READINGS, Units, units
from medassay.judgements.campaign import Secret
from medassay.marks import CaseId, DesignName, SystemName, Words
from medassay.marks.plain import Plain
from medassay.metrics import BoundMetric
from medassay.scores import Grid
from medassay.study.folder import Study
from medassay.study.scoring import Progress, Scored, score_study
from medassay.tables import csv_bytes, guarded
from medassay.validity import (
    Lot,
    Source,
    TriageWeights,
    disagreement_of,
    spread_of_labels,
    triage,
)

__all__ = ["Aim", "TriageEntry", "TriageReport", "queue_bytes", "triage_study"]

Aim = Literal["ranking", "danger", "all", "adjudication", "mean", "harm"]
WEIGHTS: Final[dict[str, TriageWeights]] = {
    "ranking": TriageWeights(1, 0, 0),
    "danger": TriageWeights(0, 1, 0.5),
    "all": TriageWeights(1, 1, 0.5),
}
_EVEN: Final = {"mean": 0.25, "harm": 0.5}
"""Aims that draw by chance, and the share of their judgements that is spread evenly."""


class TriageEntry(Plain, infers=False):
    """One answer of the queue; see `validity.Triaged`."""

    system: SystemName
    case: CaseId
    priority: float
    ranking: float
    danger: float
    disagreement: float
    why: Words


class TriageReport(Plain, infers=True):
    """A queue, and what it was made for."""

    title: DesignName
    dimension: DesignName
    aim: Aim
    open: int
    """Answers that could be taken."""
    queue: list[TriageEntry]
    notes: list[Words]
    draw: list[DrawEntry] = Field(default_factory=list)
    """Every answer that could be drawn, with its chance; empty where chance draws nothing."""


@dataclass(frozen=True)
class _Said:
    grid: Grid
    apart: np.ndarray
    flags: dict[tuple[str, str], str]


def triage_study(
    study: Study,
    metrics: Sequence[BoundMetric],
    *,
    count: int,
    aim: Aim = "ranking",
    secret: Secret,
    dimension: str | None = None,
    progress: Progress | None = None,
    scored: Scored | None = None,
) -> TriageReport:
    """Choose the answers to judge next, for one dimension.

    Args:
        study: The study.
        metrics: What scores the answers.
        count: How many answers to take.
        aim: What the judgements are for.
        secret: What decides between equals, and draws. Were it the study's seed, a rater could work
            out which answers are in the queue, and so name their systems.
        dimension: The dimension; the leaderboard's if not given.
        progress: Told how far the scoring has come.
        scored: The answers' scores, where they are at hand.

    Raises:
        UnknownName: No such dimension.
        InvalidInput: The labels of the dimension have no scores.
    """
    if aim == "adjudication":
        return _to_adjudicate(study, count)
    lot = partial(secret.share, "triage")
    asked = study.rubric.dimension(dimension or _first(study))
    if not asked.scored:
        raise InvalidInput(Problem("--dimension", "have labels with scores", f'"{asked.id}"'))
    read = units(study.judgements, asked.id)
    this_said = _said(study, read)
    known = this_said.grid.known
    answered = np.array(
        [
            [study.answers.get(s, c) is not None for c in this_said.grid.cases]
            for s in this_said.grid.systems
        ]
    )
    flags, apart = dict(this_said.flags), this_said.apart
    candidates = answered & ~known
    if aim != "ranking":
        score_columns = collect_columns(study, scored or score_study(study, metrics, progress))
        columns = _columns(score_columns, this_said.grid)
        of_metrics = disagreement_of(columns)
        apart = np.where(known, apart, of_metrics if of_metrics.size else 0.0)
        flags = {**_below(study, columns), **_ruled(study), **flags}
        # A judged answer is worth another look where a rater saw harm or the raters are apart.
        again = np.array(
            [
                [(s, c) in this_said.flags for c in this_said.grid.cases]
                for s in this_said.grid.systems
            ]
        )
        candidates |= answered & known & (again | (apart > 0))
    if aim in _EVEN:
        now = _Said(this_said.grid, apart, flags)
        return _drawn(study, asked.id, aim, count, now, answered & ~known, lot)
    spread = spread_of_labels(read, study.clusters or None)
    variance = spread.difference_variance(1, spread.labels) / 2
    chosen_answers = triage(
        this_said.grid,
        candidates,
        count=count,
        variance=variance if variance > 0 else 1.0,
        flags=flags,
        disagreement=apart,
        weights=WEIGHTS.get(aim),
        lot=lot,
    )
    notes = []
    if aim != "ranking":
        notes.append(
            "Answers taken for danger or disagreement are no random sample: plain means over them "
            "are biased, so keep them out of rankings. docs/triage.md shows by how much."
        )
    if spread.undefined:
        notes.append(f"Nothing is known of how labels vary yet: {spread.undefined}.")
    return TriageReport(
        title=study.config.title,
        dimension=asked.id,
        aim=aim,
        open=int(candidates.sum()),
        queue=[TriageEntry(**asdict(triaged)) for triaged in chosen_answers],
        notes=notes,
    )


def _to_adjudicate(study: Study, count: int) -> TriageReport:
    """Queue the answers on whose harm raters differ, the worst first."""
    open_ = unsettled_answers(study)
    queue = [
        TriageEntry(
            system=system,
            case=case,
            priority=max(verdict.severity_score or 0.0 for verdict in verdicts),
            ranking=0.0,
            danger=float(any(verdict.dangerous for verdict in verdicts)),
            disagreement=1.0,
            why=f"raters differ on {_kinds(verdict.kind for verdict in verdicts)}",
        )
        for (system, case), verdicts in open_.items()
    ]
    note = (
        "Send these to somebody who did not rate them: medassay campaign create --adjudicate "
        "--queue FILE --raters NAME --name adjudication."
    )
    return TriageReport(
        title=study.config.title,
        dimension="harm",
        aim="adjudication",
        open=len(queue),
        queue=queue[:count],
        notes=[note] if queue else ["Raters differ on no answer that is not settled."],
    )


def _kinds(kinds: Iterable[str]) -> str:
    """Name kinds of error in words."""
    return ", ".join(kind.replace("-", " ") for kind in kinds)


def _ruled(study: Study) -> dict[tuple[str, str], str]:
    """Say which rule of danger flags an answer; no words of it."""
    return {
        cell: "a rule flags it: " + ", ".join(flag.rule for flag in flags)
        for cell, flags in rule_flags(study).items()
    }


def _drawn(
    study: Study,
    dimension: str,
    aim: Aim,
    count: int,
    this_said: _Said,
    open_: np.ndarray,
    lot: Lot,
) -> TriageReport:
    """Draw answers with known chances: doubtful ones more often, or for harm the flagged ones."""
    grid, apart, flags = this_said.grid, this_said.apart, this_said.flags
    doubts, why = {}, {}
    for i, j in np.argwhere(open_):
        key = grid.systems[i], grid.cases[j]
        flagged = key in flags
        doubts[key] = float(flagged) if aim == "harm" else float(apart[i, j])
        why[key] = flags.get(key, "") if aim == "harm" else f"opinions differ ({apart[i, j]:.2f})"
    if aim == "harm" and not any(doubts.values()):
        must = "flag some answers, or there is nothing to draw more often"
        hint = "Give the score from which an answer passes: [validity.thresholds] in study.toml."
        raise InvalidInput(Problem("--for harm", must, "no flag", hint))
    even = _EVEN[aim]
    draw = draw_entries(doubts, why, count, lot=lot, even=even) if doubts else []
    taken = [entry for entry in draw if entry.drawn == "yes"]
    entries = [
        TriageEntry(
            system=entry.system, case=entry.case, priority=entry.chance, ranking=0.0,
            danger=float((entry.system, entry.case) in flags),
            disagreement=float(
                apart[grid.systems.index(entry.system), grid.cases.index(entry.case)]
            ),
            why=entry.why,
        )
        for entry in taken
    ]  # fmt: skip
    note = (
        f"Drawn by chance, {count} expected: each answer has its own chance, which the campaign "
        "keeps. Means are weighted by it: see 'What people would give, by chance' of "
        "medassay validity --full and of the report. Plain means over these answers are biased. "
        "The queue's file is the record: the same command draws anew."
    )
    return TriageReport(
        title=study.config.title,
        dimension=dimension,
        aim=aim,
        open=len(draw),
        queue=entries,
        notes=[note],
        draw=draw,
    )


def queue_bytes(report: TriageReport, numbering: str = "") -> bytes:
    """Write a queue that `medassay campaign create --queue` takes.

    Args:
        report: The queue.
        numbering: Where cases are numbers, what they are numbers of; see `Study.numbering`.
    """
    if report.draw:
        return chances_bytes(report.draw, numbering)
    header = ["system", "case", "priority", "why"]
    rows = [[guarded(q.system), guarded(q.case), f"{q.priority:.6f}", q.why] for q in report.queue]
    return csv_bytes(*with_numbers(header, rows, numbering))


def _first(study: Study) -> str:
    scored = [dimension.id for dimension in study.rubric.dimensions if dimension.scored]
    if not scored:
        raise InvalidInput(Problem("the rubric", "have a dimension with scores", "none"))
    wanted = study.config.rules.rank_by
    return next((name for name in scored if f"dimension={name}" in wanted), scored[0])


def _said(study: Study, read: Units) -> _Said:
    """Lay out mean labels, how far apart the raters are, and what a rater called harmful."""
    scores = np.zeros(0) if read.scores is None else read.scores
    ends = study.rubric.dimension(read.dimension).ends
    systems, cases = study.systems, study.cases.ids
    values, known = np.zeros((len(systems), len(cases))), np.zeros((len(systems), len(cases))) > 0
    apart = np.zeros(values.shape)
    width = float(np.ptp(ends or scores)) or 1.0
    labels: dict[tuple[str, str], list[float]] = {}
    for unit, code in zip(read.unit.tolist(), read.code.tolist(), strict=True):
        labels.setdefault(read.keys[unit].pair, []).append(float(scores[code]))
    row = {name: i for i, name in enumerate(systems)}
    column = {name: j for j, name in enumerate(cases)}
    for (system, case), label_scores in labels.items():
        at = row[system], column[case]
        values[at], known[at] = float(np.mean(label_scores)), True
        apart[at] = 2 * float(np.std(label_scores)) / width
    flags: dict[tuple[str, str], str] = {}
    for reading in HARM_READINGS:
        if reading not in study.rubric.dimension(read.dimension).mappings:
            continue
        harm = units(study.judgements, read.dimension, reading)
        bad = harm.counts[:, harm.labels.index(reading)] if reading in harm.labels else ()
        for key, times, all_ in zip(harm.keys, bad, harm.sizes, strict=False):
            if times:
                flags.setdefault(key.pair, f"{times} of {all_} labels read {reading}")
    return _Said(Grid(systems, cases, values, known), apart, flags)


def _columns(score_columns: StudyColumns, like: Grid) -> list[Source]:
    return [
        Source(
            column.name,
            score_columns.table.grid(column.name, like.systems, like.cases),
            column.direction,
        )
        for column in score_columns.columns
        if column.kind != "consensus" and not column.control
    ]


def _below(study: Study, columns: Sequence[Source]) -> dict[tuple[str, str], str]:
    """Flag the answers that a metric in use lets not pass."""
    flags = {}
    for source in columns:
        bar = study.config.validity.thresholds.get(source.name)
        if bar is None:
            continue
        grid = source.grid
        fails = source.sign * grid.values < source.sign * bar
        for i, j in np.argwhere(grid.known & fails):
            flags[grid.systems[i], grid.cases[j]] = f"{source.name} does not let it pass"
    return flags
