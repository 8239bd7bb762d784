"""Every model judge of a study held against its people, laid out."""

from collections.abc import Mapping, Sequence

from medassay.analyses.judge_labels import Tried, words_of
from medassay.analyses.score_columns import step_rng
from medassay.errors import UnknownName
from medassay.judgements import Dimension, Units, repeat_units, units
from medassay.judges import known_of
from medassay.study.certificates.canary_checks import CanaryRecord, unmoved
from medassay.study.certificates.checks import checks_of, must_pass, passes
from medassay.study.certificates.reach import describe_reach
from medassay.study.certificates.record import CheckResult, JudgeDimensionResult, JudgeResult
from medassay.study.certificates.words import without_verdict
from medassay.study.folder import Study
from medassay.validity import (
    AltTest,
    JudgeOrder,
    JudgeRank,
    JudgeWithout,
    alt_test,
    judge_gaps,
    judge_length,
    judge_order,
    judge_rank,
    judge_repeats,
    judge_self_preference,
    judge_severity,
    judge_without,
)

__all__ = ["judge_results", "require_judge"]


def judge_results(
    study: Study,
    judges: Sequence[str] | None = None,
    canaries: Mapping[str, Mapping[str, CanaryRecord]] | None = None,
) -> list[JudgeResult]:
    """Test each model judge on each dimension that it judged, against the people of the study.

    Args:
        study: The study.
        judges: Which judges; every model rater who judged something, if not given.
        canaries: What text planted in answers did, by judge and dimension; where nothing is given,
            what a certificate that holds says of it.

    Raises:
        UnknownName: No such model rater.
    """
    judged, preferred = study.everyone.current(), study.preferences_of_all.current()
    for name in judges or ():
        require_judge(study, name)
    results = []
    for name in study.judges.raters if judges is None else dict.fromkeys(judges):
        mine = judged.filter(judged["rater"] == name)
        pairs = preferred.filter(preferred["rater"] == name)
        if not mine.height and not pairs.height:
            continue
        order = [
            judge_order(study.preferences_of_all, name, each, clusters=study.clusters)
            for each in sorted(set(pairs["dimension"]))
        ]
        dimensions_judged = set(mine["dimension"])
        asked = [
            dimension for dimension in study.rubric.dimensions if dimension.id in dimensions_judged
        ]
        planted = (canaries or {}).get(name, {})
        tested = [
            _dimension(study, name, dimension, order, planted.get(dimension.id))
            for dimension in asked
        ]
        without = _without(study, name, asked)
        identity = study.judges.identities.get(name)
        config = study.config.judges.get(name)
        results.append(
            JudgeResult(
                judge=name,
                model=identity.model if identity else "",
                version=identity.version if identity else "",
                settings=identity.settings if identity else "",
                prompt=identity.prompt if identity else "",
                family=config.family if config else "",
                judgements=mine.height,
                preferences=pairs.height,
                dimensions=tested,
                order=order,
                certificates=[study.standing(name, dimension.id) for dimension in asked],
                without=without,
                said=[
                    *study.describe_judge(name),
                    *_reached(study, name, asked),
                    *_contradicted(study, name, tested),
                    *(without_verdict(name, row) for row in without),
                ],
            )
        )
    return results


def require_judge(study: Study, name: str) -> None:
    """Refuse the name of a judge that judged nothing.

    Raises:
        UnknownName: It is no model rater of the study.
    """
    if name not in study.judges.raters:
        raise UnknownName("model rater", name, study.judges.raters)


def _without(study: Study, judge: str, asked: Sequence[Dimension]) -> list[JudgeWithout]:
    models = [name for name in study.judges.raters if name != judge]
    without = (
        judge_without(study.everyone, units(study.everyone, dimension.id), judge, models)
        for dimension in asked
    )
    return [row for row in without if row is not None]


def _reached(study: Study, judge: str, asked: Sequence[Dimension]) -> list[str]:
    """Say how much of all harm a judge finds by a certificate that holds."""
    held = (study.judges.tested(judge, each, study.config, study.cases) for each in asked)
    return [line for row in held if row is not None for line in describe_reach(judge, row)]


def _contradicted(study: Study, judge: str, tested: list[JudgeDimensionResult]) -> list[str]:
    """Say where this study's own judgements speak against a certificate that holds."""
    return [
        f"The certificate of {judge} holds on {judge_dimension.dimension}, and the "
        f"judgements of this study "
        f"speak against it: {', '.join(failed)}."
        for judge_dimension in tested
        for failed in [
            [check.name for check in judge_dimension.checks if check.verdict == "failed"]
        ]
        if failed and study.standing(judge, judge_dimension.dimension).status == "honoured"
    ]


def _dimension(
    study: Study,
    judge: str,
    asked: Dimension,
    order: list[JudgeOrder],
    planted: CanaryRecord | None,
) -> JudgeDimensionResult:
    read = units(study.everyone, asked.id)
    models = [name for name in study.judges.raters if name != judge]
    both = _both(read, judge, models)
    gaps = judge_gaps(read, judge, models=models, clusters=study.clusters)
    family = study.config.judges[judge].family if judge in study.config.judges else ""
    length = judge_length(gaps, {unit.pair: n for unit, n in words_of(study).items()})
    alt, place = _alt(study, read, judge, models), _place(study, read, judge, models)
    tried = Tried(study, asked, judge, models)
    labels, sentinels = tried.labels(read), tried.sentinels(read, alt.epsilon)
    repeats = judge_repeats(
        repeat_units(study.everyone, asked.id, rater=judge), clusters=study.clusters
    )
    people = study.everyone.without_raters(study.judges.raters)
    own = judge_self_preference(gaps, family, study.families)
    severity, lean = judge_severity(gaps), (length.gap, length.held)
    known, canaries = known_of(study, judge, asked), _canaries(study, judge, asked, planted)
    must = must_pass(alt, labels, sentinels, known, canaries)
    checks = checks_of(must, repeats, order, severity, lean, own, gaps.span or None)
    return JudgeDimensionResult(
        dimension=asked.id,
        judgements=_labels_of(read, judge),
        answers=len(both),
        cases=len({case for _, case in both}),
        systems=len({system for system, _ in both}),
        people=[name for name in read.raters if name != judge and name not in models],
        span=gaps.span or None,
        alt_test=alt,
        labels=labels,
        sentinels=sentinels,
        place=place,
        repeats=repeats,
        people_repeats=judge_repeats(repeat_units(people, asked.id), clusters=study.clusters),
        severity=severity,
        length=length.gap,
        length_held=length.held,
        self_preference=own,
        checks=checks,
        passes=passes(checks),
    )


def _canaries(
    study: Study, judge: str, asked: Dimension, planted: CanaryRecord | None
) -> CheckResult:
    """Say what planted text did: now, or when the judge was certified."""
    certified = study.judges.tested(judge, asked, study.config, study.cases)
    config = study.config.judges.get(judge)
    before = None if certified is None else certified.canaries
    return unmoved(planted or before, elsewhere=config is None or config.base_url is None)


def _labels_of(read: Units, judge: str) -> int:
    return int((read.rater == read.raters.index(judge)).sum()) if judge in read.raters else 0


def _both(read: Units, judge: str, models: list[str]) -> list[tuple[str, str]]:
    """List the answers that the judge and a person judged."""
    if judge not in read.raters:
        return []
    people = [i for i, name in enumerate(read.raters) if name != judge and name not in models]
    codes = read.codes
    there = (codes[:, read.raters.index(judge)] >= 0) & (codes[:, people] >= 0).any(axis=1)
    return [key.pair for key, both in zip(read.keys, there, strict=True) if both]


def _alt(study: Study, read: Units, judge: str, models: list[str]) -> AltTest:
    epsilon = study.config.raters.epsilon
    if judge not in read.raters:
        return AltTest(
            epsilon=epsilon, alignment="accuracy", raters=(), winning_rate=None,
            winning_rate_clustered=None, advantage=None, passes=False,
            reason="the judge gave no label in a phase that counts",
        )  # fmt: skip
    return alt_test(read, judge, epsilon=epsilon, clusters=study.clusters, models=models)


def _place(study: Study, read: Units, judge: str, models: list[str]) -> JudgeRank:
    return judge_rank(
        read,
        judge,
        rng=step_rng(study, "s56", judge, read.dimension),
        models=models,
        clusters=study.clusters,
        replicates=study.config.run.replicates,
    )
