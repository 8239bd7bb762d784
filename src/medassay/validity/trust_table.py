"""What the trust table says."""

from typing import Literal

from medassay.marks import DesignName, PValue, Words, record
from medassay.stats import Interval, Reliability
from medassay.validity.more_judgements import MoreJudgements
from medassay.validity.order_test import OrderTest
from medassay.validity.surrogacy import Surrogacy
from medassay.validity.uses import Scope, Use
from medassay.validity.version_pairs import VersionSurrogacy

__all__ = ["Trust", "TrustEntry"]


@record(infers=True)
class TrustEntry:
    """One metric, or one sentinel, on one dimension.

    Attributes:
        metric: Its name.
        role: `metric`, or `sentinel`: known to know nothing of what an answer says.
        tau: Kendall's tau-b of the system means; None where undefined.
        interval: Over new systems and new cases, holding for all metrics of the table at once.
        p: Two-sided permutation p of tau.
        p_adjusted: After Holm over the primary metrics of the table; None for the others.
        p_fdr: After Benjamini and Hochberg over the same.
        p_best: Share of the resamples in which it has the highest tau of all metrics.
        within: Mean tau-b within cases; None where undefined.
        within_interval: Over new cases, holding for all metrics at once.
        beaten_by: Sentinels that do as well as it.
        uses: What it may be used for; `exploratory` where the study was not made to test it.
        why: Why so, and no more, of ranking and screening.
        why_gate: Why it may gate between systems or not.
        order: Whether the order stands without any two systems, and what a tau must exceed to
            rank; none for a sentinel.
        surrogacy: What a difference in it foretells of the raters'; none for a sentinel.
        more: What would change that; None for a sentinel, which nothing would.
        n_systems: Systems with an answer that both know.
        n_cases: Cases with one.
        n_answers: Answers that both know.
        adjusted: Whether the means are adjusted by case, since not every system has every case.
        reason: Why there is no tau or no interval; empty where there are both.
        scopes: What it may gate: `between systems`, `between versions`, both or neither.
        versions: What a change in it between versions of one system foretells of the raters'; none
            for a sentinel.
        why_versions: Why it may gate between versions or not.
    """

    metric: DesignName
    role: Literal["metric", "sentinel"]
    tau: float | None
    interval: Interval | None
    p: PValue | None
    p_adjusted: PValue | None
    p_fdr: PValue | None
    p_best: float | None
    within: float | None
    within_interval: Interval | None
    beaten_by: tuple[DesignName, ...]
    uses: tuple[Use, ...]
    why: Words
    why_gate: Words
    order: OrderTest | None
    surrogacy: Surrogacy | None
    more: MoreJudgements | None
    n_systems: int
    n_cases: int
    n_answers: int
    adjusted: bool = False
    reason: Words = ""
    scopes: tuple[Scope, ...] = ()
    versions: VersionSurrogacy | None = None
    why_versions: Words = ""


@record(infers=True)
class Trust:
    """All metrics on one dimension, the highest tau first, then the sentinels.

    Attributes:
        consensus: What they are held against.
        entries: Metrics, then sentinels.
        noise: The tau that the best of as many random metrics stays below in 95 % of draws; None
            where the raters' means do not differ.
        each_level: The level at which each interval was taken, so that all hold at `level`.
        level: Of all intervals together.
        reliability: Of the raters' means.
    """

    consensus: DesignName
    entries: tuple[TrustEntry, ...]
    noise: float | None
    each_level: float
    level: float
    reliability: Reliability
