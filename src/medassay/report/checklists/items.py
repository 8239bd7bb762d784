"""Checklists as data: one file each, known by being there."""

import tomllib
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

__all__ = ["Checklist", "ChecklistItem", "checklists"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ChecklistItem(_Part):
    """One item of a checklist.

    Attributes:
        number: Its number there.
        topic: What it is about, there.
        asks: What it asks for, in our words.
        tables: Tables of a report of which one must be there.
        facts: What a run must tell, by the name of a fact.
        left: What its authors still say, or where they may look.
    """

    number: str
    topic: str
    asks: str
    tables: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    left: str = ""


class Checklist(_Part):
    """A reporting checklist.

    Attributes:
        id: Names its files.
        title: Its name.
        source: Where it was published.
        doi: Of that.
        explained: DOI of the paper that explains its items; empty where there is none.
        counted: How many numbered items it prints.
        items: They, in order.
    """

    id: str
    title: str
    source: str
    doi: str
    explained: str = ""
    counted: int
    items: tuple[ChecklistItem, ...]


def checklists() -> tuple[Checklist, ...]:
    """Give every checklist.

    Example:
        >>> [(one.id, len(one.items)) for one in checklists()]
        [('chart', 39), ('tripod-llm', 49)]
    """
    folder = files("medassay") / "data" / "checklists"
    every = sorted(folder.iterdir(), key=lambda path: path.name)
    return tuple(Checklist(**tomllib.loads(file.read_text(encoding="utf-8"))) for file in every)
