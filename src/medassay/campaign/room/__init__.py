"""The rating room's store: who rates what in the browser, and what was said.

What enters: a study, a campaign's plan, and what raters say. What leaves: tasks without their
systems, receipts, how far each rater has come, and rows for judgements.csv. One database, SQLite or
PostgreSQL, written by one thread; no HTTP. Needs the packages of the extra `web`.
"""

from medassay.campaign.options import Information, RoomOptions
from medassay.campaign.room.access import Access, Person, Role
from medassay.campaign.room.backup import copy_room, restore_room
from medassay.campaign.room.database import UnusableRoom
from medassay.campaign.room.demo import DemoRoom, open_demo
from medassay.campaign.room.design import Design
from medassay.campaign.room.erase import Erased, erase
from medassay.campaign.room.export import RoomExport, export_room
from medassay.campaign.room.invite import Invited, address_of, invite
from medassay.campaign.room.kept import RoomStatus
from medassay.campaign.room.lead import FirstAnswers, Lead, RaterLine, Reviewed
from medassay.campaign.room.open import (
    create_room,
    design_of,
    done_in_room,
    open_room,
    place_of_room,
    unheeded_options,
)
from medassay.campaign.room.progress import (
    CampaignProgress,
    change_raters_midway,
    status_with_rooms,
)
from medassay.campaign.room.rating import Rating, Stand
from medassay.campaign.room.records import (
    AboutShown,
    AnswerShown,
    Break,
    DocumentShown,
    ExampleShown,
    Given,
    Guess,
    LabelShown,
    Progress,
    Question,
    Receipt,
    Refusal,
    Remark,
    Said,
    Sentence,
    Shown,
    Stage,
    Standing,
    StatementShown,
    Task,
    TurnShown,
)
from medassay.campaign.room.room import Room
from medassay.campaign.room.settling import (
    AgreementSoFar,
    Difference,
    Disputed,
    DisputedLine,
    Settled,
    Settling,
)
from medassay.campaign.room.signed import Signature, ToSign
from medassay.campaign.room.signing import SignedBy, Signing, SignReceipt
from medassay.campaign.room.translated import remarks_in, task_in

__all__ = [
    "AboutShown",
    "Access",
    "AgreementSoFar",
    "AnswerShown",
    "Break",
    "CampaignProgress",
    "DemoRoom",
    "Design",
    "Difference",
    "Disputed",
    "DisputedLine",
    "DocumentShown",
    "Erased",
    "ExampleShown",
    "FirstAnswers",
    "Given",
    "Guess",
    "Information",
    "Invited",
    "LabelShown",
    "Lead",
    "Person",
    "Progress",
    "Question",
    "RaterLine",
    "Rating",
    "Receipt",
    "Refusal",
    "Remark",
    "Reviewed",
    "Role",
    "Room",
    "RoomExport",
    "RoomOptions",
    "RoomStatus",
    "Said",
    "Sentence",
    "Settled",
    "Settling",
    "Shown",
    "SignReceipt",
    "Signature",
    "SignedBy",
    "Signing",
    "Stage",
    "Stand",
    "Standing",
    "StatementShown",
    "Task",
    "ToSign",
    "TurnShown",
    "UnusableRoom",
    "address_of",
    "change_raters_midway",
    "copy_room",
    "create_room",
    "design_of",
    "done_in_room",
    "erase",
    "export_room",
    "invite",
    "open_demo",
    "open_room",
    "place_of_room",
    "remarks_in",
    "restore_room",
    "status_with_rooms",
    "task_in",
    "unheeded_options",
]
