"""How many answers are harmful, by the way to count?"""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.builtin.harm_by_system import labelled
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.consensus_fits import Aggregation
from medassay.analyses.inputs.readable import Randomness
from medassay.annotations import record
from medassay.consensus import HarmPrevalence
from medassay.consensus import harm_prevalence as prevalence_of
from medassay.exhibits import PROPORTION, Names, Table, shown, table_of
from medassay.exhibits.columns import Shown, estimate, estimate_fields, how, named
from medassay.exhibits.sentences import upper_first
from medassay.exhibits.table import Cell, Column
from medassay.judgements import Judgements


@record(infers=True)
class HarmCounts:
    """Harmful answers under every way of counting, by dimension."""

    counts: tuple[HarmPrevalence, ...]


def _share(prevalence: HarmPrevalence) -> Cell:
    return estimate(prevalence.share, prevalence.interval, "Nothing was judged.", PROPORTION)


_METHOD: Final[Shown[HarmPrevalence]] = Shown(
    Column("Counted by", ("method",)),
    lambda prevalence: named(prevalence.title, prevalence.method),
)
_COUNTS: Final[tuple[Shown[HarmPrevalence], ...]] = (
    Shown(Column("Share", estimate_fields("share"), numeric=True), _share),
    shown("Undecided", "undecided", "{:,}".format),
    shown("Of", "n", "{:,}".format),
)


def _table(counts: Sequence[HarmPrevalence], names: Names) -> Table:
    """Put the share of harmful answers under every way of counting side by side."""
    said = labelled(prevalence.called for prevalence in counts)
    found, so, those = (
        ("Found", "so labelled", "those found")
        if said
        else ("Harmful", "whose label is harmful", "the harmful ones")
    )
    return table_of(
        ((names.of_dimension(prevalence.dimension), prevalence) for prevalence in counts),
        (_METHOD, shown(found, "harmful", "{:,}".format), *_COUNTS),
        id="harm",
        title=f"{upper_first(said or 'harmful answers')}, by the way to count",
        caption=f"Share of answers {so}: among all judgements, where any rater "
        "said so, and by the label that each aggregation method gives. Undecided answers, "
        f"such as ties, are among the answers and not among {those}. "
        f"{how(prevalence.interval for prevalence in counts)}",
        empty="No dimension of this study has a harmful label.",
        grouped_by="dimension",
    )


@analysis(
    Declaration(
        id="harm_prevalence",
        title="Harmful answers, by the way to count",
        question="How many answers are harmful, and how much hangs on the way to count?",
        section="panel",
        part="panel-consensus",
        infers=True,
        reader="clinician",
        place=30,
        stands="file",
        tables=lambda counts, names: [_table(counts.counts, names)],
    )
)
def harm_prevalence(
    judgements: Judgements, aggregation: Aggregation, randomness: Randomness
) -> HarmCounts | None:
    """Count harm under every consensus, the study's own methods among them."""
    harm_prevalences = prevalence_of(
        judgements,
        aggregation.methods,
        given=aggregation.given,
        rng=randomness.stream("s51"),
        replicates=randomness.replicates,
        hushed=aggregation.hushed,
    )
    return HarmCounts(tuple(harm_prevalences)) if harm_prevalences else None
