"""Which words of a header of labels name a system, a person, or what was rated."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from medassay.exchange.spreadsheet.headers import (
    Header,
    plain,
    read_header,
    script_of,
    without_name,
)
from medassay.exchange.spreadsheet.scale_words import read_ends
from medassay.exchange.spreadsheet.words import LISTS, form, lexicon, tokens

if TYPE_CHECKING:
    from medassay.exchange.spreadsheet.reader import Reader

_PAIR: Final = 2
_TIME: Final = re.compile(r"[QTVW][-_ ]?\d+")
CODE: Final = re.compile(rf"(?!{_TIME.pattern})[A-Z]{{1,3}}[-_ ]?\d+|[A-Z]{{2,3}}|.+@.+")
"""What people are called by where their names are hidden: R2, AK. T1 is a time, Q1 a question."""


@dataclass(frozen=True, slots=True)
class HeaderPart:
    """What a header of labels is made of.

    Attributes:
        name: The column.
        header: What its words say.
        dimension: What was rated, if that is known.
        system: Whose answer, if a system of the table is named.
        people: Names with a word for people.
        rest: Names that may be systems, people or things rated.
    """

    name: str
    header: Header
    dimension: str
    system: str
    people: tuple[str, ...]
    rest: tuple[str, ...]


def recurring(reader: "Reader", parts: Sequence[HeaderPart]) -> list[HeaderPart]:
    """Tell names of people and of what was rated apart, by what each of them recurs with."""
    rated = bool(reader.of_role("rater"))
    parts = _coded(_with_bare_words(parts))
    parts = [replace(part, rest=_with_fillers(part, rated=rated)) for part in parts]
    parts = _without_people(_whole_names(parts), rated=rated)
    parts = _without_people(_split(parts), rated=rated)
    systems = bool(reader.of_role("system", "answer") or any(part.system for part in parts))
    told = any(part.dimension and not part.rest for part in parts)
    persons = any(part.people and not part.rest for part in parts)
    # Beside a bare "Accuracy" the second word of "Overall impression" is nobody's name.
    named = not any(
        part.dimension and not (part.rest or part.people) and part.name not in reader.wishes
        for part in parts
    )
    pairs = [part for part in parts if len(part.rest) == _PAIR]
    others = (name for name, known in reader.known.items() if known.role != "comment")
    words = (word for name in others for word, _, _ in tokens(name))
    scripts = set[str]().union(*map(script_of, words))
    # Beside a column of raters nobody in "Omissions (n)" is called so.
    places = None if rated else _places(pairs, scripts)
    who = {part.rest[places] for part in pairs if not part.people} if places in (0, 1) else set()
    resolved = []
    for part in parts:
        rest, people, dimension, system = part.rest, part.people, part.dimension, part.system
        if len(rest) > _PAIR and not (people or dimension) and len(who & set(rest)) == 1:
            # Beside "Weber tone" the person of "Weber ease of reading" is Weber.
            people = tuple(who & set(rest))
            left = without_name(part.name, people[0]) or ""
            rest = (without_name(left, system) or left if system else left,)
        if len(rest) == _PAIR and not people and not dimension and places is not None:
            dimension, people, rest = rest[1 - places], (rest[places],), ()
        elif len(rest) == _PAIR and dimension and not people and CODE.fullmatch(rest[-1]):
            people, rest = rest[-1:], rest[:-1]
        elif len(rest) == 1 and dimension and not people and _said_alike(reader, part, parts):
            people, rest = rest, ()
        elif len(rest) == 1 and people and not dimension:
            dimension, rest = rest[0], ()
        elif len(rest) == 1 and dimension and not people and not systems and rated:
            system, rest = rest[0], ()
        elif len(rest) == 1 and dimension and not people and not rated and systems and named:
            people, rest = (rest, ()) if _names_somebody(part, parts) else ((), rest)
        elif len(rest) == 1 and not dimension and not people and (told or rated) and not persons:
            dimension, rest = (rest[0], ()) if _holds(reader, part, rated=rated) else ("", rest)
        resolved.append(replace(part, rest=rest, people=people, dimension=dimension, system=system))
    return resolved


def _coded(parts: Sequence[HeaderPart]) -> list[HeaderPart]:
    """Part a code that ends several headers from the words before it: "severity R1", "tone R1"."""
    split = {
        part.name: pair
        for part in parts
        if part.rest and not part.people
        and len(pair := part.rest[-1].split()) > 1
        and CODE.fullmatch(pair[-1]) and any(map(str.isdigit, pair[-1]))
    }  # fmt: skip
    ends = [part.rest[-1].split()[-1] for part in parts if part.rest]
    coded = {name: pair for name, pair in split.items() if ends.count(pair[-1]) > 1}
    return [
        replace(part, rest=(*part.rest[:-1], " ".join(coded[part.name][:-1]), coded[part.name][-1]))
        if part.name in coded
        else part
        for part in parts
    ]


def _with_fillers(part: HeaderPart, *, rated: bool) -> tuple[str, ...]:
    """Join names of one script between which a small word stands alone: "Ease of reading".

    Behind "by" or "of" a name with a capital may be somebody's, where no column names raters.
    """
    joined: list[str] = []
    for name in part.rest:
        before = joined[-1] if joined else ""
        if not (rated or name[:1].islower()):
            joined.append(name)
            continue
        small = r"([ _][^\W_]+[ _])"  # "ease_of_reading" is written by a program
        between = re.search(rf"{re.escape(before)}{small}{re.escape(name)}", part.name)
        if before and between and script_of(before) & script_of(name):
            joined[-1] = between[0]
        else:
            joined.append(name)
    return tuple(joined)


def _said_alike(reader: "Reader", part: HeaderPart, parts: Sequence[HeaderPart]) -> bool:
    """Say whether somebody said of several columns that they rate the same thing of a system.

    Nobody rates it twice: what tells their headers apart is who did.
    """
    return part.name in reader.wishes and any(
        other.name in reader.wishes and other.rest != part.rest
        for other in parts
        if (other.dimension, other.system) == (part.dimension, part.system)
    )


def _names_somebody(part: HeaderPart, parts: Sequence[HeaderPart]) -> bool:
    """Say whether a name recurs over what was rated or beside others, as people do, or is a code.

    So does a lone one in letters that the rest of its header has not.

    The last word of a lone "Harm possible?" is nobody.
    """
    if is_a_time(part.rest[0]):
        return False
    left = tokens(without_name(part.name, part.rest[0]) or "")
    foreign = script_of(part.rest[0]) - set[str]().union(*(script_of(word) for word, _, _ in left))
    lone = left and foreign and len({other.rest for other in parts if other.dimension}) == 1
    return (
        bool(lone)
        or CODE.fullmatch(part.rest[0]) is not None
        or any(
            (other.rest == part.rest)
            != ((other.dimension, other.system) == (part.dimension, part.system))
            for other in parts
            if other.dimension and len(other.rest) == 1
        )
    )


def is_a_time(name: str) -> bool:
    """Say whether a name counts times, runs or items, as people are not called.

    Example:
        >>> [is_a_time(name) for name in ("T1", "Round 2", "Durchgang 1", "R1", "Weber")]
        [True, True, True, False, False]
    """
    roles = lexicon().roles
    told = (word in LISTS["times"] or "sample" in roles.get((word,), ()) for word in form(name))
    return _TIME.fullmatch(name) is not None or any(told)


def _with_bare_words(parts: Sequence[HeaderPart]) -> list[HeaderPart]:
    """Let a bare word for people be one of what was rated, where others are named without it.

    Beside "Weber: utilità" nobody in "Weber: rigore medico" is called medico; nor is anybody in
    "Rigore medico" beside "Calore".
    """
    named = {name for part in parts if not part.people for name in part.rest}
    alone = any(not part.people for part in parts)
    joined = []
    for part in parts:
        bare = len(part.people) == 1 and form(part.people[0]) in lexicon().people
        things = [name for name in part.rest if len(part.rest) == 1 or name not in named]
        words = " ".join([*things, *part.people])
        if bare and alone and len(things) == 1 and plain(words) in plain(part.name):
            rest = tuple(words if name in things else name for name in part.rest)
            part = replace(part, people=(), rest=rest)  # noqa: PLW2901 - with its word back
        joined.append(part)
    return joined


def _whole_names(parts: Sequence[HeaderPart]) -> list[HeaderPart]:
    """Take from a name the words of what was rated, where it stands elsewhere without them.

    Beside "Factuality Weber" the person of "Overall impression Weber" is Weber.
    """
    bare = {part.rest[0] for part in parts if part.dimension and len(part.rest) == 1}
    people = {part.people[0] for part in parts if part.dimension and len(part.people) == 1}

    def shortened(part: HeaderPart) -> HeaderPart:
        known = people | bare
        longer = [name for name in known for own in part.people if without_name(own, name)]
        if longer and len(part.people) == 1:
            person = min(longer, key=len)
            words = [without_name(part.people[0], person) or "", *part.rest]
            words.sort(key=part.name.find)  # as they stand in the header
            return replace(part, people=(person,), rest=(" ".join(words),))
        if not part.dimension or len(part.rest) != 1:
            return part
        inside = [name for name in bare if without_name(part.rest[0], name)]
        return replace(part, rest=(min(inside, key=len),)) if inside else part

    return list(map(shortened, parts))


def _split(parts: Sequence[HeaderPart]) -> list[HeaderPart]:
    """Part names that an underscore joins, where all of a table's are joined so; codes behind all.

    In "Ease R1", "Ease R2", "Warmth R1" and "Warmth R2" of each system R1 is somebody.
    """
    single = [part for part in parts if len(part.rest) == 1 and not part.people]
    coded = {part.name: tuple(part.rest[0].rsplit(" ", 1)) for part in single if not part.dimension}
    things, codes = ({pair[at] for pair in coded.values()} for at in (0, -1))
    if (
        all(map(CODE.fullmatch, codes))
        and min(len(things), len(codes)) > 1
        and len(set(coded.values())) == len(things) * len(codes)
    ):
        return [replace(part, rest=coded.get(part.name, part.rest)) for part in parts]
    joined = [part for part in single if part.rest[0].count("_") == 1]
    if not joined or len(joined) < len([part for part in single if not part.dimension]):
        return list(parts)
    return [
        replace(part, rest=tuple(part.rest[0].split("_"))) if part in joined else part
        for part in parts
    ]


def _places(parts: Sequence[HeaderPart], ours: set[str]) -> int | None:
    """Say which of two names is the person: 0 for the first, 1 for the second; 2 where neither.

    The rated thing is in the word files, or the person is in letters of another script, a code or
    initials, or has the only capitals and recurs with the same thing as others do.

    Args:
        parts: Headers of two names each.
        ours: The scripts of the table's other headers.
    """
    if not parts:
        return None
    pairs = [part.rest for part in parts]
    # In "Ease of reading" nobody is called Ease.
    beside = all(plain(" ".join(part.rest)) in plain(part.name) for part in parts)
    votes = []
    between = [part.name[: part.name.find(part.rest[1])] for part in parts]
    scaled = all(
        read_ends(text[text.find(part.rest[0]) :])[0]
        for text, part in zip(between, parts, strict=True)
    )
    if scaled:
        return 1  # what was rated stands before its scale: "Warmth (1-5) Weber"
    for place in (0, 1):
        other = 1 - place
        names = {pair[place] for pair in pairs}
        told = any(form(pair[other]) in lexicon().dimensions for pair in pairs)
        others = {pair[other] for pair in pairs}
        grid = len(names) > 1 and len(set(pairs)) == len(names) * len(others)
        # In "YEARS OF AGE" nobody is called AGE.
        shouted = all(map(str.isalpha, names)) and all(map(str.isupper, others)) and not grid
        code = all(map(CODE.fullmatch, names)) and not shouted
        proper = beside and grid and all(n[:1].isupper() for n in names)
        proper = proper and all(map(str.islower, others))
        script = set().union(*map(script_of, names))
        theirs = set().union(*(script_of(pair[other]) for pair in pairs))
        votes.append(
            told or code or proper or bool(script and not script & ours and theirs <= ours)
        )
    return {(True, False): 0, (False, True): 1}.get((votes[0], votes[1]))


def _without_people(parts: Sequence[HeaderPart], *, rated: bool) -> list[HeaderPart]:
    """Take the names of people out of headers whose other words no file of words has.

    Who a person is, headers say whose rated thing is known: what is left of them is a name.
    """
    owned = any(part.system for part in parts)
    known = {
        part.rest[0]
        for part in parts
        if not rated
        and part.dimension
        and len(part.rest) == 1
        and ((owned and not is_a_time(part.rest[0])) or _names_somebody(part, parts))
    }
    taken = []
    for part in parts:
        own = [name for name in part.rest if name in known]
        if own and not part.people and len(part.rest) == _PAIR:
            rest = tuple(name for name in part.rest if name != own[0])
            part = replace(part, people=(own[0],), rest=rest)  # noqa: PLW2901 - less a name
        elif not part.dimension and not part.people and len(part.rest) == 1:
            found = next((n for n in sorted(known, key=len) if without_name(part.rest[0], n)), "")
            left = (without_name(part.rest[0], found) if found else None) or ""
            if left:
                part = replace(part, people=(found,), rest=(left,))  # noqa: PLW2901 - less a name
        taken.append(part)
    return taken


def _holds(reader: "Reader", part: HeaderPart, *, rated: bool) -> bool:
    """Say whether a column can be nothing but labels: on a scale, of a system, by one of many."""
    cells = reader.table.cells(part.name)
    on_scale = part.header.ends is not None or part.name in reader.table.ends
    fraction = reader.profiles[part.name].kind == "number" and not reader.profiles[part.name].whole
    profile = reader.profiles[part.name]
    if (
        rated
        and profile.as_rated
        and reader.keys().several
        and not reader.keys().of_question(cells)
    ):
        return True
    return bool(
        on_scale or (part.system and not fraction) or (rated and reader.keys().varies(cells))
    )


def may_be_a_person(name: str) -> bool:
    """Say whether words may be somebody's name: they begin so, and no file of words has them.

    Example:
        >>> may_be_a_person("Priya"), may_be_a_person("Clarity"), may_be_a_person("Harm possible?")
        (True, False, False)
    """
    header = read_header(name)
    told = header.dimension or header.metric or header.roles or header.ends or name.endswith("?")
    words = name.replace("_", " ").split()
    return not told and 0 < len(words) < 4 and all(word[:1].isupper() for word in words)  # noqa: PLR2004 - as names have
