"""Raters of a table that comes in, held against those whom the study knows."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from medassay.errors import Problem, nearest
from medassay.study.files import RATERS_KEY
from medassay.study.folder import Study
from medassay.tables import Sheet

if TYPE_CHECKING:
    import polars as pl

__all__ = ["rater_problems"]


def rater_problems(study: Study, frame: "pl.DataFrame", sheet: Sheet) -> Iterator[Problem]:
    """Name raters whom the raters table lacks, of another kind than the study holds, pseudonyms.

    Args:
        study: The study.
        frame: The rows that come in, in the order of the sheet.
        sheet: Where they stood.
    """
    import polars as pl

    listed = {listed_rater.rater: str(listed_rater.kind) for listed_rater in study.raters}
    pseudonyms = set() if study.pseudonyms.named else set(study.pseudonyms.of.values())
    held = dict(listed)
    for table in (study.judgements_on_file, study.preferences_on_file):
        for rater, kind in table.frame.select("rater", "rater_kind").unique().iter_rows():
            held.setdefault(rater, kind)
    pairs = (
        frame.lazy().with_row_index("first").group_by("rater", "rater_kind", maintain_order=True)
    )
    told = pairs.agg(pl.col("first").first(), pl.len()).collect()
    for rater, kind, first, count in told.iter_rows():
        row = sheet.rows[first]
        more = f", in {count} rows" if count > 1 else ""
        if listed and rater not in listed:
            hint = nearest(rater, listed) or "Add a row for this rater to the raters table."
            must = "be a rater of the raters table"
            yield Problem(sheet.file, must, f'"{rater}"{more}', hint, row, "rater")
        elif rater in pseudonyms and rater not in held:
            hint = f"{RATERS_KEY} says whose it is."
            must = "be a rater's name as in the study's own files"
            yield Problem(sheet.file, must, f'"{rater}", a pseudonym{more}', hint, row, "rater")
        elif held.get(rater, kind) != kind:
            there = "the raters table" if rater in listed else "the study's judgements"
            must = f"be {held[rater]} for {rater}, as in {there}"
            hint = "Fill the column rater_kind." if "rater_kind" not in sheet.columns else ""
            yield Problem(sheet.file, must, f"{kind}{more}", hint, row, "rater_kind")
