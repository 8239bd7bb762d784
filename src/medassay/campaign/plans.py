"""Find a campaign's plan and its secret, hold it against the study, and say how far it has come."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from medassay.campaign.people import said_keys
from medassay.campaign.subjects import abouts_of, asked_rows, asked_rubric, hash_of
from medassay.campaign.texts import judged_texts, texts_of
from medassay.errors import InvalidInput, Problem
from medassay.judgements import Judgements, Preferences
from medassay.judgements.campaign import (
    FOLDER,
    Assignment,
    CampaignPlan,
    Item,
    Progress,
    Secret,
    Settings,
    find_plans,
    progress_of,
)
from medassay.judgements.raters import FIRST_RATERS
from medassay.study.folder import Study
from medassay.tables import FORMS, file_bytes
from medassay.text import shell_line

KEPT_IN: Final = "secret.txt"
_HINT: Final = "Restore it from your backup, or give another --name. Sheets come in without it."


def secret_bytes(secret: Secret) -> bytes:
    """Write a secret as one line of hexadecimal digits."""
    return f"{secret.key.hex()}\n".encode()


def read_secret(study: Path, name: str) -> Secret:
    """Read the secret of a campaign that is there.

    Raises:
        InvalidInput: There is none, or it was damaged; what the file holds is not repeated.
    """
    shown_as = f"{FOLDER}/{name}/{KEPT_IN}"
    path = study / FOLDER / name / KEPT_IN
    if not path.is_file():
        must = "be there: the codes and orders of this campaign follow from it"
        raise InvalidInput(Problem(shown_as, must, "no such file", _HINT))
    try:
        return Secret(bytes.fromhex(file_bytes(path, shown_as).decode("ascii").strip()))
    except ValueError as error:
        must = "hold the campaign's secret, 32 hexadecimal digits or more"
        raise InvalidInput(Problem(shown_as, must, "something else", _HINT)) from error


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
    who = () if listed else ("--raters", str(FIRST_RATERS))
    return f"Make one: {campaign_command('create', study, name, *who)}"


def campaign_command(verb: str, study: Path, name: str, *more: str) -> str:
    """Give a command about a campaign as it is typed.

    Example:
        >>> campaign_command("invite", Path("my study"), "two", "anna")
        "medassay campaign invite 'my study' anna --name two"
    """
    named = () if name == "main" else ("--name", name)
    return shell_line(["medassay", "campaign", verb, str(study), *more, *named])


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
    must = "be unchanged since the campaign was created"
    hint = "Put it back, or make a new campaign with another --name."
    problems = [
        Problem("answers", must, f"{' and '.join(item.pair)}, {item.case}, changed", hint)
        for item, assignment in sorted(items.items())
        if not is_as_read(study, plan, assignment)
    ]
    if problems:
        raise InvalidInput(problems)


def campaign_status(study: Study, name: str | None = None) -> Mapping[str, list[Progress]]:
    """Say for each campaign, or for one, how far each of its raters has come.

    Raises:
        InvalidInput: There is no such campaign.
    """
    plans = find_plans(study.path)
    if name is not None and name not in plans:
        known = f"Known: {', '.join(plans)}." if plans else "The study has none."
        must = "be a campaign of the study"
        raise InvalidInput(Problem("--name", must, f'"{name}"', known))
    return {
        campaign: progress_now(study, plan, study.judgements_on_file, study.preferences_on_file)
        for campaign, plan in plans.items()
        if name in {None, campaign}
    }


def progress_now(
    study: Study, plan: CampaignPlan, judgements: Judgements, preferences: Preferences
) -> list[Progress]:
    """Hold a plan against what was said."""
    keys = said_keys(judgements, preferences, plan.settings.kind)
    return progress_of(plan, keys, abouts_of(study, plan.settings))
