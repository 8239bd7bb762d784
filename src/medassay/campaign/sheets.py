"""The sheets of a campaign: what each rater is sent."""

from dataclasses import replace
from typing import Final

from medassay.campaign.asked import asked_parts, asked_rubric
from medassay.campaign.rating_sheet import (
    RatingSheet,
    SentRow,
    SheetRow,
    csv_sheet_bytes,
    instructions_bytes,
    rows_as_sent,
    rubric_bytes,
    workbook_bytes,
)
from medassay.campaign.texts import confidence_shown, texts_of
from medassay.judgements.campaign import Assignment, CampaignPlan, Item, Settings
from medassay.study.folder import Study
from medassay.tables import file_stem

__all__ = ["SECOND_PART", "SHEETS", "sent_to", "sheet_files"]

SHEETS: Final = "sheets"
# A folder of its own: the second part goes out when the first has come back.
SECOND_PART: Final = f"{SHEETS}/part-2"


def sheet_files(
    study: Study, plan: CampaignPlan, texts: dict[Item, dict[str, tuple[str, ...]]]
) -> dict[str, bytes]:
    """Give the bytes of every sheet, by its place in the campaign's folder."""
    settings = plan.settings
    files: dict[str, bytes] = {}
    for sheet in (
        rating_sheet
        for rater in settings.raters
        for rating_sheet in _sheets_of(study, plan, rater, texts)
    ):
        folder = SECOND_PART if sheet.part == 2 else SHEETS  # noqa: PLR2004 - the second
        stem = f"{folder}/{file_stem(sheet.rater)}"
        if settings.form == "xlsx":
            files[f"{stem}.xlsx"] = workbook_bytes(sheet)
            continue
        files[f"{stem}.csv"] = csv_sheet_bytes(sheet)
        files[f"{folder}/rubric.csv"] = rubric_bytes(sheet.rubric)
        files[f"{folder}/README.txt"] = instructions_bytes(sheet)
    return files


def sent_to(study: Study, plan: CampaignPlan, rater: str) -> dict[str, SentRow]:
    """Give the rows that a rater was sent, by code, as far as the study still has the answers."""
    texts = {
        assignment.item: texts_of(study, assignment.item, plan.settings.parts)
        for assignment in plan.of_rater(rater)
        if assignment.item.case in study.cases
        and all(
            study.answers.get(name, assignment.item.case) is not None
            for name in assignment.item.pair
        )
    }
    # The last part shows all that the first does.
    return rows_as_sent(_sheets_of(study, plan, rater, texts)[-1], plan.settings.form)


def _sheets_of(
    study: Study, plan: CampaignPlan, rater: str, texts: dict[Item, dict[str, tuple[str, ...]]]
) -> list[RatingSheet]:
    settings = plan.settings
    mine = [assignment for assignment in plan.of_rater(rater) if assignment.item in texts]
    blind = [_row(assignment, texts, settings) for assignment in mine]
    sheet = RatingSheet(
        title=study.config.title,
        campaign=settings.name,
        rater=rater,
        kind=settings.kind,
        rubric=asked_rubric(study, settings.kind),
        rows=tuple(blind),
        synthetic=settings.synthetic,
    )
    parts = asked_parts(study, settings.kind)
    if not parts[1:]:
        return [sheet]
    revealed = [
        replace(row, texts={**row.texts, "confidence": confidence_shown(study, assignment.item)})
        for row, assignment in zip(blind, mine, strict=True)
    ]
    return [
        replace(sheet, rubric=parts[0], part=1),
        replace(sheet, rubric=parts[1], part=2, rows=tuple(revealed)),
    ]


def _row(
    assignment: Assignment, texts: dict[Item, dict[str, tuple[str, ...]]], settings: Settings
) -> SheetRow:
    if settings.texts == "full":
        return SheetRow(assignment.code, assignment.batch, texts[assignment.item])
    case = {"case": (assignment.item.case,)} if settings.texts == "ids" else {}
    return SheetRow(assignment.code, assignment.batch, case)
