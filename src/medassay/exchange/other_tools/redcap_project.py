"""What is handed to REDCap, and what of it stays with the study."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from medassay.campaign.rating_sheet import HEADINGS
from medassay.errors import InvalidInput, Problem
from medassay.exchange.other_tools.handout import Handout, find_handouts
from medassay.exchange.other_tools.tool_ratings import ToolTask
from medassay.exchange.redcap.dictionary import Field, dictionary_bytes, read_dictionary
from medassay.exchange.redcap.write import redcap_dictionary, redcap_fields, redcap_records
from medassay.judgements import Rubric
from medassay.judgements.campaign import FOLDER
from medassay.tables import read_sheet

__all__ = ["kept_dictionaries", "kept_dictionary", "redcap_contents"]

_KEPT: Final = "dictionary.csv"
"""What was asked under a hand-out: exports hold codes, and this says what each stood for."""


def redcap_contents(
    rubric: Rubric,
    tasks: Sequence[ToolTask],
    kinds: Sequence[str],
    *,
    title: str,
    synthetic: bool,
    ratings: bool,
) -> dict[str, bytes]:
    """Write the files of a project, by their names."""
    return {
        "data_dictionary.csv": redcap_dictionary(rubric, kinds, title=title, synthetic=synthetic),
        "records.csv": redcap_records(tasks, rubric, kinds, ratings=ratings),
    }


def kept_dictionary(study: Path, handout: Handout, rubric: Rubric) -> dict[str, bytes]:
    """Write the dictionary that a study keeps beside a hand-out: the name of the file, its bytes.

    Raises:
        InvalidInput: The hand-out was written before and asked something else then: its codes
            would be read as other labels than raters chose.
    """
    # Whatever was shown: texts may be handed out later under the same codes.
    fields = redcap_fields(rubric, tuple(HEADINGS))
    there = _read(study, handout.name)
    if there and [field.meaning for field in there.values()] != [field.meaning for field in fields]:
        must = "name a new hand-out where the rubric has changed"
        got = f'"{handout.name}", which asked something else'
        raise InvalidInput(Problem("--name", must, got, "Give another --name."))
    return {_place(handout.name): dictionary_bytes(fields)}


def kept_dictionaries(study: Path) -> list[tuple[frozenset[str], dict[str, Field]]]:
    """Read what each hand-out to REDCap asked: its codes, and the fields of its project."""
    return [
        (frozenset(handout.items), fields)
        for name, handout in find_handouts(study).items()
        if (fields := _read(study, name))
    ]


def _place(name: str) -> str:
    return f"{FOLDER}/{name}/{_KEPT}"


def _read(study: Path, name: str) -> dict[str, Field]:
    path = study / _place(name)
    return read_dictionary(read_sheet(path, _place(name))) if path.exists() else {}
