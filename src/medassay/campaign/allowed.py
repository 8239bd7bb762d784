"""Which database a rating room may use, and who said so.

`campaign.toml` may come from anybody, so what it says is a request. A database that is not the
campaign's own file is used where this machine's user named it: as an option, which is kept outside
of the study for this campaign at this place, or in the environment.
"""

import json
import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Final

from medassay.campaign.options import OPTIONS, read_options
from medassay.campaign.plans import campaign_command
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER
from medassay.tables import json_bytes, write_atomically

__all__ = ["VARIABLE", "allow_database", "allowed_database", "full_address"]

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
