"""Which column is what: read from cells, headers and the other columns; asked where two remain."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from medassay.exchange.spreadsheet.asked import ask_what_is_in, likeliest_text
from medassay.exchange.spreadsheet.called import named_by_sisters, without_person
from medassay.exchange.spreadsheet.choices import take_choices, take_options
from medassay.exchange.spreadsheet.columns import Layout, ReadColumn
from medassay.exchange.spreadsheet.dependence import (
    by_dependence,
    ids_by_cells,
    ids_of_answers,
    kinds_follow,
    lists,
)
from medassay.exchange.spreadsheet.eliminated import by_elimination, ids_beside
from medassay.exchange.spreadsheet.headers import (
    headings,
    known_metric,
    plain,
    read_header,
    without_name,
)
from medassay.exchange.spreadsheet.keys import Keys, is_one_to_one
from medassay.exchange.spreadsheet.labels import is_of_the_question, read_labels
from medassay.exchange.spreadsheet.profile import (
    are_times,
    holds_sentences,
    is_blank,
    number_of,
    profile_of,
)
from medassay.exchange.spreadsheet.read import Table
from medassay.exchange.spreadsheet.reader import Beside, Reader
from medassay.exchange.spreadsheet.texts_read import LONGEST_TAG, ask_texts, short_answers, texts
from medassay.exchange.spreadsheet.whole_headers import LABELS, reference_or_answer, whole_headers
from medassay.exchange.spreadsheet.wishes import Wish
from medassay.exchange.spreadsheet.words import Role, form, lexicon
from medassay.judgements import Dimension

__all__ = ["is_one_to_one", "read_columns"]

_ASKED_FIRST: Final[Sequence[Role]] = (
    "system",
    "rater",
    "dimension",
    "answer",
    "choice",
    "rating",
    "contexts",
    "comment",
    "reference",
    "tag",
    "skip",
)
_MOST_WORDS: Final = 7
_LEAST_ALIKE: Final = 20
"""Answers on which several raters do not agree by chance."""
_SCORE: Final = re.compile(r"[_ ]score$", re.IGNORECASE)
_ID_ENDS: Final = (["id"], ["no"], ["nr"], ["number"], ["code"])


def read_columns(
    table: Table,
    wishes: Mapping[str, Wish],
    dimensions: Sequence[Dimension] = (),
    beside: Beside | None = None,
) -> Layout:
    """Read what each column of a table is; what was said of one holds.

    Args:
        table: The table.
        wishes: What a user said of single columns.
        dimensions: What raters may have been asked: columns of ratings are known by these, too.
        beside: What the tables beside it say.
    """
    reader = Reader(table, wishes, dimensions, beside=beside or Beside())
    for name, cells in table.sheet.columns.items():
        texts_of_answers = table.of_answers(name)
        reader.profiles[name] = profile_of(cells[: len(texts_of_answers)], texts_of_answers)
        reader.headers[name] = read_header(name)
    rated = [name for name, own in reader.profiles.items() if own.kind in LABELS]
    reader.called = named_by_sisters(rated)
    for name in reader.called:
        reader.headers[name] = read_header(without_person(name, reader.called))
    _by_wish(reader)
    _empty(reader)
    _times(reader)
    whole_headers(reader)
    take_options(reader)
    _scores_with_reasons(reader)
    texts(reader)
    ids_by_cells(reader)
    ids_beside(reader)
    lists(reader)
    by_dependence(reader)
    by_elimination(reader)
    ids_of_answers(reader)
    _what_was_rated(reader)
    reference_or_answer(reader)
    ask_texts(reader)
    short_answers(reader)
    take_choices(reader)
    read_labels(reader)
    _of_ratings(reader)
    _rest(reader)
    _answered_alike(reader)
    columns = tuple(reader.known[name] for name in table.sheet.columns)
    return Layout(table, columns, tuple(reader.questions), reader.profiles)


def _by_wish(reader: Reader) -> None:
    for name in reader.table.sheet.columns:
        wish = reader.wishes.get(name)
        if wish is not None and wish.role != "rating":
            of = wish.of or (name if wish.role in {"tag", "score", "option", "fact"} else "")
            if wish.role == "answer" and not reader.beside.varying:  # else a sheet is a system's
                of = of or _system_of(name)
            metric = reader.headers[name].metric if wish.role == "score" else None
            why = "you said so" if wish.role in {"skip", "tag"} else ""
            reader.take(name, wish.role, of, metric=metric, why=why)


def _system_of(name: str) -> str:
    """Say of which system a column of answers is: a mere word for an answer names none."""
    meant = [heading for heading in headings(name) if heading.role == "answer"]
    return meant[0].of if meant else name


def _empty(reader: Reader) -> None:
    for name in reader.open:
        named = "system" in reader.headers[name].roles
        if reader.profiles[name].kind == "empty" and name not in reader.wishes and not named:
            reader.take(name, "skip", why="empty")


def _times(reader: Reader) -> None:
    """Know moments by their cells, whatever their header says beside a role of its own.

    A few days may be labels that a spreadsheet program made days of: these are asked about.
    """
    for name in reader.open:
        header, profile = reader.headers[name], reader.profiles[name]
        told = header.roles or header.dimension or header.metric or header.ends
        days = profile.kind == "day" and profile.distinct > _MOST_WORDS
        times = days or are_times(reader.table.cells(name))
        if name not in reader.wishes and not told and times:
            reader.take(name, "time")


def _scores_with_reasons(reader: Reader) -> None:
    """Know a tool's scores by the reason beside each: `bias_score`, `bias_reason`.

    Where one of them is a metric that is known, all are. A person may give reasons, too: then the
    table says who rated.
    """
    named = {plain(name): name for name in reader.open if name not in reader.wishes}
    pairs = {}
    for words, name in named.items():
        about = words.removesuffix(" score")
        reason = next((named[own] for own in _reasons(about) if own in named), None)
        if reason and reader.profiles[name].kind in {"number", "yesno", "empty"}:
            pairs[name] = reason
    metrics = {name: reader.headers[name].metric or known_metric(_SCORE.sub("", name))
               for name in pairs}  # fmt: skip
    people = any(own.people or "rater" in own.roles for own in reader.headers.values())
    if any(metrics.values()) and not people:
        for name, reason in pairs.items():
            reader.take(name, "score", _SCORE.sub("", name), metric=metrics[name])
            reader.take(reason, "skip", why="the reason of a score")


def _reasons(about: str) -> Sequence[str]:
    return [f"{about} {word}" for word in ("reason", "reasons", "explanation", "rationale")]


def _what_was_rated(reader: Reader) -> None:
    """Take the names that part what one person said of one answer, and the labels beside them.

    Labels of two kinds settle it. Else it is asked first: what is asked of the labels follows.
    """
    if reader.of_role("dimension", "rating") or not (reader.of_role("system") or reader.systems):
        return
    keys = reader.keys()
    open_ = [name for name in reader.open if name not in reader.wishes]
    labels = [column.name for column in reader.of_role("label")] or [
        name
        for name in open_
        if reader.profiles[name].kind in {"number", "graded", "yesno", "word"}
        and keys.varies(reader.table.cells(name))
        and not (reader.headers[name].dimension or reader.headers[name].ends)
    ]
    named = [name for name in open_ if _parts_ratings(reader, name)]
    labels = [name for name in labels if name not in named]
    if len(named) != 1 or len(labels) != 1:
        return
    if not kinds_follow(*map(reader.table.cells, (named[0], labels[0]))):
        ask_what_is_in(reader, "dimension", named)
    reader.take(named[0], "dimension")
    reader.take(labels[0], "label")


def _parts_ratings(reader: Reader, name: str) -> bool:
    """Say whether a few names, one in each row, part what one person rated of one answer."""
    profile, cells = reader.profiles[name], reader.table.cells(name)
    few = profile.kind == "word" and 2 * profile.distinct <= profile.filled
    few = few and all(number_of(cell) is None for cell in reader.table.often(name))
    keys = reader.keys()
    return few and keys.parts_raters(cells) and not keys.of_question(cells)


def _of_ratings(reader: Reader) -> None:
    """Leave out what an answer took where it changes from rater to rater: it is the rating's."""
    if not reader.of_role("rater"):
        return
    keys = reader.keys()
    for column in reader.of_role("seconds", "cost", "fact", "confidence"):
        if column.name not in reader.wishes and keys.varies(reader.table.cells(column.name)):
            reader.take(column.name, "skip", why="of a rating, not of the answer")
            if column.role == "confidence":
                ask_what_is_in(reader, "rating", [column.name])
    for column in reader.of_role("rating"):
        if (
            not column.rater
            and column.name not in reader.wishes
            and _is_of_no_rater(reader, keys, column)
        ):
            reader.take(column.name, "skip", why="asked about")
            ways = {
                "one value for each answer": [f"score={column.name}"],
                "a rating by each of them": [f"rating.{column.of}={column.name}"],
                "leave it out": [f"skip={column.name}"],
            }
            reader.ask(f'All raters have the same labels in "{column.name}". What are they?', ways)


def _is_of_no_rater(reader: Reader, keys: Keys, column: ReadColumn) -> bool:
    """Say whether labels are the same for all raters of each answer, who differ in others.

    Raters came to them together, or somebody decided.
    """
    cells = reader.table.cells(column.name)
    few = reader.profiles[column.name].distinct < 3  # noqa: PLR2004 - two may be chance
    if few or not keys.about or keys.varies(cells):
        return False  # seen at the first difference, as in most tables
    often = Counter(about for about, cell in zip(keys.about, cells, strict=True) if cell)
    rated = sum(count > 1 for count in often.values())
    least = _LEAST_ALIKE if lexicon().agreed.isdisjoint(form(column.name)) else 3
    others = (reader.table.cells(o.name) for o in reader.of_role("rating") if o is not column)
    return rated >= least and any(map(keys.varies, others))


def _answered_alike(reader: Reader) -> None:
    """Ask of facts of the question what they are, where systems answered in the same words."""
    if reader.of_role("reference", "gold"):
        return
    often = reader.table.often
    answers = {cell.casefold() for of in reader.of_role("answer") for cell in often(of.name)}
    for column in reader.of_role("tag"):
        own = {cell.casefold() for cell in often(column.name) if not is_blank(cell)}
        counted = reader.profiles[column.name].kind == "number"
        counted = counted and "tag" in reader.headers[column.name].roles
        alike = len(own) > 1 and 2 * len(own & answers) >= len(own)
        if alike and not counted and column.name not in reader.wishes:
            reader.take(column.name, "skip", why="asked about")
            ask_what_is_in(reader, "reference", [column.name])


def _rest(reader: Reader) -> None:
    """Keep as tags what says the same of every row of a question; what is left is asked about."""
    _ids(reader)
    if not reader.of_role("label"):
        for column in reader.of_role("dimension"):
            del reader.known[column.name]
    keys = reader.keys()
    settled = bool(reader.of_role("answer") and (keys.repeated or reader.of_role("rating")))
    one = len({column.of for column in reader.of_role("rating", "label")}) == 1
    left = []
    # What is headed as somebody's labels are is of no question.
    rated = {who for column in reader.of_role("rating") for who in (column.system, column.rater)}
    owners = {*reader.all_systems, *rated} - {""}
    for name in reader.open:
        cells = reader.table.cells(name)
        profile, header = reader.profiles[name], reader.headers[name]
        fits_tag = profile.longest <= LONGEST_TAG and all(map(str.isprintable, cells))
        named = "tag" in header.roles or plain(name).split()[-1:] in _ID_ENDS
        named = named or (_is_of_all(reader, name) and not (reader.of_role("rater") and one))
        owned = any(without_name(name, of) is not None for of in owners)
        alone = profile.distinct <= 1 and reader.of_role("rater") and one
        category = profile.kind == "word" and profile.distinct < profile.filled and settled
        category = (category and not alone) or is_of_the_question(reader, name)
        # Sentences that a few questions share are a short reference sooner than a kind of question.
        category = category and not holds_sentences(reader.table.often(name))
        if (
            keys.of_question(cells)
            and fits_tag
            and not owned
            and not header.people
            and (named or category)
            and profile.kind not in {"list", "messages"}
        ):
            reader.take(name, "tag", name)
        elif reader.of_role("rater") and keys.of_rater(cells):
            reader.take(name, "about_rater", why="says something of who rated")
        elif named and "tag" in header.roles:
            reader.take(name, "skip", why="changes within a question")
        else:
            left.append(name)
    _ask_left(reader, left)


def _is_of_all(reader: Reader, name: str) -> bool:
    """Say whether a column says one thing of the whole table.

    The same number in each row may be what all answers were given, and the same word, where labels
    are nobody's yet, who gave them.
    """
    profile, rated = reader.profiles[name], reader.of_role("rating", "label")
    chosen = bool(reader.of_role("winner"))
    known = bool(reader.of_role("rater")) or any(column.rater for column in rated)
    nobody = profile.kind == "word" and bool(rated) and not known
    return profile.distinct <= 1 and (chosen or not (profile.may_be_a_label or nobody))


def _ask_left(reader: Reader, names: Sequence[str]) -> None:
    """Ask about columns that nothing says anything of, once for all that are likeliest the same."""
    by_role: dict[Role, list[str]] = {}
    for name in names:
        by_role.setdefault(likeliest_text(reader, name), []).append(name)
        reader.take(name, "skip", why="asked about")
    for role in sorted(by_role, key=_ASKED_FIRST.index):
        ask_what_is_in(reader, role, by_role[role])


def _ids(reader: Reader) -> None:
    """Take the one column left whose header ends as ids do, and that has one id a question."""
    asked = reader.of_role("question")
    if not asked or reader.of_role("case"):
        return
    questions = reader.table.cells(asked[0].name)
    found = [
        name
        for name in reader.open
        if plain(name).split()[-1:] in _ID_ENDS
        and is_one_to_one(questions, reader.table.cells(name))
    ]
    if len(found) == 1:
        reader.take(found[0], "case")
