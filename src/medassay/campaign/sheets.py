"""The sheets of a campaign: what each rater is sent."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from medassay.campaign.apart import describe_texts, refuse_where_reports_go
from medassay.campaign.catalogues import Texts, catalogues_of, refuse_unspoken
from medassay.campaign.create import CITATIONS_HIDDEN, SHEETS, with_displays, write_files
from medassay.campaign.options import read_options
from medassay.campaign.people import people_kept
from medassay.campaign.plans import plan_named, read_secret, refuse_changed
from medassay.campaign.rating_sheet import (
    ABOUT_KINDS,
    RatingSheet,
    SentRow,
    SheetRow,
    about_word,
    csv_sheet_bytes,
    instructions_bytes,
    rows_as_sent,
    rubric_bytes,
    workbook_bytes,
)
from medassay.campaign.subjects import SubjectRow, asked_parts, asked_rows
from medassay.campaign.texts import (
    EMPTY,
    NO_CONFIDENCE,
    NO_QUESTION,
    NOT_HELD,
    SIDES,
    confidence_shown,
    texts_of,
)
from medassay.campaign.translations import rubric_in
from medassay.errors import InvalidInput, Problem
from medassay.judgements import Rubric
from medassay.judgements.campaign import FOLDER, Assignment, CampaignPlan, Item, Settings
from medassay.study.config.study_toml import TextLevel
from medassay.study.folder import Study
from medassay.tables import file_stem

_Texts = dict[str, tuple[str, ...]]
# A folder of its own: the second part goes out when the first has come back.
_SECOND: Final = "part-2"
SECOND_PART: Final = f"{SHEETS}/{_SECOND}"
_ADDED: Final = "added"
"""What came by a change of raters has sheets of its own: those that are out stay as they are."""


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
    arms = read_options(study.path, name).room.display
    if arms and not any(assignment.display for assignment in plan.assignments):
        secret = read_secret(study.path, name)
        plan = replace(plan, assignments=with_displays(plan.assignments, secret, name, arms))
    refuse_changed(study, plan)
    files = {**plan.files(), **sheet_files(study, plan)}
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
        must = f"be given again: the sheets that are out were written with --texts {was.texts}"
        hint = f"Add --texts {level} to write them again."
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


def sheet_files(study: Study, plan: CampaignPlan) -> dict[str, bytes]:
    """Give the bytes of every sheet, by its place in the campaign's folder."""
    settings = plan.settings
    files: dict[str, bytes] = {}
    texts_of_rater = _languages(study, plan)
    for wave, sheet in (
        (wave, rating_sheet)
        for rater in settings.raters
        for wave, mine in _by_wave(plan.of_rater(rater)).items()
        for rating_sheet in _sheets_of(study, plan, rater, mine, texts_of_rater(rater))
    ):
        folder = f"{SHEETS}/{_ADDED}-{wave}" if wave else SHEETS
        folder += f"/{_SECOND}" if sheet.part == 2 else ""  # noqa: PLR2004 - the second
        stem = f"{folder}/{file_stem(sheet.rater)}"
        if settings.form == "xlsx":
            files[f"{stem}.xlsx"] = workbook_bytes(sheet)
            continue
        files[f"{stem}.csv"] = csv_sheet_bytes(sheet)
        # One of each language that somebody reads: the instructions name the file beside them.
        home = folder if sheet.texts.language == "en" else f"{folder}/{sheet.texts.language}"
        files[f"{home}/rubric.csv"] = rubric_bytes(sheet)
        files[f"{home}/README.txt"] = instructions_bytes(sheet)
    return files


def _languages(study: Study, plan: CampaignPlan) -> Callable[[str], Texts]:
    """Say which language each rater reads: the one that `people.csv` names, or English."""
    catalogues, _ = catalogues_of(study.path, plan.settings.name)
    people = people_kept(study.path, plan.settings.name)
    refuse_unspoken(people, catalogues, plan.settings.name)
    language = {person.rater: person.language for person in people}
    return lambda rater: catalogues.choose(language.get(rater, ""), "")


def _by_wave(mine: Sequence[Assignment]) -> dict[int, list[Assignment]]:
    waves: dict[int, list[Assignment]] = {}
    for assignment in mine:
        waves.setdefault(assignment.wave, []).append(assignment)
    return waves


def sent_to(
    study: Study, plan: CampaignPlan, rater: str, codes: Collection[str], texts: Texts
) -> dict[tuple[str, str], SentRow]:
    """Give the rows that a rater was sent, as far as the study still has the answers.

    Args:
        study: The study.
        plan: The campaign.
        rater: The rater.
        codes: Codes that came back; only sheets that hold one of them are meant.
        texts: The language of what came back.

    Returns:
        Each by its code and what it is about.
    """
    mine = [
        assignment
        for assignment in plan.of_rater(rater)
        if assignment.item.case in study.cases
        and all(study.answers.gave(name, assignment.item.case) for name in assignment.item.pair)
    ]
    # The last part shows all that the first does.
    sent: dict[tuple[str, str], SentRow] = {}
    for some in _by_wave(mine).values():
        if codes and not {assignment.code for assignment in some} & {*codes}:
            continue
        for sheet in _sheets_of(study, plan, rater, some, texts):
            sent |= rows_as_sent(sheet, plan.settings.form)
    return sent


def _sheets_of(
    study: Study, plan: CampaignPlan, rater: str, mine: Sequence[Assignment], texts: Texts
) -> list[RatingSheet]:
    """Give a rater's sheet, or the two parts of it; the second shows the system's confidence."""
    settings = plan.settings
    parts = asked_parts(study, settings.kind)
    sheets = []
    for number, rubric in enumerate(parts, start=1 if parts[1:] else 0):
        rows: list[SheetRow] = []
        for assignment in mine:
            asked = _rows(study, assignment, rubric, settings, reveals=number == len(parts) > 1)
            rows += (_in_words(row, texts) for row in asked)
        sheet = RatingSheet(
            title=study.config.title,
            campaign=settings.name,
            rater=rater,
            kind=settings.kind,
            rubric=rubric_in(rubric, texts),
            rows=tuple(rows),
            synthetic=settings.synthetic,
            part=(0, 1, 2)[number],
            texts=texts,
        )
        sheets.append(sheet)
    return sheets


def _in_words(row: SheetRow, texts: Texts) -> SheetRow:
    """Give a row with medassay's own words in it, and no text of the study, in a language."""
    if texts.language == "en":
        return row
    own = {
        NO_QUESTION: texts("read.no_question"),
        NO_CONFIDENCE: texts("read.no_confidence"),
        EMPTY: texts("sheet.empty"),
        NOT_HELD: texts("sheet.not_held"),
    }
    sides = {f"{side}: ": f"{texts(f'sheet.{side.lower()}')}: " for side in SIDES.values()}

    def said(kind: str, text: str) -> str:
        side = next((side for side in sides if kind == "question" and text.startswith(side)), "")
        return f"{sides[side]}{text[len(side) :]}" if side else own.get(text, text)

    kinds = {about_word(kind): texts(f"sheet.{kind}") for kind in ABOUT_KINDS}
    word, space, number = row.about.rpartition(" ")
    about = f"{kinds[word]}{space}{number}" if word in kinds else kinds.get(row.about, row.about)
    shown = {name: tuple(said(name, text) for text in some) for name, some in row.texts.items()}
    return replace(row, texts=shown, about=about)


def _rows(
    study: Study, assignment: Assignment, rubric: Rubric, settings: Settings, *, reveals: bool
) -> list[SheetRow]:
    """Give the rows of an assignment: one where only the answer as a whole is judged."""
    item, cited = assignment.item, assignment.display != CITATIONS_HIDDEN
    texts = texts_of(study, item, settings.parts, citations=cited)
    if reveals:
        texts["confidence"] = confidence_shown(study, item)
    asked = asked_rows(study, item, rubric, settings, citations=cited)
    if not asked[1:]:
        whole = set(asked[0].dimensions) == set(rubric.ids)
        asks = None if whole else frozenset(asked[0].dimensions)
        return [SheetRow(assignment.code, assignment.batch, _let(texts, item, settings), asks=asks)]
    return [
        SheetRow(
            assignment.code,
            assignment.batch,
            _let(_beside(row, texts), item, settings),
            row.subject.title,
            frozenset(row.dimensions),
            row.subject.kind == "span",
        )
        for row in asked
    ]


def _beside(row: SubjectRow, texts: _Texts) -> _Texts:
    """Give what stands in a row: of a document the question, which the answer's row follows."""
    match row.subject.kind:
        case "answer":
            return texts
        case "span":
            return {}
        case "document":
            return {"question": texts.get("question", ()), "subject": (row.subject.text,)}
    return {"subject": (row.subject.text,)}


def _let(texts: _Texts, item: Item, settings: Settings) -> _Texts:
    """Leave out the texts that these sheets do not hold."""
    if settings.texts == "full":
        return texts
    return {"case": (item.case,)} if settings.texts == "ids" else {}
