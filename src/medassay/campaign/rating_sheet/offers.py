"""What a cell offers to choose from, and what it does not take."""

from typing import Any, Final

from medassay.campaign.rating_sheet.sheet import REASON_WORDS, SaidColumn
from medassay.tables import cell_name

__all__ = ["offer"]

_LONGEST: Final = 255
_LONGEST_TITLE: Final = 32


def offer(
    page: Any,  # noqa: ANN401 - xlsxwriter publishes no types
    cells: tuple[int, int, int, int],
    column: SaidColumn,
) -> None:
    """Offer words as a list, or hold a number to its range.

    Labels hold no commas, so a list in the cell itself can. A reason may stand in place of what is
    asked, but not in place of how sure a rater is.
    """
    dimension = column.dimension
    asks = {
        "said": dimension.question,
        "severity": "How bad is it?",
        "confidence": "How sure are you?",
    }
    rule: dict[str, object] = {
        "input_title": (dimension.title or dimension.id)[:_LONGEST_TITLE],
        "input_message": asks[column.what][:_LONGEST],
    }
    reasons = tuple(REASON_WORDS) if column.what == "said" else ()
    if column.bounds is not None:
        rule |= {"input_message": f"{asks[column.what]} It must {column.must}."[:_LONGEST]}
        rule |= _in_range(cells, column, reasons)
        page.data_validation(*cells, rule)
        return
    words = [*column.words, *(word for word in reasons if word not in column.words)]
    if len(",".join(words)) > _LONGEST:
        words = list(column.words)
    if len(",".join(words)) > _LONGEST:
        page.data_validation(*cells, {"validate": "any", **rule})
        return
    page.data_validation(
        *cells,
        {
            "validate": "list",
            "source": words,
            "error_title": "Not a label",
            "error_message": f"Choose one of: {', '.join(words)}."[:_LONGEST],
            **rule,
        },
    )


def _in_range(
    cells: tuple[int, int, int, int], column: SaidColumn, reasons: tuple[str, ...]
) -> dict[str, object]:
    cell = cell_name(cells[0], cells[1])
    low, high = column.bounds or (None, None)
    tests = [f"ISNUMBER({cell})"]
    tests += [f"{cell}>={low:.15g}"] if low is not None else []
    tests += [f"{cell}<={high:.15g}"] if high is not None else []
    either = [f"AND({','.join(tests)})", *(f'{cell}="{word}"' for word in reasons)]
    must = f"It must {column.must}"
    return {
        "validate": "custom",
        "value": f"=OR({','.join(either)})",
        "error_title": "Not such a number",
        "error_message": f"{must}{', or: ' if reasons else ''}{', '.join(reasons)}."[:_LONGEST],
    }
