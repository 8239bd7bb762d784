"""Campaigns of a study: sheets out to raters and in again.

What enters: an open study, what an organiser wishes, and the files that raters send back. What
leaves: a plan and one blinded sheet a rater, judgements appended to the study, and how far each
rater has come.
"""

from medassay.campaign.apart import refuse_among_sheets
from medassay.campaign.collect_sheets import CollectedSheets, LabelChange, collect_sheets
from medassay.campaign.create import Created, Wishes, create_campaign
from medassay.campaign.document_sheets import (
    DocumentLabels,
    DocumentSheets,
    collect_document_labels,
    write_document_sheets,
)
from medassay.campaign.options import write_count_calibration
from medassay.campaign.plans import campaign_status
from medassay.campaign.reassign import RaterWishes, Reassigned, change_raters
from medassay.campaign.sheets import SheetsWritten, write_sheets
from medassay.campaign.texts import Flag, parts_named

__all__ = [
    "CollectedSheets",
    "Created",
    "DocumentLabels",
    "DocumentSheets",
    "Flag",
    "LabelChange",
    "RaterWishes",
    "Reassigned",
    "SheetsWritten",
    "Wishes",
    "campaign_status",
    "change_raters",
    "collect_document_labels",
    "collect_sheets",
    "create_campaign",
    "parts_named",
    "refuse_among_sheets",
    "write_count_calibration",
    "write_document_sheets",
    "write_sheets",
]
