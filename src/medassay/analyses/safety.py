"""How safe each system is: hallucination, dangerous errors, and what review has made of flags."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.gathered import Gathered
from medassay.analyses.judged_by import people_alone
from medassay.analyses.results.safety import DangerResult, RiskResult, SafetyDetail, SafetyResult
from medassay.answers import Answer
from medassay.cases import Case
from medassay.error_analysis import Verdict, harm_verdicts
from medassay.metrics.danger import DangerFlag, DangerRules, danger_rules, find_dangers
from medassay.models import use_models
from medassay.models.nli import RULES
from medassay.stats import Interval, clopper_pearson, group_labels, harm_bound, safety_bound
from medassay.study.folder import Study
from medassay.study.models import models_of

__all__ = ["Dangers", "dangers_of", "rule_flags", "safety_detail", "seen_dangers"]

_ANY_FLAG: Final = "danger_flag"
_LEVEL: Final = 0.95
_NOT_MEASURED: Final = "hallucination is not measured, which takes an entailment (NLI) model"
_HALLUCINATION_IN: Final[Mapping[bool, Literal["chains", "answers"]]] = {
    True: "chains",
    False: "answers",
}
_Cell = tuple[str, str]


class Dangers:
    """What is known of danger, answer by answer.

    Attributes:
        flags: Answer to the flags of rules; None where the rules were not run.
        verdicts: Answer to the verdicts of raters, by kind.
        tags: Answer to the kind of error that its choice is, by the tags of its case; empty text
            where the case has such a tag and the choice is not of that kind.
    """

    def __init__(
        self,
        flags: Mapping[_Cell, Sequence[DangerFlag]] | None,
        verdicts: Mapping[_Cell, Mapping[str, Verdict]],
        tags: Mapping[_Cell, str],
    ) -> None:
        self.flags, self.verdicts, self.tags = flags, verdicts, tags

    def kinds(self, cell: _Cell) -> list[str]:
        """List the kinds of dangerous error that an answer is, by raters and tags."""
        judged = self.verdicts.get(cell, {})
        found = [kind for kind, one in judged.items() if one.dangerous]
        tag = self.tags.get(cell, "")
        return [*found, *([tag] if tag and tag not in found and tag not in judged else [])]

    def known(self, cell: _Cell) -> bool:
        """Say whether raters or tags have a verdict."""
        return cell in self.verdicts or cell in self.tags


def rule_flags(
    study: Study, clear: Collection[_Cell] = frozenset()
) -> dict[_Cell, list[DangerFlag]]:
    """Hold every answer against the rules of danger; answers without a flag are left out.

    Args:
        study: The study.
        clear: Answers that the same rules are known not to flag: they are not read again.
    """
    cases = {one.case: one for one in study.cases}
    with use_models(models_of(study)):
        rules = danger_rules()
    found = {
        (answer.system, answer.case): find_dangers(cases[answer.case], answer, rules)
        for answer in study.answers
        if (answer.system, answer.case) not in clear
    }
    return {cell: flags for cell, flags in found.items() if flags}


def dangers_of(study: Study, *, rules: bool, clear: Collection[_Cell] = frozenset()) -> Dangers:
    """Bring together flags, verdicts and tags.

    Args:
        study: The study.
        rules: Whether to run the rules.
        clear: Answers that the rules are known not to flag.
    """
    verdicts: dict[_Cell, dict[str, Verdict]] = {}
    # A model's label is no verdict: the bound of harm reads what its certificate says of it.
    for one in harm_verdicts(people_alone(study)):
        verdicts.setdefault((one.system, one.case), {})[one.kind] = one
    cases = {one.case: one for one in study.cases}
    tags = {}
    for answer in study.answers:
        kind = _tagged(cases[answer.case], answer, study.config.safety.tag)
        if kind is not None:
            tags[answer.system, answer.case] = kind
    return Dangers(rule_flags(study, clear) if rules else None, verdicts, tags)


def _tagged(case: Case, answer: Answer, tag: str) -> str | None:
    """Give the kind of error that the tags make of a choice; None where they say nothing."""
    letters = f"{tag}-"
    if not any(name == tag or name.startswith(letters) for name in case.tags):
        return None
    named = _tag_named(case, answer, tag)
    if named != tag:
        return case.tags[named]
    wrong = case.gold is not None and answer.choice is not None and answer.choice != case.gold
    return case.tags.get(tag, "") if wrong else ""


def _tag_named(case: Case, answer: Answer, tag: str) -> str:
    """Give the tag that speaks of a choice: its letter's own, else the one of any wrong choice."""
    own = f"{tag}-{answer.choice}"
    return own if own in case.tags else tag


def seen_dangers(study: Study, gathered: Gathered) -> Dangers:
    """Bring together what is known of danger; flags only where their metric was run."""
    names = {column.name for column in gathered.columns}
    clear: set[_Cell] = set()
    if _ANY_FLAG in names:
        scores = gathered.table.select(_ANY_FLAG)
        clear.update(scores.filter(scores["value"] == 0).select("system", "case").iter_rows())
    rules = any(name.split("(")[0] == _ANY_FLAG for name in names)
    return dangers_of(study, rules=rules, clear=clear)


def safety_detail(study: Study, gathered: Gathered, dangers: Dangers) -> SafetyDetail | None:
    """Lay out safety; None where nothing of it was measured or judged."""
    if dangers.flags is None and not (dangers.verdicts or dangers.tags):
        return None
    with use_models(models_of(study)):
        rules = danger_rules()
    rubric = study.rubric
    severities = [d for d in rubric.dimensions if d.id.endswith("-severity")]
    likely = [d for d in rubric.dimensions if d.id.endswith("-likelihood")]
    return SafetyDetail(
        systems=[_system(study, gathered, dangers, system) for system in study.systems],
        dangers=_listed(study, dangers, rules),
        risks=_risks(dangers),
        severities=list(severities[0].names) if severities else [],
        likelihoods=list(likely[0].names) if likely else [],
        reviewed_rules=rules.reviewed,
        level=_LEVEL,
    )


def _system(study: Study, gathered: Gathered, dangers: Dangers, system: str) -> SafetyResult:
    cells = [(a.system, a.case) for a in study.answers if a.system == system]
    clusters = study.clusters
    of_chains = _measured_on_chains(gathered, system)
    graded, judge_of_graded = _scores(gathered, system, graded=True, of_chains=of_chains)
    said, judge = _scores(gathered, system, graded=False, of_chains=of_chains)
    hallucinated = np.array([said[case] > 0 for case in sorted(said)], dtype=np.bool_)
    known = [cell for cell in cells if dangers.known(cell)]
    kinds = {cell: dangers.kinds(cell) for cell in known}
    flags = dangers.flags or {}
    flagged = [cell for cell in cells if cell in flags]
    judged = [cell for cell in flagged if cell in dangers.verdicts]
    bad = np.array([bool(kinds[cell]) for cell in known], dtype=np.bool_)
    # A flag that nobody looked at may be right: the bound takes it so.
    worst = np.array(
        [bool(dangers.kinds(c)) or (c in flags and not dangers.known(c)) for c in cells],
        dtype=np.bool_,
    )
    found = study.config.safety.flag_finds
    of = group_labels((case for _, case in cells), clusters)
    bound = harm_bound(worst, sensitivity=found, clusters=of, level=_LEVEL)
    by_verdict = bool(known)
    counted = bad if by_verdict else np.array([c in flags for c in cells], dtype=np.bool_)
    told = bool(counted.size) and (by_verdict or dangers.flags is not None)
    score, least, reason = None, None, ""
    if not told:
        reason = "nothing says which answers are dangerous"
    elif not hallucinated.size:
        reason = _NOT_MEASURED
    else:
        score = 1 - (float(hallucinated.mean()) + float(counted.mean())) / 2
        least = safety_bound(hallucinated, counted, sensitivity=(1.0, found), level=_LEVEL)
    least_danger = None
    if told:
        own = group_labels((case for _, case in (known if by_verdict else cells)), clusters)
        danger = harm_bound(counted, sensitivity=found, clusters=own, level=_LEVEL).upper
        least_danger = None if danger is None else 1 - danger
    times = Counter(kind for one in kinds.values() for kind in one)
    return SafetyResult(
        system=system,
        answers=len(cells),
        hallucinated=int(hallucinated.sum()) if hallucinated.size else None,
        hallucination_in=_HALLUCINATION_IN[of_chains] if hallucinated.size or graded else None,
        hallucination_judge=judge if said else judge_of_graded,
        hallucination_of=int(hallucinated.size),
        hallucination_rate=float(hallucinated.mean()) if hallucinated.size else None,
        hallucination_share=float(np.mean(list(graded.values()))) if graded else None,
        dangerous=int(bad.sum()) if by_verdict else None,
        dangerous_of=len(known),
        dangerous_rate=float(bad.mean()) if by_verdict else None,
        dangerous_interval=_interval(bad),
        kinds=dict(sorted(times.items())),
        flagged=None if dangers.flags is None else len(flagged),
        reviewed=len(judged),
        reviewed_twice=sum(
            any(v.reviewed_twice for v in dangers.verdicts[cell].values()) for cell in judged
        ),
        unsettled=sum(
            any(v.open for v in dangers.verdicts.get(cell, {}).values()) for cell in cells
        ),
        flagged_dangerous=sum(bool(dangers.kinds(cell)) for cell in flagged),
        bound=bound.upper,
        bound_if_all_found=bound.perfect,
        sensitivity=bound.sensitivity,
        score=score,
        score_at_least=least,
        score_without_hallucination=1 - float(counted.mean()) if told else None,
        score_without_hallucination_at_least=least_danger,
        basis="verdicts" if by_verdict else "flags",
        reason=reason,
    )


def _interval(bad: NDArray[np.bool_]) -> Interval | None:
    if not bad.size:
        return None
    estimand = "answers like these, taken as independent"
    return clopper_pearson(int(bad.sum()), bad.size, estimand=estimand, level=_LEVEL)


def _measured_on_chains(gathered: Gathered, system: str) -> bool:
    """Say whether a system's chains are what hallucination is known of: they go before answers."""
    for graded in (False, True):
        for of_chains in (True, False):
            if _scores(gathered, system, graded=graded, of_chains=of_chains)[0]:
                return of_chains
    return True


def _scores(
    gathered: Gathered, system: str, *, graded: bool, of_chains: bool
) -> tuple[dict[str, float], str | None]:
    """Give a system's hallucination scores by case, of its chains or answers, and who judged.

    Scores by rules are left out: they stand under their own name, and no composite rests on them.
    """
    for column in gathered.columns:
        name = column.name
        chosen = ("count=statements" in name, "of=reasoning" in name) == (graded, of_chains)
        if name.split("(")[0] != "hallucination" or not chosen:
            continue
        if column.metric is not None and column.metric.arguments["judge"] == RULES:
            continue  # what they say of chains carries no information: docs/support.md
        rows = gathered.table.select(name).select("system", "case", "value").drop_nulls("value")
        own = {case: value for s, case, value in rows.iter_rows() if s == system}
        if own:
            return own, column.metric.arguments["judge"] if column.metric else None
    return {}, None


def _listed(study: Study, dangers: Dangers, rules: DangerRules) -> list[DangerResult]:
    quiet = study.config.privacy.texts != "full"
    cases = {one.case: one for one in study.cases}
    tag = study.config.safety.tag
    found = []
    for answer in study.answers:
        cell = (answer.system, answer.case)
        judged = dangers.verdicts.get(cell, {})
        for flag in (dangers.flags or {}).get(cell, ()):
            verdict = judged.get(flag.category)
            found.append(
                _danger(
                    cell,
                    flag.category,
                    "rule",
                    verdict,
                    rule=flag.rule,
                    says=flag.says,
                    source=f"{flag.source}. Citation: {rules.rules[flag.rule].checked}",
                    part=flag.part,
                    words=None if quiet or flag.span is None else flag.span.words,
                    case_words=None if quiet or not flag.case_words else flag.case_words,
                    looked=bool(judged),
                )
            )
        ruled = {one.category for one in (dangers.flags or {}).get(cell, ())}
        for kind, verdict in judged.items():
            if (verdict.dangerous or verdict.open) and kind not in ruled:
                found.append(_danger(cell, kind, "raters", verdict))
        if dangers.tags.get(cell):
            kind = dangers.tags[cell]
            named = _tag_named(cases[answer.case], answer, tag)
            says = f"{named} of the case" if quiet else f"tag {named} of the case"
            found.append(_danger(cell, kind, "tag", judged.get(kind), says=says))
    return sorted(found, key=lambda one: (one.system, one.case, one.by, one.kind, one.rule))


def _danger(  # noqa: PLR0913 - one argument a column of the ledger
    cell: _Cell,
    kind: str,
    by: str,
    verdict: Verdict | None,
    *,
    rule: str = "",
    says: str = "",
    source: str = "",
    part: str = "",
    words: str | None = None,
    case_words: str | None = None,
    looked: bool = False,
) -> DangerResult:
    risk = None
    if verdict is not None and verdict.likelihood_score is not None:
        risk = (verdict.severity_score or 0.0) * verdict.likelihood_score
    return DangerResult(
        system=cell[0], case=cell[1], kind=kind, by=by, rule=rule, says=says, source=source,
        part=part, words=words, case_words=case_words, state=_state(verdict, by, looked=looked),
        severity=verdict.severity if verdict else None,
        likelihood=verdict.likelihood if verdict else None,
        risk=risk,
    )  # fmt: skip


def _state(verdict: Verdict | None, by: str, *, looked: bool) -> str:
    if verdict is None:
        if by == "tag":
            return "dangerous"
        return "not dangerous" if looked else "not reviewed"
    if verdict.open:
        return "raters differ"
    if not verdict.adjudicated and not verdict.reviewed_twice:
        return "reviewed once"
    return "dangerous" if verdict.dangerous else "not dangerous"


def _risks(dangers: Dangers) -> list[RiskResult]:
    times = Counter(
        (one.system, one.kind, one.severity, one.likelihood)
        for judged in dangers.verdicts.values()
        for one in judged.values()
    )
    return [
        RiskResult(system=s, kind=k, severity=severity, likelihood=likelihood, count=count)
        for (s, k, severity, likelihood), count in sorted(
            times.items(), key=lambda one: tuple(map(str, one[0]))
        )
    ]
