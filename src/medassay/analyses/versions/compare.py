"""Compare two versions: what was scored before, and what is scored now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from medassay.analyses.versions.unscored import (
    UnscoredMetric,
    find_unscored,
    refuse_nothing_common,
    refuse_unscored,
)
from medassay.analyses.versions.version import (
    METRIC_OPTION,
    UNNAMED,
    Version,
    read_version,
    table_source,
)
from medassay.analyses.versions.version_names import by_number_beside, without_ids
from medassay.error_analysis import Flip, choice_flips
from medassay.errors import InvalidInput, MedassayError, Problem, UnknownName
from medassay.metrics import resolve
from medassay.study.scales import Said, Scale
from medassay.study.scoring import Progress
from medassay.validity import Bound, Change, Direction, GateResult, gate

__all__ = ["VersionComparison", "compare_versions"]

_Values = dict[tuple[str, str], float]


@dataclass(frozen=True)
class VersionComparison:
    """Everything that the gate says.

    Attributes:
        old: What the old version was called.
        new: What the new version was called.
        margin: The largest acceptable loss.
        identical: Whether the two are the same in everything that was compared.
        results: One for each metric of the old version.
        lost_systems: Systems that only the old version has; all their scores are lost.
        lost_metrics: Metrics that only the old version has; all their scores are lost.
        new_systems: Systems that only the new version has: there is nothing to compare them with.
        new_metrics: Metrics that only the new version has, or has scores of: there is nothing to
            compare them with.
        unscored_metrics: Metrics that neither version has a score of: left out.
        warnings: What a reader should know.
        choices: Every answer to a multiple-choice question that chooses otherwise than before.
        damaged: What was kept and not believed, and was computed again.
    """

    old: str
    new: str
    margin: float
    identical: bool
    results: tuple[GateResult, ...]
    lost_systems: tuple[str, ...]
    lost_metrics: tuple[str, ...]
    new_systems: tuple[str, ...]
    new_metrics: tuple[str, ...]
    unscored_metrics: tuple[str, ...]
    warnings: tuple[str, ...]
    choices: tuple[Flip, ...] = ()
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Pairing:
    """Under which name each side's systems are compared."""

    old: dict[str, str]
    new: dict[str, str]
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()


def compare_versions(  # noqa: PLR0913 - each argument is one fact about the gate
    old: str,
    new: str,
    *,
    metrics: Sequence[str] | None = None,
    margin: float = 0.02,
    said: Said | None = None,
    offline: bool = False,
    fresh: bool = False,
    progress: Progress | None = None,
    bound: Bound = "t",
) -> VersionComparison:
    """Compare two versions by each metric of the old one.

    A system or a metric that only the old version has is not left out: all its scores are lost.
    A metric that the old version has no score of cannot be compared: it is left out and named, or
    refused where it was asked for.

    Args:
        old: A study's folder or a table of scores; with `:SYSTEM` behind it one system of it.
        new: The same.
        metrics: Names; every metric with a better direction if not given.
        margin: The largest acceptable loss, in the unit of the metrics.
        said: Direction and range of metrics that medassay does not know.
        offline: Fetch no model, whatever study.toml allows.
        fresh: Believe no score that is kept in the studies.
        progress: Told what is being scored.
        bound: `t`, or `betting`, which holds however rare and heavy losses are.

    Raises:
        InvalidInput: A side cannot be read, nobody said which way a metric is better, or the two
            have no system, no metric or no answer in common.
        UnknownName: A metric or system that a side does not have.
    """
    metrics = None if metrics is None else list(dict.fromkeys(map(_canonical, metrics)))
    unnamed = _unnamed(old, new, metrics)
    before = read_version(old, metrics, unnamed, progress, offline=offline, fresh=fresh)
    after = read_version(new, metrics, unnamed, progress, offline=offline, fresh=fresh)
    before, after = by_number_beside(before, after), by_number_beside(after, before)
    names = _metrics(before, after, metrics)
    pairing = _pair(before, after)
    values = {
        name: (before.values(name, pairing.old), after.values(name, pairing.new)) for name in names
    }
    unscored = find_unscored(names, before, after, pairing.old, pairing.new)
    if metrics:
        refuse_unscored(unscored, names)
    refuse_nothing_common(unscored, values)
    values = {name: pair for name, pair in values.items() if pair[0]}
    said = Said({}, {}, {}) if said is None else said
    scales = _scales(values, before, after, said)
    scales = {name: scale for name, scale in scales.items() if scale.direction != "none"}
    identical = _identical(before, after, pairing)
    changes = [
        _change(scale, unscored[name], *values[name], unchanged=identical)
        for name, scale in scales.items()
    ]
    clusters = before.clusters | after.clusters or None
    results = gate(changes, margin=margin, clusters=clusters, bound=bound)
    lost_metrics = tuple(n for n in scales if n not in after.scales)
    gained = [name for name, one in unscored.items() if one.only_new]
    gained += sorted(after.scales.keys() - before.scales.keys())
    new_metrics = () if metrics else tuple(gained)
    neither = [one for one in unscored.values() if one.neither]
    warnings = [*before.notes, *after.notes]
    warnings += _left_over(before, after, pairing, lost_metrics, new_metrics)
    warnings += [one.left_out for one in neither]
    warnings += _assumed(scales, values) + _not_borne_out(after, before, list(scales))
    flips = choice_flips(before.choices(pairing.old), after.choices(pairing.new))
    gated, choices = without_ids(results, flips, (before, after))
    return VersionComparison(
        old, new, margin, identical, gated, pairing.lost, lost_metrics,
        pairing.gained, new_metrics, tuple(one.metric for one in neither),
        tuple(dict.fromkeys(warnings)), choices, (*before.damaged, *after.damaged),
    )  # fmt: skip


def _unnamed(old: str, new: str, metrics: Sequence[str] | None) -> str:
    """Name the scores of a table that does not: as asked, as the other side does, or `score`."""
    if metrics and len(metrics) == 1:
        return metrics[0]
    return table_source(old) or table_source(new) or UNNAMED


def _canonical(name: str) -> str:
    try:
        return str(resolve(name).name)
    except MedassayError:  # a name of one's own, or wrong, which is said where it is looked for
        return name


def _metrics(old: Version, new: Version, asked: Sequence[str] | None) -> list[str]:
    for name in asked or ():
        for side in (old, new):
            if name not in side.table.sources:
                raise UnknownName(f"metric in {side.shown}", name, side.table.sources)
    if asked:
        aimless = [n for n in asked if _known(n, old, new).direction == "none"]
        if aimless:
            must = "be a metric where one direction is better"
            raise InvalidInput([Problem(METRIC_OPTION, must, f'"{name}"') for name in aimless])
        return list(dict.fromkeys(asked))
    names = [n for n in sorted(old.scales) if _known(n, old, new).direction != "none"]
    if not set(names) & set(new.scales):
        got = f"{', '.join(old.scales)} and {', '.join(new.scales)}"
        hint = f"Name the metric of tables without a column `source` by {METRIC_OPTION}."
        hint = hint if UNNAMED in {*old.scales, *new.scales} else ""
        raise InvalidInput(Problem(f"{old.shown} and {new.shown}", "share a metric", got, hint))
    return names


def _known(name: str, old: Version, new: Version) -> Scale:
    """Take what the metric itself declares, else what the owner of the scores says."""
    found = [side.scales[name] for side in (new, old) if name in side.scales]
    declared = [scale for scale in found if scale.declared]
    told = [scale for scale in found if scale.direction is not None]
    return (declared or told or found or [Scale()])[0]


def _scales(
    values: Mapping[str, tuple[_Values, _Values]], old: Version, new: Version, said: Said
) -> dict[str, Scale]:
    known = {name: said.over(_known(name, old, new), name) for name in values}
    strangers = sorted(
        ({*said.directions, *said.lows, *said.highs} - {""}) - {*old.scales, *new.scales}
    )
    if strangers:
        raise UnknownName("metric", strangers[0], sorted({*old.scales, *new.scales}))
    problems = [
        Problem(
            "--direction", "say which way is better, where the metric is not one of medassay's",
            f'nothing of "{name}"', f"Add --direction {name}=higher, or {name}=lower.",
        )
        for name, scale in known.items()
        if scale.direction is None
    ]  # fmt: skip
    for name, scale in known.items():
        problems += scale.problems(name, _both(values[name]))
    if problems:
        raise InvalidInput(problems)
    return known


def _both(pair: tuple[_Values, _Values]) -> list[float]:
    return [*pair[0].values(), *pair[1].values()]


def _change(
    scale: Scale, unscored: UnscoredMetric, old: _Values, new: _Values, *, unchanged: bool
) -> Change:
    ranged = scale.seen([*old.values(), *new.values()])
    direction: Direction = "lower" if scale.direction == "lower" else "higher"
    return Change(
        unscored.metric, direction, old, new, ranged.low, ranged.high, ranged.worst,
        unchanged=unchanged, why_lost=unscored.of_lost((old, new)),
    )  # fmt: skip


def _pair(old: Version, new: Version) -> _Pairing:
    """Give each side's systems the names under which they are compared."""
    before, after = old.systems, new.systems
    if old.system or new.system:
        first = old.system or (new.system if new.system in before else None)
        second = new.system or (old.system if old.system in after else None)
        before = (first,) if first else before
        after = (second,) if second else after
    if len(before) == len(after) == 1:
        name = before[0] if before == after else f"{before[0]} to {after[0]}"
        return _Pairing({before[0]: name}, {after[0]: name})
    if not set(before) & set(after):
        must = "have a system in common, or name one each, as in FOLDER:SYSTEM"
        got = f"{', '.join(before)} and {', '.join(after)}"
        raise InvalidInput(Problem(f"{old.shown} and {new.shown}", must, got))
    lost = tuple(name for name in before if name not in after)
    gained = tuple(name for name in after if name not in before)
    return _Pairing({name: name for name in before}, {name: name for name in after}, lost, gained)


def _identical(old: Version, new: Version, pairing: _Pairing) -> bool:
    """Say whether nothing differs: no score of any metric, and no answer where both have them."""
    if old.scales.keys() != new.scales.keys() or pairing.lost or pairing.gained:
        return False
    if any(old.values(n, pairing.old) != new.values(n, pairing.new) for n in old.scales):
        return False
    before, after = old.contents(pairing.old), new.contents(pairing.new)
    return before is None or after is None or before == after


def _left_over(
    old: Version,
    new: Version,
    pairing: _Pairing,
    lost_metrics: Sequence[str],
    new_metrics: Sequence[str],
) -> list[str]:
    """Name every system and every metric that only one side has."""
    said = []
    for noun, lost, gained in (
        ("system", pairing.lost, pairing.gained),
        ("metric", lost_metrics, new_metrics),
    ):
        if lost:
            who = f"{noun}{'s' * (len(lost) > 1)} {', '.join(lost)}"
            said.append(f"{new.shown} has no scores of {who}: all of {old.shown}'s are lost.")
        if gained:
            who = f"{noun}{'s' * (len(gained) > 1)} {', '.join(gained)}"
            said.append(f"Only {new.shown} has {who}: nothing to compare with.")
    return said


def _assumed(
    scales: Mapping[str, Scale], values: Mapping[str, tuple[_Values, _Values]]
) -> list[str]:
    """Say whose range was taken to be 0 to 1."""
    names = [name for name, scale in scales.items() if scale.seen(_both(values[name])) != scale]
    if not names:
        return []
    return [
        (
            f"Range of {', '.join(names)} taken as 0 to 1, where all scores lie; say another by "
            "--low and --high."
        )
    ]


def _not_borne_out(new: Version, old: Version, names: Sequence[str]) -> list[str]:
    """Say where a metric is gated that no rater has borne out; a right option needs no rater."""
    names = [name for name in names if name.partition("(")[0] != "exact_match"]
    if not names:
        return []
    shown = [side.borne_out for side in (new, old) if side.borne_out is not None]
    means, they = ("means", "it") if len(names) == 1 else ("mean", "them")
    if not shown:
        return [
            (
                f"No raters judged either version, so it is not known whether {', '.join(names)} "
                f"{means} anything here; a gate on {they} guards the number, not the quality."
            )
        ]
    open_ = [name for name in names if not any(name in one for one in shown)]
    if not open_:
        return []
    they = "it" if len(open_) == 1 else "them"
    return [
        (
            f"The raters of this study do not bear out {', '.join(open_)} (no positive tau stands "
            f"after Holm's correction); a gate on {they} guards the number, not the quality."
        )
    ]
