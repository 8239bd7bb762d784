"""Compare two versions: what was scored before, and what is scored now.

Under which names two versions are compared: systems, cases, and what an id asks.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from medassay.analyses.versions.gate_permits import (
    GatePermit,
    draw_line,
    permits_of_both,
    permits_words,
    unshown,
)
from medassay.analyses.versions.left_out import (
    UnfitMetric,
    UnscoredMetric,
    find_unfit,
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
from medassay.annotations import case_numbers
from medassay.error_analysis import Flip, choice_flips
from medassay.errors import InvalidInput, MedassayError, Problem, UnknownName
from medassay.exhibits.names import natural_order
from medassay.exhibits.numbers import count_of, listed_few
from medassay.metrics import resolve
from medassay.scores import ScoreTable
from medassay.study.contents.metric_scores import MetricScaleOptions, Scale
from medassay.study.scoring.score_study import Progress
from medassay.validity import Bound, Change, Direction, GateResult, Verdict, gate, joint_verdict


@dataclass(frozen=True)
class VersionComparison:
    """Everything that the gate says.

    Attributes:
        old: What the old version was called.
        new: What the new version was called.
        margin: The largest acceptable loss.
        identical: Whether nothing differs in anything that was compared.
        results: Against the old version, one for each of its metrics.
        lost_systems: Systems that only the old version has; all their scores are lost.
        lost_metrics: Metrics that only the old version has; all their scores are lost.
        new_systems: Systems that only the new version has: there is nothing to compare them with.
        new_metrics: Metrics that only the new version has, or has scores of: there is nothing to
            compare them with.
        unscored_metrics: Metrics that neither version has a score of: left out.
        warnings: What a reader should know.
        choices: Every answer to a multiple-choice question that chooses otherwise than before.
        damaged: What was kept and not believed, and was computed again.
        baseline: What the version was called that does not move; None where none was named.
        baseline_results: Against the baseline, one for each of its metrics.
        permits: What the raters of the new version, or else of the old one, permit of the metrics.
        unfit_metrics: Metrics that no verdict rests on, and why: left out.
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
    baseline: str | None = None
    baseline_results: tuple[GateResult, ...] = ()
    permits: tuple[GatePermit, ...] = ()
    unfit_metrics: tuple[UnfitMetric, ...] = ()

    @property
    def all_results(self) -> tuple[GateResult, ...]:
        """List what was found against either version."""
        return self.results + self.baseline_results

    @property
    def verdict(self) -> Verdict:
        """Join all verdicts: worse if any is, metric not worse if all are, else undecided."""
        return joint_verdict([result.verdict for result in self.all_results])

    @property
    def blocked(self) -> bool:
        """Say whether the verdict must not pass, since scores are missing."""
        return any(result.blocked for result in self.all_results)

    @property
    def rows(self) -> int:
        """Count the tests that share the level: systems by metrics, of either comparison."""
        return sum(len(result.systems) for result in self.all_results)


def by_number_beside(version: Version, other: Version) -> Version:
    """Call the cases of a study by number where it is held against a table that does.

    The scores of a run whose study names no case come as such a table.
    """
    study = version.study
    if study is None or not _keeps_ids(version) or other.study is not None:
        return version
    there = set(other.table.frame["case"])
    numbers = case_numbers(study.cases.ids)
    if there & numbers.keys() or not there <= set(numbers.values()):
        return version
    private = study.private()
    named = version.table.frame["case"].replace_strict(numbers)
    table = ScoreTable(version.table.frame.with_columns(named.alias("case")))
    return replace(version, table=table, study=private, clusters=private.clusters)


def without_ids(
    results: Sequence[GateResult], choices: Sequence[Flip], versions: Sequence[Version]
) -> tuple[tuple[GateResult, ...], tuple[Flip, ...]]:
    """Number the cases, those of all versions together, where one version names none."""
    if not names_cases_by_number(versions):
        return tuple(results), tuple(choices)
    cases = {case for version in versions for case in version.table.frame["case"]}
    cases |= {
        case
        for version in versions
        if version.study is not None
        for case in version.study.cases.ids
    }
    names = case_numbers(cases)
    return (
        tuple(
            replace(gate, flips=tuple(replace(flip, case=names[flip.case]) for flip in gate.flips))
            for gate in results
        ),
        tuple(replace(choice, case=names[choice.case]) for choice in choices),
    )


def names_cases_by_number(versions: Sequence[Version]) -> bool:
    """Say whether one of the versions names no case, so that all are told by number."""
    return any(map(_keeps_ids, versions))


def _keeps_ids(version: Version) -> bool:
    return version.study is not None and version.study.config.privacy.texts == "none"


_HINT = (
    "Ids that count rows change where rows move or one is missing. Give each question its own id "
    "(--column case=THEIRS). Or import the new answers into a copy of {old} without its answers/ "
    "and results/. An import knows the questions of a study by their words."
)


def refuse_moved(old: Version, new: Version) -> None:
    """Refuse two studies of which one asks under an id what the other asks under another.

    Answers to different questions would be compared, and nothing of it would show.

    Raises:
        InvalidInput: Some do.
    """
    before, other = _questions(old), _other_words(old, new)
    of_old = set(before.values())
    moved = [case for case, words in other.items() if words in of_old]
    if moved:
        must = f"ask the same question as {old.shown} under each case id"
        got = f"{count_of(len(moved), 'question')} under the id of another, {_first(moved)}"
        hint = _HINT.format(old=old.shown)
        raise InvalidInput(Problem(new.shown, must, got, hint))


def reworded_cases(old: Version, new: Version, *, named: bool) -> list[str]:
    """Say of how many cases the question has other words; their answers are compared all the same.

    Args:
        old: The old version.
        new: The new one.
        named: Whether ids of cases may be told.
    """
    cases = list(_other_words(old, new))
    if not cases:
        return []
    who = f"{count_of(len(cases), 'case')}{f' ({_first(cases)})' if named else ''}"
    return [f"{new.shown} asks {who} in other words than {old.shown}: compared all the same."]


def _other_words(old: Version, new: Version) -> dict[str, str]:
    """Give the cases of both whose questions differ, with the new one's words."""
    before = _questions(old)
    return {
        case: words
        for case, words in _questions(new).items()
        if case in before and before[case] != words
    }


def _questions(version: Version) -> dict[str, str]:
    if version.study is None:
        return {}
    prompts = {case.case: case.prompt for case in version.study.cases}
    return {case: " ".join(words.split()).casefold() for case, words in prompts.items() if words}


def _first(cases: list[str]) -> str:
    first = min(cases, key=natural_order)
    return f'"{first}"' if len(cases) == 1 else f'"{first}" first'


_NAMED: Final = 3


@dataclass(frozen=True)
class Pairing:
    """Under which name each side's systems are compared.

    Attributes:
        old: What the old version calls a system to the name it is compared by.
        new: The same of the new version.
        lost: Systems that only the old version has.
        gained: Systems that only the new version has.
    """

    old: dict[str, str]
    new: dict[str, str]
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()


def pair_systems(old: Version, new: Version) -> Pairing:
    """Give each side's systems the names under which they are compared.

    Raises:
        InvalidInput: They have no system in common.
    """
    before, after = old.systems, new.systems
    if old.system or new.system:
        first = old.system or (new.system if new.system in before else None)
        second = new.system or (old.system if old.system in after else None)
        before = (first,) if first else before
        after = (second,) if second else after
    if len(before) == len(after) == 1:
        name = before[0] if before == after else f"{before[0]} to {after[0]}"
        return Pairing({before[0]: name}, {after[0]: name})
    if not set(before) & set(after):
        must = "have a system in common, or name one each, as in FOLDER:SYSTEM"
        got = f"{', '.join(before)} and {', '.join(after)}"
        raise InvalidInput(Problem(f"{old.shown} and {new.shown}", must, got))
    lost = tuple(name for name in before if name not in after)
    gained = tuple(name for name in after if name not in before)
    return Pairing({name: name for name in before}, {name: name for name in after}, lost, gained)


def unchanged_systems(old: Version, new: Version, pairing: Pairing) -> frozenset[str]:
    """Find the systems of which nothing differs: no score and no answer.

    A table of scores holds no answers, and that five scores are equal does not show that the
    answers are: of two tables nothing counts as unchanged, only of one that is named twice.
    """
    if old.scales.keys() != new.scales.keys():
        return frozenset()
    held: list[tuple[Mapping[Any, object], Mapping[Any, object]]] = [
        (old.values(name, pairing.old), new.values(name, pairing.new)) for name in old.scales
    ]
    before, after = old.contents(pairing.old), new.contents(pairing.new)
    if before is not None and after is not None:
        held.append((before, after))
    elif old.shown != new.shown:
        return frozenset()
    changed = {
        key[0]
        for before, after in held
        for key in before.keys() | after.keys()
        if before.get(key) != after.get(key)
    }
    return frozenset(set(pairing.old.values()) & set(pairing.new.values()) - changed)


def left_over(
    old: Version,
    new: Version,
    pairing: Pairing,
    lost_metrics: Sequence[str],
    new_metrics: Sequence[str],
) -> list[str]:
    """Name every system and every metric that only one side has."""
    lines = []
    for noun, lost, gained in (
        ("system", pairing.lost, pairing.gained),
        ("metric", lost_metrics, new_metrics),
    ):
        if lost:
            who = f"{noun}{'s' * (len(lost) > 1)} {', '.join(lost)}"
            lines.append(f"{new.shown} has no scores of {who}: all of {old.shown}'s are lost.")
        if gained:
            lines.append(_only(new, f"{noun}{'s' * (len(gained) > 1)} {', '.join(gained)}"))
    return lines


def other_cases(old: Version, new: Version, *, named: bool) -> list[str]:
    """Say how many cases only one side has.

    Args:
        old: The old version.
        new: The new one, its cases called as the old one's are.
        named: Whether ids of cases may be told.
    """
    before, after = set(old.table.frame["case"]), set(new.table.frame["case"])
    lost, gained = before - after, after - before
    lines = []
    if lost:
        who = f"{count_of(len(lost), 'case')} of {old.shown}{_names(lost) if named else ''}"
        lines.append(f"{new.shown} lacks {who}: their scores are lost.")
    if gained:
        lines.append(
            _only(new, f"{count_of(len(gained), 'case')}{_names(gained) if named else ''}")
        )
    return lines


def not_asked_again(old: Version, new: Version, count: int) -> list[str]:
    """Say how many answers of the old version were not asked of the new one."""
    if not count:
        return []
    were, them = ("answer was", "it") if count == 1 else ("answers were", "them")
    what = f"{count:,} {were} not asked of {new.shown} again (asked.csv)"
    return [f"{what}: no comparison with {old.shown} holds {them}."]


def repeats_words(old: Version, new: Version, pairing: Pairing) -> list[str]:
    """Say how repeated answers are paired, and whether the runs shared a seed or a day.

    Answers of two runs with one seed, or of one day, may err together; what neither study records
    is said to be not known.
    """
    most = max(map(_most_repeats, (old, new)))
    if most < _TWICE:
        return []
    how = f"Cases were answered up to {most} times: their means are compared, case by case."
    seeds = _seeds(old, pairing.old), _seeds(new, pairing.new)
    compared = sorted({*pairing.old.values()} & {*pairing.new.values()})
    return [
        how,
        *_shared("seed", *seeds, compared),
        *_shared("day", _day(old), _day(new), [_WHOLE]),
    ]


_WHOLE: Final = ""
"""A run as a whole, where something is not said of each system."""


_TWICE: Final = 2


def _most_repeats(version: Version) -> int:
    import polars as pl

    whole = version.table.frame.filter(
        (pl.col("about") == "") & pl.col("source").is_in(list(version.scales))
    )
    counts = whole.group_by("source", "system", "case").len()["len"].max()
    return int(counts) if isinstance(counts, int) else 0


def _seeds(version: Version, names: Mapping[str, str]) -> dict[str, str]:
    """Give the seed that study.toml sets for each compared system, by the name it is compared by.

    A system without one has none here.
    """
    if version.study is None:
        return {}
    seeds = {n: _seed(version.study.system(own).settings) for own, n in names.items()}
    return {name: seed for name, seed in seeds.items() if seed}


def _seed(settings: Mapping[str, Any]) -> str:
    parameters = settings.get("parameters")
    seed = parameters.get("seed") if isinstance(parameters, Mapping) else None
    return "" if seed is None else str(seed)


def _day(version: Version) -> dict[str, str]:
    date = "" if version.study is None else version.study.config.date
    return {_WHOLE: str(date)} if date else {}


def _shared(
    what: str, old: Mapping[str, str], new: Mapping[str, str], of: Sequence[str]
) -> Iterator[str]:
    """Say of which systems both runs had the same, of which not, and of which nobody knows."""
    both = [name for name in of if name in old and name in new]
    unknown = [name for name in of if name not in both]
    same = [name for name in both if old[name] == new[name]]
    other = [name for name in both if old[name] != new[name]]
    if not both:
        yield f"Whether the two runs shared a {what} is not known: no record says it of both."
    if same:
        shown = ", ".join(sorted({old[name] for name in same}))
        which = f" of {_few(same)}" if len(same) < len(of) else ""
        yield f"The two runs shared a {what}{which} ({shown}): they may err together."
    if other:
        each = {name: f"{old[name]} and {new[name]}" for name in other}
        which = f" of {_few(other)}" if len(other) < len(of) else ""
        told = [
            f"{name}: {two}" if len({*each.values()}) > 1 else two for name, two in each.items()
        ]
        shown = "; ".join(dict.fromkeys(told[:_NAMED]))
        yield f"The two runs did not share a {what}{which} ({shown})."
    if both and unknown:
        yield f"Whether the two runs shared a {what} of {_few(unknown)} is not known."


def _few(names: Collection[str]) -> str:
    return listed_few(sorted(names, key=natural_order), _NAMED)


def _only(new: Version, what: str) -> str:
    return f"Only {new.shown} has {what}: nothing to compare with."


def _names(cases: Collection[str]) -> str:
    listed = ", ".join(sorted(cases, key=natural_order)[:_NAMED])
    more = f" and {len(cases) - _NAMED:,} more" if len(cases) > _NAMED else ""
    return f" ({listed}{more})"


_Values = dict[tuple[str, str], float]


@dataclass(frozen=True)
class _Held:
    """The new version held against one old one.

    Attributes:
        before: The old version.
        after: The new one, its cases called as the old version calls them.
        pairing: Under which names their systems are compared.
        changes: What the gate is asked.
        unscored: For each metric the answers without a score.
        scales: What is known of each metric that is compared.
        values: The scores of each, old and new.
        identical: Whether the two are the same in everything that was compared.
        unfit: Metrics that no verdict rests on.
        not_asked: Answers of the old version that were not asked of the new one: left out.
    """

    before: Version
    after: Version
    pairing: Pairing
    changes: tuple[Change, ...]
    unscored: Mapping[str, UnscoredMetric]
    scales: Mapping[str, Scale]
    values: Mapping[str, tuple[_Values, _Values]]
    identical: bool
    unfit: tuple[UnfitMetric, ...]
    not_asked: int = 0

    @property
    def lost_metrics(self) -> tuple[str, ...]:
        return tuple(name for name in self.scales if name not in self.after.scales)

    @property
    def new_metrics(self) -> tuple[str, ...]:
        gained = [name for name, metric in self.unscored.items() if metric.only_new]
        return (*gained, *sorted(self.after.scales.keys() - self.before.scales.keys()))

    @property
    def left_out(self) -> list[UnscoredMetric]:
        return [metric for metric in self.unscored.values() if metric.neither]

    @property
    def permits(self) -> tuple[GatePermit, ...] | None:
        return permits_of_both(list(self.scales), self.after.permits, self.before.permits)

    def warnings(self, new_metrics: Sequence[str]) -> list[str]:
        both = (self.before, self.after)
        named = not names_cases_by_number(both)
        return [
            *left_over(self.before, self.after, self.pairing, self.lost_metrics, new_metrics),
            *other_cases(*both, named=named),
            *reworded_cases(*both, named=named),
            *not_asked_again(*both, self.not_asked),
            *repeats_words(*both, self.pairing),
            *(metric.left_out for metric in self.left_out),
            *_assumed(self.scales, self.values),
            *permits_words(list(self.scales), self.permits),
        ]

    def how_to_test(self) -> list[str]:
        """Name the command that draws changed answers, where there are answers to draw from."""
        metrics = unshown(list(self.scales), self.permits)
        if not metrics or self.identical:
            return []
        if self.before.study is None or self.after.study is None:
            return []
        return [draw_line(self.before.shown, self.after.shown, metrics)]


def compare_versions(  # noqa: PLR0913 - each argument is one fact about the gate
    old: str,
    new: str,
    *,
    baseline: str | None = None,
    metrics: Sequence[str] | None = None,
    margin: float = 0.02,
    owner_words: MetricScaleOptions | None = None,
    offline: bool = False,
    fresh: bool = False,
    progress: Progress | None = None,
    bound: Bound | None = None,
) -> VersionComparison:
    """Compare two versions by each metric of the old one, system by system.

    A system or a metric that only the old version has is not left out: all its scores are lost.
    A metric that the old version has no score of cannot be compared, and no verdict rests on one
    that is not fit to rank by: it is left out and named, or refused where it was asked for.

    Args:
        old: A study's folder or a table of scores; with `:SYSTEM` behind it one system of it.
        new: The same.
        baseline: The same: a version that does not move, which the new one must hold its own
            against as well. One correction is made over both comparisons.
        metrics: Names; every metric with a better direction if not given.
        margin: The largest acceptable loss, in the unit of the metrics.
        owner_words: Direction, range and harm of metrics that medassay does not know.
        offline: Fetch no model, whatever study.toml allows.
        fresh: Believe no score that is kept in the studies.
        progress: Told what is being scored.
        bound: `t` or `betting` for all metrics; None: by whether they measure harm (`gate`).

    Raises:
        InvalidInput: A side cannot be read, nobody said which way a metric is better, a metric is
            not fit to rank by, or the two have no system, no metric or no answer in common.
        UnknownName: A metric or system that a side does not have.
    """
    metrics = None if metrics is None else list(dict.fromkeys(map(_canonical, metrics)))
    owner_words = MetricScaleOptions({}, {}, {}) if owner_words is None else owner_words
    texts = [old] if baseline is None else [old, baseline]
    unnamed = _unnamed([*texts, new], metrics)
    after, *befores = (
        read_version(text, metrics, unnamed, progress, offline=offline, fresh=fresh)
        for text in (new, *texts)
    )
    _refuse_unknown(owner_words, (after, *befores))
    held = [_hold(before, after, metrics, owner_words) for before in befores]
    clusters: dict[str, str] = {}
    for pair in held:
        clusters |= pair.before.clusters | pair.after.clusters
    changes = [change for pair in held for change in pair.changes]
    results = gate(changes, margin=margin, clusters=clusters or None, bound=bound)
    flips = choice_flips(
        held[0].before.choices(held[0].pairing.old), held[0].after.choices(held[0].pairing.new)
    )
    versions = [side for pair in held for side in (pair.before, pair.after)]
    gated, choices = without_ids(results, flips, versions)
    against_old = len(held[0].changes)
    new_metrics = () if metrics else held[0].new_metrics
    warnings = [note for side in (*befores, after) for note in side.notes]
    for pair in held:
        warnings += pair.warnings(() if metrics else pair.new_metrics)
    warnings += [*held[0].how_to_test(), *_bounded_by_range(gated, bound)]
    return VersionComparison(
        old=old, new=new, margin=margin, identical=all(pair.identical for pair in held),
        results=gated[:against_old],
        lost_systems=held[0].pairing.lost, lost_metrics=held[0].lost_metrics,
        new_systems=held[0].pairing.gained, new_metrics=new_metrics,
        unscored_metrics=tuple(metric.metric for metric in held[0].left_out),
        warnings=tuple(dict.fromkeys(warnings)), choices=choices,
        damaged=tuple(dict.fromkeys(text for side in (*befores, after) for text in side.damaged)),
        baseline=baseline, baseline_results=gated[against_old:],
        permits=held[0].permits or (),
        unfit_metrics=tuple(dict.fromkeys(one for pair in held for one in pair.unfit)),
    )  # fmt: skip


def _hold(
    before: Version, after: Version, metrics: Sequence[str] | None, owner_words: MetricScaleOptions
) -> _Held:
    """Hold the new version against an old one."""
    before, after = by_number_beside(before, after), by_number_beside(after, before)
    refuse_moved(before, after)
    names = _metrics(before, after, metrics)
    unfit = find_unfit(names, before, after, metrics)
    names = [name for name in names if name not in {one.metric for one in unfit}]
    pairing = pair_systems(before, after)
    left_out = after.not_asked(pairing.new)
    values = {
        name: (
            {k: v for k, v in before.values(name, pairing.old).items() if k not in left_out},
            after.values(name, pairing.new),
        )
        for name in names
    }
    unscored = find_unscored(names, before, after, pairing.old, pairing.new)
    if metrics:
        refuse_unscored(unscored, names)
    refuse_nothing_common(unscored, values)
    values = {name: pair for name, pair in values.items() if pair[0]}
    scales = _scales(values, before, after, owner_words)
    scales = {name: scale for name, scale in scales.items() if scale.direction != "none"}
    unchanged = unchanged_systems(before, after, pairing)
    changes = tuple(
        _change(scale, unscored[name], *values[name], unchanged=unchanged)
        for name, scale in scales.items()
    )
    same = not pairing.lost and not pairing.gained and unchanged >= set(pairing.old.values())
    had = {key for name in names for key in before.values(name, pairing.old)}
    lost = len(had & left_out)
    return _Held(before, after, pairing, changes, unscored, scales, values, same, unfit, lost)


def _unnamed(versions: Sequence[str], metrics: Sequence[str] | None) -> str:
    """Name the scores of a table that does not: as asked, as another side does, or `score`."""
    if metrics and len(metrics) == 1:
        return metrics[0]
    return next(filter(None, map(table_source, versions)), UNNAMED)


def _refuse_unknown(owner_words: MetricScaleOptions, versions: Sequence[Version]) -> None:
    known = {name for side in versions for name in side.scales}
    unknown = sorted(owner_words.named - known)
    if unknown:
        raise UnknownName("metric", unknown[0], sorted(known))


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
    scales = [side.scales[name] for side in (new, old) if name in side.scales]
    declared = [scale for scale in scales if scale.declared]
    directed = [scale for scale in scales if scale.direction is not None]
    return (declared or directed or scales or [Scale()])[0]


def _scales(
    values: Mapping[str, tuple[_Values, _Values]],
    old: Version,
    new: Version,
    owner_words: MetricScaleOptions,
) -> dict[str, Scale]:
    known = {name: owner_words.over(_known(name, old, new), name) for name in values}
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
    scale: Scale,
    unscored: UnscoredMetric,
    old: _Values,
    new: _Values,
    *,
    unchanged: frozenset[str],
) -> Change:
    ranged = scale.seen([*old.values(), *new.values()])
    direction: Direction = "lower" if scale.direction == "lower" else "higher"
    return Change(
        unscored.metric, direction, old, new, ranged.low, ranged.high, ranged.worst,
        unchanged=unchanged, why_lost=unscored.of_lost((old, new)), harm=scale.harm,
    )  # fmt: skip


def _bounded_by_range(results: Sequence[GateResult], bound: Bound | None) -> list[str]:
    """Say of which metrics "metric not worse" rests on the range of the scores unasked."""
    if bound is not None:
        return []
    harm = dict.fromkeys(result.metric for result in results if result.harm)
    near = dict.fromkeys(
        result.metric for result in results if any(row.near_best for row in result.systems)
    )
    reasons = (
        (harm, "measure harm"),
        (near, "are near their best value in at least 80% of old answers"),
    )
    return [
        (
            f"Scores of {', '.join(names)} {why}, so a loss may be rare and large."
            " 'Metric not worse' is decided by their range, not by how far the answers moved"
            " (--bound t for that)."
        )
        for names, why in reasons
        if names
    ]


def _assumed(
    scales: Mapping[str, Scale], values: Mapping[str, tuple[_Values, _Values]]
) -> list[str]:
    """Say whose range was taken to be 0 to 1."""
    names = [name for name, scale in scales.items() if scale.seen(_both(values[name])) != scale]
    if not names:
        return []
    return [
        (
            f"The range of {', '.join(names)} is taken as 0 to 1, as all scores are; --range says"
            " another."
        )
    ]
