"""Draw up a campaign: who rates what, in which order, under which code."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Final, Literal

from pydantic import ValidationError

from medassay.annotations import case_numbers
from medassay.campaign.apart import refuse_where_reports_go
from medassay.campaign.options import (
    OPTIONS,
    CampaignOptions,
    PlanOptions,
    allow_database,
    full_address,
    read_options,
    template,
)
from medassay.campaign.people import (
    PEOPLE,
    Person,
    campaign_raters,
    people_bytes,
    read_people,
    refuse_asked_already,
)
from medassay.campaign.plans import KEPT_IN, read_mark, read_secret, secret_bytes
from medassay.campaign.subjects import asked_rubric, hash_of, hash_of_rubric
from medassay.campaign.texts import Flag, flag_give_aways, note_on_languages
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import About
from medassay.judgements.campaign import (
    FOLDER,
    KEY,
    PARTS,
    PLAN,
    Assignment,
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
from medassay.scores import UNIT
from medassay.study.contents.cases_and_answers import ADD_TEXTS
from medassay.study.contents.private import numbering_of
from medassay.study.files.names import CHANCES
from medassay.study.folder import Study
from medassay.tables import (
    FORMS,
    Sheet,
    check_columns,
    csv_bytes,
    file_stem,
    folded,
    guarded,
    read_sheet,
    unguarded,
    write_atomically,
)
from medassay.text import count_of

CITATIONS_HIDDEN: Final = "citations hidden"
"""The arm in which answers are shown without what they cite."""


def with_displays(
    assignments: Sequence[Assignment], secret: Secret, name: str, arms: Sequence[str]
) -> tuple[Assignment, ...]:
    """Draw an arm for each assignment, each as likely; sheets and room draw the same.

    Args:
        assignments: Who rates what, in the order of the plan.
        secret: What the arms follow from.
        name: The campaign's name.
        arms: The arms; none where all is shown to everybody.
    """
    if not arms:
        return tuple(assignments)
    lots = secret.draws(name, "display")
    return tuple(
        replace(assignment, display=arms[lots.below(len(arms))]) for assignment in assignments
    )


def _without_displays(plan: CampaignPlan) -> CampaignPlan:
    """Give a plan as it was before arms were drawn."""
    return replace(
        plan, assignments=tuple(replace(assignment, display="") for assignment in plan.assignments)
    )


_SPECIALTY: Final = "specialty"
"""The tag of a case that says which specialty it belongs to."""


@dataclass(frozen=True)
class PeopleFit:
    """What people may rate.

    Attributes:
        people: The raters by name.
        specialties: The specialty of each case that has one.
        families: The family of each system that has one.
        enough: Specialties whose cases go to their specialists alone.
    """

    people: Mapping[str, Person]
    specialties: Mapping[str, str]
    families: Mapping[str, str]
    enough: frozenset[str]

    def may(self, item: Item, rater: str) -> bool:
        """Say whether no system of an item is the rater's own."""
        person = self.people.get(rater, Person(rater))
        return person.may_rate(item.pair, self.families)

    def knows(self, item: Item, rater: str) -> bool:
        """Say whether a rater has the specialty of the case, where that is asked for."""
        specialty = self.specialties.get(item.case, "")
        if not specialty or specialty not in self.enough:
            return True
        person = self.people.get(rater, Person(rater))
        return specialty in {_plain(other) for other in person.specialties}


def fit_of(
    study: Study,
    people: Sequence[Person],
    overlap: int,
    match: Literal["match", "prefer", "ignore"],
) -> PeopleFit | None:
    """Say who may rate what; nothing where nobody built a system and no specialty is asked for."""
    specialties = {
        case.case: _plain(case.tags[_SPECIALTY]) for case in study.cases if _SPECIALTY in case.tags
    }
    known = [_plain(listed) for person in people for listed in person.specialties]
    asked = set(specialties.values()) if match != "ignore" and known else set()
    if match == "prefer":
        asked = {wanted for wanted in asked if known.count(wanted) >= overlap}
    if not asked and not any(person.built for person in people):
        return None
    by_name = {person.rater: person for person in people}
    return PeopleFit(by_name, specialties, study.families, frozenset(asked))


def _plain(words: str) -> str:
    return folded(words).casefold()


_CASE: Final = "case"
_NUMBER: Final = "number"
_NUMBERING: Final = "numbering"
_NEEDED: Final = ("system", _CASE)


@dataclass(frozen=True)
class Queue:
    """A queue with the ids of its cases.

    Attributes:
        sheet: Its rows.
        renamed: Whether the file names cases by numbers, as that of a study does that keeps ids.
    """

    sheet: Sheet
    renamed: bool

    @classmethod
    def read(cls, path: Path, cases: Sequence[str]) -> "Queue":
        """Read a queue; numbers become ids again.

        Args:
            path: The file.
            cases: The ids of the study's cases.

        Raises:
            InvalidInput: It cannot be read, or counts the cases of another study, or of this one
                before it changed.
        """
        sheet = read_sheet(path)
        if not {_NUMBER, _NUMBERING} <= set(sheet.columns):
            return cls(sheet, renamed=False)
        counted = {str(number) for number in sheet.columns[_NUMBERING]}
        if counted - {numbering_of(cases)}:
            must, got = "count the cases that the study has now", "numbers of others"
            hint = "Cases came or went since: run medassay triage again."
            raise InvalidInput(Problem(sheet.file, must, got, hint, column=_NUMBER))
        ids = {number: name for name, number in case_numbers(cases).items()}
        columns: dict[str, list[object]] = {}
        for name, cells in sheet.columns.items():
            if name == _NUMBER:
                columns[_CASE] = [guarded(ids.get(str(cell), str(cell))) for cell in cells]
            elif name != _NUMBERING:
                columns[name] = cells
        return cls(replace(sheet, columns=columns), renamed=True)

    def items(self, items: Sequence[Item]) -> list[Item]:
        """Give the items that it names, but for those that a draw left out.

        An answer whose parts it names is asked these, and not those that are judged already.

        Raises:
            InvalidInput: It is no queue, or names an answer that is not there; each named.
        """
        sheet = self.sheet
        known = {(item.system, item.case, item.sample): item for item in items}
        first = {key[:2]: key[2] for key in sorted(known, reverse=True)}
        problems: list[Problem] = []
        parts: dict[Item, set[str]] = {}
        check_columns(sheet, (*_NEEDED, *sheet.columns), _NEEDED, problems)
        if problems:
            raise InvalidInput(problems)
        for row, record in sheet.records():
            if str(record.get("drawn", "")) == "no":
                continue
            system, case, sample, about = (
                unguarded(str(cell)) if (cell := record.get(name)) is not None else ""
                for name in UNIT
            )
            # A file of somebody's own need not say which: the first is meant.
            which = sample or str(first.get((system, case), 0))
            item = known.get((system, case, int(which))) if which.isdecimal() else None
            if item is not None and (not about or About.read(about) is not None):
                parts.setdefault(item, set()).add(about)
                continue
            got = f'system "{system}", case "{case}"'
            got += f', sample "{sample}"' if sample else ""
            must = "name an answer of the study"
            if item is not None:
                must, got = "name a part of an answer, such as criterion:c3", f'"{about}"'
            hint = nearest(case, {key[1] for key in known}) if (system, case) not in first else ""
            problems.append(Problem(sheet.file, must, got, hint, row))
        if problems:
            raise InvalidInput(problems)
        return sorted(
            replace(item, parts=() if "" in named else tuple(sorted(named)))
            for item, named in parts.items()
        )

    @property
    def is_draw(self) -> bool:
        """Say whether it was drawn by chance, and tells the chance of every answer."""
        return "chance" in self.sheet.columns

    def content(self, path: Path) -> bytes:
        """Give what a campaign keeps of it: the file as it is, or with ids in place of numbers."""
        if not self.renamed:
            return path.read_bytes()
        return csv_bytes(list(self.sheet.columns), zip(*self.sheet.columns.values(), strict=True))


def readable(study: Study, items: Sequence[Item]) -> tuple[list[Item], list[str]]:
    """Leave out what nobody can read, since the text of one of its answers is not held.

    Args:
        study: The study.
        items: Answers, or pairs of them, that are to be rated.

    Returns:
        The others, and a sentence on those that are left out.

    Raises:
        InvalidInput: None is left.
    """
    whole = [item for item in items if _is_held(study, item)]
    left_out = len(items) - len(whole)
    if not left_out:
        return whole, []
    count = count_of(left_out, "pair" if items[0].system_b else "answer")
    unread = f"{count} with a text that is not held"
    if not whole:
        must = "have texts for raters to read"
        raise InvalidInput(Problem("answers", must, f"{unread}, and no other", ADD_TEXTS))
    return whole, [f"Left out: {unread}. {ADD_TEXTS}"]


def _is_held(study: Study, item: Item) -> bool:
    sample = None if item.system_b else item.sample
    answers = [study.answers.get(system, item.case, sample) for system in item.pair]
    return all(answer is None or answer.held for answer in answers)


SHEETS: Final = "sheets"
DESIGN: Final = "design.json"
"""The frozen design: written when the first sheet or link goes out."""
_SHARED: Final = frozenset({PLAN, DESIGN, OPTIONS})
"""Of a campaign's files those that name nobody and hold nothing that was said."""
_CALIBRATION_TAG: Final = "calibration"
_NO: Final = frozenset({"no", "false", "0"})


@dataclass(frozen=True)
class Wishes:
    """What an organiser asks of a campaign.

    Attributes:
        raters: How many raters, their names separated by commas, or a file of them; None: the
            qualified people of the raters table.
        name: The campaign's name.
        kind: Whether answers are rated, or one is preferred to another.
        overlap: How many raters each answer gets; None: all of them.
        batch: About how many answers lie between two breaks.
        repeats: How many answers each rater meets twice.
        calibration: How many answers come first, beside those of cases with the tag `calibration`.
        own_first: Whether these are each rater's own, and not the same for everybody.
        cases: How many cases to draw, beside those for calibration; None: all.
        hidden: What stays out of what raters read.
        queue: A file that names the answers to rate; None: all.
        order: Whether all systems' answers to one question follow one another.
        adjudicate: Whether the labels settle what raters differ on.
        database: The address where the rating room keeps what is said, which is allowed by this;
            None: as `campaign.toml` says.
    """

    raters: str | None = None
    name: str = "main"
    kind: Kind = "answers"
    overlap: int | None = None
    batch: int = 12
    repeats: int = 0
    calibration: int = 0
    own_first: bool = False
    cases: int | None = None
    hidden: tuple[Part, ...] = ()
    queue: Path | None = None
    order: Literal["any", "by_case"] = "any"
    adjudicate: bool = False
    database: str | None = None


@dataclass(frozen=True)
class Created:
    """What was drawn up.

    Attributes:
        campaign: The campaign's name.
        answers: How many answers, or pairs, are rated.
        loads: How many each rater rates, repeats and calibration counted.
        files: The study's files that were written; none where all were there, word for word.
        flags: Answers that give their system away, or may.
        notes: What an organiser should know.
    """

    campaign: str
    answers: int
    loads: dict[str, int]
    files: list[str]
    flags: list[Flag] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def create_campaign(study: Study, wishes: Wishes, fresh: Secret) -> Created:
    """Draw up who rates what, for sheets and for the rating room alike.

    The same study, wishes and secret give the same bytes. A campaign whose sheets or links are out
    is never drawn up anew; one that nobody was sent yet is, by its own secret.

    Args:
        study: The study.
        wishes: What is asked.
        fresh: What codes, orders and repeats follow from where the campaign is new.

    Raises:
        InvalidInput: The wishes do not fit the study, another campaign has that name, the secret of
            a campaign that is there is not.
    """
    study.require_whole()
    options = read_options(study.path, wishes.name) if _is_name(wishes.name) else CampaignOptions()
    people = _people(study, wishes)
    wishes = _with_options(wishes, options.plan, people)
    of = options.plan.calibration_of or study.config.rules.calibration_of
    wishes = replace(wishes, own_first=of == "own" and not wishes.adjudicate)
    _refuse_half_counted(study, wishes)
    settings = _settings(study, wishes)
    if wishes.database:
        full_address(wishes.database, "--database")
    rubric = asked_rubric(study, settings.kind)
    items = _items(study, settings.kind)
    queue = _queue(study, wishes)
    items, unread = readable(study, items if queue is None else queue.items(items))
    others = find_plans(study.path)
    there = others.pop(settings.name, None)
    secret = fresh if there is None else read_secret(study.path, settings.name)
    calibration, main = _parted(study, items, wishes, secret)
    taken = {code for plan in others.values() for code in plan.by_code}
    choice = study.config.consensus
    known = {(control.system, control.case) for control in choice.controls} if choice else set()
    everybody = {item for item in main if (item.system, item.case) in known}
    assignments = make_assignments(
        settings,
        main,
        secret,
        calibration,
        taken,
        fit=fit_of(study, people, settings.overlap, options.plan.specialties),
        everybody=everybody if options.plan.attention else (),
    )
    shown = {
        item: read_mark(study, item, settings)
        for item in {assignment.item for assignment in assignments}
    }
    assignments = tuple(
        replace(assignment, shown=shown[assignment.item]) for assignment in assignments
    )
    plan = CampaignPlan(
        settings,
        hash_of_rubric(rubric),
        hash_of(
            sorted(
                {
                    (*assignment.item.pair, assignment.item.case, assignment.shown)
                    for assignment in assignments
                }
            )
        ),
        with_displays(assignments, secret, settings.name, options.room.display),
    )
    if there is not None and is_out(study.path, settings.name):
        _refuse_another(plan, there)
        plan = there
    else:
        refuse_asked_already(study, plan, others)
    files = {KEPT_IN: secret_bytes(secret), **plan.files()}
    if not (study.path / FOLDER / settings.name / OPTIONS).is_file():
        files[OPTIONS] = template(wishes.database or "").encode()
    elif wishes.database not in {None, options.room.database}:
        must = f"stand in {FOLDER}/{settings.name}/{OPTIONS}, under [room] database"
        raise InvalidInput(Problem("--database", must, "another address there"))
    if people:
        files[PEOPLE] = people_bytes(people)
    if queue is not None and wishes.queue is not None and queue.is_draw:
        files[CHANCES] = queue.content(wishes.queue)
    if not study.config.privacy.allows("full"):
        # The rating room will keep texts here, whatever the sheets hold.
        home = study.path / FOLDER / settings.name
        refuse_where_reports_go(study.path, [home], f"{FOLDER}/{settings.name}")
    written = write_files(study.path, settings.name, files)
    if wishes.database:
        allow_database(study.path, settings.name, wishes.database)
    rated = [*calibration, *main]
    return Created(
        settings.name,
        len(calibration) + len(main),
        {rater: len(plan.of_rater(rater)) for rater in settings.raters},
        written,
        flag_give_aways(study, rated, settings),
        [
            *_notes(study, settings, len(calibration)),
            *unread,
            *note_on_languages(study, rated, settings),
        ],
    )


def _is_name(name: str) -> bool:
    return name == file_stem(name) and not name.startswith("-")


def _refuse_half_counted(study: Study, wishes: Wishes) -> None:
    """Refuse a calibration of own answers that does not count: each answer would lose labels."""
    if wishes.own_first and wishes.calibration and not study.config.rules.count_calibration:
        where = f"{FOLDER}/{wishes.name}/{OPTIONS}"
        must = "count labels of the calibration where each rater calibrates on their own answers"
        hint = 'Add --count-calibration, or write calibration_of = "shared" under [plan].'
        raise InvalidInput(Problem(where, must, "count_calibration = false", hint))


def _people(study: Study, wishes: Wishes) -> tuple[Person, ...]:
    """Read who rates from a file, where one is named."""
    named = Path(wishes.raters or "")
    if not wishes.raters or named.suffix.lower() not in FORMS:
        return ()
    return read_people(named, sorted({answer.system for answer in study.answers}), study.families)


def _with_options(wishes: Wishes, options: PlanOptions, people: Sequence[Person]) -> Wishes:
    """Fill in what `campaign.toml` and the file of raters say."""
    names = ",".join(person.rater for person in people)
    return replace(
        wishes,
        raters=names or wishes.raters,
        cases=wishes.cases or options.cases,
        repeats=wishes.repeats or options.repeats,
        calibration=wishes.calibration or options.calibration,
        hidden=wishes.hidden or options.hide,
        order=options.order,
    )


def is_out(study: Path, name: str) -> bool:
    """Say whether a campaign's sheets were written, or its room was opened."""
    home = study / FOLDER / name
    return (home / SHEETS).is_dir() or (home / DESIGN).is_file()


def _refuse_another(plan: CampaignPlan, there: CampaignPlan) -> None:
    """Refuse to change a campaign that is there; how its sheets are written is no part of it."""
    sent = {"form": there.settings.form, "texts": there.settings.texts}
    now = replace(plan, settings=plan.settings.model_copy(update=sent))
    if there in (now, _without_displays(now)):
        return
    got = f'"{plan.settings.name}", which exists with other choices or other answers'
    raise InvalidInput(Problem("--name", "name a new campaign", got, "Give another --name."))


def _settings(study: Study, wishes: Wishes) -> Settings:
    name = wishes.name
    if not _is_name(name):
        must = "be letters, digits, . _ or -, and a folder's name on every operating system"
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
            own_first=wishes.calibration if wishes.own_first else 0,
            batch=wishes.batch,
            order=wishes.order,
            dimensions=asked_rubric(study, wishes.kind).ids,
            parts=tuple(part for part in PARTS if part not in wishes.hidden),
            texts=config.privacy.texts,
            synthetic=config.synthetic,
            phase="adjudication" if wishes.adjudicate else "main",
        )
    except ValidationError as error:
        raise InvalidInput(
            Problem("--raters, --per-answer", entry["ctx"]["must"], entry["ctx"]["got"])
            for entry in error.errors()
        ) from error


def _items(study: Study, kind: Kind) -> list[Item]:
    if not len(study.answers):
        must, hint = (
            "hold the answers that raters are to read",
            "Take them in: medassay import --from answers",
        )
        raise InvalidInput(Problem("answers", must, "none", hint))
    if kind == "answers":
        return sorted(
            Item(answer.case, answer.system, sample=answer.sample) for answer in study.answers
        )
    of_case: dict[str, dict[str, None]] = {}
    for given_answer in study.answers:
        of_case.setdefault(given_answer.case, {})[given_answer.system] = None
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
    shared = 0 if wishes.own_first else wishes.calibration
    drawn, main = draw_calibration(rest, shared, secret, wishes.name)
    return [item for item in items if item.case in tagged] + drawn, main


def write_files(folder: Path, name: str, files: dict[str, bytes]) -> list[str]:
    """Write files of a campaign, and name those that were not there word for word."""
    written = []
    # The plan comes last: a campaign whose plan is there is whole, its secret included.
    for inner in sorted(files, key=lambda path: (path == PLAN, path)):
        path = folder / FOLDER / name / inner
        if path.is_file() and path.read_bytes() == files[inner]:
            continue
        # Keys, links, people, and what they said: not for others on a shared machine.
        shared = inner in _SHARED or inner.startswith(f"{SHEETS}/")
        write_atomically(path, files[inner], owner_only=not shared)
        written.append(f"{FOLDER}/{name}/{inner}")
    return written


def _counted(study: Study) -> str:
    if study.config.rules.count_calibration:
        return "their labels count like any others (count_calibration in study.toml)."
    return (
        "their labels are left out of every number and export. count_calibration = true under"
        " [raters] in study.toml counts them."
    )


def _notes(study: Study, settings: Settings, calibration: int) -> list[str]:
    notes = [
        (
            f"Keep {FOLDER}/{settings.name}/{KEY} and {KEPT_IN} to yourself: they say which "
            "system each code stands for."
        )
    ]
    if settings.own_first:
        own = count_of(settings.own_first, "answer")
        notes.append(f"for calibration: each rater's own first {own}; {_counted(study)}")
    if calibration:
        notes.append(f"for calibration: {count_of(calibration, 'answer')}; {_counted(study)}")
    derived = [dimension.id for dimension in study.rubric.dimensions if dimension.derived]
    if derived and settings.kind == "answers":
        notes.append(f"Not asked, since they follow from other answers: {', '.join(derived)}.")
    return notes
