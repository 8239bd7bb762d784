"""What a campaign's `campaign.toml` says: choices that are made once and seldom."""

from hashlib import sha256
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Information", "RoomOptions"]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Information(_Section):
    """[information]: what a rater reads and agrees to before anything else."""

    text: str = ""
    """What the study is, who runs it, and what taking part means."""
    ethics: str = ""
    """The reference of the ethics committee."""
    danger: str = ""
    """Whom to call where something is truly dangerous."""
    withdrawal: str = ""
    """How to withdraw, and what becomes of the labels."""

    @property
    def version(self) -> str:
        """Give the version that is agreed to: it follows from the words."""
        words = f"{self.text}\n{self.ethics}\n{self.danger}\n{self.withdrawal}"
        return sha256(words.encode()).hexdigest()[:12]


class RoomOptions(_Section):
    """The sections and keys of `campaign.toml`; each has a default."""

    information: Information = Information()
    review_calibration: bool = True
    """Whether a reviewer looks at a rater's calibration answers before the rest opens."""
    display: tuple[str, ...] = ()
    """Arms of display, such as "citations shown" and "citations hidden"; none: all is shown."""
    day_limit: Annotated[int, Field(ge=1)] | None = None
    """How many answers a rater may rate in a day (UTC)."""
    ask_confidence: bool = False
    """Whether raters say how sure they are, beside each label."""
    ask_why: bool = False
    """Whether a rater who changes a label says why."""
    signatures: bool = False
    """Whether raters sign what they rated, with a passphrase of their own."""
    guesses: Annotated[int, Field(ge=0)] = 5
    """Of how many answers each rater guesses the system, when all is rated."""
    link_days: Annotated[float, Field(gt=0)] = 90
    """After how many days a link expires."""
    session_hours: Annotated[float, Field(gt=0)] = 12
    """After how many hours a rater must open the link again."""
