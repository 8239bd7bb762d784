"""Which answers of a study people should judge next, by what has been said of each so far."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from medassay.analyses.builtin.better_than_length import can_show
from medassay.analyses.inputs.answer_dangers import answer_flags
from medassay.analyses.inputs.answer_draw import DrawEntry, chances_bytes, draw_entries, rows_bytes
from medassay.analyses.inputs.answer_order import answer_pairs_of
from medassay.analyses.inputs.metric_all_cases import all_cases_of
from medassay.analyses.inputs.study_columns import StudyColumns, collect_columns
from medassay.annotations import CaseId, DesignName, SystemName, Words
from medassay.annotations.record import Plain
from medassay.consensus import consensus, of_whole_answers, source_name
from medassay.error_analysis import ErrorVerdict, harm_verdicts
from medassay.errors import InvalidInput, Problem
from medassay.judgements import HARM_READINGS, Dimension, Units, parts_of, units
from medassay.judgements.campaign import Secret
from medassay.metrics import BoundMetric
from medassay.scores import Grid, ScoreTable, Unit
from medassay.study.contents.cases_and_answers import ADD_TEXTS
from medassay.study.contents.metric_scores import title_of
from medassay.study.folder import Study
from medassay.study.scoring.score_study import Progress, Scored, score_study
from medassay.validity import (
    Lot,
    Source,
    Triaged,
    TriageWeights,
    disagreement_of,
    pair_draw,
    spread_of_grid,
    spread_of_labels,
    triage,
)


def unsettled_answers(study: Study) -> dict[Unit, list[ErrorVerdict]]:
    """Give each answer on which raters differ, with what they differ on; the worst come first.

    What an adjudicator has settled is left out.
    """
    by_answer: dict[Unit, list[ErrorVerdict]] = {}
    for harm_verdict in harm_verdicts(study.judgements):
        if harm_verdict.open:
            unit = Unit(harm_verdict.system, harm_verdict.case, harm_verdict.sample)
            by_answer.setdefault(unit, []).append(harm_verdict)
    order = sorted(
        by_answer,
        key=lambda cell: (
            -max(verdict.severity_score or 0.0 for verdict in by_answer[cell]),
            *cell,
        ),
    )
    return {cell: by_answer[cell] for cell in order}


_METHOD: Final = "mean"


@dataclass(frozen=True)
class SoFar:
    """Every answer of a study, repeated ones each by itself, and what is known of it.

    Attributes:
        judged: Mean labels, systems by places. An answer of several parts is judged where each has
            a label.
        samples: Which of a system's answers each place holds; its case is the column's.
        answered: Which answers there are, to be read.
        open: Which of these nobody has judged, or not to the end.
        parts: Of an answer that is judged in part, the parts that are left, as the column `about`
            has them.
        apart: How far raters, or metrics, differ about it, 0 to 1.
        flags: Why it may be dangerous.
        harmful: Answers that a rater called so.
    """

    judged: Grid
    samples: tuple[int, ...]
    answered: NDArray[np.bool_]
    open: NDArray[np.bool_]
    parts: Mapping[Unit, tuple[str, ...]]
    apart: NDArray[np.float64]
    flags: Mapping[Unit, str]
    harmful: NDArray[np.bool_]

    def unit(self, system: int, place: int) -> Unit:
        """Give the key of an answer by its row and column."""
        return Unit(self.judged.systems[system], self.judged.cases[place], self.samples[place])


def read_so_far(study: Study, dimension: Dimension, read: Units) -> SoFar:
    """Read what raters said on one dimension.

    Args:
        study: The study.
        dimension: The dimension.
        read: Its labels.
    """
    systems, places = study.systems, _places(study, read)
    table = consensus(study.judgements, _METHOD, dimensions=[dimension.id])
    name = str(source_name(_METHOD, dimension.id))
    if name in table.sources:  # else nobody judged yet
        table = of_whole_answers(table, name, dimension.about, study.cases)
    grid = _laid_out(table, name, systems, places)
    labelled = {key for key, size in zip(read.keys, read.sizes.tolist(), strict=True) if size}
    answered = np.zeros(grid.known.shape, dtype=np.bool_)
    left = answered.copy()
    parts = {}
    for i, system in enumerate(systems):
        for j, (case, sample) in enumerate(places):
            answer = study.answers.get(system, case, sample)
            if answer is None or not answer.held:
                continue  # nobody can be shown it
            answered[i, j] = True
            all_ = [part.about for part in parts_of(study.cases[case], answer, dimension.about)]
            rest = [about for about in all_ if Unit(system, case, sample, about) not in labelled]
            left[i, j] = bool(rest)
            if rest and len(rest) < len(all_):
                parts[Unit(system, case, sample)] = tuple(rest)
    flags = _read_harmful(study, read)
    harmful = [[Unit(system, *place) in flags for place in places] for system in systems]
    apart = _raters_apart(read, dimension, systems, places)
    grid = Grid(grid.systems, grid.cases, grid.values, grid.known & ~left)
    samples = tuple(sample for _, sample in places)
    return SoFar(grid, samples, answered, left, parts, apart, flags, np.array(harmful))


def with_metrics(study: Study, score_columns: StudyColumns, now: SoFar) -> SoFar:
    """Add what metrics and rules say: how far metrics differ where nobody judged, and flags."""
    places = list(zip(now.judged.cases, now.samples, strict=True))
    columns = [
        Source(
            column.name,
            _laid_out(score_columns.table, column.name, now.judged.systems, places),
            column.direction,
        )
        for column in score_columns.columns
        if column.kind != "consensus" and not column.control
    ]
    of_metrics = disagreement_of(columns)
    apart = np.where(now.judged.known, now.apart, of_metrics if of_metrics.size else 0.0)
    ruled = {
        unit: "a rule flags it: " + ", ".join(flag.rule for flag in flags)
        for unit, flags in answer_flags(study).items()
    }
    flags = {**_below(study, columns, now), **ruled, **now.flags}
    return SoFar(
        now.judged, now.samples, now.answered, now.open, now.parts, apart, flags, now.harmful
    )


def _places(study: Study, read: Units) -> list[tuple[str, int]]:
    """List cases in their order, each as often as a system answered it, or was judged on it."""
    of_case: dict[str, set[int]] = {case: set() for case in study.cases.ids}
    for answer in study.answers:
        of_case[answer.case].add(answer.sample)
    for key in read.keys:
        of_case[key.case].add(key.sample)
    return [(case, sample) for case, samples in of_case.items() for sample in sorted(samples)]


def _laid_out(
    table: ScoreTable, source: str, systems: Sequence[str], places: Sequence[tuple[str, int]]
) -> Grid:
    """Lay out the scores of whole answers, repeated ones apart."""
    import polars as pl

    own = (pl.col("source") == source) & (pl.col("about") == "")
    rows = table.frame.filter(own & pl.col("value").is_not_null())
    row = {name: i for i, name in enumerate(systems)}
    column = {place: j for j, place in enumerate(places)}
    values = np.zeros((len(systems), len(places)))
    known = np.zeros(values.shape, dtype=np.bool_)
    for system, case, sample, value in rows.select("system", "case", "sample", "value").iter_rows():
        if system in row and (case, sample) in column:
            at = row[system], column[case, sample]
            values[at], known[at] = value, True
    return Grid(tuple(systems), tuple(case for case, _ in places), values, known)


def _raters_apart(
    read: Units, dimension: Dimension, systems: Sequence[str], places: Sequence[tuple[str, int]]
) -> NDArray[np.float64]:
    """Say how far raters differ about each answer: about that part of it where they do most."""
    apart = np.zeros((len(systems), len(places)))
    if read.scores is None or not len(read.scores):
        return apart
    width = float(np.ptp(dimension.ends or read.scores)) or 1.0
    labels: dict[int, list[float]] = {}
    for unit, code in zip(read.unit.tolist(), read.code.tolist(), strict=True):
        labels.setdefault(unit, []).append(float(read.scores[code]))
    row = {name: i for i, name in enumerate(systems)}
    column = {place: j for j, place in enumerate(places)}
    for unit, given in labels.items():
        system, case, sample, _ = read.keys[unit]
        at = row[system], column[case, sample]
        apart[at] = max(apart[at], 2 * float(np.std(given)) / width)
    return apart


def _read_harmful(study: Study, read: Units) -> dict[Unit, str]:
    """Say of which answers a rater read harm, by the first reading of harm that says so."""
    flags: dict[Unit, str] = {}
    for reading in HARM_READINGS:
        if reading not in study.rubric.dimension(read.dimension).mappings:
            continue
        harm = units(study.judgements, read.dimension, reading)
        bad: Iterable[int] = ()
        if reading in harm.labels:
            bad = harm.counts[:, harm.labels.index(reading)].tolist()
        for key, times, all_ in zip(harm.keys, bad, harm.sizes, strict=False):
            if times:
                of = f" of {key.about}" if key.about else ""
                why = f"{times} of {all_} labels{of} read {reading}"
                flags.setdefault(key._replace(about=""), why)
    return flags


def _below(study: Study, columns: Sequence[Source], now: SoFar) -> dict[Unit, str]:
    """Flag the answers that a metric in use lets not pass."""
    flags = {}
    for source in columns:
        bar = study.config.validity.thresholds.get(source.name)
        if bar is None:
            continue
        fails = source.sign * source.grid.values < source.sign * bar
        for i, j in np.argwhere(source.grid.known & fails):
            flags[now.unit(i, j)] = f"{source.name} does not let it pass"
    return flags


Aim = Literal["ranking", "danger", "all", "adjudication", "mean", "harm", "metrics"]
WEIGHTS: Final[dict[str, TriageWeights]] = {
    "ranking": TriageWeights(1, 0, 0),
    "danger": TriageWeights(0, 1, 0.5),
    "all": TriageWeights(1, 1, 0.5),
}
_EVEN: Final = {"mean": 0.25, "harm": 0.5, "metrics": 0.25}
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
    declared = study.rubric.dimension(dimension or _first(study))
    if not declared.scored:
        raise InvalidInput(Problem("--dimension", "have labels with scores", f'"{declared.id}"'))
    read = units(study.judgements, declared.id)
    now = read_so_far(study, declared, read)
    candidates, score_columns = now.open, None
    if aim != "ranking":
        score_columns = collect_columns(study, scored or score_study(study, metrics, progress))
        now = with_metrics(study, score_columns, now)
        # A judged answer is worth another look where a rater saw harm or the raters are apart.
        again = now.harmful | (now.apart > 0)
        candidates = candidates | (now.answered & now.judged.known & again)
    if aim == "metrics" and score_columns is not None:
        return _drawn_for_metrics(study, declared.id, count, now, lot, score_columns)
    if aim in _EVEN:
        return _drawn(study, declared.id, aim, count, now, lot)
    # Labels of parts vary otherwise than the answers that they make up.
    spread = (
        spread_of_labels(read, study.clusters or None)
        if declared.about == "answer"
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
        dimension=declared.id,
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
        must = "flag at least one answer: flagged answers are drawn more often"
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
        "The queue's file is the record: the same command draws other answers."
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


def _drawn_for_metrics(
    study: Study, dimension: str, count: int, now: SoFar, lot: Lot, score_columns: StudyColumns
) -> TriageReport:
    """Draw answers whose ratings tell metrics from answer length, with known chances.

    Where cases have several answers whole cases are drawn, those of which nobody rated an answer.
    """
    over = all_cases_of(study, score_columns)
    pairs = answer_pairs_of(study, score_columns, over)
    if pairs.length is None or pairs.given is None or not pairs.metrics:
        got = "no metric with a value" if pairs.length is not None else "no text of any answer"
        raise InvalidInput(Problem("--for metrics", "have scores and texts of answers", got))
    judged = {now.judged.cases[j] for _, j in np.argwhere(now.judged.known)}
    open_units = {
        unit for i, j in np.argwhere(now.open) if (unit := now.unit(i, j)).case not in judged
    }
    systems, cases = sorted(study.systems), sorted(study.cases.ids)
    there = {unit.pair for unit in open_units}
    open_ = np.array([[(system, case) in there for case in cases] for system in systems])
    doubt, whole, planned = pair_draw(pairs.metrics, pairs.length, pairs.given, open_, count)
    row, column = ({name: at for at, name in enumerate(names)} for names in (systems, cases))
    doubts = {unit: float(doubt[row[unit.system], column[unit.case]]) for unit in open_units}
    why = {unit: f"metrics and length differ ({each:.2f})" for unit, each in doubts.items()}
    by: Literal["case", "answer"] = "case" if whole else "answer"
    even = _EVEN["metrics"]
    draw = (
        draw_entries(
            doubts, why, min(count, len(doubts)), lot=lot, even=even, parts=now.parts, by=by
        )
        if doubts
        else []
    )
    entries = [
        TriageEntry(
            system=entry.system, case=entry.case, sample=entry.sample, parts=entry.parts,
            priority=entry.chance, ranking=0.0, danger=0.0, disagreement=0.0, why=entry.why,
        )
        for entry in draw
        if entry.drawn == "yes"
    ]  # fmt: skip
    what = "Whole cases were" if whole else "Answers were"
    note = (
        f"{what} drawn by chance, {count} answers expected, more often where metrics and answer "
        "length differ. The campaign keeps each chance, and the report weights by it."
    )
    notes = [note]
    if planned is not None and planned.difference is not None:
        metric = title_of(study.imported, planned.metric)
        notes.append(f"{can_show(planned.answers, metric, planned.difference)}.")
    return TriageReport(
        title=study.config.title,
        dimension=dimension,
        aim="metrics",
        open=len(draw),
        queue=entries,
        notes=[*notes, *_unread(study)],
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
