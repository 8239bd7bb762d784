"""Hold a sheet that came back against what was sent: edited texts, and rows that are gone."""

from collections.abc import Mapping
from typing import Final

from medassay.campaign.rating_sheet import ABOUT, CODE, ReturnedFile, SentRow
from medassay.campaign.reading import describe_few
from medassay.errors import Problem
from medassay.judgements.campaign import as_code
from medassay.tables import folded
from medassay.text import count_of

__all__ = ["describe_differs"]

_MOST: Final = 10


def describe_differs(
    returned: ReturnedFile, owner: str, sent: Mapping[tuple[str, str], SentRow]
) -> list[str]:
    """Name each text that is not as it was sent, and the rows that were sent and are not there.

    Labels are kept whatever is said here: whether they are about the text that was sent is for
    whoever runs the campaign to find out.

    Args:
        returned: The file.
        owner: Whose sheet it is.
        sent: The rows that this rater was sent, by code and what they are about.
    """
    sent = {(code, about.casefold()): row for (code, about), row in sent.items()}
    edited: list[str] = []
    there = set()
    for table in returned.tables:
        headings = {folded(name).casefold(): name for name in table.columns}
        code_at = table.columns[headings[CODE.casefold()]]
        about_at = table.columns.get(headings.get(ABOUT.casefold(), ""))
        for row in table.rows():
            code = as_code(table.text(row, code_at))
            about = "" if about_at is None else folded(table.text(row, about_at)).casefold()
            key = (code or "", about)
            if key not in sent:
                continue
            there.add(key)
            for heading in sent[key].texts:
                place = table.columns.get(headings.get(heading.casefold(), ""))
                if place is None or sent[key].is_as_sent(heading, table.text(row, place)):
                    continue
                must = "hold the text of the study"
                hint = "It was changed here, or there since the export; the row's labels were read."
                at = table.address(row, place)
                problem = Problem(returned.file, must, "another", hint, None, heading, at)
                edited.append(str(problem))
    more = [
        f"{returned.file}: and {count_of(len(edited) - _MOST, 'text')} more, not as in the study."
    ]
    notes = edited[:_MOST] + (more if edited[_MOST:] else [])
    gone = [
        f"{code} ({sent[code, about].address} of what was sent)"
        for code, about in sent
        if (code, about) not in there
    ]
    if gone:
        must = f"hold all {len(sent)} rows that {owner} was sent"
        got = f"{len(sent) - len(gone)}, without {describe_few(gone)}"
        hint = "What the study has of them stays; ask for them if they were filled in."
        notes.append(str(Problem(returned.file, must, got, hint)))
    return notes
