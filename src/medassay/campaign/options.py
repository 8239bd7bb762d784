"""campaign.toml: the choices of a campaign that are made once, and who said so."""

import json
import os
import re
import sys
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from medassay.annotations import Guarded
from medassay.campaign.plans import campaign_command
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER, Part
from medassay.study.files.names import STUDY_FILE
from medassay.tables import file_bytes, json_bytes, read_toml, write_atomically

_KEY: Final = re.compile(r"^count_calibration *=.*$", re.MULTILINE)
_TABLE: Final = re.compile(r"^\[raters\][^\n]*$", re.MULTILINE)


def write_count_calibration(folder: Path, *, counts: bool) -> None:
    """Say in study.toml, under [raters], whether they count; every number and export reads it."""
    path = folder / STUDY_FILE
    text = path.read_text(encoding="utf-8")
    line = f"count_calibration = {str(counts).lower()}"
    if _KEY.search(text):
        text = _KEY.sub(line, text, count=1)
    elif _TABLE.search(text):
        text = _TABLE.sub(lambda table: f"{table[0]}\n{line}", text, count=1)
    else:
        text = f"{text.rstrip()}\n\n[raters]\n{line}\n"
    write_atomically(path, text.encode())


OPTIONS: Final = "campaign.toml"
LANGUAGES: Final = "languages"
_EXAMPLE: Final = re.compile(r'^# (text|ethics|danger|withdrawal) = "([^"]*)"$', re.MULTILINE)


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


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
    database: Annotated[str, Guarded("medassay.campaign.options.allowed_database")] = ""
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
    order: Literal["any", "by_case"] = "any"
    """Whether raters meet answers in any order, or all systems' answers to one question one after
    another."""
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


def language_files(study: Path, name: str) -> list[Path]:
    """Name the files of languages that a campaign adds to the room, by their codes."""
    return sorted((study / FOLDER / name / LANGUAGES).glob("*.toml"))


def refuse_placeholders(name: str, information: Information) -> None:
    """Refuse to ask people to agree to the example's words.

    Raises:
        InvalidInput: A part of [room.information] still reads as in the example.
    """
    example = dict(_EXAMPLE.findall(_TEMPLATE))
    must, hint = "be the study's own words", "Raters agree to it: write what holds in your study."
    problems = [
        Problem(
            f"{FOLDER}/{name}/{OPTIONS}", must, "the example's", hint, None, f"information.{part}"
        )
        for part, words in information.model_dump().items()
        if words and words.strip() == example.get(part)
    ]
    if problems:
        raise InvalidInput(problems)


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
# order = "any"             # by_case: all systems' answers to one question follow one another
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


VARIABLE: Final = "MEDASSAY_ROOM_DATABASE"
"""The variable of the environment that names a database for rating rooms."""
_SCHEME: Final = "postgresql+psycopg://"


def full_address(address: str, file: str, column: str | None = None) -> str:
    """Give an address of PostgreSQL as it is used.

    Raises:
        InvalidInput: It is none. A file is never named: a room's file has one place.

    Example:
        >>> full_address("postgresql://lead@db/room", "--database")
        'postgresql+psycopg://lead@db/room'
    """
    _, sign, rest = address.partition("://")
    if address.startswith(("postgresql://", _SCHEME)) and rest.isprintable() and " " not in rest:
        return f"{_SCHEME}{rest}"
    must = "be an address such as postgresql+psycopg://USER@HOST/NAME"
    hint = "Leave it out for a file: that is always room.db in the campaign's folder."
    got = "an address of another kind" if sign else "something else"
    raise InvalidInput(Problem(file, must, got, hint, None, column))


def allowed_database(study: Path, name: str, typed: str = "") -> str:
    """Give the address that a campaign's room uses; empty where it is the campaign's own file.

    Args:
        study: The study's folder.
        name: The campaign.
        typed: What the user named as an option of this command.

    Raises:
        InvalidInput: `campaign.toml` asks for a database that nobody here allowed.
    """
    file, column = f"{FOLDER}/{name}/{OPTIONS}", "room.database"
    asked = read_options(study, name).room.database
    asked = full_address(asked, file, column) if asked else ""
    said = full_address(typed, "--database") if typed else ""
    if not said and (set_here := os.environ.get(VARIABLE)):
        said = full_address(set_here, VARIABLE)
    if not said or (asked and said != asked and not typed):
        said = _kept(study, name) or said
    if not asked or asked == said:
        return said
    if typed:
        hint = f"Write the same address into {file}, or leave it out there."
        raise InvalidInput(
            Problem("--database", f'be what {file} says, "{asked}"', "another", hint)
        )
    must = "name a database that you allowed on this machine"
    hint = (
        "Whoever made the study chose this host, and your database password would go there. To "
        f"allow it: {campaign_command('serve', study, name, '--database', asked)}"
    )
    raise InvalidInput(Problem(file, must, f'"{asked}"', hint, None, column))


def allow_database(study: Path, name: str, address: str) -> None:
    """Keep that this machine's user named a database for a campaign at this place.

    It is kept among the user's own files and never in the study, which may be passed on.

    Raises:
        InvalidInput: It is no address of PostgreSQL, or it cannot be kept.
    """
    words = {**_of(study, name), "database": full_address(address, "--database")}
    write_atomically(_place(study, name), json_bytes(words), owner_only=True)


def _kept(study: Path, name: str) -> str:
    """Give the address that was allowed for this campaign at this place; empty if none was."""
    try:
        words = json.loads(_place(study, name).read_bytes())
    except (OSError, ValueError):
        return ""
    return str(words.get("database", "")) if isinstance(words, dict) else ""


def _of(study: Path, name: str) -> dict[str, str]:
    return {"study": str(study.resolve()), "campaign": name}


def _place(study: Path, name: str) -> Path:
    """Say where it is kept: among the user's own files, by the study's place and the campaign."""
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    words = json.dumps(_of(study, name), sort_keys=True)
    return Path(home, "medassay", "rooms", f"{sha256(words.encode()).hexdigest()[:32]}.json")
