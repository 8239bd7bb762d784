"""How far the campaigns of a study have come."""

from collections.abc import Mapping

from medassay.campaign.raters import said_keys
from medassay.campaign.subjects import abouts_of
from medassay.errors import InvalidInput, Problem
from medassay.judgements import Judgements, Preferences
from medassay.judgements.campaign import CampaignPlan, Progress, find_plans, progress_of
from medassay.study.folder import Study

__all__ = ["campaign_status", "progress_now"]


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
