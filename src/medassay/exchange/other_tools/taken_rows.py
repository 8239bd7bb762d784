"""Ratings of a tool's files beside each other, and beside what the study holds."""

from collections.abc import Mapping, Sequence

from medassay.campaign.reading import Said
from medassay.errors import Problem
from medassay.exchange.other_tools.tool_ratings import ToolRating
from medassay.judgements import Dimension
from medassay.judgements.campaign import Item
from medassay.study.folder import Study

__all__ = ["Page", "TakenRow", "contradictions", "without_known"]

TakenRow = tuple[ToolRating, Item, Dimension, Said]
"""A rating, the answer that it is about, what was asked, and what the words mean."""
Page = tuple[str, str]
"""An item and who rated it."""


def contradictions(rows: Sequence[TakenRow]) -> list[Problem]:
    """Name what one rater says twice of one answer, where no moment tells which came later."""
    first: dict[tuple[str, Item, str], ToolRating] = {}
    problems = []
    for tool_rating, item, dimension, _ in rows:
        if tool_rating.time is not None:
            continue
        there = first.setdefault((tool_rating.rater, item, dimension.id), tool_rating)
        if _words_of(there) != _words_of(tool_rating):
            must = f"say what {tool_rating.rater} says of the same answer in {_place_of(there)}"
            got = f'"{", ".join(filter(None, _words_of(tool_rating)))}"'
            got += f', not "{", ".join(filter(None, _words_of(there)))}"'
            hint = "Delete one of the two, or let each rater have a name of their own."
            problems.append(
                Problem(tool_rating.file, must, got, hint, tool_rating.row, tool_rating.place)
            )
    return problems


def _words_of(tool_rating: ToolRating) -> tuple[str, str, str]:
    return tool_rating.said, tool_rating.comment or "", tool_rating.confidence


def _place_of(tool_rating: ToolRating) -> str:
    row = "" if tool_rating.row is None else f", row {tool_rating.row}"
    return f"{tool_rating.file}{row}"


def without_known(
    study: Study, rows: Sequence[TakenRow], comments: Mapping[Page, Sequence[str]]
) -> tuple[list[TakenRow], list[str | None]]:
    """Leave out what the study holds in the same words: our own export, come back unchanged.

    Only what the tool's file can hold is compared, and with what an export writes: of two arms of
    display the first, of numbers 15 digits, of the comments on one answer those that there are.

    Returns:
        The rows that say something new, and of each the arm of display that it corrects.
    """
    now = study.judgements_on_file.in_phases(study.judgements.counts)
    held: dict[tuple[str, Item, str], dict[str, object]] = {}
    lines: dict[tuple[str, Item], set[str]] = {}
    for there in now.iter_rows(named=True):
        item = Item(there["case"], there["system"], sample=there["sample"])
        held[there["rater"], item, there["dimension"]] = there
        lines.setdefault((there["rater"], item), set()).update(_lines(there["comment"]))
    new: list[TakenRow] = []
    arms: list[str | None] = []
    for row in rows:
        tool_rating, item, dimension, label = row
        known = held.get((tool_rating.rater, item, dimension.id))
        page = "\n".join(comments.get((tool_rating.item, tool_rating.rater), ()))
        same = (
            tool_rating.time is None
            and known is not None
            and label == _as_said(known)
            and _lines(tool_rating.comment) in ([], _lines(known["comment"]))
            and lines[tool_rating.rater, item].issuperset(_lines(page))
            and _is_as_sure(tool_rating.confidence, known["confidence"])
        )
        if not same:
            new.append(row)
            arm = None if known is None else known["display"]
            arms.append(None if arm is None else str(arm))
    return new, arms


def _lines(text: object) -> list[str]:
    """Give the lines of a comment: tools end them in ways of their own."""
    return [line.strip() for line in str(text or "").splitlines() if line.strip()]


def _as_said(known: Mapping[str, object]) -> Said:
    """Give a judgement of the study as a label is read: numbers in their shortest form."""
    number, label, reason = known["number"], known["label"], known["reason"]
    said = f"{number:.15g}" if isinstance(number, float) else label
    return None if said is None else str(said), None if reason is None else str(reason)


def _is_as_sure(said: str, known: object) -> bool:
    """Say whether a file says nothing of how sure a rater is, or what the study has."""
    try:
        return said in {"", known} or float(said.replace(",", ".")) == float(str(known))
    except ValueError:
        return False
