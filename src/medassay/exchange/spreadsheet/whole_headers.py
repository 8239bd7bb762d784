"""What whole headers say of their columns, as far as the cells bear them out."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

from medassay.exchange.spreadsheet.choices import chosen
from medassay.exchange.spreadsheet.columns import ONCE, SAID, fits
from medassay.exchange.spreadsheet.dependence import are_ids
from medassay.exchange.spreadsheet.grid import CODE
from medassay.exchange.spreadsheet.headers import (
    Header,
    Heading,
    headings,
    is_like_a_reference,
    is_like_a_system,
    owners,
    plain,
    without_answer,
    without_name,
)
from medassay.exchange.spreadsheet.profile import are_on_a_ladder, are_verdicts, is_prose
from medassay.exchange.spreadsheet.reader import Reader
from medassay.exchange.spreadsheet.words import (
    APART,
    LISTS,
    Role,
    form,
    lexicon,
    tokens,
    without_affix,
)

_OF_ANSWERS: Final = frozenset({"seconds", "cost", "confidence", "choice", "reasoning"})
_EITHER: Final[list[Role]] = ["reference", "answer"]
_SYSTEMS: Final = frozenset({"system", "system_a", "system_b"})
LABELS: Final = frozenset({"number", "graded", "yesno", "word"})
_WORDS: Final = frozenset({"text", "list", "word", "yesno"})


@dataclass
class _Claims:
    """What headers claim, before cells and other columns settle it.

    Attributes:
        roles: Roles to the columns that claim them.
        owned: Columns of texts to the systems that their headers name.
        short: The same of short cells, which may be answers of a word.
        rated: Columns of answers to the systems that were rated alike.
    """

    rated: Mapping[str, str]
    roles: dict[Role, list[str]] = field(default_factory=dict)
    owned: dict[str, str] = field(default_factory=dict)
    short: dict[str, str] = field(default_factory=dict)

    def claim(self, role: Role, name: str) -> None:
        self.roles.setdefault(role, []).append(name)


def whole_headers(reader: Reader) -> None:
    """Take what whole headers say and cells bear out; two readings, or two columns, are asked."""
    claims = _Claims(_rated(reader))
    for name in reader.open:
        if name not in reader.wishes and name not in reader.called:
            _claim(reader, name, claims)
    for role, names in claims.roles.items():
        if role != "answer":
            _settle(reader, role, names)
    _pairs(reader)
    _choices(reader, claims)
    _choosers(reader)
    if "answer" in claims.roles:
        claims.roles["answer"] = [name for name in claims.roles["answer"] if name in reader.open]
        _settle(reader, "answer", claims.roles["answer"])
    owned = _of_systems(reader, claims)
    if reader.of_role("system"):
        for name, wish in reader.wishes.items():
            if wish.role == "answer" and not wish.of:
                reader.take(name, "answer")
    _owned(reader, {name: of for name, of in owned.items() if name in reader.open}, claims)
    if claims.roles.get("answer") and not reader.of_role("answer"):
        _settle(reader, "answer", claims.roles["answer"])


def reference_or_answer(reader: Reader) -> None:
    """Say of each column that may be a reference or a system's answers what it is; else ask."""
    for name in reader.either:
        if _is_of_the_question(reader, name):
            reader.take(name, "reference")
        else:
            _ask_which(reader, name, _EITHER)


def _is_of_the_question(reader: Reader, name: str) -> bool:
    """Say whether texts are the same for every system, whose answers stand in another column.

    "Expert answer" may head a system's column; beside a column of systems it heads a reference.
    """
    answers = [column.name for column in reader.of_role("answer") if not column.of]
    if answers and reader.of_role("system"):
        keys = reader.keys()
        return keys.of_question(reader.table.cells(name)) and keys.repeats_cases
    varying = reader.beside.varying  # sheets of one layout hold other answers, and this text again
    return any(answer in varying for answer in answers) and name not in varying


def _of_systems(reader: Reader, claims: _Claims) -> Mapping[str, str]:
    """Give the columns of answers that name their system, short answers beside long ones."""
    if claims.owned:
        kinds = {without_name(n, of): reader.profiles[n].kind for n, of in claims.owned.items()}
        written = {
            n: of
            for n, of in claims.short.items()
            if is_prose(reader.table.cells(n))
            or ((head := without_name(n, of)) and kinds.get(head) == reader.profiles[n].kind)
        }
        return {**claims.owned, **written}
    called = all(map(is_like_a_system, claims.short.values()))
    several = len(claims.short) > 1 and (called or reader.of_role("question"))
    return claims.short if several and not claims.roles.get("answer") else {}


def _choices(reader: Reader, claims: _Claims) -> None:
    """Know "Better response" beside two columns of answers by its cells, which name these."""
    named = {**claims.short, **claims.owned}
    written = {n: of for n, of in named.items() if is_prose(reader.table.cells(n))}
    if len(written) != 2:  # noqa: PLR2004 - a pair
        return
    for name in [*named, *claims.roles.get("answer", [])]:
        cells = list(filter(None, reader.table.cells(name)))
        if name not in written and all(chosen(cell, [*written.values()]) for cell in cells):
            reader.take(name, "winner")
            claims.short.pop(name, None)
            claims.owned.pop(name, None)


def _claim(reader: Reader, name: str, claims: _Claims) -> None:
    """Say what one header claims for its column."""
    profile, header = reader.profiles[name], reader.headers[name]
    if [h.role for h in headings(name)] == ["question"] and are_ids(reader.table.cells(name)):
        claims.claim("case", name)  # "Vignette" may head the ids of vignettes
        return
    meant = [
        heading for heading in _meant(reader, name, claims.rated) if fits(heading.role, profile)
    ]
    roles = list(dict.fromkeys(heading.role for heading in meant))
    if profile.kind == "messages" and set(roles) <= {"question", "turns", "contexts"}:
        claims.claim("turns", name)
    elif not meant:
        if profile.kind == "word" and _is_a_person(header):
            claims.claim("rater", name)
    elif profile.kind == "list" and set(roles) <= {"contexts", "documents"}:
        return  # texts or ids: the cells say which
    elif len(roles) > 1:
        of = meant[-1].of
        if "answer" in roles and (_recurs_as_system(reader, name, of) or _chosen(reader, of)):
            reader.take(name, "answer", meant[-1].of)
        else:
            _which(reader, name, roles)
    elif meant[0].of:
        _claim_answers(name, meant[0].of, reader, claims)
    elif (
        roles != ["reference"]
        or profile.kind in {"text", "list"}
        or header.roles
        or (_is_whole(reader, name))
    ):
        claims.claim(roles[0], name)


def _are_remarks(reader: Reader, name: str, roles: Sequence[Role]) -> bool:
    """Say whether a header that may mean a grade or a remark, as "Note" does, heads remarks.

    They are words of no scale, here and there; texts, where another column holds the labels.
    """
    profile = reader.profiles[name]
    if {*roles} != {"label", "comment"} or profile.kind not in {"word", "text"}:
        return False
    sparse = 2 * profile.filled <= len(reader.table.sheet)
    graded = are_on_a_ladder(reader.table.often(name))
    rated = profile.kind == "word" or any(
        (header.dimension or header.ends) and reader.profiles[other].kind in LABELS
        for other, header in reader.headers.items()
        if other != name
    )
    return sparse and rated and not graded


def _is_whole(reader: Reader, name: str) -> bool:
    """Say whether every row has a text of its own: under "reference_outputs" short ones count."""
    profile = reader.profiles[name]
    return is_like_a_reference(name) and 2 * profile.distinct > len(reader.table.sheet)


def _meant(reader: Reader, name: str, rated: Mapping[str, str]) -> Sequence[Heading]:
    """Give what a header may mean: what reads as a reference is an answer where it was rated."""
    meant, profile = headings(name), reader.profiles[name]
    if meant and meant[0].role in _SYSTEMS and name not in rated:
        # Under "Bot" or "System A" may stand what it answered, and no name of a system.
        texts = profile.distinct == profile.filled and is_prose(reader.table.cells(name))
        told = (Heading("answer", name),) if meant[0].role == "system" else ()
        return told if texts else meant
    if reader.headers[name].dimension and profile.as_graded:
        # Under "Sicherheit" people rate how safe an answer is.
        meant = tuple(heading for heading in meant if heading.role != "confidence")
    if are_verdicts(reader.table.often(name)):
        return [heading for heading in meant if heading.role != "answer"]
    return (Heading("answer", of),) if (of := rated.get(name)) else meant


def _is_a_person(header: Header) -> bool:
    """Say whether a header is a word for a person, and nothing else."""
    beside = header.names or header.dimension or header.answers or header.comment
    numbered = any(sign.isdigit() for sign in header.name)
    whole = header.people[:1] == (header.name.strip(),)
    return whole and not beside and not numbered


def _claim_answers(name: str, of: str, reader: Reader, claims: _Claims) -> None:
    """Claim a column for the answers of a system that its header names, as its cells allow."""
    profile, header = reader.profiles[name], reader.headers[name]
    told = profile.kind == "text" or is_like_a_system(of)
    if told and profile.kind not in {"number", "graded"} and not header.dimension:
        claims.owned[name] = of
    elif header.answers and not (
        header.metric or header.dimension or header.ends or _OF_ANSWERS.intersection(header.roles)
    ):
        if of[:1].islower() and profile.kind in {"word", "yesno"}:
            claims.claim("answer", name)
        else:
            claims.short[name] = of


def _owned(reader: Reader, owned: Mapping[str, str], claims: _Claims) -> None:
    """Take columns of answers for those of the systems that their headers name.

    What all of them begin or end with is no part of a name that is not rated whole, and a lone word
    in small letters none.
    """
    whole = {of: of for of in claims.rated.values()}
    bare = {**without_affix(list(owned.values()), APART), **whole}
    for name, of in owned.items():
        told = is_like_a_system(of) or _recurs_as_system(reader, name, of)
        if len(owned) == 1 and reader.of_role("system") and without_answer(name):
            keys = reader.keys()
            if keys.repeats_cases and keys.of_question(reader.table.cells(name)):
                _which(reader, name, _EITHER)  # the same for every system
            else:
                claims.claim("answer", name)
            continue
        # Where another table holds the answers, the one in the table of questions is an expert's.
        elsewhere = len(owned) == 1 and _answered_elsewhere(reader)
        if not told and (elsewhere or _is_beside_answers(reader, name, owned)):
            _which(reader, name, _EITHER)
        elif len(owned) == 1 and of[:1].islower() and not told:
            claims.claim("answer", name)
        else:
            reader.take(name, "answer", bare[of])


def _answered_elsewhere(reader: Reader) -> bool:
    """Say whether another table names systems and holds their answers, and this one names none."""
    beside = reader.beside
    return bool(beside.answered and beside.systems) and not reader.of_role("system")


def _is_beside_answers(reader: Reader, name: str, owned: Mapping[str, str]) -> bool:
    """Say whether other columns are answers rather: of systems that recur, or of more texts."""
    if any(_recurs_as_system(reader, other, of) for other, of in owned.items()):
        return True
    texts = [reader.profiles[o] for o in reader.open if reader.profiles[o].kind == "text"]
    return len(owned) == 1 and any(text.distinct > reader.profiles[name].distinct for text in texts)


def _recurs_as_system(reader: Reader, name: str, of: str) -> bool:
    """Say whether what remains of a header of answers is named by columns of labels, too."""
    return bool(of) and any(
        without_name(other, of)
        for other in reader.naming(of)
        if other != name and reader.profiles[other].kind in LABELS
    )


def _chosen(reader: Reader, of: str) -> bool:
    """Say whether short cells name what remains of a header of answers, as a preference does."""
    named = (
        {plain(cell) for cell in reader.table.cells(name)}
        for name in reader.table.sheet.columns
        if reader.profiles[name].kind == "word"
    )
    return bool(of) and any(plain(of) in cells and len(cells) > 1 for cells in named)


def _rated(reader: Reader) -> Mapping[str, str]:
    """Give the columns of answers whose systems were rated alike, whatever these are called.

    "Bot A answer", "Bot A quality" beside "Bot B answer", "Bot B quality" are of Bot A and Bot B.
    """
    columns = {name: reader.profiles[name].kind for name in reader.table.sheet.columns}
    texts = {
        of: name
        for name, kind in columns.items()
        if kind in _WORDS
        for of in (*owners(name), *([name] if _is_called_a_system(reader, name) else []))
        if of
    }
    rests = {
        of: {
            rest
            for other in reader.naming(of)
            if other not in texts.values() and columns[other] in LABELS
            if (rest := without_name(other, of)) and not headings(rest)
        }
        for of in texts
    }
    often = Counter(chain.from_iterable(rests.values()))
    # A column's shortest name comes first, and its longest stays.
    return {name: of for of, name in texts.items() if any(often[rest] > 1 for rest in rests[of])}


def _is_called_a_system(reader: Reader, name: str) -> bool:
    """Say whether a system, a word for one or for a person heads what these answered."""
    roles = {heading.role for heading in headings(name)}
    told = roles <= {*_SYSTEMS, "rater"} if roles else is_like_a_system(name)
    told = told or is_like_a_reference(name)
    return told and is_prose(reader.table.cells(name))


def _which(reader: Reader, name: str, roles: Sequence[Role]) -> None:
    """Ask which of several things a column is, unless its cells leave one, or may do so later."""
    profile = reader.profiles[name]
    if _are_remarks(reader, name, roles):
        reader.take(name, "comment")
        return
    if profile.kind not in {"text", "list"}:
        best = next((role for role in roles if role in {"rater", "system", "label"}), None)
        if best is not None:
            reader.take(name, best)
            return
    if [*roles] == _EITHER:
        reader.either.append(name)
    else:
        _ask_which(reader, name, roles)
    reader.take(name, "skip", why="asked about")


def _ask_which(reader: Reader, name: str, roles: Sequence[Role]) -> None:
    known = {f"the column is {SAID[role]}": [f"{role}={name}"] for role in roles}
    reader.ask(f'What is "{name}"?', known)


def _settle(reader: Reader, role: Role, names: Sequence[str]) -> None:
    taken = reader.of_role(role)
    if role not in {*ONCE, "answer"}:
        for name in names:
            reader.take(name, role, name if role in {"tag", "fact", "score"} else "")
        return
    if not names:
        return
    names = _of_several(reader, role, names) if len(names) > 1 else names
    if not names:
        return
    if len(names) == 1 and not taken:
        texts = role == "answer" and reader.profiles[names[0]].kind == "text"
        if texts and _answered_elsewhere(reader):
            _which(reader, names[0], _EITHER)
        else:
            reader.take(names[0], role)
        return
    for name in names:
        reader.take(name, "skip", why="asked about")
    if not taken:
        others = {chosen: [f"skip={name}" for name in names if name != chosen] for chosen in names}
        reader.ask(
            f"Which column is {SAID[role]}?",
            {f'"{chosen}"': [f"{role}={chosen}", *others[chosen]] for chosen in names},
        )


def _of_several(reader: Reader, role: Role, names: Sequence[str]) -> Sequence[str]:
    """Keep those of several columns of one role that can be it; the others are open."""
    if role in _OF_ANSWERS and {*without_affix(names).values()}.isdisjoint(names):
        return ()  # "A: time", "B: time": each is of a system, whose name the labels tell
    if role == "case":
        return _one_case(reader, names)
    # Of several that may be called so the question is what asks.
    asking = [name for name in names if 2 * reader.profiles[name].asks > 1]
    return asking if role == "question" and len(asking) == 1 else names


def _one_case(reader: Reader, names: Sequence[str]) -> Sequence[str]:
    """Of several columns of ids, keep those that do not merely count the rows."""
    repeated = [n for n in names if reader.profiles[n].distinct < reader.profiles[n].filled]
    chosen = repeated if len(repeated) == 1 else names
    for name in names:
        if name not in chosen:
            reader.take(name, "skip", why="counts the rows")
    return chosen


def _pairs(reader: Reader) -> None:
    """Know columns that say which of two systems was preferred, one or one a rater."""
    if not (reader.of_role("system_a") and reader.of_role("system_b")):
        return
    pair = [reader.of_role(role)[0].name for role in ("system_a", "system_b")]
    named = {cell for name in pair for cell in reader.table.cells(name)}
    for name in list(reader.open):
        side = re.fullmatch(r"(?:(left|right)[\W_]+)?(.*?)(?:[\W_]*([12ab]))?", name, re.IGNORECASE)
        which = (side[1] or side[3] or "").casefold() if side else ""
        if side and which and "answer" in lexicon().roles.get(form(side[2]), ()):
            of = "system_a" if which in {"1", "a", "left"} else "system_b"
            reader.take(name, "answer", system=of)
    for name in [*reader.open, *(column.name for column in reader.of_role("winner"))]:
        cells = [cell for cell in reader.table.cells(name) if cell]
        told = "winner" in {column.role for column in [reader.known.get(name)] if column}
        if all(cell.isdecimal() for cell in cells) and not (told or _chooser(name)):
            continue
        if cells and all(plain(cell) in LISTS["pair"] or cell in named for cell in cells):
            reader.take(name, "winner", rater=_chooser(name))
    winners = reader.of_role("winner")
    for column in winners:
        alone = len(winners) == 1 and not reader.headers[column.name].people
        alone = alone and not CODE.fullmatch(column.rater)
        if alone or reader.of_role("rater"):
            reader.known[column.name] = replace(column, rater="")


def _choosers(reader: Reader) -> None:
    """Say who chose, where several columns of choices name somebody each: "Winner (Ann)"."""
    winners = [column for column in reader.of_role("winner") if not column.rater]
    if len(winners) > 1 and not reader.of_role("rater"):
        for column in winners:
            reader.known[column.name] = replace(column, rater=_chooser(column.name))


def _chooser(name: str) -> str:
    """Give who chose, where the header says so behind a word for the choice."""
    pieces = tokens(name)
    for size in range(len(pieces), 0, -1):
        if "winner" in lexicon().roles.get(tuple(word for word, _, _ in pieces[:size]), ()):
            rest = name[pieces[size - 1][2] :].strip(" _-–—:/|,.()[]")
            return f"rater {rest}" if rest.isdigit() else rest
    return ""
