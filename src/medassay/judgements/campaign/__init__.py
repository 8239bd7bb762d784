"""Campaigns: who rates what, in which order, under which code.

What enters: the answers to rate, the raters and a secret. What leaves: a plan, which is plain files
under `campaigns/<name>/`, how far each rater has come with it, and the answers whose own words give
their system away.
"""

from medassay.judgements.campaign.assignment import Assignment, Item
from medassay.judgements.campaign.codes import as_code, draw_codes
from medassay.judgements.campaign.fitted import Fit
from medassay.judgements.campaign.give_aways import GiveAway, find_give_aways
from medassay.judgements.campaign.make_plan import draw_calibration, draw_cases, make_assignments
from medassay.judgements.campaign.plan import FOLDER, KEY, PLAN, CampaignPlan, find_plans
from medassay.judgements.campaign.progress import Abouts, Key, Progress, done_codes, progress_of
from medassay.judgements.campaign.reassign import Change, reassigned
from medassay.judgements.campaign.secret import Draws, Secret
from medassay.judgements.campaign.self_reference import (
    searched_languages,
    unsearched_language,
)
from medassay.judgements.campaign.settings import PARTS, Kind, Part, Settings

__all__ = [
    "FOLDER",
    "KEY",
    "PARTS",
    "PLAN",
    "Abouts",
    "Assignment",
    "CampaignPlan",
    "Change",
    "Draws",
    "Fit",
    "GiveAway",
    "Item",
    "Key",
    "Kind",
    "Part",
    "Progress",
    "Secret",
    "Settings",
    "as_code",
    "done_codes",
    "draw_calibration",
    "draw_cases",
    "draw_codes",
    "find_give_aways",
    "find_plans",
    "make_assignments",
    "progress_of",
    "reassigned",
    "searched_languages",
    "unsearched_language",
]
