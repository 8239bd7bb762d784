"""What a comparison of versions comes to, in sentences."""

from collections import Counter

from medassay.analyses import VersionComparison
from medassay.exhibits.numbers import count_of
from medassay.validity import GateResult, SystemGate, Verdict, false_alarms_of_100

__all__ = [
    "comparisons",
    "false_alarm_words",
    "harm_words",
    "headline",
    "missing_words",
    "of_choices",
]

_NAMED = 3
_READ = 10


def comparisons(comparison: VersionComparison) -> list[tuple[str, tuple[GateResult, ...]]]:
    """List what was compared: against which version, and what was found."""
    against = [(comparison.old, comparison.results)]
    if comparison.baseline is not None:
        against.append((f"{comparison.baseline} (baseline)", comparison.baseline_results))
    return against


def headline(comparison: VersionComparison) -> str:
    """Say what the comparison comes to, and of which metrics it has no verdict.

    It names the systems that are worse, or how much stays open.
    """
    unfit = [f"No verdict by {one.metric}: {one.why}." for one in comparison.unfit_metrics]
    return " ".join([_verdict(comparison), *unfit])


def _verdict(comparison: VersionComparison) -> str:
    if comparison.identical:
        return "Nothing changed: the versions are identical in everything that was compared."
    rows = [
        (against, result.metric, row)
        for against, results in comparisons(comparison)
        for result in results
        for row in result.systems
    ]
    if comparison.verdict is Verdict.NOT_WORSE:
        return f"Metric not worse within the margin of {comparison.margin:g}: {_scope(comparison)}."
    named = [
        f"{row.system} by {metric}" + (f" against {against}" if comparison.baseline else "")
        for against, metric, row in rows
        if row.verdict is comparison.verdict
    ]
    more = f" and {len(named) - _NAMED:,} more" if len(named) > _NAMED else ""
    who = f"{', '.join(named[:_NAMED])}{more}"
    if comparison.verdict is Verdict.WORSE:
        return f"Worse: {who}."
    blocked = " Scores are missing, so it does not pass." if comparison.blocked else ""
    return (
        f"Undecided: the answers show neither a loss nor that it is smaller than "
        f"{comparison.margin:g}, for {who}.{blocked}"
    )


def harm_words(comparison: VersionComparison) -> list[str]:
    """Name the answers that are worse by a metric of harm, for a person to read.

    A few are no verdict by any margin, and one may hurt somebody.
    """
    sentences = []
    for against, results in comparisons(comparison):
        for result in results:
            worse = [flip for flip in result.flips if flip.change < 0]
            if not result.harm or not worse:
                continue
            cases = list(dict.fromkeys(flip.case for flip in worse))
            more = f" and {len(cases) - _READ:,} more" if len(cases) > _READ else ""
            beside = f" than in {against}" if comparison.baseline else ""
            verb = "is" if len(worse) == 1 else "are"
            sentences.append(
                f"By {result.metric}, which measures harm, {count_of(len(worse), 'answer')} {verb} "
                f"worse{beside}. Whatever the verdict, a person should read: "
                f"{', '.join(cases[:_READ])}{more}."
            )
    return sentences


def _scope(comparison: VersionComparison) -> str:
    """Say how many systems, metrics and versions stand behind a verdict."""
    systems = {row.system for result in comparison.all_results for row in result.systems}
    metrics = {result.metric for result in comparison.all_results}
    twice = ", against both versions" if comparison.baseline is not None else ""
    return f"{count_of(len(systems), 'system')}, {count_of(len(metrics), 'metric')}{twice}"


def false_alarm_words(comparison: VersionComparison) -> str:
    """Say how often a gate like this one cries wolf."""
    tests = "its one test" if comparison.rows == 1 else f"all {comparison.rows:,} tests together"
    return (
        f"False alarms: of 100 comparisons like this that lose nothing, expect up to "
        f"{false_alarms_of_100():g} called worse ({tests}: {_scope(comparison)})."
    )


def missing_words(results: tuple[GateResult, ...]) -> list[str]:
    """Say of each row what a reader should know about its verdict; rows alike are told once."""
    alike: dict[tuple[str, str], list[SystemGate]] = {}
    for result in results:
        for row in result.systems:
            if row.why:
                alike.setdefault((result.metric, row.why), []).append(row)
    sentences = []
    for (metric, why), rows in alike.items():
        blocked = " This does not pass." if any(row.blocked for row in rows) else ""
        names = ", ".join(row.system for row in rows)
        sentences.append(f"{names} by {metric}: {why}.{blocked}")
    return sentences


def of_choices(comparison: VersionComparison) -> str:
    """Count the answers that choose another option than before; empty where there are none."""
    if not comparison.choices:
        return ""
    kinds = Counter(flip.kind.value for flip in comparison.choices)
    counted = ", ".join(f"{n:,} {kind}" for kind, n in kinds.items())
    noun = "answer chooses" if len(comparison.choices) == 1 else "answers choose"
    return f"{len(comparison.choices):,} {noun} another option: {counted}."
