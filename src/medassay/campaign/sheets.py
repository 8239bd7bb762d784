"""The sheets of a campaign: what each rater is sent."""

from dataclasses import dataclass, field, replace
from typing import Final, Literal

from medassay.campaign.apart import describe_texts, refuse_where_reports_go
from medassay.campaign.asked import asked_parts, asked_rubric
from medassay.campaign.create import SHEETS, write_files
from medassay.campaign.plans import plan_named, refuse_changed
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
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER, Assignment, CampaignPlan, Item, Settings
from medassay.study.config import TextLevel
from medassay.study.folder import Study
from medassay.tables import file_stem

__all__ = ["SheetsWritten", "sent_to", "write_sheets"]

# A folder of its own: the second part goes out when the first has come back.
SECOND_PART: Final = f"{SHEETS}/part-2"


@dataclass(frozen=True)
class SheetsWritten:
    """What was written for raters.

    Attributes:
        campaign: The campaign's name.
        files: The study's files that were written; none where all were there, word for word.
        notes: What an organiser should know.
    """

    campaign: str
    files: list[str]
    notes: list[str] = field(default_factory=list)


def write_sheets(
    study: Study,
    name: str = "main",
    form: Literal["xlsx", "csv"] | None = None,
    texts: TextLevel | None = None,
) -> SheetsWritten:
    """Write one blinded sheet for each rater of a campaign.

    Args:
        study: The study.
        name: The campaign.
        form: The form of the sheets; workbooks if not given.
        texts: How much text the sheets hold; as much as the study lets out if not given.

    Raises:
        InvalidInput: There is no such campaign, its sheets are out in another form or with other
            texts, an answer has changed since, or private texts would lie where reports go.
    """
    study.require_whole()
    plan = plan_named(study, name)
    plan = replace(plan, settings=_settings(study, plan, form, texts))
    items = {assignment.item: assignment.shown for assignment in plan.assignments}
    shown = {item: texts_of(study, item, plan.settings.parts) for item in items}
    refuse_changed(study, plan)
    files = {**plan.files(), **sheet_files(study, plan, shown)}
    if not study.config.privacy.allows(plan.settings.texts):
        homes = [(study.path / FOLDER / name / inner).parent for inner in files]
        refuse_where_reports_go(study.path, homes, "--texts")
    written = write_files(study.path, name, files)
    return SheetsWritten(name, written, _notes(study, plan))


def _settings(
    study: Study, plan: CampaignPlan, form: Literal["xlsx", "csv"] | None, texts: TextLevel | None
) -> Settings:
    """Say how the sheets are written; what raters hold already is not written otherwise unasked."""
    was, level = plan.settings, texts or study.config.privacy.texts
    out = (study.path / FOLDER / was.name / SHEETS).is_dir()
    if out and form not in {None, was.form}:
        must, hint = f"be {was.form}, as the sheets that are out", "Give another campaign a --name."
        raise InvalidInput(Problem("--format", must, str(form), hint))
    if out and texts is None and level != was.texts:
        must = f"be said once more: the sheets that are out were written with --texts {was.texts}"
        hint = f"Say --texts {level} to have them written anew."
        raise InvalidInput(Problem("--texts", must, "nothing", hint))
    return was.model_copy(update={"form": form or was.form, "texts": level})


def _notes(study: Study, plan: CampaignPlan) -> list[str]:
    home = f"{FOLDER}/{plan.settings.name}"
    notes = ["Send each rater only their own sheet."]
    notes += describe_texts(study, plan.settings.texts, home)
    if asked_parts(study, plan.settings.kind)[1:]:
        notes.append(
            f"The sheets are in two parts. Send {home}/{SECOND_PART} to a rater when the first "
            "part has come back: it shows the confidence that systems give."
        )
    return notes


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
