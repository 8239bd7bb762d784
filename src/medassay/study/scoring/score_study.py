"""Score a study's answers, whole or a shard of them, computing only what is not kept already."""

import logging
import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, Literal, overload

from pydantic import BaseModel, ConfigDict

from medassay.errors import InvalidInput, Problem
from medassay.metrics import BoundMetric, Contents, Need, Pair, describe_readings, readings_of
from medassay.metrics.statements import Tallies, add_tallies, keeping_tallies
from medassay.models import ModelSetup, forget_revealing, use_models
from medassay.scores import Reason, ScoreColumns, ScoreTable
from medassay.study.folder import Study, models_of
from medassay.study.scoring.processes import Elsewhere, Job, parallel_map, usable_processes
from medassay.study.scoring.score_cache import KEPT, PASSING, Expected, ScoreCache

if TYPE_CHECKING:
    import polars as pl

BLOCK: Final = 512
"""How many answers, side by side in the study's order, are always scored together."""

_FORM: Final = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


@dataclass(frozen=True, slots=True)
class Shard:
    """Which answers one job scores.

    Attributes:
        number: Which of the shards, from 1.
        of: How many shards there are.

    Example:
        >>> shard = Shard.parse("2/3")
        >>> str(shard), [place for place in (0, 600, 1200, 2100) if shard.holds(place)]
        ('2/3', [600, 2100])
    """

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """Read a shard as it is typed, `3/16`.

        Raises:
            InvalidInput: It is none.
        """
        match = _FORM.fullmatch(text)
        number, of = map(int, match.groups()) if match else (0, 0)
        if not 1 <= number <= of:
            must = "be I/N: which of how many shards, I from 1 to N"
            raise InvalidInput(Problem("--shard", must, text, "Try 1/4, 2/4, 3/4 and 4/4."))
        return cls(number, of)

    def holds(self, place: int) -> bool:
        """Tell whether the answer at a place in the study's order is in this shard."""
        return place // BLOCK % self.of == self.number - 1

    def __str__(self) -> str:
        """Write it as it is typed."""
        return f"{self.number}/{self.of}"


class RunOptions(BaseModel):
    """What a run was asked for beside study.toml, as `open_run` takes it.

    Attributes:
        seed: The seed, where it overrules study.toml's.
        texts: How much text is shown, where it overrules study.toml's.
        metrics: Metrics beside the study's own.
        only: Metrics instead of the study's own.
        offline: Whether no model was to be fetched.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    seed: int | None = None
    texts: Literal["full", "ids", "none"] | None = None
    metrics: tuple[str, ...] | None = None
    only: tuple[str, ...] | None = None
    offline: bool = False

    def words(self) -> str:
        """Give the options as they are typed."""
        given = [
            *([f"--seed {self.seed}"] if self.seed is not None else []),
            *([f"--texts {self.texts}"] if self.texts else []),
            *(f"--metrics {name}" for name in self.metrics or ()),
            *(f"--only {name}" for name in self.only or ()),
            *(["--offline"] if self.offline else []),
        ]
        return " ".join(given)


class ShardRecord(BaseModel):
    """What one job did.

    Attributes:
        run: The name of the run that it scored for: a hash of inputs, choices and versions.
        number: Which of the shards, from 1.
        of: How many shards there are.
        asked: What was asked for beside study.toml.
        computed: Scores computed.
        reused: Answers whose score was kept from before.
        failed: Scores that failed: they are tried again when the shards are joined.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    run: str
    number: int
    of: int
    asked: RunOptions = RunOptions()
    computed: int
    reused: int
    failed: int


class Pairs(Sequence[Pair]):
    """Pairs of case and answer; each is read when it is asked for.

    All answers to a case stand side by side: its references are read once.

    Args:
        study: The study.
        shard: Leaves out what is not in this shard; nothing if not given.
    """

    def __init__(self, study: Study, shard: Shard | None = None) -> None:
        self._cases, self._answers = study.cases.records, study.answers.records
        self._of_case, self._of_answer = array("q"), array("q")
        place = 0
        for at, case in enumerate(study.cases.in_file_order):
            for system in study.answers.systems:
                for answer in study.answers.places(system, case):
                    if shard is None or shard.holds(place):
                        self._of_case.append(at)
                        self._of_answer.append(answer)
                    place += 1

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self._of_case)

    @overload
    def __getitem__(self, place: int) -> Pair: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Pair]: ...
    def __getitem__(self, place: int | slice) -> Pair | Sequence[Pair]:
        """Read one pair, or those of a slice; a case with several answers is one object there."""
        if isinstance(place, int):
            return self._cases[self._of_case[place]], self._answers[self._of_answer[place]]
        cases = {at: self._cases[at] for at in dict.fromkeys(self._of_case[place])}
        return [
            (cases[at], self._answers[answer])
            for at, answer in zip(self._of_case[place], self._of_answer[place], strict=True)
        ]

    def __iter__(self) -> Iterator[Pair]:
        """Read the pairs one after the other."""
        return (self[place] for place in range(len(self)))


def keys_of(pairs: Sequence[Pair]) -> "pl.DataFrame":
    """Say whose answer to which case each row is about."""
    import polars as pl

    return pl.DataFrame(
        {
            "system": [answer.system for _, answer in pairs],
            "case": [case.case for case, _ in pairs],
            "sample": [answer.sample for _, answer in pairs],
        },
        schema={"system": pl.String(), "case": pl.String(), "sample": pl.Int64()},
    )


def joined_portions(
    keys: "Sequence[pl.DataFrame]", rows: "dict[str, list[pl.DataFrame]]"
) -> ScoreTable:
    """Join the portions of each metric; all metrics share the columns that say what rows are."""
    import polars as pl

    if not keys:
        return ScoreTable.concat([])
    whole = pl.concat(keys).with_row_index("row").sort("system", "case", "sample")
    order, whole = whole["row"], whole.drop("row")
    tables = []
    for name in list(rows):
        scores = pl.concat(rows.pop(name), how="diagonal")  # what was held in portions goes
        tables.append(ScoreTable.of_source(name, whole, scores[order]))
    return ScoreTable.concat(tables)


Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""

_LOG: Final = logging.getLogger(__name__)
_TOLD: Final = 5
_MOST_IN_BATCH: Final = 4_096  # larger ones hold the words of too many answers at once
_QUICK: Final = 2.0  # seconds for a batch
_PORTION: Final = 32 * BLOCK
"""So many answers are read and scored before the next are: what is held does not grow with all."""
_OFTEN_EMPTY: Final = ("reason", "detail")
_OUR_WORDS: Final = (Reason.CASE_LACKS.value, Reason.ANSWER_LACKS.value)


@dataclass(frozen=True)
class Scored:
    """What scoring gave.

    Attributes:
        table: A row for each metric, system and case.
        metrics: The metrics.
        computed: How many scores were computed now; two answers of the same text share one.
        reused: How many answers have a score that was kept from before.
        by_metric: The same two for each metric.
        damaged: What was kept and not believed: removed, and computed again.
        cautions: What a reader should know of the texts that were scored.
    """

    table: ScoreTable
    metrics: tuple[BoundMetric, ...]
    computed: int
    reused: int
    by_metric: dict[str, tuple[int, int]]
    damaged: tuple[Problem, ...]
    cautions: tuple[str, ...] = ()

    @property
    def failed(self) -> int:
        """Count the scores that failed: they are never kept, and tried again the next time."""
        reasons = (self.table.select(source)["reason"] for source in self.table.sources)
        return sum(int(of_source.is_in(PASSING).sum()) for of_source in reasons)


def score_study(
    study: Study,
    metrics: Sequence[BoundMetric],
    progress: Progress | None = None,
    *,
    processes: int | None = None,
    fresh: bool = False,
    shard: Shard | None = None,
    elsewhere: Elsewhere | None = None,
    kept: Path | None = None,
) -> Scored:
    """Score every answer with every metric; an answer never given follows the metric's own rule.

    Scores are kept under the study's `results/kept` as they come, so that a run that is killed
    goes on where it stopped, and a changed answer costs its own score only. What was kept while
    texts could be, and reveals them, is removed where `[privacy]` no longer allows it. What was
    kept and cannot be what was computed is not believed, and a warning is logged.

    Args:
        study: The study.
        metrics: What to score with.
        progress: Told how far it is.
        processes: How many may share the work of metrics that say that it can be shared; as many
            as there are processors if not given. The scores are the same with any number.
        fresh: Believe nothing that is kept, neither scores nor what models computed: all is
            computed and takes the place of what was there.
        shard: Score the answers of this shard and no others: the table has their rows alone.
        elsewhere: Where metrics that run on a model are scored, if not in this process. The scores
            are the same.
        kept: Where scores are kept; in the study if not given.
    """
    processes = usable_processes() if processes is None else processes
    kept = study.path / KEPT if kept is None else kept
    models = replace(models_of(study), progress=progress, fresh=fresh, keep_in=kept / "models")
    with use_models(models) as setup:
        if setup.keep_in is not None and not setup.keep_texts:
            forget_revealing(setup.keep_in)
        scoring = _Scoring(progress, processes, elsewhere, setup, kept)
        scored = _scored(study, metrics, scoring, fresh=fresh, shard=shard)
    damaged = [_inside(study.path, problem) for problem in (*scored.damaged, *setup.damaged)]
    for damage in damaged[:_TOLD]:
        _LOG.warning("%s", damage)  # said whatever is done with the scores
    if damaged[_TOLD:]:
        _LOG.warning("%s", f"... and {len(damaged) - _TOLD:,} more kept files.")
    return replace(scored, damaged=tuple(damaged))


def _inside(folder: Path, problem: Problem) -> Problem:
    """Name a file by its place in the study: where that lies is nobody's business."""
    path = Path(problem.file)
    place = path.relative_to(folder) if path.is_relative_to(folder) else path
    return replace(problem, file=place.as_posix())


def _scored(
    study: Study,
    metrics: Sequence[BoundMetric],
    scoring: "_Scoring",
    *,
    fresh: bool,
    shard: Shard | None,
) -> Scored:
    quiet = study.config.privacy.texts != "full"
    pairs = Pairs(study, shard)
    works = [_Work(metric, _kept(scoring.kept, metric, fresh=fresh)) for metric in metrics]
    groups = _together(works)
    keys: list[pl.DataFrame] = []
    rows: dict[str, list[pl.DataFrame]] = {work.name: [] for work in works}
    for start in range(0, len(pairs), _PORTION):
        portion = pairs[start : start + _PORTION]
        keys.append(keys_of(portion))
        contents = Contents(portion)
        _read(contents, metrics, scoring.processes)
        for number, group in enumerate(groups):
            for work in group:
                work.begin(contents)
            done = start + len(portion) * number // len(groups)
            scoring.compute(contents, group, scoring.telling(done, len(pairs)), quiet=quiet)
            for work in group:
                rows[work.name].append(work.end(quiet=quiet))
        del portion, contents  # or the next portion is read while this one is held
    table = joined_portions(keys, rows)
    if shard is None:
        table = ScoreTable.concat([table, _never_given(study, metrics)])
    by_metric = {work.name: (work.computed_in_all, work.reused) for work in works}
    cautions = describe_readings(readings_of(metrics, pairs))
    cautions += [words for metric in metrics for words in metric.cautions(pairs)]
    computed, reused = (sum(counts[i] for counts in by_metric.values()) for i in (0, 1))
    damaged = tuple(damage for work in works for damage in work.kept.damaged)
    return Scored(table, tuple(metrics), computed, reused, by_metric, damaged, tuple(cautions))


def _kept(folder: Path, metric: BoundMetric, *, fresh: bool) -> ScoreCache:
    expected = Expected(*metric.range, len(metric.declaration.parts))
    return ScoreCache(folder, metric.made_by, expected, fresh=fresh)


def _read(contents: Contents, metrics: Sequence[BoundMetric], processes: int) -> None:
    """Read all that the metrics need, if that is more than one process should do."""
    if len(contents) > BLOCK:
        needs = list(dict.fromkeys(need for metric in metrics for need in metric.needs))
        parts = (
            slice(start, start + _MOST_IN_BATCH)
            for start in range(0, len(contents), _MOST_IN_BATCH)
        )
        contents.take(
            needs, parallel_map(lambda part: contents.read(needs, part), parts, processes)
        )


class _Work:
    """What one metric has to score: `stale` are the places without a kept score, in order."""

    def __init__(self, metric: BoundMetric, cache: ScoreCache) -> None:
        self.metric, self.kept, self.name = metric, cache, str(metric.name)
        self.keys: list[str] = []
        self.stale: list[int] = []
        self.computed, self.done = 0, 0
        self.computed_in_all, self.reused = 0, 0

    def begin(self, contents: Contents) -> None:
        """Find out what is to be scored of a portion of the answers."""
        self.keys = self.metric.content_keys(contents)
        self.kept.fetch(self.keys)
        self.stale = _stale(self.keys, self.kept)
        self.computed, self.done = len(self.stale), 0
        self.computed_in_all += self.computed
        self.reused += self.kept.before(self.keys)

    def end(self, *, quiet: bool) -> "pl.DataFrame":
        """Give the scores of the portion; they are on disk, and held here no longer."""
        rows = self.kept.rows(self.keys)
        if quiet:
            rows = _without_words(rows, self.metric)
        self.kept.put_aside(len(self.keys))
        self.keys, self.stale = [], []
        return rows.drop(name for name in _OFTEN_EMPTY if rows[name].null_count() == rows.height)

    def keep(self, places: Sequence[int], columns: ScoreColumns, *, quiet: bool) -> None:
        """Keep what was found of answers at some places."""
        rows = columns.frame()
        keys = [self.keys[i] for i in places]
        self.kept.keep(keys, _without_words(rows, self.metric) if quiet else rows)
        self.done += len(places)


def _together(works: Sequence[_Work]) -> list[list[_Work]]:
    """Say which metrics are scored together: those that read the same, side by side.

    They share what they find in a batch. All whose work several processes may share are one group:
    a copy of the process, which costs as much as many scores, then does its answers for all.
    """
    groups: dict[tuple[Need, ...], list[_Work]] = {}
    parallel: dict[tuple[Need, ...], list[_Work]] = {}
    for work in works:
        of_its_kind = parallel if work.metric.parallel else groups
        of_its_kind.setdefault(work.metric.needs, []).append(work)
    shared = [work for group in parallel.values() for work in group]
    return [*([shared] if shared else []), *groups.values()]


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Some answers for some metrics of a group.

    Attributes:
        places: Place of the metric in its group to the places of the answers.
        size: How many answers a chunk held at most when this one was cut.
    """

    places: dict[int, list[int]]
    size: int


@dataclass(frozen=True, slots=True)
class _ScoredChunk:
    """A chunk with what was found of each metric, and the seconds that it took."""

    chunk: _Chunk
    columns: list[ScoreColumns]
    tallies: Tallies
    seconds: float


@dataclass(frozen=True, slots=True)
class _Scoring:
    """Who does the work, who is told of it, and where it is kept."""

    progress: Progress | None
    processes: int
    elsewhere: Elsewhere | None
    setup: ModelSetup
    kept: Path
    sizes: dict[tuple[str, ...], int] = field(default_factory=dict)
    """How many answers a copy of the process took last, by what it scored them with."""

    def compute(
        self,
        contents: Contents,
        works: Sequence[_Work],
        tell: Callable[[_Work], None],
        *,
        quiet: bool,
    ) -> None:
        """Score what is not kept, and keep it as it comes."""
        far = [work for work in works if self.elsewhere is not None and work.metric.runs_a_model]
        near = [work for work in works if work not in far]
        for part, scored_chunks in (
            (far, self._far(contents, far)),
            (near, self._near(contents, near)),
        ):
            for scored_chunk in scored_chunks:
                add_tallies(scored_chunk.tallies)
                for (i, places), columns in zip(
                    scored_chunk.chunk.places.items(), scored_chunk.columns, strict=True
                ):
                    work = part[i]
                    work.keep(places, columns, quiet=quiet)
                    tell(work)

    def telling(self, done: int, answers: int) -> Callable[[_Work], None]:
        """Tell of each metric; where answers come in portions, of how many are done of all."""

        def tell(work: _Work) -> None:
            if self.progress is None:
                return
            if answers > _PORTION:
                self.progress("answers", done, answers)
            else:
                self.progress(work.name, work.done, work.computed)

        return tell

    def _far(self, contents: Contents, works: Sequence[_Work]) -> Iterator[_ScoredChunk]:
        """Have blocks scored elsewhere, in whatever order they come back."""
        if self.elsewhere is None:
            return
        chunks = list(_by_block(works))
        jobs = [
            Job(works[i].name, works[i].metric.made_by, contents.pairs(places))
            for chunk in chunks
            for i, places in chunk.places.items()
        ]
        for at, scores in self.elsewhere.score(jobs, self.setup):
            yield _ScoredChunk(chunks[at], [scores.columns], scores.tallies, 0.0)

    def _near(self, contents: Contents, works: Sequence[_Work]) -> Iterator[_ScoredChunk]:
        """Score in this process, or in copies of it where metrics allow that."""
        most = max((work.computed for work in works), default=0)
        names = tuple(work.name for work in works)
        size = self.sizes.get(names, BLOCK)
        shared = most > BLOCK and all(work.metric.parallel for work in works)

        def growing() -> Iterator[_Chunk]:
            start = 0
            while start < most:
                end = start + size
                yield _Chunk(  # in one process: metrics share what they find
                    {i: w.stale[start:end] for i, w in enumerate(works) if start < w.computed}, size
                )
                start = end

        def score(chunk: _Chunk) -> _ScoredChunk:
            begun = monotonic()
            with keeping_tallies() as tallies:
                columns = [
                    ScoreColumns.of(metric.score_batch(contents.batch(places, metric.needs)))
                    for metric, places in (
                        (works[i].metric, place) for i, place in chunk.places.items()
                    )
                ]
            return _ScoredChunk(chunk, columns, tallies, monotonic() - begun)

        chunks = growing() if shared else _by_block(works)
        for scored_chunk in parallel_map(score, chunks, self.processes if shared else 1):
            yield scored_chunk
            if scored_chunk.seconds < _QUICK * len(scored_chunk.chunk.places) / len(works):
                # Fewer files; a killed run loses seconds.
                size = max(size, min(2 * scored_chunk.chunk.size, _MOST_IN_BATCH))
                self.sizes[names] = size


def _by_block(works: Sequence[_Work]) -> Iterator[_Chunk]:
    """Cut by the study alone: what a model reads together is the same in every shard."""
    for i, work in enumerate(works):
        for _, places in groupby(work.stale, lambda place: place // BLOCK):
            yield _Chunk({i: list(places)}, BLOCK)


def _without_words(rows: "pl.DataFrame", metric: BoundMetric) -> "pl.DataFrame":
    """Keep only what medassay itself says of a missing score: an error may quote the answer."""
    import polars as pl

    ours = pl.col("reason").is_null() | pl.col("reason").is_in(_OUR_WORDS)
    if metric.missing is not None:
        ours |= pl.col("detail") == str(metric.missing)  # said before any text was read
    return rows.with_columns(
        pl.when(ours).then(pl.col("detail")).otherwise(pl.lit("")).alias("detail")
    )


def _stale(keys: Sequence[str], cache: ScoreCache) -> list[int]:
    """Give the first place of each content that has no kept score."""
    first: dict[str, int] = {}
    for i, key in enumerate(keys):
        if key not in cache:
            first.setdefault(key, i)
    return list(first.values())


def _never_given(study: Study, metrics: Sequence[BoundMetric]) -> ScoreTable:
    """Give what answers are worth that were asked for and never given; the others have no row."""
    lacking = study.answers.lacking(study.answers.systems, study.cases.ids)
    return ScoreTable.from_rows(
        (system, case, str(metric.name), metric.score_no_answer(study.cases[case]))
        for metric in metrics
        for system, case in lacking
    )
