"""Compare two versions: what was scored before, and what is scored now."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.scores import ScoreTable, scores_from_sheet
from medassay.study.analysis import gather, validity_of
from medassay.study.correlations import correlation_results
from medassay.study.lock import only_writer
from medassay.study.run import open_run
from medassay.study.scoring import Progress, score_study
from medassay.tables import FORMS, read_sheet
from medassay.validity import Change, Direction, GateResult, gate

__all__ = ["VersionComparison", "compare_versions"]

_ALPHA: Final = 0.05


@dataclass(frozen=True)
class _Facts:
    direction: Direction
    low: float | None
    high: float | None


@dataclass(frozen=True)
class _Side:
    """One version's scores.

    Attributes:
        shown: What the user called it.
        table: Its scores.
        facts: Direction and range of each source; a file of scores says nothing of them.
        system: The one system asked for, or None for all.
        clusters: Case to cluster.
        borne_out: The metrics that the raters of this study bear out; None without raters.
        notes: What a reader should know of how it was read.
    """

    shown: str
    table: ScoreTable
    facts: dict[str, _Facts]
    system: str | None
    clusters: dict[str, str] = field(default_factory=dict)
    borne_out: frozenset[str] | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class VersionComparison:
    """Everything that the gate says.

    Attributes:
        old: What the old version was called.
        new: What the new version was called.
        margin: The largest acceptable loss.
        results: One for each metric.
        warnings: What a reader should know.
    """

    old: str
    new: str
    margin: float
    results: tuple[GateResult, ...]
    warnings: tuple[str, ...]


def compare_versions(
    old: str,
    new: str,
    *,
    metrics: Sequence[str] | None = None,
    margin: float = 0.02,
    offline: bool = False,
    progress: Progress | None = None,
) -> VersionComparison:
    """Compare two versions by each metric that both have.

    Args:
        old: A study's folder or a table of scores; with `:SYSTEM` behind it one system of it.
        new: The same.
        metrics: Canonical names; every metric with a better direction if not given.
        margin: The largest acceptable loss, in the unit of the metrics.
        offline: Fetch no model, whatever study.toml allows.
        progress: Told what is being scored.

    Raises:
        InvalidInput: A side cannot be read, or the two have no system or no metric in common.
        UnknownName: A metric or system that a side does not have.
    """
    before = _side(old, metrics, progress, offline=offline)
    after = _side(new, metrics, progress, offline=offline)
    names = _metrics(before, after, metrics)
    keys = _system_names(before, after)
    changes = [
        Change(
            name,
            _fact(name, before, after).direction,
            _values(before, name, keys[0]),
            _values(after, name, keys[1]),
            _fact(name, before, after).low,
            _fact(name, before, after).high,
        )
        for name in names
    ]
    results = gate(changes, margin=margin, clusters=before.clusters | after.clusters or None)
    return VersionComparison(
        old, new, margin, tuple(results),
        tuple(dict.fromkeys([*before.notes, *after.notes, *_warnings(after, before, results)])),
    )  # fmt: skip


def _side(
    text: str, metrics: Sequence[str] | None, progress: Progress | None, *, offline: bool
) -> _Side:
    path, system = _split(text)
    if path.suffix.lower() in FORMS and not path.is_dir():
        sheet = read_sheet(path)
        table = scores_from_sheet(sheet, source=path.stem)
        return _checked(_Side(text, table, {}, system, notes=tuple(map(str, sheet.notes))))
    run = open_run(path, metrics=_computable(path, metrics), offline=offline)
    with only_writer(path):
        scored = score_study(run.study, run.metrics, progress)
    gathered = gather(run.study, scored)
    facts = {
        str(m.name): _Facts(
            _direction(m.declaration.direction.value), m.declaration.low, m.declaration.high
        )
        for m in run.metrics
    }
    for one in run.study.imported:
        meaning = _Facts(one.meaning.direction, one.meaning.low, one.meaning.high)
        facts |= dict.fromkeys(one.table.sources, meaning)
    borne_out = None
    if len(run.study.judgements):
        found = correlation_results(gathered.columns, validity_of(run.study, gathered))
        borne_out = frozenset(
            one.metric
            for one in found
            if one.tau is not None and one.tau > 0 and (one.p_adjusted or 1) <= _ALPHA
        )
    table, notes = gathered.table, run.study.warnings
    return _checked(_Side(text, table, facts, system, run.study.clusters, borne_out, notes))


def _direction(word: str) -> Direction:
    known: dict[str, Direction] = {"higher": "higher", "lower": "lower", "none": "none"}
    return known[word]


def _split(text: str) -> tuple[Path, str | None]:
    """Take a system's name off the end, unless the whole text is a path that exists."""
    path, colon, system = text.rpartition(":")
    if colon and path and not Path(text).exists():
        return Path(path), system
    return Path(text), None


def _computable(path: Path, metrics: Sequence[str] | None) -> list[str] | None:
    """Leave imported sources out of the metrics to compute."""
    if metrics is None:
        return None
    from medassay.study.folder import Study

    imported = {s for one in Study.open(path).imported for s in one.table.sources}
    return [name for name in metrics if name not in imported] or None


def _checked(side: _Side) -> _Side:
    systems = sorted(side.table.frame["system"].unique())
    if side.system is not None and side.system not in systems:
        raise UnknownName(f"system in {side.shown}", side.system, systems)
    return side


def _metrics(old: _Side, new: _Side, asked: Sequence[str] | None) -> list[str]:
    for name in asked or ():
        for side in (old, new):
            if name not in side.table.sources:
                raise UnknownName(f"metric in {side.shown}", name, side.table.sources)
    if asked:
        names = list(asked)
    else:
        known = set(old.facts or old.table.sources) & set(new.facts or new.table.sources)
        names = sorted(n for n in known if _fact(n, old, new).direction != "none")
    aimless = [n for n in names if _fact(n, old, new).direction == "none"]
    if aimless:
        must = "be a metric where one direction is better"
        raise InvalidInput([Problem("--metric", must, f'"{name}"') for name in aimless])
    if not names:
        got = f"{', '.join(old.table.sources)} and {', '.join(new.table.sources)}"
        raise InvalidInput(Problem(f"{old.shown} and {new.shown}", "share a metric", got))
    return names


def _fact(name: str, old: _Side, new: _Side) -> _Facts:
    return new.facts.get(name) or old.facts.get(name) or _Facts("higher", None, None)


def _system_names(old: _Side, new: _Side) -> tuple[dict[str, str], dict[str, str]]:
    """Give each side's systems the names under which they are compared."""
    before, after = ([s.system] if s.system else _systems(s) for s in (old, new))
    if len(before) == len(after) == 1:
        name = before[0] if before == after else f"{before[0]} to {after[0]}"
        return {before[0]: name}, {after[0]: name}
    both = sorted(set(before) & set(after))
    if not both:
        must = "have a system in common, or name one each, as in FOLDER:SYSTEM"
        got = f"{', '.join(before)} and {', '.join(after)}"
        raise InvalidInput(Problem(f"{old.shown} and {new.shown}", must, got))
    return {name: name for name in both}, {name: name for name in both}


def _systems(side: _Side) -> list[str]:
    return sorted(side.table.frame["system"].unique())


def _values(side: _Side, source: str, names: dict[str, str]) -> dict[tuple[str, str], float]:
    rows = side.table.select(source).select("system", "case", "value").drop_nulls("value")
    return {(names[s], case): v for s, case, v in rows.iter_rows() if s in names}


def _warnings(new: _Side, old: _Side, results: Sequence[GateResult]) -> list[str]:
    """Say where a metric is gated that no rater has borne out."""
    shown = [side.borne_out for side in (new, old) if side.borne_out is not None]
    names = [one.metric for one in results]
    if not shown:
        return [
            (
                f"No raters judged either version, so it is not known whether {', '.join(names)} "
                "mean anything here; a gate on them guards the number, not the quality."
            )
        ]
    open_ = [name for name in names if not any(name in one for one in shown)]
    if not open_:
        return []
    return [
        (
            f"The raters of this study do not bear out {', '.join(open_)} (no positive tau stands "
            "after Holm's correction); a gate on them guards the number, not the quality."
        )
    ]
