"""Which column is what: guessed from headers and cells, and asked where two readings are left."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from medassay.exchange.proposal import Question
from medassay.exchange.spreadsheet.headers import (
    Role,
    headings,
    is_like_a_reference,
    is_like_a_system,
    plain,
)
from medassay.exchange.spreadsheet.rating_columns import rating_of
from medassay.exchange.spreadsheet.read import Table
from medassay.exchange.spreadsheet.wishes import Wish
from medassay.judgements import Dimension

__all__ = ["Column", "Layout", "guess_layout"]

_ONCE: Final[tuple[Role, ...]] = (
    "case", "question", "narrative", "system", "rater", "dimension", "label", "comment",
    "contexts", "evidence",
)  # fmt: skip
"""What one table has in one column at most."""
_PROSE: Final = 6
"""Words: cells that have so many in the middle are texts, and no category."""
_LONGEST_TAG: Final = 80
_ID_ENDS: Final = (["id"], ["no"], ["nr"], ["number"], ["code"])


@dataclass(frozen=True, slots=True)
class Column:
    """What one column is.

    Attributes:
        name: What its header says.
        role: What it is.
        of: The system whose answers it holds, the tag's name, or the dimension that was rated.
        system: The system that was rated, where the header names it.
        rater: Who rated, where the header names them.
    """

    name: str
    role: Role
    of: str = ""
    system: str = ""
    rater: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """What the columns of one table are.

    Attributes:
        table: The table.
        columns: Every column, in its order.
        questions: What somebody has to decide first.
    """

    table: Table
    columns: tuple[Column, ...]
    questions: tuple[Question, ...] = ()

    def of_role(self, role: Role) -> list[Column]:
        """Give the columns that are one thing."""
        return [column for column in self.columns if column.role == role]

    def named(self, role: Role) -> str | None:
        """Give the one column that is this, or None."""
        return next((column.name for column in self.of_role(role)), None)

    @property
    def tells(self) -> bool:
        """Say whether anything of a study is in it."""
        roles = {column.role for column in self.columns}
        beside = {"case", "answer", "reference", "contexts", "system"}
        asked = "question" in roles and roles & beside
        answered = {"case", "answer"} <= roles
        rated = "case" in roles and bool(roles & {"rating", "label"}) and "rater" in roles
        return bool(asked or answered or rated or (self.questions and "question" in roles))


@dataclass
class _Guess:
    table: Table
    wishes: Mapping[str, Wish]
    dimensions: Sequence[Dimension]
    known: dict[str, Column] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    whose: list[str] = field(default_factory=list)


def guess_layout(
    table: Table, wishes: Mapping[str, Wish], dimensions: Sequence[Dimension] = ()
) -> Layout:
    """Guess what each column of a table is; what was said of one holds.

    Args:
        table: The table.
        wishes: What a user said of single columns.
        dimensions: What raters may have been asked: columns of ratings are known by these.
    """
    guess = _Guess(table, wishes, dimensions)
    _by_wish(guess)
    _by_header(guess)
    _long(guess)
    _wide(guess)
    _ratings(guess)
    _terse(guess)
    _rest(guess)
    columns = tuple(guess.known[name] for name in table.sheet.columns)
    return Layout(table, columns, tuple(guess.questions))


def _by_wish(guess: _Guess) -> None:
    for name in guess.table.sheet.columns:
        wish = guess.wishes.get(name)
        if wish is not None:
            of = wish.of or (_system_of(name) if wish.role == "answer" else "")
            guess.known[name] = Column(name, wish.role, of or _tag_name(wish, name))


def _tag_name(wish: Wish, name: str) -> str:
    return name if wish.role == "tag" else ""


def _system_of(name: str) -> str:
    """Say of which system a column of answers is: a mere word for an answer names none."""
    meant = [heading for heading in headings(name) if heading.role == "answer"]
    return meant[0].of if meant else name


def _by_header(guess: _Guess) -> None:
    """Take what headers say; where one may be two things, or two may be one, somebody is asked."""
    claims: dict[Role, list[str]] = {}
    for name in guess.table.sheet.columns:
        meant = headings(name)
        if name in guess.known or not meant:
            continue
        if len(meant) > 1:
            roles = [heading.role for heading in meant]
            shown = {f"the column is {_SAID[role]}": [f"{role}={name}"] for role in roles}
            _ask(guess, f'What is "{name}"?', shown)
            guess.known[name] = Column(name, "skip")
        elif meant[0].role == "answer" and meant[0].of:
            guess.known[name] = Column(name, "answer", meant[0].of)
        else:
            claims.setdefault(meant[0].role, []).append(name)
    for role, names in claims.items():
        taken = any(column.role == role for column in guess.known.values())
        if role == "reference" or (len(names) == 1 and not taken):
            guess.known |= {name: Column(name, role) for name in names}
        elif role in _ONCE or role == "answer":
            guess.known |= {name: Column(name, "skip") for name in names}
            if not taken:
                others = {
                    chosen: [f"skip={name}" for name in names if name != chosen] for chosen in names
                }
                shown = {f'"{chosen}"': [f"{role}={chosen}", *others[chosen]] for chosen in names}
                _ask(guess, f"Which column is {_SAID[role]}?", shown)


_SAID: Final[Mapping[Role, str]] = {
    "case": "the id of the question",
    "question": "the question",
    "narrative": "the story around the question",
    "reference": "an expert's answer to compare with",
    "system": "the system's name",
    "answer": "a system's answer",
    "contexts": "what the system retrieved",
    "evidence": "the evidence that an answer should rest on",
    "rater": "who rated",
    "dimension": "what was rated",
    "label": "the rating",
    "comment": "the rater's comment",
    "rating": "ratings",
    "tag": "a tag",
    "skip": "left out",
}


def _long(guess: _Guess) -> None:
    """Take the answers of a table with a row an answer: its column of systems says whose they are.

    `text` is an answer there, as in medassay's own tables of answers, and nothing anywhere else.
    """
    roles = {column.role for column in guess.known.values()}
    if "system" not in roles or not {"case", "question"} & roles:
        return
    answers = [column.name for column in guess.known.values() if column.role == "answer"]
    if not answers and not {"rating", "label"} & roles:
        answers = [
            name
            for name in guess.table.sheet.columns
            if name not in guess.known and plain(name) == "text"
        ]
    elif not set(answers) <= set(guess.wishes):
        return
    if len(answers) == 1:
        guess.known[answers[0]] = Column(answers[0], "answer")


def _wide(guess: _Guess) -> None:
    """Know references by their texts, and columns of systems where no column holds all answers."""
    for name in guess.table.sheet.columns:
        prose = name not in guess.known and _is_prose(guess.table.cells(name))
        if prose and is_like_a_reference(name):
            guess.known[name] = Column(name, "reference")
    roles = [column.role for column in guess.known.values()]
    if "system" in roles or any(
        column.role == "answer" and not column.of for column in guess.known.values()
    ):
        return
    if not {"question", "case"} & set(roles):
        return
    texts = [
        name
        for name in guess.table.sheet.columns
        if name not in guess.known and _is_prose(guess.table.cells(name))
    ]
    for name in texts:
        if is_like_a_system(name):
            guess.known[name] = Column(name, "answer", name)
    for name in texts:
        if name not in guess.known:
            _ask_whose(guess, name)


def _ask_whose(guess: _Guess, name: str) -> None:
    guess.known[name] = Column(name, "skip")
    guess.whose.append(name)
    _ask(
        guess,
        f'"{name}" holds texts. Are these the answers of a system called "{name}"?',
        {
            "yes, of a system": [f"answer={name}"],
            "no, an expert's answers to compare with": [f"reference={name}"],
            "no, leave the column out": [f"skip={name}"],
        },
    )


def _terse(guess: _Guess) -> None:
    """Ask about a column beside those of systems that may be of one that answers in a word or two.

    It has a name as systems do, or is mostly filled and too long somewhere for a category.
    """
    systems = [column for column in guess.known.values() if column.role == "answer" and column.of]
    if not (systems or guess.whose):
        return
    for name in guess.table.sheet.columns:
        if name in guess.known:
            continue
        filled = [cell for cell in guess.table.cells(name) if cell]
        mostly = 2 * len(filled) > len(guess.table.sheet)
        long = mostly and any(len(cell) > _LONGEST_TAG for cell in filled)
        called = is_like_a_system(name) and not any(_is_about(name, c.of) for c in systems)
        if long or (called and any(map(_has_words, filled))):
            _ask_whose(guess, name)


def _is_about(name: str, system: str) -> bool:
    """Say whether a header names a system and something of it, such as its source."""
    return set(plain(system).split()) < set(plain(name).split())


def _has_words(cell: str) -> bool:
    return any(sign.isalpha() for sign in cell)


def _is_prose(cells: Sequence[str]) -> bool:
    lengths = sorted(len(cell.split()) for cell in cells if cell)
    return bool(lengths) and lengths[len(lengths) // 2] >= _PROSE


def _ratings(guess: _Guess) -> None:
    systems = [
        column.of for column in guess.known.values() if column.role == "answer" and column.of
    ]
    for name in guess.table.sheet.columns:
        wish = guess.wishes.get(name)
        if name not in guess.known or (wish is not None and wish.role == "rating"):
            rating = rating_of(name, guess.dimensions, systems, wish.of if wish else "")
            if rating is not None:
                guess.known[name] = Column(
                    name, "rating", rating.dimension, rating.system, rating.rater
                )


def _rest(guess: _Guess) -> None:
    """Keep as tags what says the same of every row of a question; leave out what is left."""
    keys = _keys(guess)
    _ids(guess)
    for name in guess.table.sheet.columns:
        if name not in guess.known:
            cells = guess.table.cells(name)
            tag = keys is not None and _is_tag(keys, cells)
            guess.known[name] = Column(name, "tag" if tag else "skip", name if tag else "")


def _ids(guess: _Guess) -> None:
    """Take the one column left whose header ends as ids do, and that has one id a question."""
    questions = next((n for n, column in guess.known.items() if column.role == "question"), None)
    if questions is None or any(column.role == "case" for column in guess.known.values()):
        return
    asked = guess.table.cells(questions)
    found = [
        name
        for name in guess.table.sheet.columns
        if name not in guess.known
        and plain(name).split()[-1:] in _ID_ENDS
        and _is_one_to_one(asked, guess.table.cells(name))
    ]
    if len(found) == 1:
        guess.known[found[0]] = Column(found[0], "case")


def _is_one_to_one(left: Sequence[str], right: Sequence[str]) -> bool:
    pairs = {pair for pair in zip(left, right, strict=True) if any(pair)}
    return all(map(all, pairs)) and len(pairs) == len(dict(pairs)) == len({b for _, b in pairs})


def _keys(guess: _Guess) -> list[str] | None:
    by_role = {column.role: name for name, column in guess.known.items()}
    column = by_role.get("case") or by_role.get("question")
    asks = "question" in by_role
    return guess.table.cells(column) if column and asks else None


def _is_tag(keys: Sequence[str], cells: Sequence[str]) -> bool:
    pairs = {(key, cell) for key, cell in zip(keys, cells, strict=True) if cell}
    once = Counter(key for key, _ in pairs)
    return bool(pairs) and max(once.values()) == 1 and all(map(_fits_tag, (c for _, c in pairs)))


def _fits_tag(cell: str) -> bool:
    return len(cell) <= _LONGEST_TAG and cell.isprintable()


def _ask(guess: _Guess, words: str, answers: Mapping[str, Sequence[str]]) -> None:
    guess.questions.append(Question(guess.table.name, words, "column", answers))
