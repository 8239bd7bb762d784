"""What comparing two versions found, in words and as a comment under a pull request.

A `VersionComparison` enters; sentences, rows of text and Markdown leave.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import zip_longest
from pathlib import Path
from typing import Final

from medassay.analyses import VersionComparison
from medassay.exhibits.claim import VerdictRow, measured_in
from medassay.exhibits.numbers import count_of
from medassay.report.tables import as_markdown
from medassay.stats import Interval
from medassay.study import Study
from medassay.study.files.names import texts_of
from medassay.tables import visible
from medassay.validity import Flip, GateResult, SystemGate, Verdict, false_alarms_of_100

_MOST: Final = 5
_LONGEST: Final = 600


@dataclass(frozen=True, slots=True)
class WorstAnswer:
    """One answer that lost by a metric.

    Attributes:
        system: Whose it is.
        case: What it answers.
        metric: By which metric it lost.
        was: Its score before.
        now: Its score now.
        old: Its text before.
        new: Its text now.
    """

    system: str
    case: str
    metric: str
    was: float
    now: float
    old: str
    new: str


def worst_texts(comparison: VersionComparison, old: str, new: str) -> list[WorstAnswer]:
    """Give the five answers that lost most, in turn by each metric, with both texts.

    Args:
        comparison: What was found.
        old: The old version, as it was named.
        new: The new version, as it was named.

    Returns:
        Nothing where a version is a table of scores, or keeps its texts.
    """
    folders = [_folder(side) for side in (old, new)]
    if any(not (folder / "study.toml").is_file() for folder in folders):
        return []
    if any(texts_of(folder) != "full" for folder in folders):
        return []
    before, after = map(_answer_texts, folders)
    worst: dict[tuple[str, str], WorstAnswer] = {}
    for metric, flip in _in_turn(comparison.results):
        texts = [_answer_text(held, flip) for held in (before, after)]
        if (flip.system, flip.case) in worst or None in texts:
            continue
        was, now = (str(text) for text in texts)
        worst[flip.system, flip.case] = WorstAnswer(
            flip.system, flip.case, metric, flip.old, flip.new, was, now
        )
        if len(worst) == _MOST:
            break
    return list(worst.values())


def _folder(side: str) -> Path:
    return Path(side) if Path(side).exists() else Path(side.rpartition(":")[0])


def _in_turn(results: Sequence[GateResult]) -> Iterator[tuple[str, Flip]]:
    """Give the largest loss by each metric, then the second largest: scales differ."""
    lost = [
        [(result.metric, flip) for flip in result.flips if flip.change < 0] for result in results
    ]
    for row in zip_longest(*lost):
        yield from filter(None, row)


def _answer_texts(folder: Path) -> dict[tuple[str, str], str]:
    answers = Study.open_whole(folder).answers
    return {(one.system, one.case): one.text for one in answers if one.text is not None}


def _answer_text(texts: dict[tuple[str, str], str], flip: Flip) -> str | None:
    """Give a text; systems of two names are paired under both, as in "a to b"."""
    names = {system for system, _ in texts}
    name = flip.system if flip.system in names else next(iter(names)) if len(names) == 1 else ""
    if not name:
        parts = flip.system.split(" to ")
        name = next((part for part in parts if part in names), "")
    text = texts.get((name, flip.case))
    return text if text is None or len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()} ..."


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
        f"Undecided: there may be no loss, or one above {comparison.margin:g}, for {who}.{blocked}"
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
        f"{false_alarms_of_100():g} called worse ({tests}: {_scope(comparison)}). "
        f"{measured_in(VerdictRow.WORSE, VerdictRow.NOT_WORSE)}."
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


_SHOWN = 10


def comparison_markdown(comparison: VersionComparison, worst: Sequence[WorstAnswer] = ()) -> str:
    """Write the verdict, a row for each system and metric, and the rest folded away.

    Names, ids and texts are escaped: whoever opens a pull request chooses them.

    Args:
        comparison: What was found.
        worst: The answers that lost most, with their texts.
    """
    lines = [f"### Gate: {comparison.verdict.value}", ""]
    for text in (headline(comparison), *harm_words(comparison)):
        lines += [_text(text), ""]
    against = comparisons(comparison)
    lines += [f"{_text(comparison.new)}, margin {comparison.margin:g}:", "", *_table(against), ""]
    for name, results in against:
        beside = f", against {name}" if len(against) > 1 else ""
        for result in results:
            if result.flips:
                lines += _folded(f"{_counted(result)}{beside}", _flips(result))
    if worst:
        lines += _folded(f"Old and new text of the {_answers(len(worst))} that lost most", [
            line for answer in worst for line in _texts(answer)
        ])  # fmt: skip
    missing = [f"- {_text(text)}" for _, results in against for text in missing_words(results)]
    if missing:
        lines += _folded("Why a verdict is open, or scores are missing", missing)
    notes = [false_alarm_words(comparison), of_choices(comparison), *comparison.warnings]
    lines += _folded("How to read this", [f"- {_text(text)}" for text in notes if text])
    return visible("\n".join(lines))


def no_verdict_markdown(problems: Sequence[str]) -> str:
    """Say that nothing could be compared, and why."""
    lines = ["### Gate: no verdict", "", "The versions could not be compared:", ""]
    lines += [f"- {_text(problem)}" for problem in problems[:_SHOWN]]
    rest = len(problems) - _SHOWN
    more = [f"- {rest:,} more stand in the log."] if rest > 0 else []
    return visible("\n".join([*lines, *more]))


def _text(text: str) -> str:
    """Write text so that it is printed as it is, and calls nobody by an @."""
    return as_markdown(text).replace("@", "@<!-- -->")


def _answers(count: int) -> str:
    return "answer" if count == 1 else f"{count} answers"


def _texts(answer: WorstAnswer) -> list[str]:
    where = f"{_code(answer.system)}, {_code(answer.case)}, {_code(answer.metric)}"
    return [
        f"{where}: {answer.was:.3f} to {answer.now:.3f}",
        "",
        f"> **old**: {_text(' '.join(answer.old.split()))}",
        ">",
        f"> **new**: {_text(' '.join(answer.new.split()))}",
        "",
    ]


def _code(name: str) -> str:
    """Write a name as code, in which no sign means anything."""
    held = " ".join(name.replace("`", "'").split()).replace("|", "\\|")
    return f"`{held}`"


def _table(against: Sequence[tuple[str, Sequence[GateResult]]]) -> list[str]:
    lines = [
        "| system | metric | against | verdict | difference | 95% CI | answers |",
        "| --- | --- | --- | --- | ---: | ---: | ---: |",
    ]
    return lines + [
        _row(name, result.metric, row)
        for name, results in against
        for result in results
        for row in result.systems
    ]


def _row(against: str, metric: str, row: SystemGate) -> str:
    verdict = f"**{row.verdict.value}**" if row.verdict is Verdict.WORSE else row.verdict.value
    lost = f" ({row.lost:,} lost)" if row.lost else ""
    cells = [
        _code(row.system), _code(metric), _code(against), verdict,
        _number(row.difference), _interval(row.interval), f"{row.n:,}{lost}",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _counted(result: GateResult) -> str:
    worse = sum(flip.change < 0 for flip in result.flips)
    better = sum(flip.change > 0 for flip in result.flips)
    return f"{result.metric}: {worse:,} answers worse, {better:,} better"


def _flips(result: GateResult) -> list[str]:
    lines = ["| system | case | old | new |", "| --- | --- | ---: | ---: |"]
    lines += [
        f"| {_code(flip.system)} | {_code(flip.case)} | {flip.old:.3f} | {flip.new:.3f} |"
        for flip in result.flips[:_SHOWN]
    ]
    rest = len(result.flips) - _SHOWN
    return [*lines, "", f"{rest:,} more stand in --json."] if rest > 0 else lines


def _folded(title: str, lines: Sequence[str]) -> list[str]:
    shown = escape(title).replace("@", "@<!-- -->")
    return ["<details>", f"<summary>{shown}</summary>", "", *lines, "", "</details>", ""]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _interval(bounds: Interval | None) -> str:
    return "" if bounds is None else f"{bounds.low:.3f} to {bounds.high:.3f}"
