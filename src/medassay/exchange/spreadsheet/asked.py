"""Columns of which nothing says what they are: the likeliest first, and all that they may be."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from medassay.exchange.spreadsheet.columns import SAID
from medassay.exchange.spreadsheet.dependence import are_systems
from medassay.exchange.spreadsheet.grid import HeaderPart, may_be_a_person
from medassay.exchange.spreadsheet.headers import is_like_a_system, without_name
from medassay.exchange.spreadsheet.profile import holds_sentences, is_prose, number_of
from medassay.exchange.spreadsheet.wishes import quoted_names
from medassay.exchange.spreadsheet.words import Role

if TYPE_CHECKING:
    from medassay.exchange.spreadsheet.reader import Reader

_MOST_WORDS: Final = 7
"""Words that a scale has at most."""
_CHEAP: Final = 0.1
"""What no answer costs, in any currency, and hardly a metric stays below in all rows."""
_COUNTED: Final = (100, 1_000_000)
"""Between these lie counts, of tokens or letters: above all points, below ids and moments."""
_AFTER: Final[Sequence[Role]] = (
    "system", "rater", "dimension", "choice", "contexts", "reference", "rating", "fact", "score",
    "confidence", "cost", "comment", "tag", "answer", "time", "skip",
)  # fmt: skip
"""In which order is offered what a column may be, behind the likeliest."""


def likeliest_number(reader: "Reader", part: HeaderPart) -> Role:
    """Say what numbers, or words for yes and no, likely are of whom nothing says it."""
    profile, keys = reader.profiles[part.name], reader.keys()
    cells, numbers = reader.table.cells(part.name), profile.numbers or (-1.0,)
    answered = bool(reader.of_role("answer", "choice") or reader.systems or reader.beside.answered)
    rated = reader.beside.rated or any(own.rater for own in reader.of_role("rating"))
    rated = rated or (bool(reader.beside.systems) and not reader.of_role("rater"))
    by_system = bool(reader.of_role("system")) and rated and not answered
    called = is_like_a_system(part.name) and not reader.of_role("system", "answer")
    graded = profile.as_rated and 2 * profile.distinct <= profile.filled
    graded = graded or profile.may_be_a_label or (keys.repeated and keys.of_question(cells))
    percent = all(cell.endswith("%") for cell in cells if cell)
    share = profile.fine and numbers[0] >= 0 and numbers[-1] <= 1
    told: tuple[tuple[object, Role], ...] = (
        (part.people or part.header.ends or keys.varies(cells), "rating"),
        (profile.kind == "yesno" and by_system, "answer"),
        (profile.kind != "number", "rating"),
        (called, "answer"),
        (graded, "rating"),
        (not answered and profile.whole, "answer"),
        (percent and not reader.of_role("confidence"), "confidence"),
        (share and answered and numbers[-1] < _CHEAP and not reader.of_role("cost"), "cost"),
        (share, "score"),
    )
    return next((role for so, role in told if so), "fact")


def counts_something(reader: "Reader", part: HeaderPart) -> bool:
    """Say whether numbers can only count something of each answer, such as its tokens.

    They are whole, above all points that people or metrics give, and change with the system.
    """
    profile, keys = reader.profiles[part.name], reader.keys()
    numbers, cells = profile.numbers, reader.table.cells(part.name)
    if profile.kind != "number" or part.name in reader.wishes or not reader.of_role("answer"):
        return False
    low, high = _COUNTED
    counts = profile.whole and numbers[0] >= 0 and low < numbers[-1] < high
    apart = 2 * profile.distinct > profile.filled and sorted(numbers) != list(map(number_of, cells))
    changes = bool(part.system) or (keys.several and not keys.of_question(cells))
    return counts and apart and changes and likeliest_number(reader, part) == "fact"


def likeliest_text(reader: "Reader", name: str) -> Role:
    """Say what a column likely is, so that the first answer loses none of its cells."""
    cells, profile, keys = reader.table.cells(name), reader.profiles[name], reader.keys()
    words, tag = profile.kind in {"text", "word"}, keys.of_question(cells)
    apart = 2 * profile.distinct > profile.filled
    spelt = any(" " in cell for cell in cells)
    # A row for each rater repeats an answer.
    whole = words and profile.filled == len(cells) and 2 * profile.distinct > len(set(keys.about))
    whole = whole and (profile.kind == "text" or is_prose(cells))
    rated = bool(reader.of_role("rating", "label"))
    # No scale has so many words, and no fact changes within a question.
    many = profile.kind == "word" and profile.distinct > _MOST_WORDS and not tag
    many = many and profile.filled == len(cells) and bool(reader.of_role("system"))
    # A grade would change with who gave it.
    chosen = are_letters(cells) and not keys.varies(cells) and not reader.of_role("choice")
    named = profile.kind == "word" and profile.filled == len(cells) and not apart and not tag
    # What was rated is called "Plain language", and nobody is.
    things = any(word[:1].islower() for cell in reader.table.often(name) for word in cell.split())
    things = things and not _lacks(reader, "system")
    alone = _lacks(reader, "rater") and keys.parts_labels(cells, [name])
    parts = keys.parts_raters(cells) or (things and alone)
    told: tuple[tuple[bool, Role], ...] = (
        (named and _lacks(reader, "system") and are_systems(cells), "system"),
        (named and alone and not things, "rater"),
        (named and _lacks(reader, "dimension") and parts, "dimension"),
        (chosen and bool(reader.of_role("system", "answer")), "choice"),
        (profile.kind in {"list", "messages"} and not reader.of_role("contexts"), "contexts"),
        (not words and profile.kind != "yesno", "tag" if tag else "skip"),
        (whole and all(column.of for column in reader.of_role("answer")), "answer"),
        (many and not reader.of_role("answer", "choice"), "answer"),
        (keys.repeated and apart and spelt and profile.filled < len(cells), "comment"),
        (profile.kind == "yesno" or not (apart or tag or profile.distinct < 2), "rating"),  # noqa: PLR2004 - several labels
        (rated and apart and spelt, "comment"),
        (tag and words and holds_sentences(reader.table.often(name)), "reference"),
    )  # fmt: skip
    return next((role for so, role in told if so), "tag" if tag else "rating")


def _lacks(reader: "Reader", role: Role) -> bool:
    return not (reader.of_role(role) or (role == "system" and reader.systems))


def ask_numbers(reader: "Reader", parts: Sequence[HeaderPart]) -> None:
    """Ask what numbers and grades hold, once for all that are likeliest the same."""
    alike: dict[Role, list[HeaderPart]] = {}
    for part in parts:
        alike.setdefault(likeliest_number(reader, part), []).append(part)
        reader.take(part.name, "skip", why="asked about")
    for role, own in alike.items():
        things = {part.name: " ".join(part.rest) or part.name for part in own}
        first, rated = role, reader.of_role("rater", "rating", "label")
        if role == "rating" and reader.systems and not any(p.system or p.people for p in own):
            first = "tag"  # of the systems' answers each column names one
        elif role == "rating" and reader.of_role("score") and not rated:
            first = "score"
        labels = [set(reader.table.cells(name)) - {""} for name in things]
        people = len(own) > 1 and not rated and all(map(may_be_a_person, things.values()))
        people = people and role == "rating" and all(each & labels[0] for each in labels)
        ask_what_is_in(reader, "rating" if people else first, list(things), things, people=people)


def ask_what_is_in(
    reader: "Reader",
    role: Role,
    names: Sequence[str],
    things: Mapping[str, str] | None = None,
    *,
    people: bool = False,
) -> None:
    """Ask what columns are, the likeliest first.

    Args:
        reader: The table.
        role: The likeliest.
        names: The columns.
        things: What was rated in each, were they ratings; their headers if not given.
        people: Whether their headers may name people who rated.
    """
    profiles, keys = [reader.profiles[name] for name in names], reader.keys()
    cells = [reader.table.cells(name) for name in names]
    kinds = {profile.kind for profile in profiles}
    alone, numbers, words = len(names) == 1, kinds <= {"number"}, kinds <= {"word", "text"}
    rated = kinds <= {"word", "yesno", "graded"} or things or all(p.as_rated for p in profiles)
    named = bool(reader.of_role("system") or reader.systems)
    whose = "answers of the systems" if alone and named else "answers of systems so called"
    told = kinds <= {"word", "text", "yesno"} or role in {"answer", "fact", "score", "cost"}
    answers = told or not (reader.systems or reader.of_role("answer"))
    letters = alone and not reader.of_role("choice") and are_letters(cells[0])
    may_be: dict[Role, tuple[bool, str]] = {
        "system": (alone and words and not named, "names of systems, whose answers these are"),
        "rating": (bool(rated), "ratings by people"),
        "fact": (numbers, "a number about each answer"),
        "score": (numbers or bool(things), "scores of a metric or of a model"),
        "confidence": (numbers and alone and role != "rating", SAID["confidence"]),
        "cost": (role == "cost", SAID["cost"]),
        "comment": (words, "remarks of who rated"),
        "tag": (bool(things) or all(map(keys.of_question, cells)), "facts of the question"),
        "answer": (answers and not {"list", "messages", "day"} & kinds, whose),
        "choice": (letters, SAID["choice"]),
        "time": (kinds <= {"day"}, SAID["time"]),
        "skip": (True, "leave out"),
    }
    if role in {"system", "rater", "dimension", "reference", "contexts"}:
        may_be[role] = (alone or role == "reference", SAID[role])
    own = {name: (things or {}).get(name) or _without_people(reader, name) for name in names}
    typed = {name: f"rating.{own[name]}={name}" for name in names}
    ways: dict[str, list[str]] = {}
    if people:
        ways["ratings by the people so called"] = [f"rating.overall={name}" for name in names]
    for may in sorted(_AFTER, key=lambda may: may != role):
        so, said = may_be.get(may, (False, ""))
        if so:
            ways[said] = [typed[n] if may == "rating" else f"{may}={n}" for n in names]
    reader.ask(f"What is in {quoted_names(names)}?", ways, profiles[0].examples)


def _without_people(reader: "Reader", name: str) -> str:
    """Give what was rated: a header without those whom it names with a word for people."""
    of = name
    for person in reader.headers[name].people:
        of = without_name(of, person) or of
    return of


def are_letters(cells: Sequence[str]) -> bool:
    """Say whether all cells are letters, as options have them."""
    own = set(cells) - {""}
    return len(own) > 1 and own <= set("ABCDEFGH")
