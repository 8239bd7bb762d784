"""Say in words what was computed, how, and what a reader should know."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from medassay.agreement import alpha_of, find_coefficient
from medassay.agreement.on_units import RULE
from medassay.analyses import results as r
from medassay.analyses.inputs.study_columns import ScoreColumn, ranking_cases
from medassay.consensus import find_method
from medassay.exhibits.sentences import stopped
from medassay.judgements import Dimension
from medassay.judgements.campaign import find_plans
from medassay.metrics import BoundMetric
from medassay.scores import Reason, ScoreTable, Signature, Unscored
from medassay.stats import AT_ONCE_FROM
from medassay.study.config.study_toml import CorrectionChoice, hushes_packages
from medassay.study.contents.ratings import given_signature, renamed_corrections
from medassay.study.folder import Study
from medassay.text import count_of, listed
from medassay.validity import FEW_SYSTEMS

if TYPE_CHECKING:
    import polars as pl

_SMALL: Final = 10
"""Up to this many systems, a rank correlation is a warning rather than a finding."""


def describe_source(study: Study, table: ScoreTable, column: ScoreColumn) -> r.SourceResult:
    """Say what a column of scores is, and how much of it there is."""
    import polars as pl

    rows = table.select(column.name)
    missing = rows.filter(pl.col("reason").is_not_null())
    counted = {reason.words: count for reason, count in table.reasons(column.name).items()}
    title, question, unit, low, high, signature = _facts(study, column)
    its_file = next(
        (imported for imported in study.imported if column.name in imported.table.sources), None
    )
    its_file = its_file if column.kind == "imported" else None
    return r.SourceResult(
        name=column.name,
        title=title,
        kind=column.kind,
        dimension=column.dimension,
        method=column.method,
        question=question,
        unit=unit,
        low=low,
        high=high,
        direction=column.direction,
        scored=rows.height - missing.height,
        unscored=counted,
        unscored_example=_example(missing),
        signature=signature,
        control=column.control,
        file="" if its_file is None else its_file.file,
        origin="" if its_file is None else its_file.meaning.origin,
        stands_for="" if column.place is None else column.place.slot.metric,
    )


def ranking_rule(study: Study) -> str:
    """Say on which cases systems are ranked; nothing where none are."""
    if study.config.rules.descriptive:
        return ""
    count = len(ranking_cases(study))
    if study.config.rules.rank_cases == "all":
        return f"all {count} cases"
    who = f"each of the {len(study.systems)} systems"
    who = who if study.asked.everything else "each system that was asked"
    return f"the {count} of {len(study.cases)} cases where {who} was judged"


def methods_of(study: Study, columns: Sequence[ScoreColumn]) -> list[r.MethodNote]:
    """Give a paragraph for everything that made a number."""
    notes = [
        r.MethodNote(
            title=metric.declaration.title or str(metric.name),
            text=f"{metric.declaration.question} Source: {metric.declaration.reference}"
            + _on_gpu(metric.signature.settings.get("device")),
            signature=str(metric.signature),
        )
        for metric in (column.metric for column in columns)
        if metric is not None
    ]
    methods = dict.fromkeys(column.method for column in columns if column.method)
    notes += [_consensus_note(study, method) for method in methods]
    if any(column.kind == "consensus" for column in columns):
        notes.append(_agreement_note(study))
    notes += _order_notes(study)
    notes += _carried_notes(study)
    notes += [
        _correction_note(study.rubric.dimension(one.dimension), one)
        for one in renamed_corrections(study.config.corrections, study.people)
    ]
    if study.config.rules.descriptive:
        return [*notes, _descriptive_note()]
    return [*notes, _ranking_note(study), _validity_note(study)]


def _order_notes(study: Study) -> list[r.MethodNote]:
    """Say in which campaigns raters met all systems' answers to a question one after another."""
    names = [
        name for name, plan in sorted(find_plans(study.path).items())
        if plan.settings.order == "by_case"
    ]  # fmt: skip
    if not names:
        return []
    text = (
        f"In {listed(names)}, each rater met all answers to one question one after another. "
        "The order of the questions, and of the answers to each, was drawn for each rater and is "
        "stored in the plan."
    )
    return [r.MethodNote(title="Order of the answers for raters", text=text, signature="")]


def _carried_notes(study: Study) -> list[r.MethodNote]:
    """Say how many labels of documents were carried from one system's answer to another's."""
    rows = study.judgements.in_phases()
    carried = rows["carried"].count()
    if not carried:
        return []
    text = (
        f"{carried} of {count_of(len(rows), 'rating')} repeat the rater's own label of the same "
        "document beside another system's answer. Agreement counts such a label once."
    )
    return [r.MethodNote(title="Labels of documents", text=text, signature="")]


def _on_gpu(device: str | None) -> str:
    """Say where the model ran if not on a processor: the last digits of a score follow from it."""
    if device is None:
        return ""
    return (
        f". Its model ran on a GPU ({device}), in single precision without TF32: a processor gives"
        " other last digits"
    )


def notes_of(study: Study, sources: Sequence[r.SourceResult]) -> list[str]:
    """Say once, calmly, what the study lacks and what that means."""
    notes = list(study.warnings)
    if not len(study.answers):
        notes.append("The study holds no answers, so no metric was computed.")
    total = len(study.cases) * len(study.answers.systems)
    silent: dict[str, list[str]] = {}
    for source in sources:
        if source.kind == "metric" and source.scored == 0 and total:
            silent.setdefault(source.unscored_example, []).append(source.name)
    notes += [f"Not computed: {', '.join(names)} ({why})." for why, names in silent.items()]
    lacking = _lacking(study)
    if lacking:
        notes.append(f"Without {listed(lacking)}, metrics that need them have no value.")
    joined = any(source.kind == "consensus" for source in sources)
    if len(study.systems) <= _SMALL and joined and not study.config.rules.descriptive:
        notes.append(
            f"Over {len(study.systems)} systems a rank correlation takes few values and has a "
            "wide interval: it is no finding."
        )
    return notes


def _facts(
    study: Study, column: ScoreColumn
) -> tuple[str, str, str, float | None, float | None, str]:
    if column.metric is not None:
        declaration = column.metric.declaration
        title = _metric_title(column.metric)
        signature = str(column.metric.signature)
        return (
            title,
            declaration.question,
            declaration.unit,
            declaration.low,
            declaration.high,
            signature,
        )
    if column.kind == "imported":
        its_file = next(
            imported for imported in study.imported if column.name in imported.table.sources
        )
        meaning = its_file.meaning
        signature = str(Signature(column.name, 1, {"imported": its_file.file}))
        title = meaning.title or column.name
        if column.place is not None:
            title = f"{_metric_title(column.place.slot.bound)}, imported"
        return title, meaning.question, meaning.unit, meaning.low, meaning.high, signature
    dimension = study.rubric.dimension(column.dimension or "")
    hushed = hushes_packages(study.config)
    method = find_method(column.method or "", hushed=hushed)[0].declared
    ends = dimension.ends if method.on_scale else None
    return (
        f"{dimension.title or dimension.id}, {method.title}",
        dimension.question,
        dimension.unit,
        ends[0] if ends else None,
        ends[1] if ends else None,
        _consensus_signature(study, column.name, column.method or ""),
    )


def _metric_title(metric: BoundMetric) -> str:
    """Give the declared title; cut-off and what differs from the defaults follow in brackets."""
    title = metric.declaration.title or metric.declaration.name
    chosen = ", ".join(f"{key} {value}" for key, value in metric.name.arguments if key != "ref")
    against = metric.name.get("ref")
    cut = "" if metric.name.k is None else f"k = {metric.name.k}"
    parts = [part for part in (against, cut, chosen) if part]
    return f"{title} ({', '.join(parts)})" if parts else title


def _example(missing: "pl.DataFrame") -> str:
    """Give the commonest reason in full."""
    if not missing.height:
        return ""
    counted = missing.group_by("reason", "detail").len()
    reason, detail = counted.sort(["len", "reason", "detail"], descending=[True, False, False]).row(
        0
    )[:2]
    return str(Unscored(Reason(reason), detail or ""))


def _lacking(study: Study) -> list[str]:
    lacking = ["questions", "evidence", "references"]
    for case in study.cases:
        has = {"questions": case.prompt, "evidence": case.evidence, "references": case.references}
        lacking = [name for name in lacking if not has[name]]
        if not lacking:
            break
    tally = study.answers.tally
    if len(study.answers) > tally.not_held.total() and not tally.citing:
        lacking.append("citations in the answers")
    return lacking


def _consensus_note(study: Study, method: str) -> r.MethodNote:
    declared = find_method(method, hushed=hushes_packages(study.config))[0].declared
    source = f" Source: {declared.source}." if declared.source else ""
    return r.MethodNote(
        title=f"Consensus: {declared.title}",
        text=f"{declared.question} Undefined where {declared.undefined}.{source}",
        signature=_consensus_signature(study, method, method),
    )


def _consensus_signature(study: Study, name: str, method: str) -> str:
    choices = given_signature(study.config.consensus, method)
    return str(Signature(name, 1, {"rubric": study.rubric.name, **choices}))


def _correction_note(dimension: Dimension, one: CorrectionChoice) -> r.MethodNote:
    who, scale = one.rater, dimension.title or dimension.id
    done = (
        f"Labels of {who} on {scale} were reversed in every number, the highest for the lowest; "
        "the files keep them as they were given"
        if one.labels == "reversed"
        else f"Labels of {who} on {scale} run against those of the others and were left as given"
    )
    return r.MethodNote(
        title=f"Correction: {scale}, {who}",
        text=f"{done}. Reason: {one.reason.rstrip('.')}.",
        signature=str(Signature("correction", 1, {"labels": one.labels})),
    )


def _agreement_note(study: Study) -> r.MethodNote:
    hushed = hushes_packages(study.config)
    alphas = [alpha_of(each) for each in study.rubric.dimensions if each.joinable]
    icc = ["icc"] if {*alphas} - {"krippendorff"} else []
    named = [*study.config.rules.agreement, *alphas, *icc]
    declarations = [find_coefficient(name, hushed=hushed)[0].declared for name in named]
    sources = dict.fromkeys(
        f"{declaration.title}: {declaration.source}" for declaration in declarations
    )
    read = f"Agreement is over answers rated twice or more, before adjudication. {RULE[:-1]}"
    text = "; ".join(sources)
    if study.config.rules.descriptive:
        return r.MethodNote(
            title="Agreement",
            text=f"{read}. Sources: {text}.",
            signature=str(Signature("agreement", 1, {})),
        )
    return r.MethodNote(
        title="Agreement",
        text=f"{read}. Intervals resample cases: percentile bootstrap; on two labels, and where "
        "all but one are rare, a Bayesian bootstrap (Dirichlet posterior; Rubin 1981, "
        "doi:10.1214/aos/1176345338) with half an answer for each count of raters who give "
        f"a label. Sources: {text}.",
        signature=_run_signature(study, "agreement"),
    )


def _descriptive_note() -> r.MethodNote:
    return r.MethodNote(
        title="Descriptive only",
        text="Like the protocol, this report describes only: mean ± standard deviation (n - 1) for "
        "numbers and ordered labels, shares for words, kappa for agreement; no interval, no test, "
        "no ranking.",
        signature=str(Signature("summary", 1, {})),
    )


def _drawn(study: Study) -> str:
    """Say how the cases were drawn, or of which cases alone the report can speak."""
    if drawn := study.config.ranking.drawn:
        return f"How the cases were drawn: {stopped(drawn)}"
    return (
        "study.toml does not say how cases were drawn ([ranking] drawn), so intervals are for "
        "these cases drawn again."
    )


def _ranking_note(study: Study) -> r.MethodNote:
    return r.MethodNote(
        title="Leaderboard",
        text=f"Systems are compared on {ranking_rule(study)}. Means have t intervals over cases, "
        "on a consensus's scale Wilson's with the effective number of independent cases. "
        "Pairs are compared on shared cases by a sign-flip test, p adjusted over all pairs "
        "of a column (largest statistic; from 46 systems on, Holm). Ranges of ranks are "
        f"{_rank_ranges(study)}. {_drawn(study)}",
        signature=_run_signature(study, "leaderboard"),
    )


def _rank_ranges(study: Study) -> str:
    resampled = "the central 95% of bootstrap resamples of the cases"
    if len(study.systems) < AT_ONCE_FROM:
        return resampled
    return (
        "what these tests leave open, so that all of a board hold at once (Mogstad and others "
        f"2024, doi:10.1093/restud/rdad006); on a board of fewer than twelve systems, {resampled}"
    )


def _validity_note(study: Study) -> r.MethodNote:
    families = " Systems of one family are drawn together." if study.families else ""
    kind = "bias-corrected" if len(study.systems) < FEW_SYSTEMS else "basic"
    return r.MethodNote(
        title="Which metrics agree with the raters",
        text="Kendall's tau-b between the system means of a metric and of the consensus. p: "
        "two-sided over all orders of the systems (up to nine enumerated; above, counted, "
        "or 100,000 random orders if there are ties). Intervals: for these systems on new "
        "cases, tau between their true means, drawn given those observed; for new systems, "
        f"on these cases and on new cases, {kind} bootstrap.{families} Holm adjusts p over "
        "the metrics of a dimension (sentences, trust table) and over all metrics and "
        "dimensions of a consensus (uses of a metric). Controls are never recommended.",
        signature=_run_signature(study, "tau_b"),
    )


def _run_signature(study: Study, name: str) -> str:
    run = study.config.run
    return str(Signature(name, 1, {"seed": str(run.seed), "replicates": str(run.replicates)}))
