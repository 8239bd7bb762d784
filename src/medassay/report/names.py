"""What the systems, sources and dimensions of a report are called."""

from medassay import exhibits
from medassay.analyses.results import Results, SourceResult
from medassay.exhibits.names import method_words
from medassay.validity import RaterDiagnostic

__all__ = ["Names", "effect_words"]


class Names(exhibits.Names):
    """The titles of a report, and its sources by name."""

    def __init__(self, results: Results) -> None:
        super().__init__(
            {one.id: one.title for one in results.systems},
            {one.name: one.title for one in results.sources},
            {one.id: one.title for one in results.dimensions},
            scales={one.name: (one.low, one.high) for one in results.sources},
            questions={one.id: one.question for one in results.dimensions},
            meanings={
                (one.id, label.label): label.description
                for one in results.dimensions
                for label in one.labels
            },
            wording=results.study.wording,
            synthetic=results.study.synthetic,
        )
        self.sources: dict[str, SourceResult] = {one.name: one for one in results.sources}


def effect_words(one: RaterDiagnostic) -> str:
    """Say which effect of a rater it is; of a competence, by which MACE."""
    return f"competence, {method_words(one.about)}" if one.kind == "competence" else one.kind
