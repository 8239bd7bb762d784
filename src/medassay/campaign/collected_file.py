"""One file that came back: whose it is, what it says, and whether it came before."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from medassay.campaign.asked import asked_parts
from medassay.campaign.new_rows import words_of_raters
from medassay.campaign.own_columns import said_of_own_columns
from medassay.campaign.owners import Words, own_rows, owner_of
from medassay.campaign.rating_sheet import ReturnedFile, read_returned
from medassay.campaign.reading import Given, campaign_of, read_given
from medassay.campaign.subjects import rows_by_item
from medassay.errors import Problem
from medassay.judgements.campaign import FOLDER, CampaignPlan
from medassay.study.folder import Study
from medassay.tables import file_stem

__all__ = ["CollectedFile", "read_file", "rows_of_owners"]

RETURNED: Final = "returned"


@dataclass(frozen=True)
class CollectedFile:
    """A file that came back, read.

    Attributes:
        returned: The file.
        plan: The campaign that it belongs to.
        rows: What its rows say.
        owner: The rater whose sheet it is.
        copy: Where its copy is kept in the study.
        was_here: Whether it was imported before.
    """

    returned: ReturnedFile
    plan: CampaignPlan
    rows: Sequence[Given]
    owner: str
    copy: str
    was_here: bool


def read_file(
    study: Study,
    path: Path,
    plans: Mapping[str, CampaignPlan],
    name: str | None,
    notes: list[str],
    *,
    again: bool,
) -> CollectedFile:
    """Read one file.

    Raises:
        InvalidInput: With every problem of the file.
    """
    returned = read_returned(path)
    plan = campaign_of(returned, plans, name)
    parts = asked_parts(study, plan.settings.kind)
    asked = rows_by_item(study, plan.settings)
    rows = read_given(returned, plan, plans, parts, asked, notes)
    notes += said_of_own_columns(returned, parts)
    notes += map(str, returned.notes)
    digest = hashlib.sha256(returned.content).hexdigest()[:12]
    stem = file_stem(path.stem)
    copy = f"{FOLDER}/{plan.settings.name}/{RETURNED}/{digest}-{stem}{path.suffix.lower()}"
    was_here = (study.path / copy).is_file()
    if was_here:
        more = "; it is read once more" if again else ""
        notes.append(f"{returned.file} was imported before{more}.")
    owner = owner_of(rows, plan, path.stem)
    return CollectedFile(returned, plan, rows, owner, copy, was_here and not again)


def rows_of_owners(
    study: Study, plan: CampaignPlan, files: Sequence[CollectedFile], notes: list[str]
) -> tuple[list[tuple[Given, bool]], list[Problem]]:
    """Give the rows that files hold of their own raters, each with whether its file came before.

    Returns:
        The rows; and the problems with rows of other raters.
    """
    own = [
        row
        for file in files
        if not file.was_here
        for row in file.rows
        if plan.by_code[row.code].rater == file.owner
    ]
    words = words_of_raters(study, plan, own)
    notes += _too_early(study, plan, own, words)
    pairs: list[tuple[Given, bool]] = []
    problems: list[Problem] = []
    for collected_file in files:
        rows, strange = own_rows(collected_file.rows, collected_file.owner, plan, words, notes)
        pairs += [(row, collected_file.was_here) for row in rows]
        problems += [] if collected_file.was_here else strange
    return pairs, problems


def _too_early(study: Study, plan: CampaignPlan, own: Sequence[Given], words: Words) -> list[str]:
    """Name labels of the second part whose rater has not handed in the first."""
    parts = asked_parts(study, plan.settings.kind)
    if not parts[1:]:
        return []
    must = "come after the first part, which is judged without the system's confidence"
    hint = "The labels were read; whether they are used is for you to decide."
    notes = []
    begun = {(code, name) for code, _, name in words}
    for row in own:
        lacking = ", ".join(name for name in parts[0].ids if (row.code, name) not in begun)
        if lacking and set(row.labels) & set(parts[1].ids):
            got = f"no {lacking} for {row.code} yet"
            notes.append(str(Problem(row.file, must, got, hint, cell=row.address)))
    return notes
