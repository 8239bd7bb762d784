"""The rating room's store: who rates what in the browser, and what was said.

What enters: a study, a campaign's plan, and what raters say. What leaves: tasks without their
systems, receipts, how far each rater has come, and rows for judgements.csv. One database, SQLite or
PostgreSQL, written by one thread; no HTTP. Needs the packages of the extra `web`.
"""

from medassay.campaign.room.access import Access, Person, Role
from medassay.campaign.room.create import create_room, design_of
from medassay.campaign.room.design import Design
from medassay.campaign.room.kept import RoomStatus
from medassay.campaign.room.lead import Lead, RaterLine, Reviewed
from medassay.campaign.room.options import Information, RoomOptions
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

__all__ = [
    "AboutShown",
    "Access",
    "AnswerShown",
    "Break",
    "Design",
    "DocumentShown",
    "ExampleShown",
    "Given",
    "Guess",
    "Information",
    "LabelShown",
    "Lead",
    "Person",
    "Progress",
    "Question",
    "RaterLine",
    "Rating",
    "Receipt",
    "Refusal",
    "Reviewed",
    "Role",
    "Room",
    "RoomOptions",
    "RoomStatus",
    "Said",
    "Sentence",
    "Shown",
    "Stage",
    "Stand",
    "Standing",
    "StatementShown",
    "Task",
    "TurnShown",
    "create_room",
    "design_of",
]
