"""What people and metrics have said so far of each answer that could be judged next."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.dangers import answer_flags
from medassay.analyses.score_columns import StudyColumns
from medassay.consensus import consensus, of_whole_answers, source_name
from medassay.judgements import HARM_READINGS, Dimension, Units, parts_of, units
from medassay.scores import Grid, ScoreTable, Unit
from medassay.study.folder import Study
from medassay.validity import Source, disagreement_of

__all__ = ["SoFar", "read_so_far", "with_metrics"]

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


def read_so_far(study: Study, asked: Dimension, read: Units) -> SoFar:
    """Read what raters said on one dimension.

    Args:
        study: The study.
        asked: The dimension.
        read: Its labels.
    """
    systems, places = study.systems, _places(study, read)
    table = consensus(study.judgements, _METHOD, dimensions=[asked.id])
    name = str(source_name(_METHOD, asked.id))
    if name in table.sources:  # else nobody judged yet
        table = of_whole_answers(table, name, asked.about, study.cases)
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
            all_ = [part.about for part in parts_of(study.cases[case], answer, asked.about)]
            rest = [about for about in all_ if Unit(system, case, sample, about) not in labelled]
            left[i, j] = bool(rest)
            if rest and len(rest) < len(all_):
                parts[Unit(system, case, sample)] = tuple(rest)
    flags = _read_harmful(study, read)
    harmful = [[Unit(system, *place) in flags for place in places] for system in systems]
    apart = _raters_apart(read, asked, systems, places)
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
    read: Units, asked: Dimension, systems: Sequence[str], places: Sequence[tuple[str, int]]
) -> NDArray[np.float64]:
    """Say how far raters differ about each answer: about that part of it where they do most."""
    apart = np.zeros((len(systems), len(places)))
    if read.scores is None or not len(read.scores):
        return apart
    width = float(np.ptp(asked.ends or read.scores)) or 1.0
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
