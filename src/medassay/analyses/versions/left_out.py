"""Metrics that a comparison leaves out, by their own rule or since a version has no scores."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from medassay.analyses.versions.version import METRIC_OPTION, Version
from medassay.errors import InvalidInput, Problem
from medassay.scores import Unscored
from medassay.study.contents.metric_scores import registered_scale


@dataclass(frozen=True, slots=True)
class UnfitMetric:
    """A metric that no verdict rests on, as no rank and no test against raters does.

    Attributes:
        metric: Its canonical name.
        why: Why not.
    """

    metric: str
    why: str


def find_unfit(
    names: Sequence[str], old: Version, new: Version, asked: Sequence[str] | None
) -> tuple[UnfitMetric, ...]:
    """Find the metrics among those to compare that either version's cases make unfit to rank by.

    Raises:
        InvalidInput: One of them was asked for, or no other is left.
    """
    reasons: Mapping[str, str] = {**old.unfit, **new.unfit}
    unfit = tuple(UnfitMetric(name, reasons[name]) for name in names if reasons.get(name))
    if unfit and (asked or len(unfit) == len(names)):
        must = "be a metric that tells better answers from worse"
        hint = "No verdict rests on it. Name another metric."
        raise InvalidInput(
            Problem(METRIC_OPTION, must, f'"{one.metric}": {one.why}', hint) for one in unfit
        )
    return unfit


_Key = tuple[str, str]
_Values = dict[_Key, float]
_REASONS_SHOWN: Final = 3


@dataclass(frozen=True)
class UnscoredMetric:
    """The answers without a score of one metric.

    Attributes:
        metric: Its canonical name.
        shown: What the user called the two versions, old and new.
        scored: How many answers of each have a score.
        unscored: Why the others of each have none, by (system, case).
    """

    metric: str
    shown: tuple[str, str]
    scored: tuple[int, int]
    unscored: tuple[Mapping[_Key, Unscored], Mapping[_Key, Unscored]]

    @property
    def neither(self) -> bool:
        """Say whether neither version has a score."""
        return self.scored == (0, 0)

    @property
    def only_new(self) -> bool:
        """Say whether the new version alone has scores."""
        return not self.scored[0] and self.scored[1] > 0

    @property
    def why(self) -> str:
        """Say of each version why it has no score, once if both have none for the same reason."""
        lines = [
            f"no score in {name}{_in_brackets(reasons)}"
            for name, scored, reasons in zip(self.shown, self.scored, self.unscored, strict=True)
            if not scored
        ]
        old, new = map(_in_brackets, self.unscored)
        return f"no score in either{old}" if self.neither and old == new else ", ".join(lines)

    @property
    def left_out(self) -> str:
        """Say that it was left out, and why."""
        return f"{self.metric} is left out: {self.why}."

    def of_lost(self, values: tuple[_Values, _Values]) -> dict[str, str]:
        """Say of each system why the new version lacks scores of it; of some nothing says why."""
        old, new = values
        reasons: dict[str, list[Unscored]] = {}
        for key, reason in self.unscored[1].items():
            if key in old and key not in new:
                reasons.setdefault(key[0], []).append(reason)
        return {system: _told(counts) for system, counts in reasons.items()}


def find_unscored(
    metrics: Sequence[str],
    old: Version,
    new: Version,
    old_names: Mapping[str, str],
    new_names: Mapping[str, str],
) -> dict[str, UnscoredMetric]:
    """Find for each metric the answers without a score, of systems by the names they share."""
    return {
        name: UnscoredMetric(
            name,
            (old.shown, new.shown),
            (len(old.values(name, old_names)), len(new.values(name, new_names))),
            (old.unscored(name, old_names), new.unscored(name, new_names)),
        )
        for name in metrics
    }


def refuse_unscored(unscored_metrics: Mapping[str, UnscoredMetric], asked: Sequence[str]) -> None:
    """Refuse to gate by a metric that was asked for and that the old version has no score of.

    Raises:
        InvalidInput: Names each, and why it has no score.
    """
    must = "name a metric that both versions have scores of"
    problems = [
        Problem(METRIC_OPTION, must, f'"{name}", {unscored_metrics[name].why}', _hint(name))
        for name in asked
        if not unscored_metrics[name].scored[0]
    ]
    if problems:
        raise InvalidInput(problems)


def refuse_nothing_common(
    unscored_metrics: Mapping[str, UnscoredMetric], values: Mapping[str, tuple[_Values, _Values]]
) -> None:
    """Refuse two versions that have nothing to compare, and say why that is.

    Raises:
        InvalidInput: No answer has a score of one metric in both.
    """
    if any(old.keys() & new.keys() for old, new in values.values()):
        return
    old, new = (
        {
            key
            for name, pair in values.items()
            for key in (*pair[i], *unscored_metrics[name].unscored[i])
        }
        for i in (0, 1)
    )
    problems = []
    for name, unscored_metric in unscored_metrics.items():
        place = " and ".join(unscored_metric.shown)
        if old & new:
            must = f"have an answer in common with a score of {name} in both"
            got = (
                unscored_metric.why
                or f"{unscored_metric.scored[0]:,} and {unscored_metric.scored[1]:,} scores, "
                f"of other answers"
            )
            problems.append(Problem(place, must, got, _hint(name) if unscored_metric.why else ""))
        elif not problems:
            must = "have an answer in common that both have a score of"
            got = f"{len(old):,} and {len(new):,} answers, none the same"
            problems.append(Problem(place, must, got, "Are the ids of the cases the same?"))
    raise InvalidInput(problems)


def _hint(metric: str) -> str:
    base = metric.partition("(")[0]
    known = registered_scale(metric).declared
    return f"What it needs: medassay metrics explain {base}" if known else ""


def _in_brackets(reasons: Mapping[_Key, Unscored]) -> str:
    return f" ({_told(reasons.values())})" if reasons else ""


def _told(reasons: Iterable[Unscored]) -> str:
    """Count the reasons, the most frequent first."""
    counted = Counter(map(str, reasons)).most_common()
    lines = [f"{count:,} {words}" for words, count in counted[:_REASONS_SHOWN]]
    rest = sum(count for _, count in counted[_REASONS_SHOWN:])
    return ", ".join([*lines, *([f"{rest:,} for other reasons"] if rest else [])])
