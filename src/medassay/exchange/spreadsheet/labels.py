"""Which columns hold labels and scores, of whom and of what: read as a grid, by what recurs."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, Final

from medassay.exchange.spreadsheet.asked import ask_numbers, counts_something
from medassay.exchange.spreadsheet.called import without_person
from medassay.exchange.spreadsheet.columns import ReadColumn, fits
from medassay.exchange.spreadsheet.headers import (
    is_like_a_system,
    plain,
    read_header,
    system_part,
    without_name,
)
from medassay.exchange.spreadsheet.judges import (
    with_judges,
    without_agreed,
    without_sureness,
    words_of,
)
from medassay.exchange.spreadsheet.profile import are_on_a_ladder, is_blank, is_prose, number_of
from medassay.exchange.spreadsheet.raters import is_like_a_model
from medassay.exchange.spreadsheet.scale_words import read_ends
from medassay.exchange.spreadsheet.wishes import quoted_names
from medassay.exchange.spreadsheet.words import (
    APART,
    LISTS,
    form,
    lexicon,
    tokens,
    without_affix,
)

if TYPE_CHECKING:
    from medassay.exchange.spreadsheet.reader import Reader

from medassay.exchange.spreadsheet.grid import CODE, HeaderPart, may_be_a_person, recurring

_SAID: Final = frozenset({"yesno", "word"})
_KINDS: Final = frozenset({"number", "graded", "yesno", "word"})
_HIDDEN: Final = 0xE000
"""The first of the signs that nobody writes: each stands for a person's name for a while."""
_PAIR: Final = 2
_ROUNDED: Final = 0.01
_LEAST_MEDIANS: Final = 20
_FEW: Final = 7
"""Words that a scale has at most."""
_OF_PROGRAMS: Final = re.compile(
    r"(?:feedback|scores?|metrics?|eval(?:uation)?s?)\.", re.IGNORECASE
)
"""What a log's columns of scores begin with."""
_OFFERED: Final = ("overall", "accuracy", "completeness", "safety")


def read_labels(reader: "Reader") -> None:
    """Take columns of labels and scores; what they hold is asked, once for all of a kind."""
    _take_comments(reader)
    _take_like_comments(reader)
    _whose_wishes(reader)
    parts = [_part(reader, name) for name in reader.open if _may_be_labels(reader, name)]
    parts = _without_facts(_with_sisters(reader, parts))
    parts = with_judges(reader, parts)
    parts = _without_models(reader, _named_systems(reader, parts))
    scores = [part for part in parts if _is_score(reader, part)]
    for part in scores:
        _take_score(reader, part)
    parts = _without_sums(reader, [part for part in parts if part not in scores])
    parts = _without_means(reader, parts)
    parts = _the_label(reader, parts)
    _take_ratings(reader, without_sureness(reader, recurring(reader, parts)))
    _take_remarks(reader)
    _whose_comments(reader)


def _whose_wishes(reader: "Reader") -> None:
    """Give what somebody called a score or a fact to the system that its header names."""
    for column in reader.of_role("score", "fact", "seconds", "cost", "confidence"):
        system = _part(reader, column.name).system if column.name in reader.wishes else ""
        if system and not column.system:
            of = column.of
            if of == column.name:  # nothing else was said
                of = without_name(of, system) or of
            reader.known[column.name] = replace(column, of=of, system=system)


def _without_models(reader: "Reader", parts: Sequence[HeaderPart]) -> list[HeaderPart]:
    """Take for scores what models gave beside people: "gpt4_score" beside a column of raters.

    What is headed as a system of the table is, or changes with who rated, is asked about.
    """
    whole = reader.of_role("system") or any(not own.of for own in reader.of_role("answer"))
    people = reader.of_role("rater") or any(
        part.people and not is_like_a_model(" ".join(part.people)) for part in parts
    )
    by_models = [part for part in parts if whole and people and _is_by_a_model(reader, part)]
    keys, ours = reader.keys(), reader.all_systems
    asked = [
        part
        for part in by_models
        if keys.varies(reader.table.cells(part.name))
        or any(_holds_name(*p) for who in _who(part) for of in ours for p in ((of, who), (who, of)))
    ]
    for part in by_models:
        if part not in asked:
            _take_score(reader, part)
    ask_numbers(reader, asked)
    return [part for part in parts if part not in by_models]


def _is_by_a_model(reader: "Reader", part: HeaderPart) -> bool:
    """Say whether a header is a model's name and a word for a label, above numbers."""
    numbers = reader.profiles[part.name].kind == "number" and part.name not in reader.wishes
    named = _who(part)
    bare = set(map(form, named)) & lexicon().people  # "AI judge" is an AI and a word for people
    one = part.header.label and len(named) - len(bare) == 1 and not part.dimension
    judged = part.header.metric or one
    if not (numbers and judged):
        return False
    if part.header.metric:  # Perplexity is a metric, too
        return bool(lexicon().people & set(zip(form(part.name)))) and is_like_a_model(part.name)
    # Under "AI score" stands what somebody gave to the AI, under "AI judge score" what it gave.
    told = bool(part.people) or form(named[0])[0] not in LISTS["models"]
    return told and is_like_a_model(" ".join(named))


def _who(part: HeaderPart) -> Sequence[str]:
    return (*part.people, *part.rest, *filter(None, [part.system]))


def _holds_name(text: str, name: str) -> bool:
    return without_name(text, name) is not None


def _without_sums(reader: "Reader", parts: Sequence[HeaderPart]) -> list[HeaderPart]:
    """Leave out what is the sum, mean or difference of the others in each row: it rates nothing.

    A table may have several such columns.
    """
    numbers = {p.name: list(map(number_of, reader.table.of_answers(p.name))) for p in parts}
    left = []
    for part in parts:
        others = [p.name for p in parts if p is not part and p.system == part.system]
        given = [p.name for p in parts if p.name in others and (p.dimension or p.people)]
        bare = not (part.dimension or part.people or part.header.ends)
        sets = [] if part.name in reader.wishes else [others, *([given] if bare else [])]
        told = ((_adds_up(numbers, part.name, own), len(own)) for own in sets)
        word, count = next((of for of in told if of[0]), ("", 0))
        if word:
            reader.take(part.name, "skip", why=f"the {word} of the {count} others")
        else:
            left.append(part)
    return left


def _without_means(reader: "Reader", parts: Sequence[HeaderPart]) -> list[HeaderPart]:
    """Leave out the means of what several people gave: nobody is called Median.

    What they agreed on, or another number than it is called, is asked about.
    """
    words = {part.name: words_of(part) for part in parts}
    summing = lexicon().summaries | lexicon().agreed
    left, asked = [], []
    for part in parts:
        own = words[part.name] - summing
        told = own < words[part.name] and not part.people and part.name not in reader.wishes
        others = [
            other.name
            for other in parts
            if (other.system, other.dimension) == (part.system, part.dimension)
            and own < words[other.name] | {*other.people}
            and words[other.name].isdisjoint(summing)
        ]
        cells = map(reader.table.of_answers, (part.name, *others) if told else ())
        numbers = [list(map(number_of, of_one)) for of_one in cells]
        word = _adds_up(dict(zip((part.name, *others), numbers, strict=False)), part.name, others)
        if told and word:
            reader.take(part.name, "skip", why=f"the {word} of the {len(others)} others")
        elif told and others and (own or part.dimension):
            asked.append(part)
        else:
            left.append(part)
    ask_numbers(reader, without_agreed(reader, asked))
    return left


def _adds_up(
    numbers: Mapping[str, Sequence[float | None]], name: str, others: Sequence[str]
) -> str:
    """Say whether a column is the sum, mean, median or, of two, the difference of others."""
    many = len(others)
    if many <= 1 or name not in numbers:
        return ""
    seen: list[float] = []
    may_be = ["sum", "mean", "median", *(["difference"] if many == _PAIR else [])]
    for own, *rest in zip(numbers[name], *(numbers[other] for other in others), strict=True):
        given = [number for number in rest if number is not None]
        if own is None or len(given) < many:
            continue
        total = sum(given)
        off = {
            "sum": own != total,
            "mean": abs(own - total / many) >= _ROUNDED,
            "median": own != median(given),
            "difference": abs(own) != abs(given[0] - given[-1]),
        }
        may_be = [word for word in may_be if not off[word]]
        if not may_be:
            return ""
        seen.append(own)
    # One of three others is their median: of a few rows all are so by chance.
    told = not lexicon().summaries.isdisjoint(form(name)) or len(seen) >= _LEAST_MEDIANS
    word = next((word for word in may_be if told or word in {"sum", "mean"}), "")
    return word if len(set(seen)) > 2 else ""  # noqa: PLR2004 - two may be chance


def _the_label(reader: "Reader", parts: Sequence[HeaderPart]) -> list[HeaderPart]:
    """Take the column of labels beside one that says what was rated; of several, ask."""
    open_ = [part for part in parts if not (part.dimension or part.header.metric or part.people)]
    if not reader.of_role("dimension") or reader.of_role("label") or not open_:
        return list(parts)
    if len(open_) == 1:
        reader.take(open_[0].name, "label")
    else:
        named = [part.name for part in open_]
        ways = {f'"{name}"': [f"label={name}"] for name in named}
        reader.ask("Which column holds the labels?", ways)
        _held_back(reader, open_)
    return [part for part in parts if part not in open_]


def _whose_comments(reader: "Reader") -> None:
    """Give each column of remarks to the rater of the labels whom its header names."""
    raters = {column.rater for column in reader.of_role("rating") if column.rater}
    for column in reader.of_role("comment"):
        said = column.name in reader.wishes
        if not (column.rater or said or reader.of_role("rater")) and len(raters) > 1:
            # A remark an answer beside ratings of several people: copied, it would be of each.
            ways = {
                "nobody's: leave them out": [f"skip={column.name}"],
                "they are of everybody who rated": [f"comment={column.name}"],
            }
            reader.ask(f'Whose remarks are in "{column.name}"?', ways)
            reader.take(column.name, "skip", why="asked about")
        elif column.rater and column.rater not in raters:
            named = _named_in(column.name, column.system, raters)
            if raters and len(named) != 1:
                ways = {"leave it out": [f"skip={column.name}"]}
                reader.ask(f'Whose remarks are in "{column.name}"?', ways)
            reader.known[column.name] = replace(column, rater=next(iter(named), ""))


def _named_in(header: str, system: str, raters: Collection[str]) -> list[str]:
    """Name the raters whom a header names beside its system: of "DeepSeek-R1 (R2)" that is R2."""
    left = (without_name(header, system) if system else None) or header
    return [rater for rater in sorted(raters) if without_name(left, rater) is not None]


def _take_comments(reader: "Reader") -> None:
    """Take columns of remarks that their headers give to a system or a person."""
    rating = {_part(reader, name).people for name in reader.open if _may_be_labels(reader, name)}
    for name in reader.open:
        part = _part(reader, name)
        profile = reader.profiles[name]
        told = part.header.comment and profile.kind in {"text", "word"}
        _take_fact(reader, part)
        texts = profile.kind == "text" and part.system and reader.of_role("answer")
        if (told or texts) and name in reader.open and name not in reader.wishes:
            # Beside a column of raters "Notes of the reviewer" are of whoever that names.
            alone = not reader.of_role("rater")
            rater = " ".join((part.people or part.rest) if alone or part.people in rating else ())
            reader.take(name, "comment", system=part.system, rater=rater)


def _take_like_comments(reader: "Reader") -> None:
    """Take what is headed as remarks on another system or by another person are."""
    heads = {_part(reader, column.name).rest for column in reader.of_role("comment")} - {()}
    for name in reader.open:
        part = _part(reader, name)
        short = reader.profiles[name].kind in {"text", "word"} and name not in reader.wishes
        if short and part.rest in heads and part.system and part.people:
            reader.take(name, "comment", system=part.system, rater=" ".join(part.people))


def _take_fact(reader: "Reader", part: HeaderPart) -> None:
    """Take a column that says something of one system's answers, such as its seconds."""
    for role in part.header.roles:
        told = role in {"choice", "reasoning", "confidence", "seconds", "cost", "fact"}
        # "Sicherheit" is how sure somebody is, and how safe an answer is, too.
        profile = reader.profiles[part.name]
        told = told and not (role == "confidence" and part.dimension and profile.as_graded)
        if told and part.system and fits(role, profile):
            of = part.header.name if role == "fact" else ""
            reader.take(part.name, role, of, system=part.system)
            return


def _may_be_labels(reader: "Reader", name: str) -> bool:
    profile, header = reader.profiles[name], reader.headers[name]
    if name in reader.wishes:
        return reader.wishes[name].role == "rating"
    told = bool(header.dimension or header.ends or header.metric)
    if profile.kind == "day":
        return told  # to be refused: a program made days of labels
    if profile.kind == "word":
        few = 1 < profile.distinct <= _FEW and 2 * profile.distinct <= profile.filled
        cells = {cell.casefold() for cell in reader.table.often(name)}
        known = lexicon()
        partly = few and not (known.yes.isdisjoint(cells) or known.no.isdisjoint(cells))
        return told or (header.label and few) or partly or are_on_a_ladder(reader.table.often(name))
    return profile.kind in _KINDS


def _with_sisters(reader: "Reader", parts: Sequence[HeaderPart]) -> list[HeaderPart]:
    """Add columns of words that are headed as others of labels are, and hold nearly the same.

    What is not the same is refused by cell: "Agre" makes no fact of what sisters rate.
    """
    labels: dict[tuple[str, tuple[str, ...]], set[str]] = {}
    for part in parts:
        if (part.dimension or part.rest) and reader.profiles[part.name].kind == "word":
            labels.setdefault((part.dimension, part.rest), set()).update(
                reader.table.often(part.name)
            )
    others = [_part(reader, name) for name in reader.open if name not in {p.name for p in parts}]
    added = []
    for part in others:
        often = reader.table.often(part.name)
        alike = labels.get((part.dimension, part.rest), set())
        known = sum(count for cell, count in often.items() if cell in alike)
        words = reader.profiles[part.name].kind == "word" and part.name not in reader.wishes
        if words and (part.system or part.people) and 5 * known >= 4 * often.total():
            added.append(part)
    return [*parts, *added]


def _take_remarks(reader: "Reader") -> None:
    """Take short texts that can only be remarks, of those whom a column or their headers name."""
    raters = {column.rater for column in reader.of_role("rating")} - {""}
    headed: dict[tuple[str, ...], list[tuple[HeaderPart, str]]] = {}
    for name in reader.open if reader.of_role("rating", "label") else ():
        if reader.profiles[name].kind in {"word", "text"} and name not in reader.wishes:
            part = _part(reader, name)
            named = _named_in(name, part.system, raters)
            left = (without_name(word, who) for who in named[:1] for word in part.rest)
            rest = tuple(filter(None, left)) if named else part.rest
            if reader.of_role("rater") or len(named) == 1:
                headed.setdefault(rest, []).append((part, named[0] if named else ""))
    for alike in headed.values():
        if _are_remarks(reader, [part.name for part, _ in alike]):
            for part, who in alike:
                reader.take(part.name, "comment", system=part.system, rater=who)


def _are_remarks(reader: "Reader", names: Sequence[str]) -> bool:
    """Say whether short texts can only be remarks on ratings: of several words, here and there.

    They are no answers, which stand elsewhere or do not change with who rated; and no labels,
    which are few in many cells, or share their words.
    """
    keys = reader.keys()
    columns = [reader.table.cells(name) for name in names]
    filled = [cell for cells in columns for cell in cells if not is_blank(cell)]
    own = set(filled)
    if are_on_a_ladder(own) or not is_prose(filled):
        return False
    sparse = 20 * len(filled) < 19 * sum(map(len, columns)) or 2 * len(own) > len(filled)
    elsewhere = reader.of_role("answer") or reader.beside.answered or not reader.of_role("question")
    often = Counter(word for cell in own for word in {word for word, _, _ in tokens(cell)})
    shared = 2 * max(often.values(), default=0) > len(own)
    of_question = len(names) == 1 and keys.of_question(columns[0]) and keys.repeats
    told = of_question or any(map(keys.of_rater, columns))
    varies = any(map(keys.varies, columns))
    return bool(sparse and (elsewhere or varies) and not shared and not told)


def _part(reader: "Reader", name: str) -> HeaderPart:
    wish = reader.wishes.get(name)
    text, system = without_person(name, reader.called), ""
    # Of "A_Clarity_Reviewer B" the system is A, though one is called B, too.
    # In "Notes of the reviewer Claude" it is Claude all the same.
    systems = reader.header_systems
    alone = [
        person
        for person in reader.headers[name].people
        if len(tokens(person)) <= _PAIR
        and person not in systems
        and not any(without_name(person, s) is not None for s in systems if len(s) > _PAIR)
    ]
    people = dict(enumerate(alone))
    for at, person in people.items():
        text = text.replace(person, chr(_HIDDEN + at))
    for known in systems:
        left = without_name(text, known)
        if left is not None:
            text, system = left, known
            break
    for at, person in people.items():
        text = text.replace(chr(_HIDDEN + at), person)
    dimension = wish.of if wish else ""
    for one in reader.dimensions:
        own = sorted({plain(one.id), plain(one.title)} - {""}, key=len, reverse=True)
        title = next((word for word in own if without_name(text, word) is not None), None)
        if title is not None and not dimension:
            dimension, text = one.id, without_name(text, title) or ""
            break
    header = read_header(text)
    rest = header.names
    if wish and wish.of not in reader.headers:
        rest = tuple(left for piece in rest if (left := _less(piece, wish.of)))
    dimension = dimension or header.dimension
    raters = {plain(column.name) for column in reader.of_role("rater")}
    told = tuple(person for person in header.people if plain(person) not in raters)
    told += (reader.called[name],) if name in reader.called else ()
    return HeaderPart(name, header, dimension, system, told, rest)


def _less(piece: str, word: str) -> str:
    left = without_name(piece, word)
    return piece if left is None else left


def _without_facts(parts: Sequence[HeaderPart]) -> list[HeaderPart]:
    """Leave to others what the header calls a fact or a tag, or what merely names the question."""
    ids = (["id"], ["no"], ["nr"], ["code"], ["number"])
    return [
        part
        for part in parts
        if part.dimension or part.header.ends or part.header.metric
        or plain(part.name).split()[-1:] not in ids
    ]  # fmt: skip


def _named_systems(reader: "Reader", parts: Sequence[HeaderPart]) -> list[HeaderPart]:
    """Take for systems the names that look like systems', where no column holds the systems."""
    if reader.of_role("system") or any(not column.of for column in reader.of_role("answer")):
        return list(parts)
    called = {p.name: next(filter(is_like_a_system, p.rest), "") for p in parts if not p.system}
    bare = _bare_systems(reader, parts, called)
    taken = []
    for part in parts:
        if not (found := called.get(part.name)):
            taken.append(part)
        else:
            said = "" if part.dimension else without_name(found, bare[found])
            rest = (said if piece == found else piece for piece in part.rest)
            taken.append(replace(part, system=bare[found], rest=tuple(filter(None, rest))))
    return _with_people_rated(reader, taken)


def _with_people_rated(reader: "Reader", parts: Sequence[HeaderPart]) -> list[HeaderPart]:
    """Take for a system the word for people that stands where others have theirs.

    Beside "AI quality E1" and "AI tone E1" the Doctor of "Doctor quality E1" was rated by E1.
    """
    first: dict[str, str] = {}
    behind: dict[str, set[str]] = {}
    sure = set[str]()
    for part in parts:
        owners = (part.system, *reader.headers[part.name].people)
        own = next((name for name in owners if name and part.name.startswith(name)), "")
        who = {*part.rest, *part.people} - {own}
        coded = any(map(CODE.fullmatch, who))
        if own and (coded or any(map(may_be_a_person, who))):
            first[part.name] = own
            behind.setdefault(own, set()).add(part.name[len(own) :])
            # Of "Author tone Alma" beside "Reviewer tone Alma" nobody knows whether Alma rated.
            sure |= {part.name[len(own) :]} if coded or part.system else set()
    whole = [ends for ends in behind.values() if len(ends) > 1 and ends <= sure]
    rated = {own for own, ends in behind.items() if whole.count(ends) > 1}
    taken = []
    for part in parts:
        if not part.system and (own := first.get(part.name, "")) in rated:
            people = tuple(filter(None, (_less(who, own) for who in part.people)))
            part = replace(part, system=own, people=people)  # noqa: PLW2901 - with its system
        taken.append(part)
    return taken


def _bare_systems(
    reader: "Reader", parts: Sequence[HeaderPart], called: Mapping[str, str]
) -> dict[str, str]:
    """Give the systems that names are of: words that say what was rated are none of theirs.

    What the names in "gpt-4o pass" and "claude pass" share was rated. "Bot_Could" is Bot, where
    nothing is rated of both: of "GPT-4" and "GPT-4 Turbo" the same things are.
    """
    rated: dict[str, set[str]] = {}
    for part in parts:
        rated.setdefault(called.get(part.name, ""), set()).add(part.dimension)
    rated.pop("", None)
    words = {of for name, of in called.items() if reader.profiles[name].kind in _SAID}
    bare = without_affix([of for of in rated if of in words], APART)
    turbo = [of for of, own in bare.items() if is_like_a_model(f"Claude {without_name(of, own)}")]
    bare = {of: of if of in turbo else bare.get(of, of) for of in rated}
    whole = {of: system_part(of) for of in rated}
    said = {without_name(of, own) or "" for of, own in whole.items()}
    systems = set(whole.values())
    named = any(is_like_a_model(f"Claude {word}") for word in said)
    if min(len(systems), len(said)) > 1 and len(rated) == len(systems) * len(said) and not named:
        bare = whole  # each thing was rated of each: "GPT-4 Ease", "Bard Ease", "GPT-4 Warmth"
    for of, things in rated.items():
        shorter = (own for own in rated if without_name(of, own) and rated[own].isdisjoint(things))
        bare[of] = min(shorter, key=len, default=bare[of])
    return bare


def _is_score(reader: "Reader", part: HeaderPart) -> bool:
    header = part.header
    if part.name in reader.wishes:
        return False
    numbers = reader.profiles[part.name].kind == "number"
    if numbers and _OF_PROGRAMS.match(part.name) and not reader.of_role("rater"):
        return True
    # Under "Perplexity answer" a yes is no score.
    numbers = numbers or (reader.profiles[part.name].kind == "yesno" and not header.names)
    fraction = not reader.profiles[part.name].whole
    if header.metric and is_like_a_system(part.name) and len(form(part.name)) == 1:
        return False  # "Perplexity" is a chatbot, too
    by_people = header.people or (header.ends is not None and not fraction)
    rater = reader.of_role("rater") and not fraction
    return bool(header.metric and numbers and not part.dimension and not by_people and not rater)


def _take_score(reader: "Reader", part: HeaderPart) -> None:
    metric = part.header.metric
    name = metric.name if metric and part.system else _OF_PROGRAMS.sub("", part.name)
    reader.take(part.name, "score", name, system=part.system, metric=metric)


def _take_ratings(reader: "Reader", parts: Sequence[HeaderPart]) -> None:
    told = [part for part in parts if part.dimension]
    fine = [part.name for part in parts if _is_fraction(reader, part)]
    raters = {part.people for part in parts if part.name not in fine} - {()}
    for part in told:
        # Shares from 0 to 1 by who rates something else in words or steps are ratings, too.
        if part.name not in fine or part.people in raters:
            _take(reader, part, part.dimension)
    for part in parts:
        profile = reader.profiles[part.name]
        whole = profile.kind != "number" or profile.whole or part.people or reader.of_role("rater")
        if (
            not part.dimension
            and part.rest
            and whole
            and (part.header.ends or _repeats(part, parts))
        ):
            _take(reader, part, " ".join(part.rest))
    _apart(reader)
    for part in parts:
        if part.name in reader.beside.judged and part.name in reader.open and part.rest:
            _take(reader, part, " ".join(part.rest))
    if reader.of_role("rater") or reader.beside.varying:
        for part in parts:
            cells = reader.table.cells(part.name)
            yes = reader.profiles[part.name].kind == "yesno" and bool(reader.of_role("rating"))
            graded = are_on_a_ladder(reader.table.often(part.name))
            graded = graded and not reader.keys().of_question(cells)
            graded = graded or (yes and bool(reader.of_role("rater")))
            # Words from bad to good that change with who rated, or from sheet to sheet.
            if (
                graded
                and part.name in reader.open
                and part.rest
                and not reader.keys().of_rater(cells)
            ):
                _take(reader, part, " ".join(part.rest))
    left = [part for part in parts if part.name not in reader.known]
    left = [
        replace(part, rest=part.rest or (part.dimension,)) if part.dimension else part
        for part in left
        if not _is_about_question(reader, part)
    ]
    left = _without_counts(reader, left)
    people = [p for p in left if (p.people or p.system or p.header.label) and not p.rest]
    _ask_dimension(reader, people)
    ask_numbers(reader, [part for part in left if part not in people])


def _without_counts(reader: "Reader", parts: Sequence[HeaderPart]) -> list[HeaderPart]:
    """Take for a fact of each answer what can only count something of it."""
    counts = [part for part in parts if counts_something(reader, part)]
    for part in counts:
        of = without_name(part.name, part.system) if part.system else part.name
        reader.take(part.name, "fact", of or part.name, system=part.system)
    return [part for part in parts if part not in counts]


def _is_fraction(reader: "Reader", part: HeaderPart) -> bool:
    """Say whether numbers from 0 to 1 are finer than people rate, as programs' scores are."""
    profile = reader.profiles[part.name]
    told = part.name in reader.wishes or part.header.ends is not None
    return profile.kind == "number" and profile.fine and not told and profile.numbers[-1] <= 1


def _repeats(part: HeaderPart, parts: Iterable[HeaderPart]) -> bool:
    """Say whether what was rated is named with several systems or people."""
    with_it = {
        (other.system, *other.people)
        for other in parts
        if other.rest == part.rest and (other.system or other.people)
    }
    return len(with_it) > 1


def _take(reader: "Reader", part: HeaderPart, dimension: str) -> None:
    header = part.header
    reader.take(
        part.name, "rating", dimension, system=part.system, rater=" ".join(part.people),
        ends=reader.table.ends.get(part.name) or header.ends, sense=header.sense,
        why="you said so" if part.name in reader.wishes else "",
    )  # fmt: skip


def _apart(reader: "Reader") -> None:
    """Give columns that would rate one thing by one person twice what each is called."""
    seen = Counter((c.of, c.system, c.rater) for c in reader.of_role("rating"))
    twice = [c for c in reader.of_role("rating") if seen[c.of, c.system, c.rater] > 1]
    called = {c.name: _called(c) for c in twice}
    told = Counter((called[c.name], c.system, c.rater) for c in twice)
    for column in twice:
        own = called[column.name]
        of = own if told[own, column.system, column.rater] == 1 else column.name
        if column.name not in reader.wishes:
            reader.known[column.name] = replace(column, of=of)


def _called(column: ReadColumn) -> str:
    """Give a header without its scale, system and rater, so that it names no known dimension."""
    of = read_ends(column.name)[1]
    for name in filter(None, (column.system, column.rater)):
        of = without_name(of, name) or of
    return f"{of.strip()} rating" if form(of) in lexicon().dimensions else of.strip()


def _is_about_question(reader: "Reader", part: HeaderPart) -> bool:
    """Say whether a column is a tag or a fact by its words and what its cells follow."""
    roles = part.header.roles
    if part.people:
        return False
    keys = reader.keys()
    cells = reader.table.cells(part.name)
    if keys.of_question(cells) and ("tag" in roles or is_of_the_question(reader, part.name)):
        return True
    if reader.of_role("rater"):
        told = keys.of_rater(cells) and not part.header.ends
        profile = reader.profiles[part.name]
        # No rater gives one share to all answers, and another rater another.
        own = profile.distinct > 1 and profile.kind == "number" and not profile.may_be_a_label
        return told and (own or not keys.varies(cells))
    long = bool(reader.of_role("system"))
    profile = reader.profiles[part.name]
    if profile.kind == "yesno":
        return False
    several = keys.several
    # The same number in each row may be what all answers were given.
    chosen = bool(reader.of_role("winner"))
    one = profile.distinct <= 1 and (chosen or not profile.may_be_a_label)
    return keys.of_question(cells) and (one or (long and several))


def is_of_the_question(reader: "Reader", name: str) -> bool:
    """Say whether a column can only be a fact of the question, since answers stand elsewhere.

    Where columns or other tables hold the answers of several systems, what names none of these is
    of no answer. Letters, grades and numbers that may be labels are asked about.
    """
    cells, profile = reader.table.often(name).keys(), reader.profiles[name]
    owned = any(without_name(name, of) is not None for of in reader.all_systems)
    here = len(reader.systems) > 1 and not reader.of_role("rater") and not owned
    beside = reader.beside.answered and not reader.of_role("system", "answer", "rater", "rating")
    if not (here or beside) or are_on_a_ladder(cells) or all(len(cell) == 1 for cell in cells):
        return False
    if profile.kind == "number":
        return here and profile.whole and not profile.may_be_a_label and profile.numbers[0] >= 0
    return profile.kind == "word" and 1 < profile.distinct < profile.filled


def _ask_dimension(reader: "Reader", parts: Sequence[HeaderPart]) -> None:
    if not parts:
        return
    own = [d.id for d in reader.dimensions]
    if len(own) == 1:
        for part in parts:
            _take(reader, part, own[0])
        return
    labels = [set(reader.table.cells(part.name)) - {""} for part in parts]
    offered = own if 0 < len(own) <= len(_OFFERED) else _OFFERED
    answers = {name: [f"rating.{name}={part.name}" for part in parts] for name in offered}
    if any(not own & labels[0] for own in labels):
        # Labels that share no word are of several things.
        each = {"each something else": [f"rating.{plain(p.name)}={p.name}" for p in parts]}
        answers = {**each, **answers}
    if not reader.of_role("answer") and all(reader.profiles[p.name].kind in _SAID for p in parts):
        answers["nothing: they are answers"] = [f"answer={part.name}" for part in parts]
    answers["nothing: leave them out"] = [f"skip={part.name}" for part in parts]
    listed = quoted_names([part.name for part in parts])
    hold = "hold" if parts[1:] else "holds"
    reader.ask(f"{listed} {hold} ratings. What was rated?", answers)
    _held_back(reader, parts)


def _held_back(reader: "Reader", parts: Iterable[HeaderPart]) -> None:
    for part in parts:
        reader.known[part.name] = ReadColumn(part.name, "skip", why="asked about")
