"""Which columns of texts are questions, references and answers, and whose."""

from collections.abc import Collection, Sequence
from typing import Final

from medassay.exchange.spreadsheet.headers import (
    is_like_a_reference,
    is_like_a_system,
    product_in,
    system_part,
    without_name,
)
from medassay.exchange.spreadsheet.keys import is_one_to_one
from medassay.exchange.spreadsheet.profile import are_verdicts, is_prose
from medassay.exchange.spreadsheet.reader import Reader
from medassay.exchange.spreadsheet.words import APART, form, tokens, without_affix

_MOSTLY: Final = 0.7
LONGEST_TAG: Final = 80


def texts(reader: Reader) -> None:
    """Know questions, references and systems by their texts."""
    asking = [
        name
        for name in reader.open
        if reader.profiles[name].asks >= _MOSTLY and reader.profiles[name].kind in {"text", "word"}
    ]
    if not reader.of_role("question", "turns") and len(asking) == 1:
        reader.take(asking[0], "question")
    texts = [name for name in reader.open if reader.profiles[name].kind == "text"]
    texts += [name for name in reader.open if _is_sibling(reader, name, texts)]
    for name in texts:
        if is_like_a_reference(name):
            reader.take(name, "reference")
    long = bool(reader.of_role("system")) or any(
        not column.of for column in reader.of_role("answer")
    )
    if long or not reader.of_role("question", "case", "turns"):
        return
    left = [n for n in texts if n in reader.open and not _is_comment(reader, n)]
    _take_owned(reader, left)
    left = [name for name in left if name in reader.open]
    vary = [name for name in left if name in reader.beside.varying]
    sparse = left and 10 * reader.profiles[left[0]].filled < 9 * len(reader.table.sheet)
    if len(left) == 1 and needs_answers(reader) and not vary:
        # Beside ids and labels alone a text here and there is a remark.
        vary = left if reader.of_role("question", "turns") or not sparse else []
    if len(vary) == 1 and not reader.systems:
        reader.take(vary[0], "answer")


def _take_owned(reader: Reader, left: Sequence[str]) -> None:
    """Take texts for the answers of systems that their headers name."""
    whole = all(recurs(reader, name, name) for name in left)  # "Team 1" is rated as "Team 1"
    bare = {name: name for name in left} if whole else without_affix(left, APART)
    grid = {name: of for name, of in bare.items() if recurs(reader, of, name)}
    if not grid:
        joined = without_affix(left)
        grid = {name: of for name, of in joined.items() if recurs(reader, of, name)}
    owners = {
        name: of if name in grid else _recurring_part(reader, of, name)
        for name, of in (grid or bare).items()
        if is_like_a_system(of)
        or of != name
        or name in grid
        or _recurring_part(reader, of, name) != of
    }
    for name, of in owners.items():
        product = product_in(of) if len(owners) == 1 else of
        if product != of:
            _ask_whose(reader, name, of, product)
        elif not _names_no_system(name, of, owners.values()):
            reader.take(name, "answer", of)


def _names_no_system(name: str, of: str, owners: Collection[str]) -> bool:
    """Say whether what is left of a header of texts is nobody who answered.

    Beside "Reply Gemini" notes on Gemini are no answers of a system so called; and of
    "Notes bot-c (Weber)" the system is bot-c.
    """
    beside = any(without_name(of, other) for other in owners if other != of)
    rest = without_name(name, of) or ""
    numbered = not any(sign.isalpha() for sign in of)  # "ChatGPT 3.5" beside "ChatGPT 4"
    return beside or (not numbered and is_like_a_system(rest) > is_like_a_system(of))


def _is_sibling(reader: Reader, name: str, texts: Sequence[str]) -> bool:
    """Say whether short texts are headed as longer ones are: "Reply B" beside "Reply A"."""
    if reader.profiles[name].kind != "word" or not is_prose(reader.table.cells(name)):
        return False
    own = form(name)
    forms = [form(other) for other in texts]
    return any(
        len(own) > 1 and (own[:-1] == other[: len(own) - 1] or own[1:] == other[1 - len(own) :])
        for other in forms
        if len(other) > 1
    )


def _is_comment(reader: Reader, name: str) -> bool:
    """Say whether a column of texts is named after a system whose answers another column holds."""
    others = [other for other in reader.table.sheet.columns if other != name]
    return any(
        without_name(name, of) and of != name
        for of in [*reader.systems, *others]
        if reader.profiles.get(of) is None or reader.profiles[of].kind == "text"
    )


def needs_answers(reader: Reader) -> bool:
    """Say whether columns of scores, labels or passages are there, which are about an answer."""
    return (
        reader.beside.rated
        or bool(reader.of_role("contexts", "score", "label", "rating", "seconds", "confidence"))
        or any(
            reader.headers[name].metric
            or reader.headers[name].dimension
            or reader.headers[name].ends
            for name in reader.open
        )
    )


def recurs(reader: Reader, of: str, name: str) -> bool:
    """Say whether other headers name it too, as "Alpha accuracy" does beside "Alpha"."""
    return any(without_name(other, of) for other in reader.naming(of) if other != name)


def _recurring_part(reader: Reader, of: str, name: str) -> str:
    """Give the beginning or end of a name that headers of labels have: of "Mistral Reactie"."""
    short = [other for other in reader.open if reader.profiles[other].kind != "text"]
    pieces = tokens(of)
    parts = (
        part
        for size in range(len(pieces) - 1, 0, -1)
        for part in (of[: pieces[size - 1][2]], of[pieces[-size][1] :])
    )
    told = (
        part
        for part in parts
        if (is_like_a_system(part) and any(without_name(other, part) for other in short))
        # Merged above its answer and all labels stands a system.
        or (len(short) > 1 and all(other.startswith(f"{part} ") for other in short))
    )
    return of if recurs(reader, of, name) else next(told, of)


def _ask_whose(reader: Reader, name: str, of: str = "", product: str = "") -> None:
    """Ask whether texts are a system's answers, the likeliest first.

    Args:
        reader: The table.
        name: The column.
        of: The system that its header may name, if less than all of it.
        product: What alone may be that system's name: of "Reply ChatGPT" it is ChatGPT.
    """
    reader.take(name, "skip", why="asked about")
    of = of or name
    whole = f"answer.{of}={name}" if of != name else f"answer={name}"
    told = {f'yes, of "{product}"': [f"answer.{product}={name}"]} if product else {}
    yes = {**told, f'yes, of "{of}"' if product else "yes, of a system": [whole]}
    reference = {"no, an expert's answers to compare with": [f"reference={name}"]}
    skip = {"no, leave the column out": [f"skip={name}"]}
    cells = reader.table.cells(name)
    if not reader.of_role("question", "turns") and reader.keys().of_question(cells):
        skip = {"no, the questions": [f"question={name}"], **skip}
        first = reader.profiles[name].asks > 0
        ways = {**skip, **reference, **yes} if first else {**reference, **skip, **yes}
    else:
        ways = {**yes, **reference, **skip}
        # Where one column holds all answers, or each system has more, a lone text is none's.
        answered = reader.beside.answered and not reader.of_role("system")
        alone = len(reader.systems) > 1 and not recurs(reader, of, name)
        if answered or alone or any(not column.of for column in reader.of_role("answer")):
            ways = {**reference, **yes, **skip}
    texts = "texts" if reader.profiles[name].kind == "text" else "short texts"
    ask = f'"{name}" holds {texts}. Are these the answers of a system called "{product or of}"?'
    reader.ask(ask, ways, reader.profiles[name].examples[:1])


def ask_texts(reader: Reader) -> None:
    """Take texts that change from rater to rater for comments; ask whose all others are."""
    if not reader.of_role("question", "case", "turns"):
        return
    keys = reader.keys()
    answers = reader.of_role("answer")
    asking = [n for n in reader.open if reader.profiles[n].kind == "text" and _asks(reader, n)]
    if len(asking) == 1 and not reader.of_role("question", "turns") and keys.repeats_cases:
        reader.take(asking[0], "question")
    for name in reader.open:
        told = reader.headers[name].comment or name in reader.wishes
        if reader.profiles[name].kind != "text" or told:
            continue
        if answers and reader.of_role("rater") and keys.varies(reader.table.cells(name)):
            reader.take(name, "comment")
        elif not _is_comment(reader, name):
            _ask_whose(reader, name)


def _asks(reader: Reader, name: str) -> bool:
    """Say whether texts stand one for one beside ids, and some of them are questions."""
    cells = reader.table.cells(name)
    return reader.profiles[name].asks > 0 and is_one_to_one(reader.keys().cases, cells)


def short_answers(reader: Reader) -> None:
    """Know columns of systems that answer in a word or two, where no column holds all answers."""
    long = reader.of_role("system") or any(not c.of for c in reader.of_role("answer"))
    if long or not reader.of_role("question", "case"):
        return
    asked = reader.of_role("question")
    named = [name for name in reader.open if _is_plain_name(reader, name)]
    if not reader.systems:
        _take_headed_alike(reader, named)
    named = [name for name in named if name in reader.open]
    called = _called(reader, named, asked=bool(asked))
    if called and not reader.systems and not reader.questions:
        _take_called(reader, called)
        return
    vary = [name for name in named if name in reader.beside.varying]
    if len(vary) == 1 and not reader.of_role("answer") and asked and needs_answers(reader):
        reader.take(vary[0], "answer")
        return
    systems, rated = bool(reader.systems or reader.questions), bool(reader.of_role("rater"))
    for name in named:
        profile = reader.profiles[name]
        long_cell = 2 * profile.filled > len(reader.table.sheet) and profile.longest > LONGEST_TAG
        if (
            name in called
            or (systems and long_cell)
            or (profile.kind == "yesno" and not rated and not _is_owned(reader, name))
        ):
            _ask_whose(reader, name)


def _take_called(reader: Reader, called: Sequence[str]) -> None:
    """Take short answers for those of the systems that head them; a lone one that goes on is asked.

    Under "gpt-4o pass" a yes is said of an answer.
    """
    of = system_part(called[0])
    if len(called) == 1 and of != called[0]:
        _ask_whose(reader, called[0], of)
        return
    bare = without_affix(called)
    if any(is_like_a_system(name) > is_like_a_system(of) for name, of in bare.items()):
        bare = without_affix(called, APART)  # of rag_v1 and rag_v2 "v1" is no name
    for name, system in bare.items():
        if system == name or reader.profiles[name].kind != "yesno":
            reader.take(name, "answer", system)


def _is_owned(reader: Reader, name: str) -> bool:
    """Say whether a header names a system and more: a yes below it is said of that one's answer."""
    return any(without_name(name, system) for system in reader.systems)


def _called(reader: Reader, named: Sequence[str], *, asked: bool) -> list[str]:
    """Name the columns that are called as systems are, and are not taken: of short cells."""
    kinds = {"yesno", "word", "number"}
    inside: dict[str, list[str]] = {}
    for other in named:
        for name in reader.naming(other):
            inside.setdefault(name, []).extend([other] if other != name else [])
    called = [
        name
        for name in named
        if reader.profiles[name].kind in kinds
        and (
            recurs(reader, name, name)
            or (is_like_a_system(name) and reader.profiles[name].kind != "number" and asked)
        )
        and not any(without_name(name, system) is not None for system in reader.systems)
        # What names another column and more says something of that one.
        and not any(without_name(name, other) for other in inside.get(name, ()))
    ]
    for name in called:
        # Beside the long answers of a system stand the short ones of one rated as it is.
        alike = any(_beside(reader, name) & _beside(reader, system) for system in reader.systems)
        if reader.profiles[name].kind == "word" and alike:
            reader.take(name, "answer", name)
    return [name for name in called if name in reader.open]


def _take_headed_alike(reader: Reader, named: Sequence[str]) -> None:
    """Take short answers under headers of one kind, whose other words head columns of labels."""
    written = [
        name
        for name in named
        if not reader.headers[name].comment and is_prose(reader.table.cells(name))
    ]
    bare = without_affix(written, APART)
    if len(bare) > 1 and all(of != name and recurs(reader, of, name) for name, of in bare.items()):
        for name, of in bare.items():
            reader.take(name, "answer", of)


def _beside(reader: Reader, system: str) -> set[str]:
    """Give what other headers say beside a system's name."""
    named = (without_name(name, system) for name in reader.naming(system) if name != system)
    return {rest for rest in named if rest}


def _is_plain_name(reader: Reader, name: str) -> bool:
    header = reader.headers[name]
    systems = {"system", "system_a", "system_b"}  # what "System A" answered may stand below it
    told = header.roles and not (systems & set(header.roles) and is_prose(reader.table.cells(name)))
    # No metric gives a yes or words: under "Perplexity" they are a chatbot's.
    short = is_like_a_system(name) and (
        reader.profiles[name].kind in {"yesno", "word"} or recurs(reader, name, name)
    )
    metric = header.metric and not (short and len(form(name)) == 1)
    told = told or are_verdicts(reader.table.often(name))
    return not (header.dimension or metric or header.ends or told or header.people)
