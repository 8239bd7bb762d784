"""One answer in the 2025 form: its citations, both readings, and what is wrong with each place."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, Literal

from medassay.answers import Statement
from medassay.errors import InvalidInput, Problem
from medassay.tables import file_bytes
from medassay.text import count_words

Effect = Literal["refused", "misread", "costs", "harmless"]

EFFECTS: Final[dict[Effect, str]] = {
    "refused": "the official scorer stops, and scores no case at all",
    "misread": "the official scorer reads something else than what is meant",
    "costs": "the official scorer reads what is meant, and it lowers the score",
    "harmless": "worth knowing, and changes no score",
}
"""What the official scorer makes of it, worst first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing to know about a submission.

    Attributes:
        effect: What the official scorer makes of it; see `EFFECTS`.
        kind: A short name that is the same wherever the same thing is wrong.
        file: The submission, as the user named it.
        case: The case, as the submission names it; None where the whole file is meant.
        line: The line within the answer, from 1; None where the whole answer is meant.
        must: What must be there, as the end of the sentence "must be ...".
        got: What was found.
        cost: What the scorer does about it, a sentence; empty where `effect` says all.
        try_: What to do, a sentence; empty where nothing can be said.

    Example:
        >>> print(Finding(effect="misread", kind="blank-in-citation", file="a.json", case="3",
        ...     line=2, must="separate ids by commas alone", got='"|2, 3|"',
        ...     cost='The scorer reads the ids "2", " 3".', try_='Write "|2,3|".'))
        a.json, case 3, line 2: must separate ids by commas alone; got "|2, 3|". The scorer reads \
the ids "2", " 3". Write "|2,3|".
    """

    effect: Effect
    kind: str
    file: str
    must: str
    got: str
    case: str | None = None
    line: int | None = None
    cost: str = ""
    try_: str = ""

    def __str__(self) -> str:
        """Say it in the one form that all of medassay uses."""
        place = [self.file]
        if self.case is not None:
            place.append(f"case {self.case}")
        if self.line is not None:
            place.append(f"line {self.line}")
        says = [f"{', '.join(place)}: must {self.must}; got {self.got}.", self.cost, self.try_]
        return " ".join(part for part in says if part)

    def as_dict(self) -> dict[str, str | int | None]:
        """Give the parts under the keys that `--json` prints."""
        facts = asdict(self)
        facts["try"] = facts.pop("try_")
        return facts


def blocks(findings: Iterable[Finding]) -> bool:
    """Say whether the official scorer would refuse the submission or misread it."""
    return any(finding.effect in {"refused", "misread"} for finding in findings)


@dataclass(frozen=True, slots=True)
class Tally:
    """How often one kind of thing was found.

    Attributes:
        effect: What the official scorer makes of it.
        kind: What it is.
        times: How often.
        cases: In how many cases; 0 where it is about the file.
    """

    effect: Effect
    kind: str
    times: int
    cases: int


def tally(findings: Iterable[Finding]) -> list[Tally]:
    """Count findings by effect, the worst first, then by kind, the most frequent first.

    Example:
        >>> one = Finding(effect="costs", kind="over-limit", file="a.json", case="1", must="end",
        ...               got="80")
        >>> tally([one, one])
        [Tally(effect='costs', kind='over-limit', times=2, cases=1)]
    """
    listed = list(findings)
    times = Counter((finding.effect, finding.kind) for finding in listed)
    order = list(EFFECTS)
    return [
        Tally(effect, kind, count, len({f.case for f in listed if f.kind == kind} - {None}))
        for (effect, kind), count in sorted(
            times.items(), key=lambda item: (order.index(item[0][0]), -item[1], item[0][1])
        )
    ]


_LONGEST: Final = 60
_NOT_UTF8: Final = 'In Python: open(file, "w", encoding="utf-8"). In an editor: save as UTF-8.'
_HALF_SIGN: Final = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class JsonItem:
    """One item of the list.

    Attributes:
        value: What it holds; half a surrogate pair, which is no character, is replaced by a mark.
        twice: Keys that one of its objects has twice; the last value is taken, as the official
            scorers do.
        halves: Whether half a surrogate pair was in it.
    """

    value: object
    twice: tuple[str, ...] = ()
    halves: bool = False


def read_json_list(path: Path) -> list[JsonItem]:
    """Read a JSON file that holds a list.

    Raises:
        InvalidInput: The file is not there, is no text in UTF-8, no JSON, or no list.
    """
    file = path.name
    content = file_bytes(path, file)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        got = f"byte 0x{error.object[error.start]:02x} at position {error.start}"
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            got = "UTF-16"
        raise InvalidInput(Problem(file, "be text in UTF-8", got, _NOT_UTF8)) from error
    try:
        value = json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        got = f"{error.msg.removesuffix(' at')} at character {error.colno}"
        hint = "The file may be cut off there." if error.pos >= len(text.rstrip()) else ""
        raise InvalidInput(Problem(file, "be JSON", got, hint, row=error.lineno)) from error
    except ValueError as error:
        # Python reads no number of so many digits, and neither do the official scorers.
        hint = "Ids are text: put quotes around them."
        raise InvalidInput(Problem(file, "be JSON", "a number too long to read", hint)) from error
    except RecursionError as error:
        raise InvalidInput(Problem(file, "be JSON", "lists within lists without end")) from error
    if not isinstance(value, list):
        hint = 'The file begins with [ and holds {"case_id": ...} for each case.'
        raise InvalidInput(Problem(file, "be a list of cases", in_words(value), hint))
    escaped = "\\u" in text
    return [_item(item, escaped=escaped) for item in value]


def in_words(value: object) -> str:
    """Say what a JSON value is, in words that need no programming language.

    Example:
        >>> [in_words(one) for one in (None, True, 3, "x", [], {})]
        ['nothing (null)', 'true', 'the number 3', 'the text "x"', 'a list', 'one object']
    """
    if value is None:
        return "nothing (null)"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"the number {shortened(str(value))}"
    if isinstance(value, str):
        return f'the text "{shortened(value)}"'
    return "a list" if isinstance(value, list) else "one object"


def shortened(text: str) -> str:
    """Cut what a message quotes."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


class _Twice(dict[str, object]):
    """An object that has a key twice."""

    keys_twice: tuple[str, ...] = ()


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    read = dict(pairs)
    if len(read) == len(pairs):
        return read
    marked = _Twice(read)
    times = Counter(name for name, _ in pairs)
    marked.keys_twice = tuple(name for name, count in times.items() if count > 1)
    return marked


def _item(value: object, *, escaped: bool) -> JsonItem:
    twice: list[str] = []
    _collect(value, twice)
    if escaped:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            return JsonItem(_whole(value), tuple(map(_whole_text, twice)), halves=True)
    return JsonItem(value, tuple(dict.fromkeys(twice)))


def _collect(value: object, twice: list[str]) -> None:
    """List the keys that an object has twice, however deep it lies."""
    if isinstance(value, dict):
        twice += value.keys_twice if isinstance(value, _Twice) else ()
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for entry in inner:
        if isinstance(entry, dict | list):
            _collect(entry, twice)


def _whole(value: object) -> object:
    if isinstance(value, str):
        return _whole_text(value)
    if isinstance(value, list):
        return [_whole(entry) for entry in value]
    if isinstance(value, dict):
        return {_whole_text(name): _whole(entry) for name, entry in value.items()}
    return value


def _whole_text(text: str) -> str:
    return "".join(_HALF_SIGN if "\ud800" <= sign <= "\udfff" else sign for sign in text)


Form = Literal["pipes", "unclosed", "brackets"]

# No list of sentence ids is longer; it keeps a 50 MB line from being searched for one.
_LONGEST_LIST: Final = 200
_BRACKETS: Final = re.compile(rf"\[([^\[\]]{{1,{_LONGEST_LIST}}})\]")
_DASH: Final = re.compile(r" ?[-–—] ?")
_RANGE: Final = re.compile(r"([0-9]+)-([0-9]+)")
_SEPARATORS: Final = re.compile(r"(?:[,;&\s]|\band\b)+")


@dataclass(frozen=True, slots=True)
class Group:
    """Citations that stand together.

    Attributes:
        written: As they were written, with their pipes or brackets.
        ids: The ids meant.
        form: How they were marked.
        ranged: Whether a range such as 1-3 was among them.
        inner: What stood between the marks.
    """

    written: str
    ids: tuple[str, ...]
    form: Form
    ranged: bool
    inner: str


@dataclass(slots=True)
class Piece:
    """A stretch of text with the citations that follow it."""

    text: str
    groups: list[Group] = field(default_factory=list)


def read_ids(inner: str, known: Collection[str] | None = None) -> tuple[tuple[str, ...], bool]:
    """Read a list of sentence ids; empty where it is no such list.

    Ids are numbers, separated by commas, semicolons, blanks or `and`; a range such as 1-3 means
    all of its numbers, unless the case has a sentence of that very id.

    Returns:
        The ids in the order written, each once, and whether a range was among them.

    Example:
        >>> read_ids("2, 3"), read_ids("1-3;7"), read_ids("see above")
        ((('2', '3'), False), (('1', '2', '3', '7'), True), ((), False))
    """
    if len(inner) > _LONGEST_LIST:
        return (), False
    ids: list[str] = []
    ranged = False
    for part in filter(None, _SEPARATORS.split(_DASH.sub("-", " ".join(inner.split())))):
        span = _RANGE.fullmatch(part)
        if part.isdecimal() or (known is not None and part in known):
            ids.append(part)
        elif span and 0 <= int(span[2]) - int(span[1]) < _LONGEST_LIST:
            ids += map(str, range(int(span[1]), int(span[2]) + 1))
            ranged = True
        else:
            return (), False
    return tuple(dict.fromkeys(ids)), ranged


def pieces(line: str, known: Collection[str] | None = None) -> list[Piece]:
    """Split a line into stretches of text, each with the citations behind it.

    A list of ids counts between pipes, after a last pipe that nothing closes, and in brackets
    (there, where the case's ids are known, only if one of them is in it: `[140]` may be a lab
    value). Whatever stands between the last two pipes at the end of a line is citations. Citations
    before the only text of a line belong to it.

    Example:
        >>> [(p.text, [g.ids for g in p.groups]) for p in pieces("Rest. |1| Drink |2,3|.")]
        [('Rest.', [('1',)]), ('Drink.', [('2', '3')])]
    """
    stretches = [Piece("")]
    for item in _items(line, known):
        if isinstance(item, Group):
            stretches[-1].groups.append(item)
        elif not item.strip():
            continue
        elif not any(sign.isalnum() for sign in item) and stretches[-1].groups:
            _end_with(stretches[-1], item.strip())
        elif stretches[-1].groups:
            stretches.append(Piece(item))
        else:
            stretches[-1].text += item
    if len(stretches) == 2 and not stretches[0].text.strip() and not stretches[1].groups:  # noqa: PLR2004 - the opening citations and the text behind them
        stretches = [Piece(stretches[1].text, stretches[0].groups)]
    for piece in stretches:
        piece.text = piece.text.strip()
    return [piece for piece in stretches if piece.text or piece.groups]


def _end_with(piece: Piece, signs: str) -> None:
    """Put a full stop that stands behind a citation where the sentence ends."""
    text = piece.text.rstrip()
    piece.text = text if not text or text.endswith((".", "!", "?")) else text + signs


def _items(line: str, known: Collection[str] | None) -> Iterator[str | Group]:
    segments = line.split("|")
    last = len(segments) - 1
    text = segments[0]
    closed = False
    for i, segment in enumerate(segments[1:], start=1):
        ids, ranged = read_ids(segment, known)
        # Between the last two pipes of a line the format has citations, whatever they look like.
        if not ids and i == last - 1 and not segments[last].strip() and not closed:
            ids = tuple(dict.fromkeys(part.strip() for part in segment.split(",") if part.strip()))
        if ids or (not segment.strip() and i == last - 1):
            yield from _in_brackets(text, known)
            form: Form = "pipes" if i < last else "unclosed"
            yield Group(f"|{segment}" + "|" * (i < last), ids, form, ranged, segment)
            text, closed = "", True
        else:
            text += segment if closed else f"|{segment}"
            closed = False
    yield from _in_brackets(text, known)


def _in_brackets(text: str, known: Collection[str] | None) -> Iterator[str | Group]:
    start = 0
    for match in _BRACKETS.finditer(text):
        ids, ranged = read_ids(match[1], known)
        if not ids or (known is not None and not any(name in known for name in ids)):
            continue
        yield text[start : match.start()]
        yield Group(match[0], ids, "brackets", ranged, match[1])
        start = match.end()
    yield text[start:]


Reading = Literal["official", "tolerant"]

_ENDS: Final = (".", "!", "?")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer.

    Attributes:
        line: The line that it stands on, from 1.
        text: What it says; empty where a line holds citations alone.
        ids: The ids that it cites, as the reading has them: the official one keeps blanks.
    """

    line: int
    text: str
    ids: tuple[str, ...]


def _lines(answer: str) -> Iterator[tuple[int, str]]:
    stripped = answer.strip()
    above = answer[: len(answer) - len(answer.lstrip())].count("\n")
    for number, line in enumerate(stripped.split("\n"), start=above + 1):
        if line.strip():
            yield number, line


def _ended(text: str) -> str:
    return text if not text or text.endswith(_ENDS) else f"{text}."


def read_officially(answer: str) -> list[Sentence]:
    """Read an answer by the rule of the shared task's 2025 scorer.

    A line is cut at its last two pipes: what is before is the sentence, what is between are ids,
    split at commas and **not stripped**; what is behind is dropped. A line with fewer than two
    pipes has no citations. A sentence that does not end in . ! or ? gets a full stop.

    Source: github.com/soni-sarvesh/archehr-qa, evaluation/scoring.py at 771b948.

    Example:
        >>> read_officially("He fell |2, 3|")
        [Sentence(line=1, text='He fell.', ids=('2', ' 3'))]
    """
    sentences = []
    for number, line in _lines(answer):
        parts = line.rsplit("|", maxsplit=2)
        cited = len(parts) > 2  # noqa: PLR2004 - a sentence, its ids, and what is behind them
        text = parts[0].strip() if cited else line.strip()
        ids = [part for part in parts[1].split(",") if part.strip()] if cited else []
        sentences.append(Sentence(number, _ended(text), tuple(dict.fromkeys(ids))))
    return sentences


def read_as_meant(answer: str, known: Collection[str] | None = None) -> list[Sentence]:
    """Read an answer by what its writer evidently meant.

    Blanks between ids, ranges, brackets, an unclosed pipe and several citations on a line are all
    read; text behind a citation is a sentence of its own. Sentences end as the scorer ends them, so
    that the two readings differ only where the scorer loses something.

    Args:
        answer: The answer as submitted.
        known: The ids of the case's sentences, where they are known.

    Example:
        >>> read_as_meant("He fell |2, 3|")
        [Sentence(line=1, text='He fell.', ids=('2', '3'))]
    """
    return [
        Sentence(number, _ended(piece.text), _cited(piece))
        for number, line in _lines(answer)
        for piece in pieces(line, known)
    ]


def _cited(piece: Piece) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for group in piece.groups for name in group.ids))


def statements(sentences: Collection[Sentence]) -> tuple[Statement, ...]:
    r"""Make statements of sentences.

    Citations without a sentence go to the sentence before them, or else to the first. Ids of ours
    have no blanks around them: one that the official scorer reads with a blank is kept with the
    sign for it, such as `␣3`, and so names no sentence, just as it does there.

    Example:
        >>> statements(read_officially("He fell |2, 3|\n|4|"))
        (Statement(text='He fell.', citations=('2', '␣3', '4')),)
    """
    texts: list[tuple[str, list[str]]] = []
    waiting: list[str] = []
    for sentence in sentences:
        ids = [_without_blanks(name) for name in sentence.ids]
        if sentence.text:
            texts.append((sentence.text, [*waiting, *ids]))
            waiting = []
        elif texts:
            texts[-1][1].extend(ids)
        else:
            waiting += ids
    if waiting:
        texts.append(("", waiting))
    return tuple(Statement(text=text, citations=tuple(dict.fromkeys(ids))) for text, ids in texts)


def _without_blanks(name: str) -> str:
    return "".join("␣" if sign.isspace() else sign if sign.isprintable() else "�" for sign in name)


WORDS: Final = 75
"""The shared task's limit: the scorer compares the first 75 words of an answer, and no more."""

_LEAST_PARTS: Final = 3
_MOST: Final = 5


@dataclass(frozen=True, slots=True)
class AnswerReadings:
    """What was read of one answer.

    Attributes:
        official: As the official scorer reads it.
        tolerant: As it was meant.
        findings: What to know about it, line by line; then about all of it.
    """

    official: tuple[Statement, ...]
    tolerant: tuple[Statement, ...]
    findings: tuple[Finding, ...]


def read_answer(
    answer: str, *, file: str, case: str, known: Collection[str] | None = None
) -> AnswerReadings:
    """Read one answer both ways, and say where the readings differ and what that costs.

    Args:
        answer: The answer as submitted.
        file: The submission's name, for findings.
        case: The case's id, for findings.
        known: The ids of the case's sentences; None where they are not at hand.
    """
    official, meant = read_officially(answer), read_as_meant(answer, known)
    differing = _differing(official, meant)
    findings: list[Finding] = []
    for number, line in enumerate(answer.split("\n"), start=1):
        of_line = [
            Finding(effect=effect, kind=kind, file=file, case=case, line=number, must=must,
                    got=got, cost=cost, try_=try_)
            for effect, kind, must, got, cost, try_ in _of_line(line, known)
        ]  # fmt: skip
        if not of_line and number in differing:
            of_line.append(
                Finding(effect="misread", kind="pipe-in-text", file=file, case=case, line=number,
                        must="hold pipes around citations only", got=_short(line),
                        cost="The scorer reads what is between the last two pipes as citations.",
                        try_="Write one sentence a line, with |1,2| at its end.")
            )  # fmt: skip
        findings += of_line
    of_answer = [*_citation_facts(official, meant, known), *_length_facts(official)]
    findings += [
        Finding(effect=effect, kind=kind, file=file, case=case, line=number, must=must, got=got,
                cost=cost, try_=try_)
        for number, (effect, kind, must, got, cost, try_) in of_answer
    ]  # fmt: skip
    return AnswerReadings(statements(official), statements(meant), tuple(findings))


_Fact = tuple[Effect, str, str, str, str, str]


def _of_line(line: str, known: Collection[str] | None) -> Iterator[_Fact]:
    groups = [group for piece in pieces(line, known) for group in piece.groups]
    piped = [group for group in groups if group.form != "brackets"]
    for group in groups:
        yield from _of_group(group)
    if len(piped) > 1:
        yield (
            "misread", "several-citations", "cite once a line, at its end",
            _listed([group.written for group in piped]),
            f"The scorer takes {shortened(piped[-1].written)} alone; the others stay as words.",
            "Put each sentence with its citations on its own line.",
        )  # fmt: skip
    parts = line.rsplit("|", maxsplit=2)
    if len(parts) < _LEAST_PARTS:
        return
    behind = parts[2].strip()
    if any(sign.isalnum() for sign in behind):
        count = len(behind.split())
        yield (
            "misread", "text-behind-citation", "end with its citations", _short(behind),
            f"The scorer drops {'that word' if count == 1 else f'those {count} words'}.",
            "Put the citations behind the sentence, and the next sentence on the next line.",
        )  # fmt: skip


def _of_group(group: Group) -> Iterator[_Fact]:
    ids, written = shortened(",".join(group.ids)), shortened(group.written)
    if group.form == "brackets":
        yield (
            "misread", "brackets", "cite between pipes", written,
            "The scorer reads no citation here, and counts it as words.",
            f"Write |{ids}| at the end of the line.",
        )  # fmt: skip
        return
    if group.form == "unclosed":
        yield (
            "misread", "unclosed-citation", "close its citations with a pipe", written,
            "The scorer reads no citation here.", f"Write |{ids}|.",
        )  # fmt: skip
    if group.ranged:
        yield (
            "misread", "range", "name every id", written,
            f"The scorer reads {_quoted(group.inner.split(','))}, which is no sentence.",
            f"Write |{ids}|.",
        )  # fmt: skip
        return
    parts = [part for part in group.inner.split(",") if part.strip()]
    if any(len(part.replace(";", " ").split()) > 1 for part in parts):
        kind = "separator"
    elif any(part != part.strip() for part in parts):
        kind = "blank-in-citation"
    elif not parts:
        yield "harmless", "empty-citation", "name at least one id", written, "", ""
        return
    else:
        return
    readable = all(name.isdecimal() for name in group.ids)
    yield (
        "misread", kind, "separate ids by commas alone", f'"{written}"',
        f"The scorer reads {_quoted(parts)}: an id with a blank or another sign in it is none.",
        f'Write "|{ids}|".' if readable else "Write ids and commas alone, such as |1,2|.",
    )  # fmt: skip


def _citation_facts(
    official: list[Sentence], meant: list[Sentence], known: Collection[str] | None
) -> Iterator[tuple[int | None, _Fact]]:
    if not any(sentence.ids for sentence in official):
        yield None, (
            "refused", "no-citations", "cite at least one sentence", "no citation",
            "One such answer stops the scorer for all cases.", "",
        )  # fmt: skip
    for sentence in meant if known is not None else ():
        for cited in sentence.ids:
            if known is not None and cited not in known:
                yield sentence.line, (
                    "costs", "unknown-id", "cite sentences of the note", f'"{shortened(cited)}"',
                    "It counts as a wrong citation.", _known(known),
                )  # fmt: skip


def _length_facts(official: list[Sentence]) -> Iterator[tuple[int | None, _Fact]]:
    text = " ".join(sentence.text for sentence in official if sentence.text)
    words = count_words(text, "blanks")
    if words <= WORDS:
        return
    yield None, (
        "costs", "over-limit", f"have at most {WORDS} words", f"{words}",
        f"The scorer compares the first {WORDS} alone.", "",
    )  # fmt: skip
    before = 0
    for sentence in official:
        if sentence.ids and before >= WORDS:
            yield sentence.line, (
                "harmless", "citation-behind-limit", f"cite within the first {WORDS} words",
                f"|{shortened(','.join(sentence.ids))}| behind word {before}",
                "The sentence is cut off; its citations count all the same.", "",
            )  # fmt: skip
        before += count_words(sentence.text, "blanks")


def _differing(official: list[Sentence], meant: list[Sentence]) -> set[int]:
    """Give the lines that the two readings read differently."""
    read = _by_line(official), _by_line(meant)
    return {line for line in {*read[0], *read[1]} if read[0].get(line) != read[1].get(line)}


def _by_line(sentences: list[Sentence]) -> dict[int, tuple[list[str], set[str]]]:
    by_line: dict[int, tuple[list[str], set[str]]] = {}
    for sentence in sentences:
        words, ids = by_line.setdefault(sentence.line, ([], set()))
        words += sentence.text.split()
        ids |= set(sentence.ids)
    return by_line


def _known(known: Collection[str]) -> str:
    return f"The note has the sentences {shortened(', '.join(known))}." if known else ""


def _quoted(ids: Collection[str]) -> str:
    return _listed([f'"{shortened(name)}"' for name in ids], ", ")


def _listed(words: list[str], between: str = " and ") -> str:
    shown = between.join(map(shortened, words[:_MOST]))
    return shown if len(words) <= _MOST else f"{shown} and {len(words) - _MOST:,} more"


def _short(text: str) -> str:
    return f'"{shortened(text.strip())}"'
