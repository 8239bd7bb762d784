"""campaign.toml: the choices of a campaign that are made once and seldom."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from medassay.judgements.campaign import FOLDER, Part
from medassay.marks import Guarded
from medassay.tables import file_bytes, read_toml

__all__ = [
    "OPTIONS",
    "CampaignOptions",
    "Information",
    "PlanOptions",
    "RoomOptions",
    "read_options",
    "template",
]

OPTIONS: Final = "campaign.toml"


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Information(_Section):
    """[room.information]: what a rater reads and agrees to before anything else."""

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
    """[room]: how answers are rated in the browser."""

    information: Information = Information()
    database: Annotated[str, Guarded("medassay.campaign.allowed.allowed_database")] = ""
    """The address of a database in place of the campaign's file; used where the user allowed it."""
    primary: str = ""
    """The primary outcome, in words; it is frozen with the design."""
    review_calibration: bool = True
    """Whether a reviewer looks at a rater's calibration answers before the rest opens."""
    render: Literal["markdown", "plain"] | None = None
    """Whether answers are shown as Markdown or as they were written, those of all systems alike;
    Markdown if not given."""
    display: tuple[str, ...] = ()
    """Arms of display, such as "citations shown" and "citations hidden"; none: all is shown."""
    day_limit: Annotated[int, Field(ge=1)] | None = None
    """How many answers a rater may rate in a day (UTC)."""
    ask_confidence: bool = False
    """Whether raters of pairs say how sure they are; a rubric says it of its own questions."""
    ask_why: bool = False
    """Whether a rater who changes a label says why."""
    signatures: bool = False
    """Whether raters set a passphrase at the first visit, and sign each finished batch with it."""
    guesses: Annotated[int, Field(ge=0)] = 5
    """Of how many answers each rater guesses the system, when all is rated."""
    link_days: Annotated[float, Field(gt=0)] = 90
    """After how many days a link expires."""
    session_hours: Annotated[float, Field(gt=0)] = 12
    """After how many hours a rater must open the link again."""


class PlanOptions(_Section):
    """[plan]: who rates what; read when the campaign is drawn up."""

    cases: Annotated[int, Field(ge=1)] | None = None
    """How many cases to draw, beside those for calibration; all if not given."""
    repeats: Annotated[int, Field(ge=0)] = 0
    """How many answers each rater meets twice."""
    calibration: Annotated[int, Field(ge=0)] = 0
    """How many answers come first, as a calibration."""
    calibration_of: Literal["shared", "own"] | None = None
    """Whether these are the same for everybody, or each rater's own; as the protocol says if not
    given."""
    hide: tuple[Part, ...] = ()
    """What stays out of what raters read."""
    specialties: Literal["match", "prefer", "ignore"] = "match"
    """Whether a case with the tag `specialty` goes to raters of that specialty alone."""
    attention: bool = False
    """Whether answers whose label is known ([consensus] controls of study.toml) go to everybody."""


class CampaignOptions(_Section):
    """All that `campaign.toml` may say."""

    plan: PlanOptions = PlanOptions()
    room: RoomOptions = RoomOptions()


def read_options(study: Path, name: str) -> CampaignOptions:
    """Read a campaign's `campaign.toml`; what it does not say is as in the template.

    Raises:
        InvalidInput: With every problem of the file.
    """
    path = study / FOLDER / name / OPTIONS
    if not path.is_file():
        return CampaignOptions()
    shown_as = f"{FOLDER}/{name}/{OPTIONS}"
    return read_toml(CampaignOptions, file_bytes(path, shown_as), shown_as)


def template(database: str = "") -> str:
    """Give a `campaign.toml` in which everything stands with its default, as a comment."""
    address = f"database = {json.dumps(database)}" if database else _DATABASE
    return _TEMPLATE.replace("DATABASE", address)


_DATABASE: Final = '# database = "postgresql+psycopg://lead@db.example/room"  # see --database'
_TEMPLATE: Final = """\
# The choices of this campaign that are made once. Lines with # before them show the defaults.
# [plan] holds until the first sheet or link is out; then the design is frozen, with its hash.

[plan]
# cases = 40                # draw so many cases; all if not given
# repeats = 0               # so many answers come twice to each rater
# calibration = 0           # so many answers come first, to get used to the questions
# calibration_of = "shared" # everybody's are the same; own: each rater's own first ones; as the
                            # protocol says if not given
# hide = ["references"]     # of narrative, evidence, retrieved, documents, references, reasoning
# specialties = "match"     # a case tagged with a specialty goes to its specialists alone;
                            # prefer: to others too where they are too few; ignore
# attention = false         # answers whose label is known go to every rater, among the others

[room]
DATABASE
# primary = ""              # the primary outcome, in words: "harm of any kind, B against A"
# review_calibration = true # a reviewer looks at the first answers before the rest opens
# render = "markdown"       # how answers are shown, those of all systems alike; plain: as written
# display = ["citations shown", "citations hidden"]   # arms of display, drawn for each answer
# day_limit = 60            # at most so many answers a day
# ask_confidence = false    # raters of pairs say how sure they are; a rubric says it for itself
# ask_why = false           # who changes a label says why
# signatures = false        # raters sign each finished batch, with a passphrase of their own
# guesses = 5               # at the end raters guess the systems of so many answers
# link_days = 90            # when a link expires
# session_hours = 12        # when a rater must open the link again

[room.information]          # what a rater reads and agrees to first
# text = "What the study is, who runs it, what taking part means, what is kept and how long."
# ethics = "Reference of the ethics committee"
# danger = "Whom to call where something is truly dangerous"
# withdrawal = "How to withdraw, and what becomes of the labels"
"""
