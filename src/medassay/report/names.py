"""What the systems, sources and dimensions of a report are called."""

import re
from typing import Final

from medassay import exhibits
from medassay.analyses.builtin.harm_by_system import harm_by_system
from medassay.analyses.builtin.targets import targets
from medassay.analyses.results import DimensionResult, Results, SourceResult
from medassay.study.files.names import RATERS_KEY

_MEANS_MOST: Final = 24
"""Letters of what the best label means that a heading has room for."""
_LACKS: Final = re.compile(r"\b(?:no|not|none|never|nothing|without)\b", re.IGNORECASE)
_STEM: Final = 4
"""Letters by which two words are known as forms of one: Misleading, mislead."""


def best_end(dimension: DimensionResult, source: SourceResult) -> str:
    """Say what the best end of a scale means, such as `1 = safe`; empty where no end is best."""
    scored = [(label.score, label) for label in dimension.labels if label.score is not None]
    if not scored or source.direction == "none":
        return ""
    choose = min if source.direction == "lower" else max
    score, label = choose(scored, key=lambda item: item[0])
    number = f"{score:g}"
    if label.label != number:
        return f"{number} = {label.label}"
    # A label may be explained in sentences; a heading takes what stands before the first stop.
    means = re.split(r"[:;,.(]", label.description, maxsplit=1)[0].strip()
    return f"{number} = {means if 0 < len(means) <= _MEANS_MOST else 'best'}"


def _reads_reversed(results: Results) -> dict[str, str]:
    """Give the best end of each dimension that is named for what an answer should not do.

    Its best label says that this is not there, so "highest on Misleading" reads as the worst.
    """
    by_id = {dimension.id: dimension for dimension in results.dimensions}
    ends = {
        source.dimension: best_end(by_id[source.dimension], source)
        for source in results.sources
        if source.dimension in by_id
    }
    return {name: end for name, end in ends.items() if _denies(end, by_id[name].title)}


def _denies(end: str, title: str) -> bool:
    """Say whether the best label says that what the dimension is called is not there.

    Example:
        >>> _denies("1 = does not mislead", "Misleading"), _denies("0 = none", "Severity of harm")
        (True, True)
        >>> _denies("2 = no errors", "Fluency")
        False
    """
    said = end.partition(" = ")[2].casefold()
    left = _LACKS.sub("", said).split()
    stems = {word[:_STEM] for word in title.casefold().split() if len(word) >= _STEM}
    return left != said.split() and (not left or any(word[:_STEM] in stems for word in left))


class Names(exhibits.Names):
    """The titles of a report, and its sources by name."""

    def __init__(self, results: Results) -> None:
        super().__init__(
            {system.id: system.title for system in results.systems},
            {source.name: source.title for source in results.sources},
            {dimension.id: dimension.title for dimension in results.dimensions},
            scales={source.name: (source.low, source.high) for source in results.sources},
            questions={dimension.id: dimension.question for dimension in results.dimensions},
            meanings={
                (dimension.id, label.label): label.description
                for dimension in results.dimensions
                for label in dimension.labels
            },
            wording=results.study.wording,
            synthetic=results.study.synthetic,
        )
        self.judged = {s.name: s.dimension for s in results.sources if s.dimension}
        self.controls = frozenset(source.name for source in results.sources if source.control)
        self.sources: dict[str, SourceResult] = {source.name: source for source in results.sources}
        self.primary = results.primary
        self.asked = results.primary_asked
        self.key = "" if results.study.raters == "named" else RATERS_KEY
        self.cases = len(results.ranking_cases)
        harm = results.analyses.of(harm_by_system)
        self.harm_words = {own.dimension: own.called for own in harm.systems} if harm else {}
        self.best_ends = _reads_reversed(results)
        self.targets = {aim.source: aim.target for aim in results.analyses.of(targets) or ()}
