"""Tables 1 to 3: what raters were asked, what they said, how far they agreed."""

from collections.abc import Sequence
from typing import Final

from medassay.agreement import Agreement
from medassay.agreement.on_units import RULE
from medassay.analyses.builtin.agreement import agreement
from medassay.analyses.builtin.label_counts import LabelCount, label_counts
from medassay.analyses.results import Results
from medassay.exhibits.numbers import PROPORTION, bounds, count_of
from medassay.report.names import Names
from medassay.report.paper.item import Item, missing_item, seen_on, signed
from medassay.report.tables import Cell, Column, Row, Table

__all__ = ["table_1", "table_2", "table_3"]

_SCOPES: Final = {"judgements": "Overall", "majority": "Majority", "mace": "MACE"}
_PAPERS: Final = {
    "unanimous": "Unanimous",
    "mean_pairwise": "Pairwise",
    "fleiss": "κ",
    "gwet": "AC1",
}
_COEFFICIENTS: Final = _PAPERS | {
    "krippendorff": "α",
    "krippendorff(level=ordinal)": "α, ordinal",
    "krippendorff(level=interval)": "α, interval",
}
_MAPPINGS: Final = {
    "full": "All labels",
    "published": "Binary, as published",
    "harmful": "Binary, harmful or not",
}


def table_1(results: Results) -> Item:
    """Print the rubric: dimensions, labels, what they mean."""
    name, number, title = "table-1", "Table 1", "What the raters were asked"
    if not results.dimensions:
        return missing_item(name, number, title, "a rubric with at least one dimension")
    rows = [
        Row(
            (
                Cell(label.label, (label.label,)),
                Cell("–" if label.score is None else f"{label.score:g}", (label.score,)),
                Cell(label.description, (label.description,)),
            ),
            f"{dimension.title} ({dimension.id})",
            dimension.question,
        )
        for dimension in results.dimensions
        for label in dimension.labels
    ]
    columns = (
        Column("Label", ("label",)),
        Column("Score", ("score",), numeric=True),
        Column("Meaning", ("meaning",), wide=True),
    )
    caption = (
        f"The {count_of(len(results.dimensions), 'dimension')} of the rubric, the labels of each, "
        "the score that sums and means use, and what each label means, in the words that the "
        "raters saw."
    ) + (f" {results.study.wording}" if results.study.wording else "")
    return _item(results, (name, number, title), caption, columns, rows, group="dimension")


def table_2(results: Results) -> Item:
    """Print how often each label was given, by scope."""
    name, number, title = "table-2", "Table 2", "Labels given"
    counted = results.analyses.of(label_counts)
    counts = [c for c in counted.counts if c.scope in _SCOPES] if counted else []
    if not counts:
        return missing_item(name, number, title, "judgements")
    names = Names(results)
    at = {(c.scope, c.dimension, c.label): c for c in counts}
    labels = {
        d: sorted(
            {c.label: c.is_reason for c in counts if c.dimension == d}.items(),
            key=lambda item: item[1],
        )
        for d in dict.fromkeys(c.dimension for c in counts)
    }
    scopes = [scope for scope in _SCOPES if any(c.scope == scope for c in counts)]
    columns = [Column("Scope", ("scope",))]
    for dimension, own in labels.items():
        columns += [
            Column(
                label, (f"{dimension}_{label}_n", f"{dimension}_{label}_share"), numeric=True,
                group=names.of_dimension(dimension),
            )
            for label, _ in own
        ]  # fmt: skip
    rows = [
        Row(
            (
                Cell(_SCOPES[scope], (scope,)),
                *(
                    _counted(at.get((scope, d, label)))
                    for d, own in labels.items()
                    for label, _ in own
                ),
            )
        )
        for scope in scopes
    ]
    totals = {
        scope: sorted(
            {sum(c.count for c in counts if (c.scope, c.dimension) == (scope, d)) for d in labels}
        )
        for scope in scopes
    }
    caption = (
        "Count (percent). Overall: of all judgements"
        + _of(totals.get("judgements", []))
        + ". Majority: of the answers judged"
        + _of(totals.get("majority", []))
        + "; an answer without a majority counts as a tie, in a column of its own."
    )
    if "mace" in scopes:
        caption += " MACE: the label that the model settles on for each answer."
    else:
        caption += (
            " The paper's third row, MACE, is missing: it needs mace among the consensus methods "
            "and a score of its own for each label."
        )
    caption += f" {seen_on(results)}. Counts of this study, without an interval."
    sources = [f"mace(dimension={d})" for d in labels]
    return _item(results, (name, number, title), caption, columns, rows, sources=sources)


def table_3(results: Results) -> Item:
    """Print agreement: the paper's three numbers, ours beside, with intervals."""
    name, number, title = "table-3", "Table 3", "Agreement of the raters"
    agreed = results.analyses.of(agreement)
    panel = agreed.panel if agreed else ()
    printed = {
        *_PAPERS,
        *(headline.coefficient for headline in (agreed.headlines if agreed else ())),
    }
    subset = next((a.subset for a in panel if a.value is not None), "")
    agreements = [
        a
        for a in panel
        if a.subset == subset
        and a.coefficient in printed & {*_COEFFICIENTS}
        and a.value is not None
    ]
    if not agreements:
        return missing_item(name, number, title, "answers that two raters or more judged")
    names = Names(results)
    order = [
        *_MAPPINGS,
        *dict.fromkeys(a.mapping for a in agreements if a.mapping not in _MAPPINGS),
    ]
    kinds = [
        coefficient
        for coefficient in _COEFFICIENTS
        if any(a.coefficient == coefficient for a in agreements)
    ]
    at = {(a.mapping, a.dimension, a.coefficient): a for a in agreements}
    quiet = results.study.descriptive
    rows = [
        Row(
            (
                Cell(names.of_dimension(dimension), (dimension,)),
                *(_agreed(at.get((mapping, dimension, kind)), quiet=quiet) for kind in kinds),
                Cell(*_units(at, mapping, dimension)),
            ),
            _MAPPINGS.get(mapping, f"Binary, {mapping}"),
        )
        for mapping in order
        for dimension in dict.fromkeys(a.dimension for a in agreements)
        if any(a.mapping == mapping and a.dimension == dimension for a in agreements)
    ]
    columns = [
        Column("Dimension", ("dimension",)),
        *(
            Column(
                _COEFFICIENTS[kind],
                (kind, *(() if quiet else (f"{kind}_low", f"{kind}_high"))),
                numeric=True,
            )
            for kind in kinds
        ),
        Column("Answers", ("answers", "cases", "raters"), numeric=True),
    ]
    around = next((a.interval for a in agreements if a.interval), None)
    caption = (
        "Unanimous: share of answers on which all raters agree. Pairwise: mean share of agreeing "
        "pairs. κ: Fleiss' kappa; AC1: Gwet's, which the paper does not print, beside it since κ "
        "falls where one label is common. The paper's two blocks are 'All labels' and 'Binary, as "
        "published'. The published binary labels put Refutes and Conflicting into No; 'harmful or "
        f"not' keeps them apart. {seen_on(results)}; {subset}."
    )
    if {*kinds} - {*_PAPERS}:
        caption += f" α: Krippendorff's alpha. {RULE}"
    some = [
        f"{names.of_dimension(a.dimension)}, {a.mapping}: {a.n_units:,}"
        for a in _partly(agreements)
    ]
    if some:
        caption += (
            " Where raters have not finished, κ reads the answers with a full number of labels "
            f"({'; '.join(some)}), the others all that have two."
        )
    if around:
        caption += (
            f" Intervals: {100 * around.level:g} %, {around.method} for {around.estimand}, "
            f"{around.replicates} replicates."
        )
    return _item(results, (name, number, title), caption, columns, rows, group="labels")


def _partly(agreements: Sequence[Agreement]) -> list[Agreement]:
    """Give the kappas that read fewer answers than the plain shares beside them."""
    every = {
        (a.dimension, a.mapping): a.n_units for a in agreements if a.coefficient == "unanimous"
    }
    return [
        a
        for a in agreements
        if a.coefficient == "fleiss" and a.n_units < every.get((a.dimension, a.mapping), 0)
    ]


def _counted(label_count: LabelCount | None) -> Cell:
    if label_count is None:
        return Cell("–", (None, None))
    share = "" if label_count.share is None else f" ({100 * label_count.share:.1f})"
    return Cell(f"{label_count.count}{share}", (label_count.count, label_count.share))


def _of(totals: Sequence[int]) -> str:
    return f" ({' to '.join(dict.fromkeys(map(str, (totals[0], totals[-1]))))})" if totals else ""


def _agreed(agreement: Agreement | None, *, quiet: bool) -> Cell:
    """Print a coefficient; one of a study that describes only has no ends to leave empty."""
    none = () if quiet else (None, None)
    if agreement is None or agreement.value is None:
        return Cell("–", (None, *none))
    around = agreement.interval
    ends = (around.low, around.high) if around else none
    return Cell(PROPORTION(agreement.value), (agreement.value, *ends), aside=bounds(around))


def _units(
    at: dict[tuple[str, str, str], Agreement], mapping: str, dimension: str
) -> tuple[str, tuple[object, ...]]:
    agreement = next(a for key, a in at.items() if key[:2] == (mapping, dimension))
    return str(agreement.n_units), (agreement.n_units, agreement.n_cases, agreement.n_raters)


def _item(
    results: Results,
    what: tuple[str, str, str],
    caption: str,
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    group: str = "",
    sources: Sequence[str] = (),
) -> Item:
    name, number, title = what
    table = Table(
        name, f"{number}. {title}", caption, tuple(columns), tuple(rows), group_field=group,
        synthetic=results.study.synthetic,
    )  # fmt: skip
    return Item(name, number, title, caption, signed(results, *sources), table=table)
