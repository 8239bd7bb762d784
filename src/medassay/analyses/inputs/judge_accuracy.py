"""Every model judge of a study held against its people, and two judges beside each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from medassay.analyses.inputs.answer_draw import latest_draw
from medassay.analyses.inputs.study_columns import step_rng
from medassay.errors import UnknownName
from medassay.exhibits import Table, shown, table_of
from medassay.exhibits.columns import Shown, counted, estimated
from medassay.judgements import (
    HARM_READINGS,
    Dimension,
    Units,
    preference_units,
    repeat_units,
    units,
)
from medassay.judges import known_of
from medassay.progress import told
from medassay.scores import Unit
from medassay.study.certificates.certificate import describe_reach, without_verdict
from medassay.study.certificates.checks import (
    CanaryRecord,
    CheckResult,
    ControlResult,
    JudgeDimensionResult,
    JudgeResult,
    checks_of,
    control_result,
    must_pass,
    passes,
    unmoved,
)
from medassay.study.folder import Study
from medassay.text import count_words
from medassay.validity import (
    AltTest,
    JudgeLabel,
    JudgeOrder,
    JudgePair,
    JudgeRank,
    JudgeWithout,
    alt_test,
    control_judges,
    even_cut,
    judge_gaps,
    judge_label,
    judge_length,
    judge_order,
    judge_pair,
    judge_rank,
    judge_repeats,
    judge_self_preference,
    judge_severity,
    judge_without,
)


@dataclass(frozen=True)
class Tried:
    """A judge, and those who take its place, on one dimension of a study.

    Attributes:
        study: The study.
        dimension: The dimension.
        judge: The judge.
        models: Other model raters: no people.
    """

    study: Study
    dimension: Dimension
    judge: str
    models: list[str]

    def labels(self, read: Units) -> list[JudgeLabel]:
        """Hold the judge against people on each label that matters, the widest first."""
        weights = _weights(self.study, read)
        return [
            judge_label(
                read, self.judge, name, labels, of_harm=of_harm, models=self.models,
                clusters=self.study.clusters, weights=weights,
            )
            for name, labels, of_harm in self._readings(read)
        ]  # fmt: skip

    def controls(self, read: Units, epsilon: float) -> list[ControlResult]:
        """Put each control in the judge's place, through the tests that a judge must pass."""
        readings = self._readings(read)
        if not readings:
            return []
        made = control_judges(
            read,
            self.judge,
            readings[0][1],
            rng=step_rng(self.study, "s58", self.judge, read.dimension),
            words=self._lengths(read),
            models=self.models,
        )
        return [
            control_result(
                name,
                alt_test(
                    of, self.judge, epsilon=epsilon, clusters=self.study.clusters,
                    models=self.models,
                ),
                self.labels(of),
            )
            for name, of in made.items()
        ]  # fmt: skip

    def _lengths(self, read: Units) -> dict[Unit, int]:
        """Give the words of every answer; of none where one that was rated is not held."""
        unread = {answer.key[:2] for answer in self.study.answers if not answer.held}
        some = unread and any(key.pair in unread for key in read.keys)
        return {} if some else words_of(self.study)

    def _readings(self, read: Units) -> list[tuple[str, tuple[str, ...], bool]]:
        mappings = self.dimension.mappings
        harm: list[tuple[str, tuple[str, ...], bool]] = [
            (
                reading,
                tuple(label for label, text in mappings[reading].items() if text == reading),
                True,
            )
            for reading in reversed(HARM_READINGS)
            if reading in mappings
        ]
        if harm:
            return harm
        cut = even_cut(read, self.judge, better=self.dimension.better, models=self.models)
        return [] if cut is None else [(*cut, False)]


def words_of(study: Study) -> dict[Unit, int]:
    """Count the words of every answer whose text is held."""
    return {
        Unit(answer.system, answer.case): count_words(answer.text or "")
        for answer in study.answers
        if answer.held
    }


def _weights(study: Study, read: Units) -> dict[Unit, float] | None:
    """Give one over the chance of each answer; answers judged since without being drawn have none.

    Answers judged before a draw are known whatever the chance, and count once.
    """
    chances = latest_draw(study)
    if not any(key.pair in chances for key in read.keys):
        return None
    return {
        key: 1.0 if key.pair not in chances else 1 / chances[key.pair].chance
        for key in read.keys
        if key.pair not in chances or chances[key.pair].drawn
    }


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
    names = list(study.judges.raters if judges is None else dict.fromkeys(judges))
    for name in told("judges", names):
        mine = judged.filter(judged["rater"] == name)
        pairs = preferred.filter(preferred["rater"] == name)
        if not mine.height and not pairs.height:
            continue
        order = [
            judge_order(study.preferences_of_all, name, each, clusters=study.clusters)
            for each in sorted(set(pairs["dimension"]))
        ]
        dimensions_judged = set(mine["dimension"])
        dimensions = [
            dimension for dimension in study.rubric.dimensions if dimension.id in dimensions_judged
        ]
        planted = (canaries or {}).get(name, {})
        tested = [
            _dimension(study, name, dimension, order, planted.get(dimension.id))
            for dimension in dimensions
        ]
        without = _without(study, name, dimensions)
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
                certificates=[study.standing(name, dimension.id) for dimension in dimensions],
                without=without,
                said=[
                    *study.describe_judge(name),
                    *_reached(study, name, dimensions),
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


def _without(study: Study, judge: str, dimensions: Sequence[Dimension]) -> list[JudgeWithout]:
    models = [name for name in study.judges.raters if name != judge]
    without = (
        judge_without(study.everyone, units(study.everyone, dimension.id), judge, models)
        for dimension in dimensions
    )
    return [row for row in without if row is not None]


def _reached(study: Study, judge: str, dimensions: Sequence[Dimension]) -> list[str]:
    """Say how much of all harm a judge finds by a certificate that holds."""
    held = (study.judges.tested(judge, each, study.config, study.cases) for each in dimensions)
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
    dimension: Dimension,
    order: list[JudgeOrder],
    planted: CanaryRecord | None,
) -> JudgeDimensionResult:
    read = units(study.everyone, dimension.id)
    models = [name for name in study.judges.raters if name != judge]
    both = _both(read, judge, models)
    gaps = judge_gaps(read, judge, models=models, clusters=study.clusters)
    family = study.config.judges[judge].family if judge in study.config.judges else ""
    length = judge_length(gaps, {unit.pair: n for unit, n in words_of(study).items()})
    alt, place = _alt(study, read, judge, models), _place(study, read, judge, models)
    tried = Tried(study, dimension, judge, models)
    labels, controls = tried.labels(read), tried.controls(read, alt.epsilon)
    repeats = judge_repeats(
        repeat_units(study.everyone, dimension.id, rater=judge), clusters=study.clusters
    )
    people = study.everyone.without_raters(study.judges.raters)
    own = judge_self_preference(gaps, family, study.families)
    severity, lean = judge_severity(gaps), (length.gap, length.held)
    known, canaries = known_of(study, judge, dimension), _canaries(study, judge, dimension, planted)
    must = must_pass(alt, labels, controls, known, canaries)
    checks = checks_of(must, repeats, order, severity, lean, own, gaps.span or None)
    return JudgeDimensionResult(
        dimension=dimension.id,
        judgements=_labels_of(read, judge),
        answers=len(both),
        cases=len({case for _, case in both}),
        systems=len({system for system, _ in both}),
        people=[name for name in read.raters if name != judge and name not in models],
        span=gaps.span or None,
        alt_test=alt,
        labels=labels,
        controls=controls,
        place=place,
        repeats=repeats,
        people_repeats=judge_repeats(repeat_units(people, dimension.id), clusters=study.clusters),
        severity=severity,
        length=length.gap,
        length_held=length.held,
        self_preference=own,
        checks=checks,
        passes=passes(checks),
    )


def _canaries(
    study: Study, judge: str, dimension: Dimension, planted: CanaryRecord | None
) -> CheckResult:
    """Say what planted text did: now, or when the judge was certified."""
    certified = study.judges.tested(judge, dimension, study.config, study.cases)
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


def judges_beside(study: Study, judge: str, other: str) -> list[JudgePair]:
    """Hold a judge beside another on every dimension, and on preferences, where both spoke.

    Args:
        study: The study.
        judge: One model rater.
        other: Another: the one of before.

    Raises:
        UnknownName: No such model rater.
    """
    for name in (judge, other):
        require_judge(study, name)
    models = study.judges.raters
    preferred = study.preferences_of_all
    compared = sorted(set(preferred.frame["dimension"]))
    read = [units(study.everyone, dimension.id) for dimension in study.rubric.dimensions]
    read += [preference_units(preferred, dimension) for dimension in compared]
    pairs = (judge_pair(read_units, judge, other, models, study.clusters) for read_units in read)
    return [pair for pair in pairs if pair is not None]


def beside_tables(pairs: Sequence[JudgePair], titles: Mapping[str, str]) -> list[Table]:
    """Show how far two judges say the same, and who says it more often as most people do."""
    if not pairs:
        return []
    first, other = pairs[0].judge, pairs[0].other
    alike = table_of(
        pairs,
        (
            shown("Question", lambda pair: titles.get(pair.dimension, pair.dimension), file="of"),
            counted("Answers", "answers"),
            _of("Say the same", "alike"),
            _of(f"{first} as most people", "right"),
            _of(f"{other} as most people", "other_right"),
            _of(f"{first} less {other}", "lead"),
        ),
        id="judges-beside",
        title=f"{first} beside {other}",
        caption="Answers that both labelled; shares with 95% CI over cases. A judge's label counts "
        "only where people gave it too.",
    )
    differing = table_of(
        [(pair, cell) for pair in pairs for cell in pair.said if cell.label != cell.other],
        (
            shown(
                "Question", lambda row: titles.get(row[0].dimension, row[0].dimension), file="of"
            ),
            shown(first, lambda row: row[1].label, file="label"),
            shown(other, lambda row: row[1].other, file="other"),
            counted("Answers", lambda row: row[1].answers, file="answers"),
        ),
        id="judges-part",
        title="Where they part",
        caption="What each said of the answers on which they say different things.",
        empty="They part nowhere.",
    )
    return [alike, differing]


def _of(heading: str, name: str) -> Shown[JudgePair]:
    return estimated(
        heading, f"{name}.value", file=name, interval=f"{name}.interval", why_not=f"{name}.reason"
    )
