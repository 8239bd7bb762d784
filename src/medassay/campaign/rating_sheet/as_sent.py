"""What stood in a sheet when it was sent, cell by cell, to hold against what came back."""

from collections.abc import Mapping
from dataclasses import dataclass

from medassay.campaign.rating_sheet.fit import fitting
from medassay.campaign.rating_sheet.ratings_page import PAGE, WHOLE, columns_of
from medassay.campaign.rating_sheet.sheet import HEADINGS, RatingSheet
from medassay.tables import cell_name, folded

__all__ = ["SentRow", "rows_as_sent"]


@dataclass(frozen=True)
class SentRow:
    """One row as it was sent.

    Attributes:
        address: Where its code stood.
        texts: Each heading to the texts that may stand under it, and whether each was cut where no
            more fitted. A workbook and a CSV file lay texts out differently, and either may be
            saved as the other.
    """

    address: str
    texts: Mapping[str, tuple[tuple[str, bool], ...]]

    def is_as_sent(self, heading: str, text: str) -> bool:
        """Say whether a text is the one that was sent; blanks and line ends do not matter."""
        now = folded(text)
        return heading not in self.texts or any(
            now.startswith(f"{sent} {WHOLE}") if cut else now == sent
            for sent, cut in self.texts[heading]
        )


def rows_as_sent(sheet: RatingSheet, form: str) -> dict[tuple[str, str], SentRow]:
    """Give each row of a sheet by its code and what it is about.

    Rows for passages are left out: a rater may well delete those that were not needed.

    Args:
        sheet: The sheet.
        form: xlsx or csv.
    """
    columns = [column for column in columns_of(sheet) if column.kinds]
    kinds = [kind for kind in HEADINGS if sheet.has(kind)]
    sent_rows = {}
    top = 1 if sheet.synthetic else 0
    for number, row in enumerate(sheet.rows, start=1):
        if row.passage:
            continue
        texts: dict[str, set[tuple[str, bool]]] = {}
        for kind in kinds:
            whole = folded("\n".join(row.texts.get(kind, ())))
            texts.setdefault(HEADINGS[kind], set()).add((whole, False))
        for column in columns:
            shown, cut = fitting(column.pieces(row), column.width)
            text = folded("\n".join(piece.text for piece in shown))
            texts.setdefault(column.heading, set()).add((text, cut))
        # In a workbook a line stands above each batch.
        place = f"{PAGE}!{cell_name(top + number + row.batch, 0)}"
        address = place if form == "xlsx" else cell_name(number, 0)
        sent_rows[row.code, row.about] = SentRow(
            address, {name: tuple(some) for name, some in texts.items()}
        )
    return sent_rows
