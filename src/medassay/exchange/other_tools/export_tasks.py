"""Hand a study's answers to an annotation tool, blinded."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from medassay.campaign import parts_named
from medassay.campaign.apart import describe_texts, refuse_where_reports_go
from medassay.campaign.create import readable
from medassay.campaign.rating_sheet import HEADINGS, REASON_WORDS
from medassay.campaign.subjects import asked_parts, hash_of
from medassay.campaign.texts import answer_paragraphs, judged_texts, names_of_systems, texts_of
from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Option, Writes
from medassay.exchange.entrusted import SheetTexts
from medassay.exchange.other_tools.declaring import (
    Handout,
    Hide,
    Ratings,
    WrittenFiles,
    codes_in_use,
    draw_handout,
    find_handouts,
    told,
)
from medassay.exchange.other_tools.import_ratings import ToolLabel, ToolProject, ToolTask
from medassay.exchange.outcome import Outcome
from medassay.judgements import Dimension, Rubric
from medassay.judgements.campaign import PARTS, Item, Part, Secret, find_give_aways, find_plans
from medassay.study import Study
from medassay.study.config.study_toml import TextLevel
from medassay.study.files.names import RATERS_KEY
from medassay.tables import file_stem, make_folder, write_atomically
from medassay.text import count_of

_SHEETS: Final = "Sheets and the rating room ask all of it: medassay campaign create"
_REASONS: Final = {reason: word for word, reason in REASON_WORDS.items()}


def _nothing_kept(*_: object) -> dict[str, bytes]:
    return {}


def _no_notes(_: ToolProject) -> list[str]:
    return []


@dataclass(frozen=True)
class AnnotationTool:
    """A tool that a study's answers are handed to.

    Attributes:
        id: What it is called; so is the hand-out unless told otherwise.
        files: Writes its files, by their names.
        numbers: Whether it asks for numbers too, and is given repeated answers.
        kept: Writes what the study keeps beside the key of a hand-out, by path.
        notes: Says what an organiser should know of a project there.
    """

    id: str
    files: Callable[[ToolProject], dict[str, bytes]]
    numbers: bool = False
    kept: Callable[[Path, Handout, Rubric], dict[str, bytes]] = _nothing_kept
    notes: Callable[[ToolProject], list[str]] = _no_notes


@dataclass(frozen=True)
class TaskWishes:
    """What an organiser asks of an export to an annotation tool.

    Attributes:
        tool: The tool whose files are written.
        name: The hand-out's name.
        hidden: What stays out of the items.
        ratings: Whether to write what raters have said already, for review or for keeping.
        texts: How much text the items hold; None: as much as the study lets out.
    """

    tool: AnnotationTool
    name: str
    hidden: tuple[Part, ...] = ()
    ratings: bool = False
    texts: TextLevel | None = None


def export_tasks(study: Study, folder: Path, wishes: TaskWishes, fresh: Secret) -> WrittenFiles:
    """Write the items to rate, and what asks the study's rubric of them, into a new folder.

    Every answer has a code; which system it is of stands only in the study, in
    `campaigns/<name>/handout.csv`. A hand-out that is there already is written again as it is.

    Args:
        study: The study.
        folder: Where to; a new folder.
        wishes: What is asked.
        fresh: What codes and order follow from where the hand-out is new.

    Such a tool is asked for one label of each answer: dimensions about a part of it, numbers and
    passages are left to sheets and the rating room, and of repeated answers the first alone goes.
    REDCap is asked for numbers too, and is given every repeated answer as a record of its own.

    Raises:
        InvalidInput: The folder is there already, the study has no answers or asks nothing that
            such a tool can, or another hand-out has that name, or texts that are private would lie
            where reports go.
    """
    study.require_whole()
    _check(study, folder, wishes)
    level = wishes.texts or study.config.privacy.texts
    if not study.config.privacy.allows(level):
        refuse_where_reports_go(study.path, [folder], "--into")
    whole, *later = asked_parts(study, "answers")
    numbers = wishes.tool.numbers
    rubric, beyond = _that_tools_ask(whole, numbers=numbers)
    parts = tuple(part for part in PARTS if part not in wishes.hidden)
    items, unread = readable(
        study,
        sorted(
            {
                Item(answer.case, answer.system, sample=answer.sample if numbers else 0)
                for answer in study.answers
            }
        ),
    )
    texts = {item: texts_of(study, item, parts) for item in items}
    hashes = {item: hash_of(judged_texts(texts[item])) for item in items}
    handout = _handout(study, wishes.name, hashes, fresh)
    exported = study if study.pseudonyms.named else study.with_pseudonyms()
    ratings = _said(exported, rubric, comments=level == "full") if wishes.ratings else {}
    tasks = [
        ToolTask(code, _shown(level, item, texts[item]), ratings.get(item, {}))
        for code, item in handout.items.items()
    ]
    kinds = [kind for kind in HEADINGS if any(task.texts.get(kind) for task in tasks)]
    title, synthetic = study.config.title, study.config.synthetic
    project = ToolProject(rubric, tasks, kinds, title, synthetic, wishes.ratings)
    contents = wishes.tool.files(project)
    keys = {handout.file: handout.content(), **wishes.tool.kept(study.path, handout, rubric)}
    make_folder(folder)
    # The key comes first: items whose key is lost could never come back.
    for file, content in keys.items():
        write_atomically(study.path / file, content)
    if wishes.ratings:
        study.pseudonyms.write_key(study.path)
    for name, content in contents.items():
        write_atomically(folder / name, content)
    said_on_text = describe_texts(study, level, str(folder), "items")
    if wishes.ratings and level != "full":
        said_on_text.append("Left behind too: what raters wrote beside their labels.")
    asked_later = [question for part in later for question in part.ids]
    notes = [*beyond, *unread, *_notes(study, handout, wishes, asked_later, said_on_text)]
    notes += [*wishes.tool.notes(project), *_given_away(study)]
    files = [*keys, *(str(folder / name) for name in contents)]
    return WrittenFiles({"answer": len(tasks)}, files, notes)


def _that_tools_ask(rubric: Rubric, *, numbers: bool) -> tuple[Rubric, list[str]]:
    """Keep what is asked of a whole answer by labels, and say what is left to sheets.

    Raises:
        InvalidInput: Nothing is.
    """
    asked = tuple(
        one
        for one in rubric.dimensions
        if (one.labels or (numbers and one.number is not None)) and one.about == "answer"
    )
    left = [f"{one.id} ({_asks(one)})" for one in rubric.dimensions if one not in asked]
    if not asked:
        must = "ask for a label of the whole answer, which is what such a tool can ask"
        raise InvalidInput(Problem("the rubric", must, ", ".join(left), f"{_SHEETS}."))
    said = [f"Not asked there: {', '.join(left)}. {_SHEETS}."] if left else []
    return rubric.with_dimensions(asked), said


def _asks(dimension: Dimension) -> str:
    if dimension.kinds:
        return "passages"
    of = "" if dimension.about == "answer" else f" of each {dimension.about}"
    return f"{'a number' if dimension.number else 'a label'}{of}"


def _handout(study: Study, name: str, hashes: dict[Item, str], fresh: Secret) -> Handout:
    there = find_handouts(study.path).get(name)
    if there is None:
        return draw_handout(name, hashes, fresh, codes_in_use(study.path, name))
    if there.is_of(hashes):
        return there
    got = f'"{name}", which exists with other answers'
    raise InvalidInput(Problem("--name", "name a new hand-out", got, "Give another --name."))


def _check(study: Study, folder: Path, wishes: TaskWishes) -> None:
    problems = []
    if folder.exists():
        hint = "Give another name; it was left as it is."
        problems.append(Problem("--into", "be a new folder", f"{folder}, which exists", hint))
    if wishes.name != file_stem(wishes.name) or wishes.name.startswith("-"):
        hint = "For example review."
        must = "be letters, digits, . _ or -, and a folder's name on every operating system"
        problems.append(Problem("--name", must, f'"{wishes.name}"', hint))
    if wishes.name in find_plans(study.path):
        got = f'"{wishes.name}", a campaign of sheets'
        problems.append(Problem("--name", "name a new hand-out", got, "Give another --name."))
    if not len(study.answers):
        hint = "Take them in: medassay import --from answers"
        problems.append(Problem("answers", "hold the answers to rate", "none", hint))
    if problems:
        raise InvalidInput(problems)


def _shown(
    level: TextLevel, item: Item, texts: Mapping[str, Sequence[str]]
) -> Mapping[str, Sequence[str]]:
    if level == "full":
        return texts
    return {"case": (item.case,)} if level == "ids" else {}


def _said(
    study: Study, rubric: Rubric, *, comments: bool
) -> dict[Item, dict[str, dict[str, ToolLabel]]]:
    """Give what each rater says of each answer, in the words that the tool offers."""
    ratings: dict[Item, dict[str, dict[str, ToolLabel]]] = {}
    for row in study.judgements.in_phases().iter_rows(named=True):
        number = "" if row["number"] is None else f"{row['number']:.15g}"
        word = row["label"] or number or _REASONS.get(row["reason"])
        if row["dimension"] not in rubric.ids or word is None:
            continue
        item = Item(row["case"], row["system"], sample=row["sample"])
        comment = row["comment"] if comments else None
        label = ToolLabel(word, comment or "", row["confidence"] or "")
        ratings.setdefault(item, {}).setdefault(row["rater"], {})[row["dimension"]] = label
    return ratings


def _notes(
    study: Study,
    handout: Handout,
    wishes: TaskWishes,
    later: Sequence[str],
    said_on_text: Sequence[str],
) -> list[str]:
    notes = [
        (
            f"Keep {handout.file} to yourself: it says which system each code stands for. The "
            "import needs it."
        )
    ]
    if wishes.ratings:
        hidden = study.pseudonyms.of and not study.pseudonyms.named
        whose = f"pseudonyms, as in {RATERS_KEY}," if hidden else "names"
        notes.append(
            f"The files hold the raters' {whose} beside their labels. Left behind of the ratings: "
            "the moment, the seconds, the position, and every phase that does not count."
        )
    notes += said_on_text
    if later:
        notes.append(
            f"Not asked, since it needs the system's confidence after everything else: "
            f"{', '.join(later)}. Ask it with sheets: medassay campaign create."
        )
    derived = [dimension.id for dimension in study.rubric.dimensions if dimension.derived]
    if derived:
        notes.append(f"Not asked, since they follow from other answers: {', '.join(derived)}.")
    repeated = sum(answer.sample > 0 for answer in study.answers)
    if repeated and not wishes.tool.numbers:
        notes.append(f"Left out: {repeated:,} repeated answers; the first of each goes.")
    return notes


def _given_away(study: Study) -> list[str]:
    """Say how many answers give their system away, and how many may."""
    names = names_of_systems(study)
    read = {
        (answer.system, answer.case, answer.sample): "\n".join(
            (*answer_paragraphs(answer, study.cases[answer.case]), answer.reasoning or "")
        )
        for answer in study.answers
        if answer.held
    }
    places = [find_give_aways(text, names) for text in read.values()]
    sure = sum(any(place.certain for place in found) for found in places)
    perhaps = sum(bool(found) for found in places) - sure
    notes = []
    if sure:
        count = count_of(sure, "answer")
        notes.append(f"Raters can tell the system of {count} by its own words.")
    if perhaps:
        notes.append(
            f"{count_of(perhaps, 'answer')} may name a system, or hold an everyday word. "
            "medassay campaign create shows each sentence."
        )
    return notes


def task_writes(tool: AnnotationTool, about: str) -> Writes:
    """Declare that a tool's tasks are written, each under a code.

    Args:
        tool: Whose files they are; the hand-out is called so unless told otherwise.
        about: What is written.
    """

    def give(
        study: Study,
        fresh: Secret,
        into: Path,
        *,
        name: Annotated[str, Option("What the hand-out is called in the study.")] = tool.id,
        hide: Hide = None,
        ratings: Ratings = False,
        texts: SheetTexts = None,
    ) -> Outcome:
        wishes = TaskWishes(tool, name, parts_named(hide or ""), ratings, texts)
        return told(export_tasks(study, into, wishes, fresh), ", each under a code")

    return Writes(about=about, into="A new folder for the files.", metavar="FOLDER", give=give)
