"""Raters who come and go while a campaign runs, for its sheets and its rating room alike."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from medassay.campaign.create import fit_of, is_out, with_displays, write_files
from medassay.campaign.options import read_options
from medassay.campaign.people import (
    PEOPLE,
    Person,
    asked_before,
    campaign_raters,
    people_bytes,
    people_kept,
    read_people,
    said_keys,
    told_apart,
)
from medassay.campaign.plans import campaign_command, plan_named, read_secret, refuse_changed
from medassay.campaign.subjects import abouts_of
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements.campaign import (
    FOLDER,
    Assignment,
    CampaignPlan,
    Change,
    Item,
    done_codes,
    find_plans,
    reassigned,
)
from medassay.study.folder import Study
from medassay.tables import FORMS, csv_bytes, guarded, read_sheet, unguarded

REASSIGNED: Final = "reassigned.csv"
"""The trail of changes of raters: who, when, old, new, why."""
_HEADER: Final = ("time", "who", "what", "old", "new", "why")


@dataclass(frozen=True)
class RaterWishes:
    """What a lead asks for.

    Attributes:
        add: Names separated by commas, or a file as `campaign create --raters` reads it.
        drop: Raters who leave.
        give: Codes of answers that pass to somebody else: `CODE`, or `CODE=RATER`.
        why: Why, for the audit trail.
    """

    add: str = ""
    drop: Sequence[str] = ()
    give: Sequence[str] = ()
    why: str = ""


@dataclass(frozen=True)
class Reassigned:
    """What became of it.

    Attributes:
        campaign: The campaign.
        more: How many answers each rater got, first answers and repeats counted.
        stay: How many answers of those who left stay theirs, since they are judged.
        waiting: How many answers wait for a rater who may rate them.
        files: The study's files that were written.
        notes: What a lead should know.
    """

    campaign: str
    more: dict[str, int]
    stay: dict[str, int]
    waiting: int
    files: list[str]
    notes: list[str] = field(default_factory=list)


def change_raters(
    study: Study, name: str, wishes: RaterWishes, time: str, done: Collection[str] = ()
) -> Reassigned:
    """Let raters come and go, and hand on what they have not judged.

    The plan says it, for sheets and room alike: what ended is kept and marked, what is new stands
    behind what a rater has. `reassigned.csv` says who did it, when, what was before and why.

    Args:
        study: The study.
        name: The campaign.
        wishes: Who comes, who goes, what is handed on.
        time: The moment.
        done: Codes that are judged in the rating room; what the study holds is known besides.

    Raises:
        InvalidInput: Nobody was sent anything yet, a name or code does not fit, an answer has
            changed.
    """
    study.require_whole()
    plan = plan_named(study, name)
    if not is_out(study.path, name):
        sheets = campaign_command("sheets", study.path, name)
        must, hint = "have its sheets or its room open", f"Write its sheets first: {sheets}"
        raise InvalidInput(Problem("--name", must, f'"{name}", which nobody was sent yet', hint))
    refuse_changed(study, plan)
    people, come, notes = _who_comes(study, plan, wishes.add)
    keys = said_keys(study.judgements_on_file, study.preferences_on_file, plan.settings.kind)
    change = Change(
        come=come,
        go=_who_goes(plan, wishes.drop, come),
        hand_on=_handed_on(wishes.give),
        done={*done, *done_codes(plan, keys, abouts_of(study, plan.settings))},
        time=time,
    )
    others = {other: its for other, its in find_plans(study.path).items() if other != name}
    options = read_options(study.path, name)
    secret = read_secret(study.path, name)
    now = reassigned(
        plan,
        change,
        secret,
        fit=fit_of(study, people, plan.settings.overlap, options.plan.specialties),
        had=_had(study, plan, others),
        everybody=_everybody(study, plan) if options.plan.attention else (),
        taken={code for other in others.values() for code in other.by_code},
    )
    if any(row.display for row in plan.assignments):
        new = [row for row in now.assignments if row.code not in plan.by_code]
        wave = f"{name} {max((row.wave for row in new), default=0)}"
        shown = {row.code: row for row in with_displays(new, secret, wave, options.room.display)}
        rows = tuple(shown.get(row.code, row) for row in now.assignments)
        now = replace(now, assignments=rows)
    lines = [*reassigned_lines(study.path, name), *_lines(plan, now, change, wishes.why)]
    cells = [[guarded(cell) for cell in line] for line in lines]
    files = {REASSIGNED: csv_bytes(_HEADER, cells), **now.files()}
    if people:
        files[PEOPLE] = people_bytes(people)
    written = write_files(study.path, name, files)
    return _outcome(study.path, plan, now, change, written, notes)


def reassigned_lines(study: Path, name: str) -> list[list[str]]:
    """Read the trail of changes of raters; nothing where there was none."""
    path = study / FOLDER / name / REASSIGNED
    if not path.is_file():
        return []
    sheet = read_sheet(path, f"{FOLDER}/{name}/{REASSIGNED}")
    return [
        [unguarded(str(record.get(column) or "")) for column in _HEADER]
        for _, record in sheet.records()
    ]


def _who_comes(
    study: Study, plan: CampaignPlan, add: str
) -> tuple[tuple[Person, ...], tuple[str, ...], list[str]]:
    """Give everybody the campaign knows, who of them comes now, and what was read otherwise."""
    name, raters = plan.settings.name, plan.settings.raters
    kept = people_kept(study.path, name)
    if not add:
        return kept, (), []
    here = [rater for rater in raters if rater not in plan.left]
    read: tuple[Person, ...] = ()
    if Path(add).suffix.lower() in FORMS:
        unknown = [Person(rater) for rater in raters if rater not in {one.rater for one in kept}]
        systems = sorted({answer.system for answer in study.answers})
        read = read_people(Path(add), systems, study.families, [*kept, *unknown])
        names = [person.rater for person in read]
    else:
        names = [part.strip() for part in add.split(",") if part.strip()]
    if len(names) == 1 and names[0].isdecimal():
        raise InvalidInput(Problem("--add", "be names, or a file of raters", f'"{names[0]}"'))
    come = tuple(dict.fromkeys(rater for rater in names if rater not in here))
    notes = [
        f"{rater} rates already: one person is one rater, whatever their addresses."
        for rater in dict.fromkeys(names)
        if rater in here
    ]
    if come:
        campaign_raters(study, ",".join(come))
        told_apart(tuple(dict.fromkeys((*raters, *come))), "--add")
    people = {person.rater: person for person in kept}
    for person in read:
        before = people.get(person.rater, Person(person.rater))
        people[person.rater] = Person(
            person.rater,
            tuple(dict.fromkeys((*before.emails, *person.emails))),
            tuple(dict.fromkeys((*before.specialties, *person.specialties))),
            tuple(dict.fromkeys((*before.built, *person.built))),
            person.language or before.language,
        )
    return tuple(people.values()), come, notes


def _who_goes(plan: CampaignPlan, drop: Sequence[str], come: Collection[str]) -> tuple[str, ...]:
    here = [rater for rater in plan.settings.raters if rater not in plan.left]
    must = "be a rater of the campaign who has not left"
    problems = [
        Problem("--drop", must, f'"{rater}"', nearest(rater, here))
        for rater in drop
        if rater not in here
    ]
    if not problems and {*here} <= {*drop} and not come:
        hint = "Close the campaign instead, or add somebody: --add."
        problems = [Problem("--drop", "leave somebody to rate", "everybody", hint)]
    if problems:
        raise InvalidInput(problems)
    return tuple(dict.fromkeys(drop))


def _handed_on(give: Sequence[str]) -> dict[str, str]:
    parts = [entry.partition("=") for entry in give]
    return {code.strip().upper(): rater.strip() for code, _, rater in parts}


class _Had:
    """Whether a rater has judged an item elsewhere, or is asked about it in another campaign."""

    def __init__(self, before: Collection[tuple[object, ...]]) -> None:
        self._before = {(rater, *item) for rater, _, *item in before}

    def __call__(self, item: Item, rater: str) -> bool:
        return (rater, item.case, item.pair, item.sample) in self._before


def _had(study: Study, plan: CampaignPlan, others: Mapping[str, CampaignPlan]) -> _Had:
    return _Had(asked_before(study, plan.settings.kind, others))


def _everybody(study: Study, plan: CampaignPlan) -> set[Item]:
    """Give the items whose label is known, which every rater gets."""
    choice = study.config.consensus
    known = {(control.system, control.case) for control in choice.controls} if choice else set()
    shared_out = plan.settings.shared_out
    items = {assignment.item for assignment in plan.assignments if assignment.phase in shared_out}
    return {item for item in items if (item.system, item.case) in known}


def _lines(before: CampaignPlan, now: CampaignPlan, change: Change, why: str) -> list[list[str]]:
    """Say what changed, a line for each rater and each answer."""

    def line(what: str, old: str, new: str) -> list[str]:
        return [change.time, "lead", what, old, new, why]

    def spelt(row: Assignment) -> str:
        return f"{row.code} {row.rater}"

    new = [row for row in now.assignments if row.code not in before.by_code]
    instead = {row.instead_of: row for row in new if row.instead_of}
    ended = [row for row in now.assignments if row.ended == change.time or row.code in instead]
    lines = [line("add rater", "", rater) for rater in change.come]
    lines += [line("drop rater", rater, "") for rater in change.go]
    lines += [
        line("reassign", spelt(row), spelt(instead[row.code]) if row.code in instead else "")
        for row in ended
    ]
    lines += [line("assign", "", spelt(row)) for row in new if not row.instead_of]
    return lines


def _outcome(
    study: Path,
    before: CampaignPlan,
    now: CampaignPlan,
    change: Change,
    files: list[str],
    notes: list[str],
) -> Reassigned:
    new = [row for row in now.assignments if row.code not in before.by_code]
    more = {
        rater: sum(row.rater == rater for row in new)
        for rater in now.settings.raters
        if rater not in now.left
    }
    stay = {rater: len(now.holding(rater)) for rater in change.go}
    replaced = {row.instead_of for row in now.assignments}
    waiting = sum(
        bool(row.ended)
        and row.phase in now.settings.shared_out
        and row.code not in {*replaced, *change.done}
        for row in now.assignments
    )
    if any(more.values()):
        notes.append(
            "A rating room shows the change at once. To write sheets for the new answers alone: "
            f"{campaign_command('sheets', study, now.settings.name)}"
        )
    if waiting:
        notes.append(
            f"{waiting} answers wait: nobody who is left may rate them and never had them. They "
            "go to whoever is added next: "
            f"{campaign_command('raters', study, now.settings.name, '--add', 'NAME')}"
        )
    notes += [
        f"Nothing was free for {rater}, who gets answers when somebody leaves (--drop) or hands "
        "some on (--give)."
        for rater in change.come
        if not more[rater]
    ]
    return Reassigned(now.settings.name, more, stay, waiting, files, notes)
