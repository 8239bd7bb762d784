"""Whether what comes again is what was said before under the same name."""

from medassay.campaign.room.offered import words_taken
from medassay.campaign.room.records import Said
from medassay.campaign.room.sql import Sql
from medassay.judgements import Rubric

__all__ = ["is_repeated"]


def is_repeated(said: Said, row: Sql, rubric: Rubric) -> bool:
    """Say whether a row of the table `judgements` holds what is said.

    Args:
        said: What comes under the name of the row.
        row: The row.
        rubric: What is asked; the row has its spelling of labels.
    """
    before = (row.code, row.dimension, row.about, row.takes_back or "", row.why or "")
    now = (said.code, said.dimension, said.about, said.takes_back, said.why)
    if before != now or said.takes_back:  # what was taken back has in its row what held before
        return before == now
    label = said.label
    if label and said.dimension in rubric.ids:
        label = words_taken(rubric.dimension(said.dimension)).get(label, label)
    sure = row.confidence if row.sure is None else row.sure
    kept = (row.label or "", row.number, row.reason or "", row.comment, row.dangerous, sure)
    return kept == (
        label, said.number, said.reason, said.comment, said.dangerous, said.confidence
    )  # fmt: skip
