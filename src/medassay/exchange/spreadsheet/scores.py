"""Scores of metrics that stand beside answers, taken as scores that were computed elsewhere."""

import re
import unicodedata
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Final

from medassay.exchange.spreadsheet.collected import ImportedScore
from medassay.metrics.resolve import declarations
from medassay.study.contents.metric_scores import Meaning
from medassay.study.folder import Study
from medassay.study.intake.judgements import ImportSummary, add_scores
from medassay.tables import Sheet
from medassay.text import first_of

_FEW: Final = 5
"""Scores that are named; more are counted."""
_GIVEN: Final = "_given"
"""What a score's name ends with where a metric of ours has it."""


def add_given(
    study: Study, file: Path, scores: Iterable[ImportedScore], tool: str = ""
) -> list[ImportSummary]:
    """Add scores to a study, a table a metric; one that has our own metric's name gets another.

    Args:
        study: The study.
        file: Where they come from.
        scores: The scores; of repeated answers each says which one it is of.
        tool: The tool that computed them, where it is known.

    Raises:
        InvalidInput: A score is none of its metric, or others of the name are there.
    """
    tables: dict[str, list[ImportedScore]] = {}
    for given in scores:
        tables.setdefault(given.source, []).append(given)
    names = _names(tables)
    taken = []
    for source, own in tables.items():
        name = names[source]
        metric = own[0].metric
        meaning = Meaning(
            direction=metric.better if metric else "higher",  # type: ignore[arg-type] # as declared
            low=metric.low if metric else None,
            high=metric.high if metric else None,
            origin=file.name,
            title=titled(source, tool) if tool or name.endswith(_GIVEN) else "",
        )
        columns: dict[str, list[object]] = {
            "system": [given.system for given in own],
            "case": [given.case for given in own],
            "value": [given.value for given in own],
            "source": [name] * len(own),
        }
        if any(given.sample for given in own):
            columns["sample"] = [given.sample for given in own]
        sheet = Sheet(file.name, list(range(1, len(own) + 1)), columns)
        taken.append(add_scores(study, sheet, Path(name), name, meaning))
    return taken


def assumed_ends(scores: Iterable[ImportedScore]) -> list[str]:
    """Say of scores that no file and no word file knows which end was taken as the better one.

    Example:
        >>> from medassay.exchange.spreadsheet.headers import metric_called
        >>> own = [ImportedScore("bot", "1", 0, name, 0.5, metric_called(name))
        ...        for name in ("flow", "toxicity")]
        >>> print(*assumed_ends(own))
        No file says which end of these scores is better. Taken: higher for flow, lower for \
toxicity. To change one, edit direction in scores/NAME.toml.
    """
    ends = {given.source: given.metric.better for given in scores
            if given.metric and given.metric.assumed}  # fmt: skip
    ways: dict[str, list[str]] = {}
    for source, better in sorted(ends.items(), key=lambda end: end[1]):
        ways.setdefault(better, []).append(source)
    taken = ", ".join(f"{better} for {first_of(own, _FEW)}" for better, own in ways.items())
    whose = "this score" if len(ends) == 1 else "these scores"
    told = (
        f"No file says which end of {whose} is better. Taken: {taken}. "
        f"To change {'it' if len(ends) == 1 else 'one'}, edit direction in scores/NAME.toml."
    )
    return [told] if ends else []


def titled(source: str, tool: str) -> str:
    """Say what people call a score that came with a file: whose it is stands behind it.

    Example:
        >>> titled("answer_relevancy", "RAGAS"), titled("acc_norm", "Inspect")
        ('Answer relevancy (RAGAS)', 'Acc norm (Inspect)')
        >>> titled("factual_correctness(mode=f1)", "RAGAS")
        'Factual correctness (mode=f1, RAGAS)'
        >>> titled("llm-rubric", "promptfoo"), titled("faithfulness", "")
        ('llm-rubric (promptfoo)', 'Faithfulness (imported)')
    """
    match = re.fullmatch(r"([a-z][a-z0-9_]*)(?:\((.*)\))?", source)
    words = match[1].replace("_", " ").strip().capitalize() if match else source
    set_so = [match[2]] if match and match[2] else []
    return f"{words} ({', '.join([*set_so, tool or 'imported'])})"


def _names(sources: Iterable[str]) -> dict[str, str]:
    """Name the table of each source; those whose words have no letter of ASCII are numbered."""
    names: dict[str, str] = {}
    for source in dict.fromkeys(sources):
        word = _name(source)
        ways = (word if number == 1 else f"{word}_{number}" for number in count(1))
        names[source] = next(way for way in ways if way not in names.values())
    return names


def _name(source: str) -> str:
    letters = unicodedata.normalize("NFKD", source).encode("ascii", "ignore").decode()
    word = re.sub(r"[^A-Za-z0-9_.-]+", "_", letters).strip("_.-") or "score"
    word = word if word[0].isalpha() else f"score_{word}"
    return (
        f"{word}{_GIVEN}" if word in {declaration.name for declaration in declarations()} else word
    )
