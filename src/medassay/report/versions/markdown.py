"""A comparison of versions as Markdown: a comment under a pull request."""

from collections.abc import Sequence
from html import escape

from medassay.analyses import VersionComparison
from medassay.report.tables.files import as_markdown
from medassay.report.versions.texts import WorstAnswer
from medassay.report.versions.words import (
    comparisons,
    false_alarm_words,
    harm_words,
    headline,
    missing_words,
    of_choices,
)
from medassay.stats import Interval
from medassay.tables import visible
from medassay.validity import GateResult, SystemGate, Verdict

__all__ = ["comparison_markdown", "no_verdict_markdown"]

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
        "| system | metric | against | verdict | difference | 95 % interval | answers |",
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
