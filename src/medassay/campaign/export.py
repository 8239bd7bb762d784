"""Draw up a campaign and write its sheets."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Final, Literal

from pydantic import ValidationError

from medassay.campaign.apart import describe_texts, refuse_where_reports_go
from medassay.campaign.asked import asked_parts, asked_rubric, hash_of
from medassay.campaign.flags import Flag, flag_give_aways
from medassay.campaign.queue import Queue
from medassay.campaign.raters import campaign_raters, refuse_asked_already
from medassay.campaign.secret_file import KEPT_IN, read_secret, secret_bytes
from medassay.campaign.sheets import SECOND_PART, sheet_files
from medassay.campaign.texts import judged_texts, texts_of
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import (
    FOLDER,
    KEY,
    PARTS,
    PLAN,
    CampaignPlan,
    Item,
    Kind,
    Part,
    Secret,
    Settings,
    draw_calibration,
    draw_cases,
    find_plans,
    make_assignments,
)
from medassay.study.config import TextLevel
from medassay.study.files import CHANCES
from medassay.study.folder import Study
from medassay.tables import file_stem, write_atomically

__all__ = ["Exported", "Wishes", "export_campaign"]

_CALIBRATION_TAG: Final = "calibration"
_NO: Final = frozenset({"no", "false", "0"})


@dataclass(frozen=True)
class Wishes:
    """What an organiser asks of a campaign.

    Attributes:
        raters: How many raters, or their names separated by commas; None: the qualified people of
            the raters table.
        name: The campaign's name.
        kind: Whether answers are rated, or one is preferred to another.
        form: The form of the sheets.
        overlap: How many raters each answer gets; None: all of them.
        batch: About how many answers lie between two breaks.
        repeats: How many answers each rater meets twice.
        calibration: How many answers everybody rates first, beside those of cases with the tag
            `calibration`.
        cases: How many cases to draw, beside those for calibration; None: all.
        hidden: What stays out of the sheets.
        queue: A file that names the answers to rate; None: all.
        adjudicate: Whether the labels settle what raters differ on.
        texts: How much text the sheets hold; None: as much as the study lets out.
    """

    raters: str | None = None
    name: str = "main"
    kind: Kind = "answers"
    form: Literal["xlsx", "csv"] = "xlsx"
    overlap: int | None = None
    batch: int = 12
    repeats: int = 0
    calibration: int = 0
    cases: int | None = None
    hidden: tuple[Part, ...] = ()
    queue: Path | None = None
    adjudicate: bool = False
    texts: TextLevel | None = None


@dataclass(frozen=True)
class Exported:
    """What an export wrote.

    Attributes:
        campaign: The campaign's name.
        answers: How many answers, or pairs, are rated.
        loads: How many each rater rates, repeats and calibration counted.
        files: The study's files that were written; none where all were there, word for word.
        flags: Answers that give their system away.
        notes: What an organiser should know.
    """

    campaign: str
    answers: int
    loads: dict[str, int]
    files: list[str]
    flags: list[Flag] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def export_campaign(study: Study, wishes: Wishes, fresh: Secret) -> Exported:
    """Draw up who rates what and write one blinded sheet a rater.

    The same study, wishes and secret give the same bytes. A campaign that is there already is never
    drawn up anew, since its sheets may be out: its own secret holds. Only how much text its sheets
    hold may be changed, by saying so.

    Args:
        study: The study.
        wishes: What is asked.
        fresh: What codes, orders and repeats follow from where the campaign is new.

    Raises:
        InvalidInput: The wishes do not fit the study, another campaign has that name, the secret of
            a campaign that is there is not, or texts that are private would lie where reports go.
    """
    study.require_whole()
    settings = _settings(study, wishes)
    rubric = asked_rubric(study, settings.kind)
    items = _items(study, settings.kind)
    queue = _queue(study, wishes)
    if queue is not None:
        items = queue.items(items)
    others = find_plans(study.path)
    there = others.pop(settings.name, None)
    secret = fresh if there is None else read_secret(study.path, settings.name)
    calibration, main = _parted(study, items, wishes, secret)
    taken = {code for plan in others.values() for code in plan.by_code}
    assignments = make_assignments(settings, main, secret, calibration, taken)
    texts = {
        assignment.item: texts_of(study, assignment.item, settings.parts)
        for assignment in assignments
    }
    assignments = tuple(
        replace(assignment, shown=hash_of(judged_texts(texts[assignment.item])))
        for assignment in assignments
    )
    plan = CampaignPlan(
        settings,
        hash_of(rubric.model_dump(mode="json")),
        hash_of(
            sorted(
                {
                    (*assignment.item.pair, assignment.item.case, assignment.shown)
                    for assignment in assignments
                }
            )
        ),
        assignments,
    )
    if there is not None:
        _refuse_another(plan, there, wishes)
    else:
        refuse_asked_already(study, plan, others)
    files = {KEPT_IN: secret_bytes(secret), **plan.files(), **sheet_files(study, plan, texts)}
    if queue is not None and wishes.queue is not None and queue.is_draw:
        files[CHANCES] = queue.content(wishes.queue)
    if not study.config.privacy.allows(settings.texts):
        homes = [(study.path / FOLDER / settings.name / inner).parent for inner in files]
        refuse_where_reports_go(study.path, homes, "--texts")
    written = _write(study.path, settings.name, files)
    flags = flag_give_aways(study, [*calibration, *main], settings)
    return Exported(
        settings.name,
        len(calibration) + len(main),
        {rater: len(plan.of_rater(rater)) for rater in settings.raters},
        written,
        flags,
        _notes(study, settings, len(calibration)),
    )


def _refuse_another(plan: CampaignPlan, there: CampaignPlan, wishes: Wishes) -> None:
    """Refuse to change a campaign that is there, but for how much text its sheets hold."""
    was, now = there.settings.texts, plan.settings.texts
    same = replace(there, settings=there.settings.model_copy(update={"texts": now}))
    if plan == there or (plan == same and wishes.texts is not None):
        return
    name, must, hint = plan.settings.name, "name a new campaign", "Give another --name."
    got = f'"{name}", which is there with other choices or other answers'
    if plan == same:
        got = f'"{name}", whose sheets were written with --texts {was}'
        hint = f"Say so again, or say --texts {now} to have them written anew."
    raise InvalidInput(Problem("--name", must, got, hint))


def _settings(study: Study, wishes: Wishes) -> Settings:
    name = wishes.name
    if name != file_stem(name) or name.startswith("-"):
        must = "be letters, digits, . _ or -, and what every system lets a folder be called"
        raise InvalidInput(Problem("--name", must, f'"{name}"', "For example main."))
    raters = campaign_raters(study, wishes.raters)
    config = study.config
    try:
        return Settings(
            name=name,
            kind=wishes.kind,
            raters=raters,
            overlap=len(raters) if wishes.overlap is None else wishes.overlap,
            repeats=wishes.repeats,
            batch=wishes.batch,
            dimensions=asked_rubric(study, wishes.kind).ids,
            parts=tuple(part for part in PARTS if part not in wishes.hidden),
            form=wishes.form,
            texts=wishes.texts or config.privacy.texts,
            synthetic=config.synthetic,
            phase="adjudication" if wishes.adjudicate else "main",
        )
    except ValidationError as error:
        raise InvalidInput(
            Problem("--raters, --overlap", one["ctx"]["must"], one["ctx"]["got"])
            for one in error.errors()
        ) from error


def _items(study: Study, kind: Kind) -> list[Item]:
    if not len(study.answers):
        must, hint = (
            "hold the answers that raters are to read",
            "Take them in: medassay import --from answers",
        )
        raise InvalidInput(Problem("answers", must, "none", hint))
    if kind == "answers":
        return sorted(Item(answer.case, answer.system) for answer in study.answers)
    of_case: dict[str, list[str]] = {}
    for this_answer in study.answers:
        of_case.setdefault(this_answer.case, []).append(this_answer.system)
    return sorted(
        Item(case, a, b)
        for case, names in of_case.items()
        for a, b in combinations(sorted(names), 2)
    )


def _queue(study: Study, wishes: Wishes) -> Queue | None:
    if wishes.queue is None:
        return None
    if wishes.kind != "answers":
        raise InvalidInput(Problem("--queue", "come with --rate answers", f"--rate {wishes.kind}"))
    return Queue.read(wishes.queue, study.cases.ids)


def _parted(
    study: Study, items: Sequence[Item], wishes: Wishes, secret: Secret
) -> tuple[list[Item], list[Item]]:
    """Part the items into those that everybody rates first, and the others."""
    tagged = {
        case.case
        for case in study.cases
        if case.tags.get(_CALIBRATION_TAG, "no").lower() not in _NO
    }
    rest = [item for item in items if item.case not in tagged]
    if wishes.cases is not None:
        rest = draw_cases(rest, wishes.cases, secret, wishes.name)
    drawn, main = draw_calibration(rest, wishes.calibration, secret, wishes.name)
    return [item for item in items if item.case in tagged] + drawn, main


def _write(folder: Path, name: str, files: dict[str, bytes]) -> list[str]:
    written = []
    # The plan comes last: a campaign whose plan is there is whole, its secret included.
    for inner in sorted(files, key=lambda path: (path == PLAN, path)):
        path = folder / FOLDER / name / inner
        if path.is_file() and path.read_bytes() == files[inner]:
            continue
        # Whoever reads one of these knows the systems behind the codes, on a shared machine too.
        write_atomically(path, files[inner], owner_only=inner in {KEPT_IN, KEY})
        written.append(f"{FOLDER}/{name}/{inner}")
    return written


def _notes(study: Study, settings: Settings, calibration: int) -> list[str]:
    notes = [
        (
            f"Keep {FOLDER}/{settings.name}/{KEY} and {KEPT_IN} to yourself: they say which "
            "system each code stands for. Send each rater only their own sheet."
        )
    ]
    notes += describe_texts(study, settings.texts, f"{FOLDER}/{settings.name}")
    if asked_parts(study, settings.kind)[1:]:
        notes.append(
            f"The sheets are in two parts. Send "
            f"{FOLDER}/{settings.name}/{SECOND_PART} to a rater "
            "when the first part has come back: it shows the confidence that systems give."
        )
    if calibration:
        notes.append(
            f"{calibration} answers are for calibration: numbers leave them out unless they are "
            "asked for."
        )
    derived = [dimension.id for dimension in study.rubric.dimensions if dimension.derived]
    if derived and settings.kind == "answers":
        notes.append(f"Not asked, since they follow from other answers: {', '.join(derived)}.")
    return notes
