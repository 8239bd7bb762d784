"""Which answers of a study people should judge next."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Final, Literal

import numpy as np
from pydantic import Field

from medassay.analyses.adjudication import unsettled_answers
from medassay.analyses.answers_so_far import SoFar, read_so_far, with_metrics
from medassay.analyses.draw import DrawEntry, chances_bytes, draw_entries, rows_bytes
from medassay.analyses.score_columns import collect_columns
from medassay.errors import InvalidInput, Problem
from medassay.judgements import units
from medassay.judgements.campaign import Secret
from medassay.marks import CaseId, DesignName, SystemName, Words
from medassay.marks.plain import Plain
from medassay.metrics import BoundMetric
from medassay.scores import Unit
from medassay.study.contents.not_held import ADD_TEXTS
from medassay.study.folder import Study
from medassay.study.scoring.score_study import Progress, Scored, score_study
from medassay.validity import (
    Lot,
    Triaged,
    TriageWeights,
    spread_of_grid,
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
    sample: int = 0
    parts: list[DesignName] = Field(default_factory=list)
    """Where some of it is judged, what is left of it, as the column `about` has it."""
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
    now = read_so_far(study, asked, read)
    candidates = now.open
    if aim != "ranking":
        score_columns = collect_columns(study, scored or score_study(study, metrics, progress))
        now = with_metrics(study, score_columns, now)
        # A judged answer is worth another look where a rater saw harm or the raters are apart.
        again = now.harmful | (now.apart > 0)
        candidates = candidates | (now.answered & now.judged.known & again)
    if aim in _EVEN:
        return _drawn(study, asked.id, aim, count, now, lot)
    # Labels of parts vary otherwise than the answers that they make up.
    spread = (
        spread_of_labels(read, study.clusters or None)
        if asked.about == "answer"
        else spread_of_grid(now.judged, study.clusters or None)
    )
    variance = spread.difference_variance(1, spread.labels) / 2
    chosen_answers = triage(
        now.judged,
        candidates,
        count=count,
        variance=variance if variance > 0 else 1.0,
        samples=now.samples,
        flags=now.flags,
        disagreement=now.apart,
        weights=WEIGHTS.get(aim),
        lot=lot,
    )
    notes = _unread(study)
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
        queue=[
            TriageEntry(parts=list(now.parts.get(_unit(triaged), ())), **asdict(triaged))
            for triaged in chosen_answers
        ],
        notes=notes,
    )


def _unread(study: Study) -> list[str]:
    """Say how many answers are in no queue, since nobody can be shown them."""
    count = study.answers.tally.not_held.total()
    if not count:
        return []
    who = "1 answer has" if count == 1 else f"{count:,} answers have"
    return [f"{who} a text that is not held and can be in no queue. {ADD_TEXTS}"]


def _to_adjudicate(study: Study, count: int) -> TriageReport:
    """Queue the answers on whose harm raters differ, the worst first."""
    unread = {Unit(*answer.key) for answer in study.answers if not answer.held}
    open_ = {u: verdicts for u, verdicts in unsettled_answers(study).items() if u not in unread}
    queue = [
        TriageEntry(
            system=unit.system,
            case=unit.case,
            sample=unit.sample,
            priority=max(verdict.severity_score or 0.0 for verdict in verdicts),
            ranking=0.0,
            danger=float(any(verdict.dangerous for verdict in verdicts)),
            disagreement=1.0,
            why=f"raters differ on {_kinds(verdict.kind for verdict in verdicts)}",
        )
        for unit, verdicts in open_.items()
    ]
    note = (
        "Send these to somebody who did not rate them: medassay campaign create --rate "
        "adjudication --queue FILE --raters NAME --name adjudication."
    )
    return TriageReport(
        title=study.config.title,
        dimension="harm",
        aim="adjudication",
        open=len(queue),
        queue=queue[:count],
        notes=[
            *([note] if queue else ["Raters differ on no answer that is not settled."]),
            *_unread(study),
        ],
    )


def _kinds(kinds: Iterable[str]) -> str:
    """Name kinds of error in words."""
    return ", ".join(kind.replace("-", " ") for kind in kinds)


def _drawn(
    study: Study, dimension: str, aim: Aim, count: int, now: SoFar, lot: Lot
) -> TriageReport:
    """Draw answers with known chances: doubtful ones more often, or for harm the flagged ones.

    What a system answered to one case is drawn together, and only where none of it is judged: the
    means that chances weight are those of systems and cases.
    """
    begun = {now.unit(i, j).pair for i, j in np.argwhere(now.judged.known)}
    doubts, why = {}, {}
    for i, j in np.argwhere(now.open):
        unit = now.unit(i, j)
        if unit.pair in begun:
            continue
        apart = float(now.apart[i, j])
        doubts[unit] = float(unit in now.flags) if aim == "harm" else apart
        why[unit] = now.flags.get(unit, "") if aim == "harm" else f"metrics differ ({apart:.2f})"
    if aim == "harm" and not any(doubts.values()):
        must = "flag some answers, or there is nothing to draw more often"
        hint = "Give the score from which an answer passes: [validity.thresholds] in study.toml."
        raise InvalidInput(Problem("--for harm", must, "no flag", hint))
    draw = (
        draw_entries(doubts, why, count, lot=lot, even=_EVEN[aim], parts=now.parts)
        if doubts
        else []
    )
    at = {now.unit(i, j): (i, j) for i, j in np.argwhere(now.open)}
    entries = [
        TriageEntry(
            system=entry.system, case=entry.case, sample=entry.sample, parts=entry.parts,
            priority=entry.chance, ranking=0.0, danger=float(_unit(entry) in now.flags),
            disagreement=float(now.apart[at[_unit(entry)]]), why=entry.why,
        )
        for entry in draw
        if entry.drawn == "yes"
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
        notes=[note, *_unread(study)],
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
    rows = [(entry, [f"{entry.priority:.6f}", entry.why]) for entry in report.queue]
    return rows_bytes(["priority", "why"], rows, numbering)


def _unit(entry: Triaged | TriageEntry | DrawEntry) -> Unit:
    return Unit(entry.system, entry.case, entry.sample)


def _first(study: Study) -> str:
    scored = [dimension.id for dimension in study.rubric.dimensions if dimension.scored]
    if not scored:
        raise InvalidInput(Problem("the rubric", "have a dimension with scores", "none"))
    wanted = study.config.rules.rank_by
    return next((name for name in scored if f"dimension={name}" in wanted), scored[0])
