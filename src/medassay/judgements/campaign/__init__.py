"""Campaigns: who rates what, in which order, under which code.

What enters: the answers to rate, the raters and a secret. What leaves: a plan, which is plain files
under `campaigns/<name>/`, how far each rater has come with it, and the answers whose own words give
their system away.
"""

from medassay.judgements.campaign.give_aways import (
    GiveAway,
    find_give_aways,
    searched_languages,
    unsearched_language,
)
from medassay.judgements.campaign.make_plan import (
    Change,
    Fit,
    draw_calibration,
    draw_cases,
    make_assignments,
    reassigned,
)
from medassay.judgements.campaign.plan import (
    FOLDER,
    KEY,
    PARTS,
    PLAN,
    Abouts,
    Assignment,
    CampaignPlan,
    Item,
    Key,
    Kind,
    Part,
    Progress,
    Settings,
    done_codes,
    find_plans,
    progress_of,
)
from medassay.judgements.campaign.secret import Draws, Secret, as_code, draw_codes

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
