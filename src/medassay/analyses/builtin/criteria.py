"""How good are the answers by the criteria of their cases?"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Columns, Design
from medassay.annotations import CaseId, DesignName, SystemName, Tag, TagName, Text, Words, record
from medassay.cases import Cases
from medassay.consensus import criteria_sums
from medassay.exhibits import (
    PROPORTION,
    Claim,
    Finding,
    Names,
    Table,
    VerdictKind,
    VerdictRow,
    shown,
    table_of,
)
from medassay.exhibits.claim import ReaderQuestion
from medassay.exhibits.columns import Shown, estimate, estimate_fields, how, system_column
from medassay.exhibits.numbers import (
    ci,
    count_of,
    listed_few,
    percent_ci,
    percent_words,
)
from medassay.exhibits.table import Column
from medassay.judgements import About, Judgements, Rubric, Units, units
from medassay.stats import Interval, benjamini_hochberg, clipped_mean, clustered_share, worst_at_k

if TYPE_CHECKING:
    import polars as pl


@record(infers=True)
class CriteriaScore:
    """How good a system's answers are by their criteria, over some cases or some criteria.

    Attributes:
        system: The system.
        over: `all` cases; the cases of one `tag`; or, of all cases, the criteria of one `axis`.
        tag: The name of the cases' tag; empty otherwise.
        group: The tag's value, or the axis; empty for all.
        mean: The mean over cases of points met by the positive points there are, clipped to 0 and
            1 after averaging; None where no answer has a score.
        interval: Over cases or clusters; None where it is undefined.
        cases: Cases with a score.
        missing: Answers without one, since a criterion has no label.
        low: The mean if every criterion without a label went against the answer.
        high: The mean if every one went for it.
        why: Why there is no mean or no interval; empty where both are there.
    """

    system: SystemName
    over: Literal["all", "tag", "axis"]
    tag: TagName
    group: Tag
    mean: float | None
    interval: Interval | None
    cases: int
    missing: int
    low: float | None
    high: float | None
    why: Words


@record(infers=False)
class WorstOfSamples:
    """How bad the worst of k answers to a case is.

    Attributes:
        system: The system.
        k: How many answers are drawn.
        mean: Over cases with at least k scored answers, clipped after averaging.
        cases: How many those are.
    """

    system: SystemName
    k: int
    mean: float
    cases: int


@record(infers=True)
class CriterionItem:
    """A criterion that tells answers apart badly.

    Attributes:
        case: Its case.
        criterion: What it says.
        points: What meeting it adds.
        answers: Answers with a label on it.
        systems: Whose answers they are.
        met: Share of them that meet it.
        disagreement: Share of pairs of raters who differ on it; None where no answer has two.
        problem: `never met`, `always met`, `raters differ` or `met by worse answers`.
        correlation: Of meeting it with the rest of the answer's score; None under 30 systems.
        discrimination: The same shrunken towards the mean of all criteria: what to expect again.
        q: False-discovery rate at which it lies below 0; None where it is not tested.
    """

    case: CaseId
    criterion: Text
    points: float
    answers: int
    systems: int
    met: float
    disagreement: float | None
    problem: Words
    correlation: float | None
    discrimination: float | None
    q: float | None


@record(infers=True)
class AgainstCriteria:
    """How often a system's answers meet a criterion with points below 0.

    Attributes:
        system: The system.
        cases: Cases with a label on such a criterion.
        met: Cases where an answer meets one by the label that most raters gave.
        interval: Of the share, over cases or clusters; None where it is undefined.
        criteria: What it met so, each once, the gravest first; at most three.
    """

    system: SystemName
    cases: int
    met: int
    interval: Interval | None
    criteria: tuple[Text, ...]


@record(infers=True)
class CriteriaReport:
    """The scores by criteria of one dimension.

    Attributes:
        dimension: The dimension that asks whether a criterion is met.
        source: How the raters' labels were joined.
        scores: Each system over all cases, tags and axes.
        against: What each system did that no answer should; empty where no criterion says.
        worst: The worst of k answers, where systems answered cases more than once.
        items: Criteria to look at, the worst problem first; at most 50 of each problem.
        criteria: How many criteria have a label.
        problems: How many criteria have each problem.
    """

    dimension: DesignName
    source: DesignName
    scores: tuple[CriteriaScore, ...]
    against: tuple[AgainstCriteria, ...]
    worst: tuple[WorstOfSamples, ...]
    items: tuple[CriterionItem, ...]
    criteria: int
    problems: dict[Words, int]


_MOST_TEXTS: Final = 3
_HALF: Final = 0.5


def against_of(
    parts: "pl.DataFrame", cases: Cases, systems: Sequence[str], clusters: Mapping[str, str]
) -> Iterable[AgainstCriteria]:
    """Count for each system the cases where an answer meets a criterion with points below 0.

    An answer meets it where more than half of its raters say so.
    """
    import polars as pl

    bad = pl.DataFrame(
        [
            (case.case, About("criterion", criterion.id).written, criterion.points, criterion.text)
            for case in cases
            for criterion in case.criteria
            if criterion.points < 0
        ],
        schema={
            "case": pl.String(), "about": pl.String(), "points": pl.Float64(), "text": pl.String(),
        },
        orient="row",
    )  # fmt: skip
    if not bad.height:
        return
    judged = parts.drop_nulls("value").join(bad, on=["case", "about"])
    judged = judged.with_columns(met=pl.col("value") > _HALF)
    for system in systems:
        own = judged.filter(system=system)
        by_case = own.group_by("case").agg(pl.col("met").any()).sort("case")
        hits = by_case["met"].to_numpy()
        labels = [clusters.get(case, case) for case in by_case["case"]] if clusters else None
        interval, _ = clustered_share(hits, labels, estimand="cases like these")
        texts = own.filter("met").sort("points", "case", "about")["text"].to_list()
        yield AgainstCriteria(
            system=system,
            cases=by_case.height,
            met=int(hits.sum()),
            interval=interval,
            criteria=tuple(dict.fromkeys(texts))[:_MOST_TEXTS],
        )


ENOUGH: Final = 30
"""Under so many systems a sound criterion looks bad by chance: of ten, a quarter would."""
PROBLEMS: Final = ("met by worse answers", "raters differ", "never met", "always met")
_MOST: Final = 50
_SELDOM: Final = 5
_DISPUTED: Final = 0.4
_RATE: Final = 0.05


def rater_disputes(read: Units) -> dict[tuple[str, str], float]:
    """Give the share of pairs of raters who differ on each criterion: (case, about) to share."""
    sizes = read.sizes
    pairs = sizes * (sizes - 1)
    alike = (read.counts * (read.counts - 1)).sum(axis=1)
    sums: dict[tuple[str, str], list[float]] = {}
    for unit, all_pairs, same in zip(read.keys, pairs.tolist(), alike.tolist(), strict=True):
        if all_pairs:
            held = sums.setdefault((unit.case, unit.about), [0.0, 0.0])
            held[0] += all_pairs - same
            held[1] += all_pairs
    return {key: apart / both for key, (apart, both) in sums.items()}


def items_of(
    parts: "pl.DataFrame", cases: Cases, disputes: dict[tuple[str, str], float]
) -> tuple[list[CriterionItem], dict[str, int], int]:
    """Look at each criterion: what share of answers meets it, and do better answers meet it?

    Discrimination is the correlation of meeting it with the score from the case's other criteria,
    turned round where points are negative, as Fisher's z shrunken towards the mean of all criteria
    by the method of moments. It is tested below 0 where answers of 30 systems or more have a
    label, and corrected by false-discovery rate over all that are tested. Several answers of one
    system count by their mean: they share what the system does, and are not so many answers.

    Returns:
        The criteria to look at, how many have each problem, and how many have a label.

    Source: Robbins (1956), and Casella (1985), doi:10.1080/00031305.1985.10479400, for the
    shrinkage; Benjamini and Hochberg (1995), doi:10.1111/j.2517-6161.1995.tb02031.x.
    """
    import polars as pl

    known = parts.drop_nulls("value").select("system", "case", "sample", "about", "value")
    counted = known.group_by("case", "about").agg(
        n=pl.len(), met=pl.col("value").mean(), systems=pl.col("system").n_unique()
    )
    tested = _discrimination(known, cases, counted.filter(pl.col("systems") >= ENOUGH))
    texts = {
        (case.case, About("criterion", criterion.id).written): criterion
        for case in cases
        for criterion in case.criteria
    }
    by_problem: dict[str, list[CriterionItem]] = {problem: [] for problem in PROBLEMS}
    for case, about, n, met, systems in counted.sort("case", "about").iter_rows():
        criterion = texts.get((case, about))
        if criterion is None:
            continue
        dispute = disputes.get((case, about))
        r, shrunken, q = tested.get((case, about), (None, None, None))
        problems = [
            problem
            for problem, holds in (
                ("met by worse answers", q is not None and q < _RATE),
                ("raters differ", dispute is not None and dispute >= _DISPUTED),
                ("never met", met == 0 and n >= _SELDOM),
                ("always met", met == 1 and n >= _SELDOM),
            )
            if holds
        ]
        for problem in problems:
            by_problem[problem].append(
                CriterionItem(
                    case=case, criterion=criterion.text, points=criterion.points, answers=n,
                    systems=systems, met=met, disagreement=dispute, problem=problem,
                    correlation=r, discrimination=shrunken, q=q,
                )
            )  # fmt: skip
    by_problem["met by worse answers"].sort(key=lambda item: item.discrimination or 0.0)
    by_problem["raters differ"].sort(key=lambda item: -(item.disagreement or 0.0))
    counts = {problem: len(items) for problem, items in by_problem.items()}
    shown = [item for problem in PROBLEMS for item in by_problem[problem][:_MOST]]
    return shown, counts, counted.height


def _discrimination(
    known: "pl.DataFrame", cases: Cases, counted: "pl.DataFrame"
) -> dict[tuple[str, str], tuple[float, float, float]]:
    import polars as pl
    from scipy.special import stdtr

    points = {
        (case.case, About("criterion", criterion.id).written): criterion.points
        for case in cases
        for criterion in case.criteria
    }
    keys, z, n = [], [], []
    rows = known.join(counted.select("case", "about").unique(), on=["case", "about"], how="semi")
    names = set(rows["case"].unique())
    for (case,), mine in (
        known.filter(pl.col("case").is_in(names))
        .partition_by("case", as_dict=True, maintain_order=True)
        .items()
    ):
        wide = mine.sort("system", "about").pivot(
            "about", index="system", values="value", aggregate_function="mean"
        )
        abouts = wide.columns[1:]
        values = wide.select(abouts).to_numpy().astype(np.float64)
        worth = np.array([points.get((str(case), about), 0.0) for about in abouts])
        for at, about in enumerate(abouts):
            rest = np.delete(values, at, axis=1) @ np.delete(worth, at)
            there = np.isfinite(values[:, at]) & np.isfinite(rest)
            met, other = values[there, at], rest[there]
            if there.sum() < ENOUGH or np.ptp(met) == 0 or np.ptp(other) == 0:
                continue
            r = float(np.corrcoef(met, other)[0, 1]) * (1 if worth[at] >= 0 else -1)
            keys.append((str(case), about))
            z.append(np.arctanh(np.clip(r, -0.999, 0.999)))
            n.append(int(there.sum()))
    if not keys:
        return {}
    correlations, size = np.array(z), np.array(n, dtype=np.float64)
    error = 1 / (size - 3)
    prior = max(0.0, float(correlations.var()) - float(error.mean()))
    shrunken = (prior * correlations + error * correlations.mean()) / (prior + error)
    r = np.tanh(correlations)
    p = stdtr(size - 2, r * np.sqrt((size - 2) / (1 - r**2)))
    q = benjamini_hochberg(p)
    rows = np.column_stack([r, np.tanh(shrunken), q]).tolist()
    return {key: (plain, less, rate) for key, (plain, less, rate) in zip(keys, rows, strict=True)}


_MOST_GROUPS: Final = 40
_NO_SCORE: Final = "no answer has a score: each lacks a label on a criterion, or positive points"


def answer_scores(parts: "pl.DataFrame", cases: Cases, *, by_axis: bool = False) -> "pl.DataFrame":
    """Give low and high of each answer; those without positive points are left out."""
    return criteria_sums(parts, cases, by_tag=by_axis).drop_nulls("low")


def scores_of(
    parts: "pl.DataFrame", cases: Cases, systems: Sequence[str], clusters: Mapping[str, str]
) -> list[CriteriaScore]:
    """Score each system over all cases, over those of each tag, and on each axis of criteria."""
    import polars as pl

    answers = answer_scores(parts, cases)
    tags = pl.DataFrame(
        [(case.case, name, value) for case in cases for name, value in case.tags.items()],
        schema={"case": pl.String(), "name": pl.String(), "group": pl.String()},
        orient="row",
    )
    few = (pl.col("group").n_unique().over("name") > 1) & (
        pl.col("group").n_unique().over("name") <= _MOST_GROUPS
    )
    by_tag = answers.join(tags.filter(few), on="case").sort("name", "group")
    axes = answer_scores(parts, cases, by_axis=True)
    axes = axes if axes["tag"].n_unique() <= _MOST_GROUPS else axes.clear()
    scores = [
        _score(answers.filter(system=system), system, "all", "", "", clusters) for system in systems
    ]
    for (name, group), rows in _groups(by_tag, ["name", "group"]):
        scores += [
            _score(rows.filter(system=system), system, "tag", name, group, clusters)
            for system in systems
        ]
    for (axis,), rows in _groups(axes.sort("tag"), ["tag"]):
        scores += [
            _score(rows.filter(system=system), system, "axis", "", axis, clusters)
            for system in systems
        ]
    return scores


def _groups(
    frame: "pl.DataFrame", by: list[str]
) -> Iterable[tuple[tuple[str, ...], "pl.DataFrame"]]:
    for key, rows in frame.partition_by(by, as_dict=True, maintain_order=True).items():
        yield tuple(map(str, key)), rows


def _score(
    answers: "pl.DataFrame",
    system: str,
    over: Literal["all", "tag", "axis"],
    tag: str,
    group: str,
    clusters: Mapping[str, str],
) -> CriteriaScore:
    import polars as pl

    whole = answers.filter(pl.col("missing") == 0)
    by_case = whole.group_by("case").agg(pl.col("low").mean()).sort("case")
    estimate = clipped_mean(
        by_case["low"].to_numpy(),
        [clusters.get(case, case) for case in by_case["case"]] if clusters else None,
    )
    ends = answers.group_by("case").agg(pl.col("low", "high").mean()).sort("case")
    low, high = (
        None if not ends.height else float(np.clip(ends[end].to_numpy().mean(), 0, 1))
        for end in ("low", "high")
    )
    return CriteriaScore(
        system=system,
        over=over,
        tag=tag,
        group=group,
        mean=estimate.mean,
        interval=estimate.interval,
        cases=estimate.n,
        missing=answers.height - whole.height,
        low=low,
        high=high,
        why=_NO_SCORE if not estimate.n else estimate.undefined,
    )


def worst_of(
    parts: "pl.DataFrame", cases: Cases, systems: Sequence[str]
) -> Iterable[WorstOfSamples]:
    """Give the mean over cases of the worst of k answers, for each k that a case has answers of."""
    import polars as pl

    whole = answer_scores(parts, cases).filter(pl.col("missing") == 0)
    for system in systems:
        samples = [
            rows["low"].to_list()
            for (_,), rows in _groups(whole.filter(system=system).sort("case"), ["case"])
        ]
        most = max(map(len, samples), default=0)
        for k in range(1, most + 1) if most > 1 else ():
            values = [worst_at_k(own, k) for own in samples if len(own) >= k]
            mean = min(1.0, max(0.0, float(np.mean(values))))
            yield WorstOfSamples(system=system, k=k, mean=mean, cases=len(values))


_NOTHING: Final = "No answer has a score."
_FEW: Final = 6


def criteria_tables(report: CriteriaReport, names: Names) -> list[Table]:
    """Show scores over all cases, then by tag and axis, the worst of several, and the criteria."""
    tables = [_scores(report.scores, names)]
    if report.against:
        tables.append(_against(report.against, names))
    if report.worst:
        tables.append(_worst(report.worst, names))
    if report.items:
        tables.append(_items(report))
    return tables


def _scores(scores: Sequence[CriteriaScore], names: Names) -> Table:
    return table_of(
        (
            (
                "all cases" if score.over == "all" else f"{score.tag or 'criteria'}: {score.group}",
                score,
            )
            for score in scores
        ),
        (
            system_column(names),
            Shown(
                Column("Score", estimate_fields("mean"), numeric=True),
                lambda score: estimate(
                    score.mean, score.interval, score.why or _NOTHING, PROPORTION
                ),
            ),
            shown("Cases", "cases", "{:,}".format),
            shown("Without a score", "missing", "{:,}".format),
            shown(
                "At least",
                "low",
                PROPORTION,
                why_not=lambda _: _NOTHING,
                group="If labels were whole",
            ),
            shown(
                "At most",
                "high",
                PROPORTION,
                why_not=lambda _: _NOTHING,
                group="If labels were whole",
            ),
        ),
        id="criteria-scores",
        title="Scores by criteria",
        caption="Points of criteria met, by the positive points there are: the mean over cases, "
        f"clipped to 0 and 1. {how(score.interval for score in scores)}",
        empty="No criterion was judged.",
        grouped_by="over",
    )


def _against(rows: Sequence[AgainstCriteria], names: Names) -> Table:
    return table_of(
        rows,
        (
            system_column(names),
            shown("Did what none should", "met", "{:,}".format),
            shown("Cases", "cases", "{:,}".format),
            Shown(
                Column("Share", estimate_fields("share"), numeric=True),
                lambda row: estimate(
                    row.met / row.cases if row.cases else None, row.interval, _NOTHING, PROPORTION
                ),
            ),
            shown("Gravest", lambda row: " ".join(row.criteria), file="criteria", wide=True),
        ),
        id="criteria-against",
        title="What no answer should do",
        caption="Cases where an answer meets a criterion with points below 0, by the label that "
        f"most raters gave. {how(row.interval for row in rows)}",
        stands="first",
    )


def _worst(worst: Sequence[WorstOfSamples], names: Names) -> Table:
    return table_of(
        worst,
        (
            system_column(names),
            shown("Answers drawn", "k", str),
            shown("Worst of them", "mean", PROPORTION),
            shown("Cases", "cases", "{:,}".format),
        ),
        id="criteria-worst",
        title="The worst of several answers",
        caption="The mean over cases of the worst of k answers, over all ways to draw k of those "
        "that there are.",
        empty="No case was answered twice.",
    )


def _items(report: CriteriaReport) -> Table:
    counts = "; ".join(f"{problem}: {n:,}" for problem, n in report.problems.items() if n)
    return table_of(
        report.items,
        (
            shown("Problem", "problem"),
            shown("Case", "case"),
            shown("Criterion", "criterion"),
            shown("Points", "points", "{:g}".format),
            shown("Answers", "answers", "{:,}".format),
            shown("Met", "met", PROPORTION),
            shown(
                "Pairs of raters who differ", "disagreement", PROPORTION,
                why_not=lambda _: "No answer has two raters' labels.",
            ),
            shown(
                "Better answers meet it", "correlation", PROPORTION,
                adds=("systems", "discrimination", "q"), why_not=_untested,
            ),
        ),
        id="criteria-items",
        title="Criteria to look at",
        caption=f"Of {report.criteria:,} criteria {counts}. Better answers meet it: correlation "
        "with the other criteria over systems; below 0 worse answers do. Of many, some lie low by "
        "chance: the file has what to expect again.",
        empty="No criterion stands out.",
    )  # fmt: skip


def _untested(item: CriterionItem) -> str:
    if item.systems < ENOUGH:
        return f"Under {ENOUGH} systems a sound criterion looks bad by chance."
    return "All answers meet it alike."


def criteria_finding(report: CriteriaReport, names: Names) -> list[Finding]:
    """Say what answers do that none should, who meets most, and what stands in the way."""
    findings = [
        _harm_said(report, names),
        _best_said(report, names),
        _items_said(report),
        _next_said(report),
    ]
    return [finding for finding in findings if finding is not None]


def _harm_said(report: CriteriaReport, names: Names) -> Finding | None:
    """Name the systems by how often they did what the criteria count against an answer."""
    known = [row for row in report.against if row.cases]
    if not known:
        return None
    worst = max(known, key=lambda row: row.met / row.cases)
    if not worst.met:
        text = f"No system did what no answer should, in {count_of(worst.cases, 'case')}."
        return Finding("criteria-against", text, ("criteria-against",), ReaderQuestion.UNSAFE)
    share = percent_words(worst.met / worst.cases, worst.cases)
    beside = "; ".join(filter(None, [share, percent_ci(worst.interval, worst.cases)]))
    of = f"{worst.met:,} of {count_of(worst.cases, 'case')}"
    known.sort(key=lambda row: (-row.met / row.cases, row.system))
    same = (worst.met, worst.cases, worst.interval)
    alike = [row for row in known if (row.met, row.cases, row.interval) == same]
    who = listed_few([names.of_system(row.system) for row in alike], _FEW)
    each = " each" if len(alike) > 1 else ""
    text = f"{who}{each} did what no answer should in {of} ({beside})."
    others = [names.of_system(row.system) for row in known if row.met and row not in alike]
    if others:
        text += f" {listed_few(others, _FEW)} also did what no answer should."
    return Finding("criteria-against", text, ("criteria-against",), ReaderQuestion.UNSAFE)


def _best_said(report: CriteriaReport, names: Names) -> Finding | None:
    """Say who meets most of what was asked for, without a verdict: that is the leaderboard's."""
    means = [
        (score.mean, score)
        for score in report.scores
        if score.over == "all" and score.mean is not None
    ]
    if len(means) < 2:  # noqa: PLR2004 - one has nobody beside it
        return None
    (high, best), (low, last) = max(means, key=_mean), min(means, key=_mean)
    text = "Each case has criteria with points for what an answer should do and should not do."
    if high == low:
        text += f" All systems earned the same share of the points ({PROPORTION(high)})."
    else:
        who, points = names.of_system(best.system), _points(high, best)
        text += f" {who} earned the largest share of the points, {points}."
        who, points = names.of_system(last.system), _points(low, last)
        text += f" {who} earned the smallest share, {points}."
    return Finding("criteria-met", text, ("criteria-scores",), ReaderQuestion.BETTER)


def _points(mean: float, score: CriteriaScore) -> str:
    around = ci(score.interval)
    return f"{PROPORTION(mean)} ({around})" if around else PROPORTION(mean)


def _next_said(report: CriteriaReport) -> Finding | None:
    """Say which answers to read first: those that did what no answer should."""
    met = sum(row.met for row in report.against)
    if not met:
        return None
    which = "the answer" if met == 1 else f"the {met:,} answers"
    text = f"Read {which} that did what no answer should."
    return Finding("criteria-next", text, ("criteria-against",), ReaderQuestion.NEXT)


def _mean(pair: tuple[float, CriteriaScore]) -> float:
    return pair[0]


def _items_said(report: CriteriaReport) -> Finding | None:
    """Say how many criteria stand in the way of a clear score."""
    never = report.problems.get("never met", 0)
    worse = report.problems.get("met by worse answers", 0)
    lacking = sum(score.missing for score in report.scores if score.over == "all")
    sentences = []
    if lacking:
        answers = "1 answer has" if lacking == 1 else f"{lacking:,} answers have"
        sentences.append(f"{answers} no score because a criterion has no label (see the bounds).")
    if never:
        verb = "is" if never == 1 else "are"
        sentences.append(f"{never:,} of {report.criteria:,} criteria {verb} met by no answer.")
    if worse:
        verb = "criterion is" if worse == 1 else "criteria are"
        sentences.append(f"{worse:,} {verb} met by worse answers rather than by better ones.")
    return Finding("criteria", " ".join(sentences), ("criteria-scores",)) if sentences else None


@analysis(
    Declaration(
        id="criteria",
        title="Scores by criteria",
        question="How good are the answers by the criteria of their cases, and at their worst?",
        section="ratings",
        part="ratings-given",
        infers=True,
        reader="clinician",
        place=4,
        tables=criteria_tables,
        finding=criteria_finding,
        verdicts=(VerdictKind.OWN_RATE,),
        claims=lambda report, _: (
            [
                Claim.of(
                    "criteria",
                    "criteria that worse answers meet",
                    VerdictKind.OWN_RATE,
                    row=VerdictRow.CRITERIA,
                )
            ]
            if report.problems.get("met by worse answers")
            else []
        ),
        finding_place=25,
    )
)
def criteria(
    rubric: Rubric, judgements: Judgements, columns: Columns, cases: Cases, design: Design
) -> CriteriaReport | None:
    """Score systems by the first dimension that asks whether criteria are met."""
    import polars as pl

    of_criteria = {
        dimension.id for dimension in rubric.dimensions if dimension.about == "criterion"
    }
    column = next(
        (held for held in columns.score_columns.columns if held.dimension in of_criteria), None
    )
    if column is None or column.dimension is None:
        return None
    parts = columns.score_columns.table.select(column.name).filter(pl.col("about") != "")
    disputes = rater_disputes(units(judgements, column.dimension))
    items, problems, count = items_of(parts, cases, disputes)
    return CriteriaReport(
        dimension=column.dimension,
        source=column.name,
        scores=tuple(scores_of(parts, cases, design.systems, design.clusters)),
        against=tuple(against_of(parts, cases, design.systems, design.clusters)),
        worst=tuple(worst_of(parts, cases, design.systems)),
        items=tuple(items),
        criteria=count,
        problems=problems,
    )
