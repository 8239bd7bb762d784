"""What a room was opened with: frozen before the first rating, and known by its hash."""

import json
from hashlib import sha256
from typing import Literal

from pydantic import BaseModel, ConfigDict

from medassay.campaign.options import RoomOptions
from medassay.judgements import Rubric
from medassay.judgements.campaign import Settings


class Design(BaseModel):
    """The design of a campaign in a room.

    Attributes:
        title: The study's title, as raters read it.
        settings: What the plan was drawn up with.
        rubric: What is asked.
        reveals: Whether some questions wait until the system's own confidence is shown.
        asks_passages: Whether raters are asked to say that an answer has no passage to mark; rooms
            that did not ask recorded it of everybody who went on without a mark.
        render: How answers are shown; rooms that did not say so showed them as they were written.
        plan: Hash of who rates what, in which order.
        answers: Hash of all texts that are rated.
        primary: The primary outcome, in words; what the study will be decided by.
        systems: The titles of the systems, among which raters guess when all is rated.
        options: What `campaign.toml` says.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    title: str
    settings: Settings
    rubric: Rubric
    reveals: bool = False
    asks_passages: bool = False
    render: Literal["markdown", "plain"] = "plain"
    plan: str = ""
    answers: str = ""
    primary: str = ""
    systems: tuple[str, ...] = ()
    options: RoomOptions = RoomOptions()

    @property
    def hash(self) -> str:
        """Give the SHA-256 of all of it but the words of the first page, which have their own.

        What raters are called is no part of it either: `plan` says who rates what, and a name that
        is erased changes no design.
        """
        without = {"options": {"information"}, "settings": {"raters"}}
        plain = self.model_dump(mode="json", exclude=without)
        for later in ("language", "translations"):  # no key of the rubrics of older rooms
            if not plain["rubric"][later]:
                del plain["rubric"][later]
        text = json.dumps(plain, ensure_ascii=False, sort_keys=True)
        return sha256(text.encode()).hexdigest()
