"""What the systems, sources and dimensions of a report are called."""

from medassay import exhibits
from medassay.analyses.builtin.harm_by_system import harm_by_system
from medassay.analyses.builtin.targets import targets
from medassay.analyses.results import Results, SourceResult
from medassay.study.files.names import RATERS_KEY

__all__ = ["Names"]


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
        self.targets = {aim.source: aim.target for aim in results.analyses.of(targets) or ()}
