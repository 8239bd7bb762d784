"""What do several answers of one system to one case do together?"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Columns, Design, Leading, Randomness
from medassay.analyses.inputs.study_columns import ScoreColumn
from medassay.analyses.results import SourceResult
from medassay.annotations import record
from medassay.exhibits import Finding, Names, Table, shown, table_of
from medassay.exhibits.claim import ReaderQuestion
from medassay.exhibits.columns import estimated, system_column
from medassay.exhibits.numbers import count_of
from medassay.scores import ScoreTable
from medassay.validity import RepeatedSamples, Together, repeated_samples, sizes_told

_ID: Final = "repeated-answers"
_OF: Final[Mapping[Together, str]] = {
    "all pass": "all pass (pass^k)",
    "one passes": "at least one passes (pass@k)",
    "worst": "worst score of k",
}
_INFINITE: Final = float("inf")
_PASSES: Final = {0.0, 1.0}


@record(infers=True)
class RepeatedAnswers:
    """What k answers do together, by score, system and k; the leading score's come first."""

    rows: tuple[RepeatedSamples, ...]


def _tables(found: RepeatedAnswers, names: Names) -> list[Table]:
    return [
        table_of(
            ((names.of_source(own.source), own) for own in found.rows),
            (
                system_column(names),
                shown("Of k answers", lambda own: _OF[own.of], file="of"),
                shown("k", "k", str),
                estimated("Mean over cases", "value"),
                shown("Cases", "cases", "{:,}".format, adds=("left_out", "source")),
            ),
            id=_ID,
            title="Several answers to one case",
            caption="Each case was answered more than once. Of all subsets of k of its answers: "
            "the share in which all pass (pass^k), the share in which one or more pass (pass@k), "
            "or the mean worst score. Powers of shares, which are biased, are not used. Cases with "
            "fewer than k scored answers are left out. Intervals: 95%, bootstrap over cases; exact "
            "where all or none pass.",
            empty="No case was answered more than once.",
            grouped_by="score",
            stands="page",
        )
    ]


def _finding(found: RepeatedAnswers, names: Names) -> Finding | None:
    """Say of the leading score and each system how often all of k answers pass, or the worst."""
    first = found.rows[0]
    most = max(own.k for own in found.rows if own.source == first.source)
    told = [
        own
        for own in found.rows
        if own.source == first.source
        and own.k == most
        and own.of != "one passes"
        and own.value is not None
    ][:_FEW]
    if not told:
        return None
    by = names.of_source(first.source)
    return Finding(
        _ID, " ".join(_sentence(own, by, names) for own in told), (_ID,), ReaderQuestion.FURTHER
    )


_FEW: Final = 2


def _sentence(own: RepeatedSamples, by: str, names: Names) -> str:
    around = own.interval
    system = names.of_system(own.system)
    value = own.value or 0.0
    if own.of == "all pass":
        ends = f" (95% CI {100 * around.low:.0f} to {100 * around.high:.0f})" if around else ""
        return (
            f"By {by}, all of {own.k} answers of {system} pass in {100 * value:.0f}% of "
            f"{count_of(own.cases, 'case')}{ends}."
        )
    style = names.style_of(own.source)
    ends = f" (95% CI {style(around.low)} to {style(around.high)})" if around else ""
    worst = f"the worst of {own.k} answers of {system} to a case"
    return f"By {by}, {worst} scored {style(value)} on average{ends}."


@analysis(
    Declaration(
        id="repeated_answers",
        title="Several answers to one case",
        question="How often do all of several answers of a system pass, and how bad is the worst?",
        section="leaders",
        infers=True,
        reader="developer",
        place=90,
        finding_place=90,
        tables=_tables,
        finding=_finding,
    )
)
def repeated_answers(
    scores: ScoreTable,
    columns: Columns,
    sources: tuple[SourceResult, ...],
    leading: Leading,
    design: Design,
    randomness: Randomness,
) -> RepeatedAnswers | None:
    """Estimate pass^k, pass@k and the worst of k, of every column with repeated answers."""
    ends = {source.name: (source.low, source.high) for source in sources}
    rows: list[RepeatedSamples] = []
    for column in _told(columns.score_columns.columns, leading):
        samples = _samples(scores, column.name)
        for system, own in sorted(samples.items()):
            low, high = ends.get(column.name, (None, None))
            rows += _of_system(
                column,
                system,
                own,
                (-_INFINITE if low is None else low, _INFINITE if high is None else high),
                passes=_passes(samples),
                design=design,
                randomness=randomness,
            )
    return RepeatedAnswers(tuple(rows)) if rows else None


def _told(columns: Sequence[ScoreColumn], leading: Leading) -> Iterable[ScoreColumn]:
    """Give what has a better end, the leading column first; of consensus the leading method.

    Where nobody rated, scores that came with the answers say more than ours: they come first.
    """
    kept = [
        column
        for column in columns
        if not column.control
        and not column.flat
        and (column.kind != "consensus" or column.method == leading.method)
    ]
    return sorted(
        kept,
        key=lambda column: (
            not leading.dimension and column.kind != "imported",
            column.name != leading.source,
        ),
    )


def _samples(scores: ScoreTable, source: str) -> dict[str, dict[str, list[float]]]:
    """Give the scores of each case's answers, by system; nothing where no case has two."""
    import polars as pl

    rows = scores.select(source).filter(pl.col("about") == "").drop_nulls("value")
    if not rows.height or not rows["sample"].max():
        return {}
    samples: dict[str, dict[str, list[float]]] = {}
    ordered = rows.sort("system", "case", "sample").select("system", "case", "value")
    for system, case, value in ordered.iter_rows():
        samples.setdefault(system, {}).setdefault(case, []).append(value)
    return samples


def _passes(samples: Mapping[str, Mapping[str, Sequence[float]]]) -> bool:
    return all(set(own) <= _PASSES for of in samples.values() for own in of.values())


def _of_system(
    column: ScoreColumn,
    system: str,
    samples: Mapping[str, Sequence[float]],
    ends: tuple[float, float],
    *,
    passes: bool,
    design: Design,
    randomness: Randomness,
) -> Iterable[RepeatedSamples]:
    """Give each k, and each thing that is asked of k answers."""
    asked: tuple[Together, ...] = ("all pass", "one passes") if passes else ("worst",)
    # Where a lower value is better, 0 is what passes.
    turned = passes and column.direction == "lower"
    own = {
        case: [1 - value for value in values] if turned else list(values)
        for case, values in samples.items()
    }
    for k in sizes_told([len(values) for values in own.values()]):
        for of in asked:
            yield repeated_samples(
                system,
                column.name,
                own,
                of,
                k,
                rng=randomness.stream("s75", column.name, system, of, str(k)),
                clusters=design.clusters or None,
                ends=(0.0, 1.0) if passes else ends,
                lower=column.direction == "lower",
            )
