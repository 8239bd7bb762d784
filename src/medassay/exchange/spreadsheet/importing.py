"""Take spreadsheets into a study: shown first, then all of it or nothing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Final

from medassay.cases import Case, read_documents
from medassay.errors import InvalidInput, Problem
from medassay.exchange.proposal import ImportQuestion, Proposal, Undecided
from medassay.exchange.spreadsheet.account import account_of, preview
from medassay.exchange.spreadsheet.answer_rows import OF_NO_QUESTION
from medassay.exchange.spreadsheet.checked import bare_name, checked_labels
from medassay.exchange.spreadsheet.collected import Collected
from medassay.exchange.spreadsheet.grown import grow
from medassay.exchange.spreadsheet.plan import Plan, explain, plan_of
from medassay.exchange.spreadsheet.profile import number_of
from medassay.exchange.spreadsheet.raters import are_models_asked, kinds_of
from medassay.exchange.spreadsheet.rows import OF_NOBODY, collect
from medassay.exchange.spreadsheet.sampled_design import sampled_design
from medassay.exchange.spreadsheet.unchanged import unchanged_if_refused
from medassay.exchange.spreadsheet.wishes import Wishes, column_option
from medassay.exchange.spreadsheet.writing import (
    CASES,
    DOCUMENTS,
    Found,
    SpreadsheetImport,
    refuse_other_form,
    write_found,
)
from medassay.judgements import Dimension, library_dimensions
from medassay.study.contents.cases_and_answers import read_study_cases
from medassay.study.files.names import table_file, texts_of
from medassay.study.files.placed import refuse_at_urls
from medassay.study.folder import Study
from medassay.tables import gc_paused, is_there
from medassay.text import count_of, first_of, shell_line

if TYPE_CHECKING:
    from medassay.exchange.outcome import Overview

__all__ = [
    "SpreadsheetImport",
    "Wishes",
    "explain",
    "has_verdicts",
    "import_spreadsheet",
    "known_cases",
    "propose",
]

_MOST_TRIED: Final = 24
"""Other answers that are tried where the likeliest ones are refuted: each reads the files again."""


def has_verdicts(into: Path) -> bool:
    """Say whether a study has labels or scores, so that a run comes next, and no campaign."""
    study = Study.open_whole(into)
    rated = len(study.judgements_on_file) or len(study.preferences_on_file) or study.imported
    return bool(rated)


@gc_paused()
def propose(into: Path, files: Sequence[Path], wishes: Wishes) -> Proposal:
    """Say what would be read, in the words of the files and in ours, or what is still open.

    Raises:
        InvalidInput: Every problem of the files.
    """
    plan, found = _read(into, files, wishes)
    if isinstance(found, Undecided):
        cells, questions = _previews(plan, 2), found.questions
        if texts_of(into) != "full":
            cells, questions = [], tuple(replace(asked, examples=()) for asked in questions)
        return Proposal(_previews(plan), questions, cells, refused=found.refused)
    notes = [f"note: {note}" for note in found.notes]
    lines = [*found.account.lines(), *notes]
    return Proposal(lines, found.asked, rows=found.account.rows)


def _read(into: Path, files: Sequence[Path], wishes: Wishes) -> tuple[Plan, Found | Undecided]:
    """Read the files, or say all that is open.

    Raises:
        InvalidInput: Every problem of the files.
    """
    plan = plan_of(into, files, wishes)
    if plan.questions:
        return plan, _all_open(into, files, plan)
    try:
        return plan, _found(into, files, plan)
    except InvalidInput as error:
        if mended := _mended(into, files, plan, error.problems):
            return plan, mended
        raise


def _previews(plan: Plan, cells: int = 0) -> "list[str | Overview]":
    shown: list[str | Overview] = []
    for layout in plan.layouts:
        rows = count_of(len(layout.table.sheet), "row")
        shown += [f"{layout.table.name}: {rows}", preview(layout, cells)]
    return shown


@gc_paused()
def import_spreadsheet(into: Path, files: Sequence[Path], wishes: Wishes) -> SpreadsheetImport:
    """Take all of it, or nothing: everything is read and checked before anything is written.

    Args:
        into: The study's folder: a new one, or a study whose cases are these or not there yet.
        files: The files, which may hold several tables.
        wishes: What the user says beside them.

    Raises:
        InvalidInput: A column may be two things, or every problem of the files.
    """
    plan, found = _read(into, files, wishes)
    if isinstance(found, Undecided):
        raise found
    for part in ("cases", "documents", "answers"):
        refuse_at_urls(into, part)
    if found.asked:
        raise Undecided(found.asked)
    if found.known and found.new and not plan.wishes.grows:
        got = f'{count_of(len(found.new), "other")}, "{found.new[0].case}" first'
        hint = "Make a new study: give another --into."
        raise InvalidInput(Problem(CASES, "hold every question of the files", got, hint))
    with unchanged_if_refused(into):
        return write_found(into, files, found)


def _all_open(into: Path, files: Sequence[Path], plan: Plan) -> Undecided:
    """Ask at once what would be asked in turn, so that what is typed then is read at once.

    Each question has its likeliest answer first. Where the cells refute these together, the first
    other answer to one of them with which the files are read takes its place; where no other does
    so, one system is proposed if none is named, then two other answers are; else it is said why the
    files are refused.
    """
    likeliest = _answered(into, files, plan)
    if not likeliest.refused:
        return likeliest
    ones = [question.led_by(answer) for question, answer in _other_answers(likeliest.questions)]
    for one in ones[:_MOST_TRIED]:
        other = _answered(into, files, plan, [one])
        if not other.refused:
            return other
    if mended := _mended(into, files, plan, likeliest.refused):
        return mended
    # Questions with their answers in another order are equal: two of one question are no pair.
    for two in [two for two in combinations(ones, 2) if two[0] != two[1]][:_MOST_TRIED]:
        other = _answered(into, files, plan, two)
        if not other.refused:
            return other
    return likeliest


def _mended(
    into: Path, files: Sequence[Path], plan: Plan, refused: Sequence[Problem]
) -> Undecided | None:
    """Ask also what nothing in the files says, where files are refused for that alone.

    None where something else is wrong, or files are refused with that, too.
    """
    musts = {problem.must for problem in refused}
    shown = ", ".join(file.name for file in files)
    if musts <= OF_NOBODY and not plan.wishes.names.system:
        name = files[0].stem
        ask = "Whose answers were rated or scored? Nothing in the files names a system"
        ways = {f"those of one system, to be called {name}": [name]}
        more = ImportQuestion(shown, ask, "system", ways)
    elif musts == {OF_NO_QUESTION} and not known_cases(into):
        ids = list(dict.fromkeys(problem.column or "" for problem in refused))
        ask = "Where are the questions? The files hold their ids alone. If another file has them, "
        ask += "give it in the same command"
        ways = {"nowhere: let the ids stand for them": [f"question={name}" for name in ids]}
        more = ImportQuestion(shown, ask, "column", ways)
    else:
        return None
    mended = _answered(into, files, plan, more=[more])
    return None if mended.refused else mended


def _other_answers(questions: Sequence[ImportQuestion]) -> list[tuple[ImportQuestion, str]]:
    """List the answers behind the first of each question; what leaves a column out comes last."""
    others = [
        (all(word.startswith("skip=") for word in words), place, number)
        for number, question in enumerate(questions)
        for place, words in enumerate(question.answers.values())
        if place
    ]
    return [
        (questions[number], list(questions[number].answers)[place])
        for _, place, number in sorted(others)
    ]


def _answered(
    into: Path,
    files: Sequence[Path],
    plan: Plan,
    led: Sequence[ImportQuestion] = (),
    more: Sequence[ImportQuestion] = (),
) -> Undecided:
    """Ask all that is open where each question gets its first answer.

    Args:
        into: The study's folder.
        files: The files.
        plan: What is known before.
        led: Some of the questions, with their answers in another order.
        more: What is asked beside the questions of the plan.
    """
    asked: list[ImportQuestion] = []
    while True:
        now = [led[led.index(one)] if one in led else one for one in plan.questions]
        now += [question for question in more if question not in asked]
        asked += [question for question in now if question not in asked]
        try:
            plan = plan_of(into, files, plan.wishes.answered(now))
            if not plan.questions:
                return Undecided([*asked, *_found(into, files, plan).asked])
        except InvalidInput as error:
            return Undecided(asked, error.problems)
        if all(question in asked for question in plan.questions):
            return Undecided(asked)


def _found(into: Path, files: Sequence[Path], plan: Plan) -> Found:
    """Read what the files hold, and check it before anything is written.

    Raises:
        InvalidInput: Every problem of the files.
    """
    known = known_cases(into)
    collected = _collected(into, plan, plan.wishes, known)
    labels = checked_labels(collected, plan.scales.dimensions)
    _refuse_nothing(into, files, collected, plan.wishes)
    _refuse_other_systems(files, collected, known)
    cases = collected.cases()
    account = account_of(plan.layouts, collected)
    raters = {*collected.ratings.of("rater"), *collected.preferences.of("rater")}
    kinds_of(dict.fromkeys(raters, ""), plan.wishes.names.kinds, "")
    _refuse_near_names(files, collected)
    shown = ", ".join(file.name for file in files)
    asked = are_models_asked(shown, raters, plan.wishes.names)
    asked += _sampled(files, collected, plan.wishes)
    grown = grow(known, cases, plan.layouts, plan.named)
    notes = [*plan.notes, *_said(plan, collected, plan.wishes), *grown.notes]
    return Found(plan, known, collected, cases, account, asked, grown, notes, labels)


def _sampled(files: Sequence[Path], collected: Collected, wishes: Wishes) -> list[ImportQuestion]:
    """Ask whether systems were asked some questions each by design, where it looks so."""
    if wishes.asked in {"some", "all", "none"}:
        return []
    if wishes.asked:
        raise InvalidInput(Problem("--asked", "be some, all or none", f'"{wishes.asked}"'))
    keys = collected.told
    systems = sorted({system for system, _ in keys})
    found = sampled_design(list(collected.asked), systems, keys)
    if found is None:
        return []
    ask = f"{found} Was that so by design?"
    ways = {"yes, each went to some systems only": ["some"], "no, answers are missing": ["all"]}
    return [ImportQuestion(", ".join(file.name for file in files), ask, "asked", ways)]


def _refuse_nothing(
    into: Path, files: Sequence[Path], collected: Collected, wishes: Wishes
) -> None:
    """Refuse files that name raters and hold no label, and questions alone that nobody asked for.

    Raises:
        InvalidInput: Nothing was answered or rated, in a new study, and nobody said so.
    """
    judged = bool(collected.ratings or collected.preferences)
    raters = any(role == "rater" for fates in collected.fates.values() for role in fates)
    if raters and not judged:
        must = "hold labels beside its raters"
        hint = "Say which column holds them: --column rating.accuracy=THEIRS."
        raise InvalidInput(Problem(files[0].name, must, "none", hint))
    something = judged or collected.answers or collected.scores
    if something and wishes.asked == "none":
        must, got = "be none where nobody has answered", "answers, ratings or scores"
        raise InvalidInput(Problem("--asked", must, got, "Leave it out, or say some or all."))
    if not something and wishes.asked != "none" and not is_there(into / "study.toml"):
        must = "hold answers or ratings beside the questions"
        got = f"{count_of(len(collected.asked), 'question')} alone"
        hint = "Say which column holds the answers: --column answer=THEIRS. Or, where nobody has "
        hint += "answered yet: --asked none."
        raise InvalidInput(Problem(", ".join(file.name for file in files), must, got, hint))


def known_cases(into: Path) -> dict[str, Case]:
    """Give the cases of a study that stands already, by id."""
    path = table_file(into, "cases") if is_there(into / "study.toml") else None
    if path is None or not path.read_bytes().strip():
        return {}
    return {case.case: case for case in read_study_cases(into)}


def _collected(into: Path, plan: Plan, wishes: Wishes, known: Mapping[str, Case]) -> Collected:
    """Collect what the files hold.

    Raises:
        InvalidInput: Every problem of the files; or documents are to go into a table of another
            form than they are written in.
    """
    questions = {name: case.question or "" for name, case in known.items()}
    path = table_file(into, "documents")
    documents = [] if path is None else read_documents(path).values()
    before = {document.text or document.id: document.id for document in documents}
    collected = collect(plan.layouts, wishes.names, plan.scales.labels, questions, before)
    _refuse_two_texts(plan, [*before.values(), *collected.documents.values()])
    if collected.documents and path is not None:
        refuse_other_form(path, DOCUMENTS)
    return collected


def _refuse_other_systems(
    files: Sequence[Path], collected: Collected, known: Mapping[str, Case]
) -> None:
    """Refuse files in which one set of systems answered and another was rated.

    Raises:
        InvalidInput: No system that was rated has an answer, in a new study.
    """
    answered = {system for system, *_ in collected.answers}
    rated = {system for system, *_ in collected.rated}
    if known or not answered or not rated or answered & rated:
        return
    first, other = (first_of(sorted(names), 3) for names in (answered, rated))
    must = "call the systems alike beside answers and beside ratings"
    got = f"answers of {first}, and ratings of {other}"
    hint = "Write the names alike in both places."
    raise InvalidInput(Problem(", ".join(file.name for file in files), must, got, hint))


def _refuse_near_names(files: Sequence[Path], collected: Collected) -> None:
    """Refuse names that differ in capitals, blanks, stops and hyphens alone: each would count.

    Who says something of the same answer, or answers the same question, is another.

    Raises:
        InvalidInput: Every two that do.
    """
    rated = [collected.ratings.of(name) for name in ("rater", "system", "case", "dimension")]
    shown = ", ".join(file.name for file in files)
    problems = []
    for noun, held in (("system", [*zip(*collected.told, strict=True)]), ("rater", rated)):
        near: dict[str, list[str]] = {}
        for name in sorted(set(held[0])) if held else ():
            near.setdefault(bare_name(name), []).append(name)
        for pair in (pair for names in near.values() for pair in combinations(names, 2)):
            about: dict[str, set[tuple[object, ...]]] = {name: set() for name in pair}
            for name, *what in zip(*held, strict=True):
                if name in pair:
                    about[name].add(tuple(what))
            if about[pair[0]].isdisjoint(about[pair[1]]):
                hint = "Write them alike in the file; or, where they are two, rename one."
                must, got = f"call each {noun} alike wherever it stands", '"{}" and "{}"'
                problems.append(Problem(shown, must, got.format(*pair), hint))
    if problems:
        raise InvalidInput(problems)


def _refuse_two_texts(plan: Plan, ids: Sequence[str]) -> None:
    """Refuse an id of a document that stands for several texts, before anything is written.

    Raises:
        InvalidInput: Every such id.
    """
    twice = [name for name, count in Counter(ids).items() if count > 1]
    layout = next((layout for layout in plan.layouts if layout.named("documents")), None)
    if twice and layout is not None:
        must = "give each retrieved text its own id"
        more = f", and {count_of(len(twice) - 1, 'other id')}" if twice[1:] else ""
        got = f'"{twice[0]}" for several texts{more}'
        column = layout.named("documents")
        hint = "Name the pieces of a document apart, as doc1-a and doc1-b; or leave the ids out: "
        hint += column_option("skip", column or "")
        raise InvalidInput(Problem(layout.table.name, must, got, hint, None, column))


def _said(plan: Plan, collected: Collected, wishes: Wishes) -> list[str]:
    notes = list(collected.notes)
    for layout in plan.layouts:
        plain = [column for column in layout.of_role("answer") if not column.of]
        named = layout.named("system") or wishes.names.system or layout.system
        if plain and not named:
            notes.append(
                f"{layout.table.name}: no column names a system; its answers are of "
                f'"{layout.table.stem}". Another name: --system NAME.'
            )
    used = set(collected.ratings.of("dimension"))
    library = set(library_dimensions())
    for dimension in plan.scales.dimensions:
        if dimension.id in used and dimension.labels and not wishes.rubric.endswith(".toml"):
            notes += _order_of_words(dimension, wishes)
            first, last = dimension.labels[0], dimension.labels[-1]
            if not (dimension.id in library and first.description and last.description):
                continue
            notes.append(
                f"{dimension.title or dimension.id}: read as {first.label} = "
                f"{first.description.rstrip('.')} ... {last.label} = "
                f"{last.description.rstrip('.')}. If your raters were told otherwise, give "
                "their words: --rubric FILE.toml."
            )
    return notes


def _order_of_words(dimension: Dimension, wishes: Wishes) -> list[str]:
    """Say in which order words were read, where nobody typed it and no rubric describes them."""
    words = [label.label for label in dimension.labels if label.score is not None]
    plain = not any(label.description for label in dimension.labels)
    plain = plain and all(number_of(word) is None for word in words)
    typed = any(scale.startswith(f"{dimension.id}=") for scale in wishes.scales)
    if typed or not plain or len(words) <= 2:  # noqa: PLR2004 - yes and no
        return []
    option = shell_line(["--scale", f"{dimension.id}=WORST<...<BEST"])
    told = f"{dimension.title or dimension.id}: read from worst to best as {' < '.join(words)}"
    return [f"{told}. Another order: {option}"]
