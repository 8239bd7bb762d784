"""Whose sheet a file is, and the rows in it that are somebody else's."""

from collections import Counter
from collections.abc import Mapping, Sequence

from medassay.campaign.filled import Filled
from medassay.campaign.reading import Given
from medassay.errors import Problem
from medassay.judgements.campaign import CampaignPlan
from medassay.tables import file_stem

__all__ = ["Words", "own_rows", "owner_of"]

Words = Mapping[tuple[str, str, str], Filled]
"""What a code's own rater says: code, about and dimension to the label or the reason."""


def owner_of(rows: Sequence[Given], plan: CampaignPlan, stem: str) -> str:
    """Give the rater whose codes most rows have; where two have as many, the file's name tells."""
    counts = Counter(plan.by_code[row.code].rater for row in rows)
    named = {rater: file_stem(rater).casefold() in stem.casefold() for rater in counts}
    return max(counts, key=lambda rater: (counts[rater], named[rater]))


def own_rows(
    rows: Sequence[Given], owner: str, plan: CampaignPlan, words: Words, notes: list[str]
) -> tuple[list[Given], list[Problem]]:
    """Set apart the rows of other raters: what these say is theirs to send.

    Args:
        rows: The rows of one file.
        owner: Whose sheet it is.
        plan: The campaign.
        words: What each code's own rater says, in their own sheet or in the study.
        notes: Where it is added which rows were left alone.

    Returns:
        The owner's rows; and a problem for each label that the code's own rater did not give.
    """
    own: list[Given] = []
    problems = []
    for row in rows:
        rater = plan.by_code[row.code].rater
        if rater == owner:
            own.append(row)
            continue
        other = [
            (name, label)
            for name, label in row.labels.items()
            if words.get((row.code, row.about, name)) != label
        ]
        must = f"hold rows of {owner} only"
        for name, label in other:
            there = str(words.get((row.code, row.about, name), ""))
            theirs = f'says "{there}"' if there else "says nothing yet"
            got = f'"{label}" in a row of {rater} ({row.code}), who {theirs}'
            hint = f"Empty the row here, and import the sheet of {rater}."
            problems.append(
                Problem(row.file, must, got, hint, column=name, cell=row.addresses[name])
            )
        if not other:
            what = "which says what they say" if row.labels else "which has no labels"
            got = f"a row of {rater} ({row.code}), {what}"
            left = "It was left alone."
            notes.append(str(Problem(row.file, must, got, left, cell=row.address)))
    return own, problems
