"""Everything behind the trust table, computed and laid out."""

from collections.abc import Mapping, Sequence

from medassay.analyses.bad_answers import targets_of
from medassay.analyses.results import validity as v
from medassay.analyses.score_columns import Column, StudyColumns, sources_of, step_rng
from medassay.analyses.sentinels import sentinels_of
from medassay.analyses.trust import leading_method, titles_of
from medassay.scores import Name
from medassay.stats import holm
from medassay.study.folder import Study
from medassay.validity import (
    MetricPairs,
    Source,
    SystemLevel,
    answer_level,
    compare_metrics,
    find_bad_answers,
    system_level,
    tau_in_groups,
    with_letters,
)

__all__ = ["validity_detail"]


def validity_detail(study: Study, score_columns: StudyColumns) -> v.ValidityDetail | None:
    """Hold every metric and sentinel against the raters, in every way but the trust table's."""
    columns = score_columns.columns
    joined = [column for column in columns if column.kind == "consensus"]
    candidates = [c for c in columns if c.kind != "consensus" and not c.control]
    if not joined or not candidates:
        return None
    method = leading_method(study, joined)
    joined = [column for column in joined if column.method == method]
    sources = sources_of(study, score_columns)
    metrics = [sources[column.name] for column in candidates]
    sentinels = sentinels_of(study, columns, sources)
    everyone = [*metrics, *sentinels]
    raters = [sources[column.name] for column in joined]
    clusters, families = study.clusters or None, study.families or None
    measured = system_level(
        everyone, raters, rng=step_rng(study, "s40"), clusters=clusters, families=families
    )
    compared = [
        compare_metrics(
            _best_first(metrics, measured, source),
            source,
            rng=step_rng(study, "s41", str(source.name)),
        )
        for source in raters
    ]
    return v.ValidityDetail(
        titles=_titles(study, score_columns, joined),
        sentinels=[source.name for source in sentinels],
        system_level=with_letters(measured, compared),
        pairs=[pair for metric_pairs in compared for pair in metric_pairs.pairs],
        references=_references(
            [c for c in candidates if sources[c.name].grid.known.any()], joined, measured, compared
        ),
        groups=tau_in_groups(metrics, raters, families=families, tags=_tags(study)),
        answer_level=answer_level(everyone, raters, rng=step_rng(study, "s42"), clusters=clusters),
        bad_answers=find_bad_answers(
            everyone,
            targets_of(study, raters, joined),
            rng=step_rng(study, "s43"),
            clusters=clusters,
            thresholds=study.config.validity.thresholds,
        ),
    )


def _titles(study: Study, score_columns: StudyColumns, joined: Sequence[Column]) -> dict[str, str]:
    dimensions = {
        dimension.id: dimension.title or dimension.id for dimension in study.rubric.dimensions
    }
    of = {column.name: dimensions.get(column.dimension or "", "") for column in joined}
    return {**titles_of(study, score_columns), **of, **dimensions}


def _best_first(
    metrics: Sequence[Source], measured: Sequence[SystemLevel], consensus: Source
) -> list[Source]:
    taus = {level.metric: level.tau for level in measured if level.consensus == consensus.name}
    return sorted(metrics, key=lambda source: (-(taus[source.name] or -2.0), source.name))


_MOST_VALUES = 12
"""A tag with more values than this groups nothing: it names cases."""


def _tags(study: Study) -> dict[str, Mapping[str, str]]:
    if study.config.privacy.texts != "full":
        return {}  # those that are left are there to compute by
    names = sorted({tag for case in study.cases for tag in case.tags})
    of = {name: {c.case: c.tags[name] for c in study.cases if name in c.tags} for name in names}
    return {n: values for n, values in of.items() if 1 < len(set(values.values())) <= _MOST_VALUES}


def _references(
    candidates: Sequence[Column],
    joined: Sequence[Column],
    measured: Sequence[SystemLevel],
    compared: Sequence[MetricPairs],
) -> list[v.ReferenceResult]:
    """Pair each metric's human reference with its note reference; read off the tests of pairs."""
    kinds: dict[str, dict[str, str]] = {}
    for column in candidates:
        if column.kind != "metric":
            continue
        name = Name.parse(column.name)
        kind = name.get("ref")
        if kind in {"human", "note"}:
            rest = {key: value for key, value in name.arguments if key != "ref"}
            kinds.setdefault(str(name.with_arguments(rest)), {})[kind] = column.name
    taus = {(level.metric, level.consensus): level.tau for level in measured}
    tests = {
        (metric_pairs.consensus, frozenset((pair.first, pair.second))): pair
        for metric_pairs in compared
        for pair in metric_pairs.pairs
    }
    rows = []
    for metric, of in sorted(kinds.items()):
        if len(of) < 2:  # noqa: PLR2004 - both references are needed
            continue
        for column in joined:
            human, note = taus[of["human"], column.name], taus[of["note"], column.name]
            test = tests[column.name, frozenset(of.values())]
            rows.append(
                v.ReferenceResult(
                    metric=metric,
                    consensus=column.name,
                    human=of["human"],
                    note=of["note"],
                    tau_human=human,
                    tau_note=note,
                    difference=None if human is None or note is None else human - note,
                    p=test.p,
                    p_adjusted=None,
                    flips=human is not None and note is not None and human * note < 0,
                )
            )
    tested = [row for row in rows if row.p is not None]
    adjusted = holm([row.p for row in tested if row.p is not None]).tolist()
    of_row = {(r.metric, r.consensus): p for r, p in zip(tested, adjusted, strict=True)}
    return [
        row.model_copy(update={"p_adjusted": of_row.get((row.metric, row.consensus))})
        for row in rows
    ]
