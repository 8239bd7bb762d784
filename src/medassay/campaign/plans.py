"""Find a campaign's plan, and hold it against the study as it is now."""

import shlex
from pathlib import Path

from medassay.campaign.asked import asked_rubric, hash_of
from medassay.campaign.subjects import asked_rows
from medassay.campaign.texts import judged_texts, texts_of
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import Assignment, CampaignPlan, Item, Settings, find_plans
from medassay.study.folder import Study
from medassay.tables import FORMS

__all__ = [
    "campaign_command",
    "is_as_read",
    "making",
    "plan_in",
    "plan_named",
    "read_mark",
    "refuse_changed",
]


def plan_named(study: Study, name: str) -> CampaignPlan:
    """Read the plan of a campaign.

    Raises:
        InvalidInput: There is no such campaign.
    """
    return plan_in(study.path, name)


def plan_in(study: Path, name: str) -> CampaignPlan:
    """Read the plan of a campaign in a study's folder, as `plan_named` does."""
    plans = find_plans(study)
    if name not in plans:
        known = f"Known: {', '.join(plans)}." if plans else making(study, name)
        raise InvalidInput(Problem("--name", "be a campaign of the study", f'"{name}"', known))
    return plans[name]


def making(study: Path, name: str = "main") -> str:
    """Say how a study's first campaign is made, in a line that can be typed as it is.

    Example:
        >>> making(Path("ward"))
        'Make one: medassay campaign create ward --raters 3'
    """
    listed = any((study / f"raters{form}").exists() for form in FORMS)
    who = () if listed else ("--raters", "3")
    return f"Make one: {campaign_command('create', study, name, *who)}"


def campaign_command(verb: str, study: Path, name: str, *more: str) -> str:
    """Give a command about a campaign as it is typed.

    Example:
        >>> campaign_command("invite", Path("my study"), "two", "anna")
        "medassay campaign invite 'my study' anna --name two"
    """
    named = () if name == "main" else ("--name", name)
    return shlex.join(["medassay", "campaign", verb, str(study), *more, *named])


def is_as_read(study: Study, plan: CampaignPlan, assignment: Assignment) -> bool:
    """Say whether an answer is still what it was when the campaign was drawn up."""
    item = assignment.item
    sample = None if item.system_b else item.sample
    here = all(study.answers.get(name, item.case, sample) is not None for name in item.pair)
    if item.case not in study.cases or not here:
        return False
    return read_mark(study, item, plan.settings) == assignment.shown


def read_mark(study: Study, item: Item, settings: Settings) -> str:
    """Give the hash of all that a rater judges: the answer, and its criteria and other parts."""
    judged = judged_texts(texts_of(study, item, settings.parts))
    rows = asked_rows(study, item, asked_rubric(study, settings.kind), settings)
    named = [[row.subject.about, row.subject.text] for row in rows if row.subject.about]
    return hash_of([*judged, *named])


def refuse_changed(study: Study, plan: CampaignPlan) -> None:
    """Refuse to give raters an answer that is another than the one that was drawn.

    Raises:
        InvalidInput: With every such answer.
    """
    items = {assignment.item: assignment for assignment in plan.assignments}
    must = "be the answer that it was when the campaign was drawn up"
    hint = "Put it back, or make a new campaign with another --name."
    problems = [
        Problem("answers", must, f"{' and '.join(item.pair)}, {item.case}, changed", hint)
        for item, assignment in sorted(items.items())
        if not is_as_read(study, plan, assignment)
    ]
    if problems:
        raise InvalidInput(problems)
