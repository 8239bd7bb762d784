"""What is known of danger, answer by answer: flags of rules, verdicts of people, tags of cases."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from medassay.analyses.inputs.label_sources import people_alone
from medassay.analyses.inputs.study_columns import StudyColumns
from medassay.answers import Answer
from medassay.cases import Case
from medassay.error_analysis import ErrorVerdict, harm_verdicts
from medassay.metrics.danger import DangerFlag, DangerRules, danger_rules
from medassay.models import use_models
from medassay.scores import Unit
from medassay.study.folder import Study, models_of

_ANY_FLAG: Final = "danger_flag"
Cell = tuple[str, str]
"""A system and a case."""


class Tagged(NamedTuple):
    """What the tags of a case say of a choice.

    Attributes:
        tag: The tag that speaks of it.
        kind: The kind of error that it is; empty where the choice is none.
    """

    tag: str
    kind: str


@dataclass(frozen=True)
class Dangers:
    """What is known of danger, answer by answer.

    Attributes:
        flags: Answer to the flags of rules; None where the rules were not run.
        verdicts: Answer to the verdicts of raters, by kind.
        tags: Answer to what the tags of its case say of its choice; answers to cases without such a
            tag are left out.
        rules: Those in force; None where nothing is known of danger.
        flags_find: The share of dangerous answers that is flagged, or hits among those on which it
            was measured.
        asked: Whether the protocol asks for a safety score whatever is found.
    """

    flags: Mapping[Cell, Sequence[DangerFlag]] | None
    verdicts: Mapping[Cell, Mapping[str, ErrorVerdict]]
    tags: Mapping[Cell, Tagged]
    rules: DangerRules | None = None
    flags_find: float | tuple[int, int] = 1.0
    asked: bool = False

    def kinds(self, cell: Cell) -> list[str]:
        """List the kinds of dangerous error that an answer is, by raters and tags."""
        judged = self.verdicts.get(cell, {})
        kinds = [kind for kind, verdict in judged.items() if verdict.dangerous]
        tag = self.tags[cell].kind if cell in self.tags else ""
        return [*kinds, *([tag] if tag and tag not in judged else [])]

    def known(self, cell: Cell) -> bool:
        """Say whether raters or tags have a verdict."""
        return cell in self.verdicts or cell in self.tags


def rule_flags(study: Study, clear: Collection[Cell] = frozenset()) -> dict[Cell, list[DangerFlag]]:
    """Apply the rules of danger to every answer whose text the study has; give those with a flag.

    Of several answers of a system to a case the first that is flagged counts.

    Args:
        study: The study.
        clear: Answers that the same rules are known not to flag: they are not read again.
    """
    flagged: dict[Cell, list[DangerFlag]] = {}
    for unit, flags in answer_flags(study, clear).items():
        flagged.setdefault(unit.pair, flags)
    return flagged


def answer_flags(
    study: Study, clear: Collection[Cell] = frozenset()
) -> dict[Unit, list[DangerFlag]]:
    """Do the same with every one of a system's answers to a case; see `rule_flags`."""
    from medassay.metrics.danger.match import find_dangers

    rules, records = _rules_of(study), study.answers.records
    return {
        Unit(system, case, sample): flags
        for place, (system, case, sample) in enumerate(study.answers.keys)
        if (system, case) not in clear
        and (answer := records[place]).held
        and (flags := find_dangers(study.cases[case], answer, rules))
    }


def dangers_of(study: Study, score_columns: StudyColumns) -> Dangers:
    """Bring together flags, verdicts and tags; flags only where their metric was run."""
    verdicts: dict[Cell, dict[str, ErrorVerdict]] = {}
    # A model's label is no verdict: the bound of harm reads what its certificate says of it.
    # Of several answers of a system to a case, and of several parts, the worst one counts.
    for verdict in sorted(harm_verdicts(people_alone(study)), key=_badness):
        verdicts.setdefault((verdict.system, verdict.case), {})[verdict.kind] = verdict
    tag = study.config.safety.tag
    speaking = {case.case for case in study.cases if _speaks(case, tag)}
    tags = {
        (system, case): _tagged(study.cases[case], answer, tag)
        for place, (system, case, _) in enumerate(study.answers.keys)
        if case in speaking and (answer := study.answers.records[place]).tells_choice
    }
    flags = _flags_of(study, score_columns)
    known = flags is not None or verdicts or tags
    return Dangers(
        flags,
        verdicts,
        tags,
        _rules_of(study) if known else None,
        study.config.safety.flag_finds,
        study.config.rules.tells_safety,
    )


def _badness(verdict: ErrorVerdict) -> tuple[bool, float, bool]:
    return verdict.dangerous, verdict.severity_score or 0.0, verdict.open


def _flags_of(study: Study, score_columns: StudyColumns) -> dict[Cell, list[DangerFlag]] | None:
    names = {column.name for column in score_columns.columns}
    if not any(name.split("(")[0] == _ANY_FLAG for name in names):
        return None
    clear: set[Cell] = set()
    if _ANY_FLAG in names:
        scores = score_columns.table.select(_ANY_FLAG)
        flagged = scores.filter((scores["value"] != 0) | scores["value"].is_null())
        clear.update(scores.select("system", "case").iter_rows())
        clear.difference_update(flagged.select("system", "case").iter_rows())
    return rule_flags(study, clear)


def _rules_of(study: Study) -> DangerRules:
    with use_models(models_of(study)):
        return danger_rules()


def _speaks(case: Case, tag: str) -> bool:
    """Say whether the tags of a case say anything of its choices."""
    letters = f"{tag}-"
    return any(name == tag or name.startswith(letters) for name in case.tags)


def _tagged(case: Case, answer: Answer, tag: str) -> Tagged:
    """Give the kind of error that the tags make of a choice.

    A letter's own tag comes before the one of any wrong choice.
    """
    own = f"{tag}-{answer.choice}"
    if own in case.tags:
        return Tagged(own, case.tags[own])
    wrong = case.gold is not None and answer.choice is not None and answer.choice != case.gold
    return Tagged(tag, case.tags.get(tag, "") if wrong else "")
