"""Chains of reasoning, read by rules: which steps are there, what they rest on, whether they hold.

What enters: a chain, its case and answer. What leaves: findings, each with the words that decided
and where they stand, so that a report can show them; the metrics only count them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Annotated, Final, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from medassay.answers import parse_choice
from medassay.cases import Case, Document
from medassay.metrics.rule_files import rule_bytes
from medassay.tables import read_toml, wrong
from medassay.text import content_words, split_sentences

_SLOT = r"(?P<x>[a-z][\w'’-]*(?:\s+(?!(?:is|are|was|were|and|or|but|in|on|of|with|which|that|because|as|for|to|by|has|have|at|given|since)\b)[\w'’-]+){0,4})"  # noqa: E501 - one pattern
Patterns = Literal["published", "wider"]
_NEAR: Final = 25
"""How many characters before a mention may deny it, within its sentence."""
_SENTENCE_END: Final = re.compile(r"[.;:!?\n]")
_FEWEST: Final = 2
By = Literal["any", "published", "id", "title", "overlap"]
_RUN: Final = 8
"""So many words in a row are taken from a document, not alike by chance."""
_OPENING: Final = 50
_WORD: Final = re.compile(r"[^\W_]+")
_RANK: Final = re.compile(
    r"\[(\d{1,2}(?:\s*[,;]\s*\d{1,2})*)\]"
    r"|\b(?:document|doc|source|guideline|passage|reference|context)s?\s*(?:no\.?\s*|#\s*)?(\d{1,2})\b",
    re.IGNORECASE,
)
_LONGEST_ID: Final = 3


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Words and where they stand.

    Attributes:
        start: Place of the first character.
        end: Place after the last.
        words: What stands there.
    """

    start: int
    end: int
    words: str


def sentence_spans(text: str) -> list[Span]:
    """Give the sentences of a text with their places.

    Example:
        >>> sentence_spans("He has fever. Why?")[1]
        Span(start=14, end=18, words='Why?')
    """
    spans = []
    place = 0
    for sentence in split_sentences(text):
        start = text.index(sentence, place)
        place = start + len(sentence)
        spans.append(Span(start, place, sentence))
    return spans


def _pattern(text: str) -> str:
    try:
        re.compile(text.replace("{x}", _SLOT), re.IGNORECASE)
    except re.error as error:
        raise wrong("be a regular expression", f'"{text}": {error}') from error
    return text


def _slotted(text: str) -> str:
    if text.count("{x}") != 1:
        raise wrong("have {x} once, where the words claimed stand", f'"{text}"')
    return _pattern(text)


Pattern = Annotated[str, AfterValidator(_pattern)]


Slotted = Annotated[str, AfterValidator(_slotted)]


class _Rules(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Step(_Rules):
    """One step that a whole chain has; see the comments of the file that ships."""

    id: str
    title: str
    place: Annotated[int, Field(ge=1)]
    published: Pattern
    wider: Annotated[list[Pattern], Field(min_length=1)]
    also: list[Pattern] = []
    deniable: bool = False


class Claims(_Rules):
    """How steps conclude, affirm and deny."""

    denied: list[Pattern]
    concludes: list[Pattern]
    affirms: list[Slotted]
    denies: list[Slotted]
    general: list[str]


class ReasoningRules(_Rules):
    """All of the file."""

    version: int
    source: str
    steps: Annotated[list[Step], Field(min_length=1)]
    coherence: Claims

    @model_validator(mode="after")
    def _each_step_once(self) -> "ReasoningRules":
        ids = [step.id for step in self.steps]
        twice = sorted({step for step in ids if ids.count(step) > 1})
        if twice:
            raise wrong("have each step once", f'"{twice[0]}" twice')
        return self


def reasoning_rules() -> ReasoningRules:
    """Read the rules in force: the study's own, or those that ship.

    Raises:
        InvalidInput: The file is not what it should be; each fault named.

    Example:
        >>> [step.id for step in reasoning_rules().steps]
        ['presentation', 'symptoms', 'differential', 'guideline', 'answer']
    """
    return _read(*rule_bytes("reasoning"))


@lru_cache(maxsize=8)
def _read(content: bytes, file: str) -> ReasoningRules:
    return read_toml(ReasoningRules, content, file)


@lru_cache(maxsize=512)
def compiled(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Join patterns: any of them, capitals or not."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


@lru_cache(maxsize=512)
def claiming(pattern: str) -> re.Pattern[str]:
    """Give a pattern whose {x} is a group of that name."""
    return re.compile(pattern.replace("{x}", _SLOT), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FoundStep:
    """One step, and the words by which it was found.

    Attributes:
        step: Its id.
        title: What it is called.
        span: The words that decided; None where it is missing.
    """

    step: str
    title: str
    span: Span | None


def read_steps(chain: str, rules: ReasoningRules, patterns: Patterns) -> list[FoundStep]:
    """Find each step by its first mention.

    Args:
        chain: The chain of reasoning.
        rules: Steps and patterns.
        patterns: The one pattern a step that was published, or our wider ones.

    Example:
        >>> from medassay.metrics.reasoning import reasoning_rules
        >>> found = read_steps("Unconditional love is the answer.", reasoning_rules(), "published")
        >>> [(one.step, one.span.words) for one in found if one.span]
        [('differential', 'condition'), ('answer', 'answer')]
    """
    return [
        FoundStep(step.id, step.title, next(_mentions(chain, step, rules, patterns), None))
        for step in rules.steps
    ]


def _mentions(chain: str, step: Step, rules: ReasoningRules, patterns: Patterns) -> Iterator[Span]:
    """Give every mention of a step, in order; with the published pattern the first alone."""
    if patterns == "published":
        first = compiled((step.published,)).search(chain)
        if first is not None:
            yield Span(first.start(), first.end(), first[0])
        return
    if step.also and compiled(tuple(step.also)).search(chain) is None:
        return
    denied = compiled(tuple(rules.coherence.denied))
    for match in compiled(tuple(step.wider)).finditer(chain):
        near = chain[max(0, match.start() - _NEAR) : match.start()]
        if step.deniable and denied.search(_SENTENCE_END.split(near)[-1]):
            continue
        yield Span(match.start(), match.end(), match[0])


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that does not hold together.

    Attributes:
        kind: `order`, `contradiction`, `choice` (a contradiction with the choice) or `jump`.
        says: What is wrong, in words of ours.
        spans: The words of the chain.
    """

    kind: str
    says: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Coherence:
    """How far a chain holds together; each part 0 to 1, None where there is nothing to judge.

    Attributes:
        order: 1 − steps that are over before one that comes first begins / pairs of steps.
        consistency: 1 / (1 + contradictions).
        support: 1 − conclusions that nothing before them names / conclusions.
        faults: What was found.
    """

    order: float | None
    consistency: float | None
    support: float | None
    faults: tuple[Fault, ...]

    @property
    def value(self) -> float | None:
        """Multiply the parts that can be judged: a fault anywhere lowers it."""
        if self.consistency is None:
            return None
        product = self.consistency
        for part in (self.order, self.support):
            product *= 1.0 if part is None else part
        return product


class _Reach(NamedTuple):
    place: int
    title: str
    first: Span
    last: Span
    begins: int
    over: int


class _Claim(NamedTuple):
    sentence: int
    words: frozenset[str]
    denied: bool
    span: Span


def read_coherence(chain: str, case: Case, choice: str | None, rules: ReasoningRules) -> Coherence:
    """Read order, contradictions and jumps.

    Order: of two steps with different places, the later one is over before the earlier one begins.
    Contradiction: one sentence affirms what another denies, in the same words of content. With the
    choice: the chain says that it chooses another option, or denies the option chosen and never
    affirms it after. Jump: a sentence concludes, and not one word of content of what it concludes
    stands in the question, the narrative or an earlier sentence; an option's letter stands for its
    text.

    Example:
        >>> from medassay.metrics.reasoning import reasoning_rules
        >>> chain = "Pneumonia is ruled out by the film. Therefore the diagnosis is pneumonia."
        >>> found = read_coherence(chain, Case(case="1"), None, reasoning_rules())
        >>> found.consistency, [fault.kind for fault in found.faults]
        (0.5, ['contradiction'])
    """
    sentences = sentence_spans(chain)
    if len(sentences) < _FEWEST:
        return Coherence(None, None, None, ())
    order, misplaced = _order(chain, sentences, rules)
    claims = _claims(sentences, rules)
    against = [*_contradictions(claims), *_with_choice(chain, case, choice, claims)]
    support, jumps = _jumps(sentences, case, rules)
    return Coherence(order, 1 / (1 + len(against)), support, (*misplaced, *against, *jumps))


def _order(
    chain: str, sentences: list[Span], rules: ReasoningRules
) -> tuple[float | None, list[Fault]]:
    starts = [span.start for span in sentences]
    reach: list[_Reach] = []
    for step in rules.steps:
        spans = list(_mentions(chain, step, rules, "wider"))
        if spans:
            first, last = spans[0], spans[-1]
            begins, over = (sum(start <= span.start for start in starts) for span in (first, last))
            reach.append(_Reach(step.place, step.title, first, last, begins, over))
    pairs, faults = 0, []
    for reached, other in combinations(reach, 2):
        if reached.place == other.place:
            continue
        early, late = sorted((reached, other))
        pairs += 1
        if late.over < early.begins:
            says = f"{late.title} is over before {early.title[0].lower()}{early.title[1:]} begins"
            faults.append(Fault("order", says, (late.last, early.first)))
    return (1 - len(faults) / pairs if pairs else None), faults


def _claims(sentences: list[Span], rules: ReasoningRules) -> list[_Claim]:
    """Find what is denied, and where anything is, what is affirmed."""
    claims = rules.coherence
    denied = [
        c for i, span in enumerate(sentences) for c in _claimed(i, span, rules, claims.denies)
    ]
    if not denied:
        return []  # nothing can contradict
    affirmed = [
        c for i, span in enumerate(sentences) for c in _claimed(i, span, rules, claims.affirms)
    ]
    # What is denied is not affirmed by the same words.
    return [
        *(claim._replace(denied=True) for claim in denied),
        *(
            claim
            for claim in affirmed
            if not any(
                claim.span.start < d.span.end and d.span.start < claim.span.end for d in denied
            )
        ),
    ]


def _claimed(
    at: int, sentence: Span, rules: ReasoningRules, patterns: Sequence[str]
) -> Iterator[_Claim]:
    general = frozenset(rules.coherence.general)
    for pattern in patterns:
        for match in claiming(pattern).finditer(sentence.words):
            words = content_words(match["x"]) - general
            if words:
                start, end = (sentence.start + place for place in match.span())
                yield _Claim(at, words, denied=False, span=Span(start, end, match[0]))


def _contradictions(claims: list[_Claim]) -> list[Fault]:
    faults: dict[tuple[frozenset[str], bool], Fault] = {}
    for claim, other in combinations(claims, 2):
        if (
            claim.sentence == other.sentence
            or claim.denied == other.denied
            or claim.words != other.words
        ):
            continue
        what = " ".join(sorted(claim.words))
        spans = tuple(sorted((claim.span, other.span)))
        faults.setdefault(
            (claim.words, True), Fault("contradiction", f"affirms and denies: {what}", spans)
        )
    return list(faults.values())


def _with_choice(
    chain: str, case: Case, choice: str | None, claims: list[_Claim]
) -> Iterator[Fault]:
    if choice is None or choice not in case.options:
        return
    parsed = parse_choice(chain, case.options)
    if parsed.choice is not None and parsed.choice != choice and _concludes(parsed.said):
        start = chain.rfind(parsed.said)
        span = (Span(start, start + len(parsed.said), parsed.said),) if start >= 0 else ()
        yield Fault("choice", f"the chain chooses {parsed.choice}, the answer {choice}", span)
        return
    if parsed.choice == choice and _concludes(parsed.said):
        return
    chosen = content_words(case.options[choice])
    denied = [claim for claim in claims if claim.words == chosen and claim.denied]
    if denied and not any(
        claim.words == chosen and claim > denied[-1] for claim in claims if not claim.denied
    ):
        yield Fault("choice", f"the chain denies {choice}, which is chosen", (denied[-1].span,))


def _concludes(text: str) -> bool:
    return bool(
        re.search(r"(?i)answer|choice|option|diagnosis|correct|right|therefore|\bso\b", text)
    )


def _jumps(
    sentences: list[Span], case: Case, rules: ReasoningRules
) -> tuple[float | None, list[Fault]]:
    before = content_words(f"{case.prompt or ''} {case.narrative or ''}")
    concludes = compiled(tuple(rules.coherence.concludes))
    conclusions, faults = 0, []
    for sentence in sentences:
        spoken = content_words(sentence.words)
        cue = concludes.search(sentence.words)
        if cue is not None:
            concluded = _concluded(sentence, cue.end(), case, rules)
            if concluded:
                conclusions += 1
                if not concluded & before:
                    what = " ".join(sorted(concluded))
                    faults.append(Fault("jump", f"nothing before names: {what}", (sentence,)))
        before |= spoken
    return (1 - len(faults) / conclusions if conclusions else None), faults


def _concluded(sentence: Span, after: int, case: Case, rules: ReasoningRules) -> frozenset[str]:
    rest = sentence.words[after:]
    general = frozenset(rules.coherence.general)
    if case.options:
        parsed = parse_choice(sentence.words, case.options)
        if parsed.choice is not None:
            return content_words(case.options[parsed.choice]) - general
    letters = {name.casefold() for name in case.options}
    return content_words(rest) - general - letters


@dataclass(frozen=True, slots=True)
class DocumentUse:
    """One retrieved document, and where the chain refers to it.

    Attributes:
        document: Its id.
        by: How: `id`, `rank` (its number in the list), `title` or `overlap`; empty where it is not.
        span: The words of the chain; None where there are none.
    """

    document: str
    by: str
    span: Span | None


def read_references(
    chain: str, retrieved: Sequence[str], documents: Mapping[str, Document], by: By
) -> list[DocumentUse]:
    """Say of each retrieved document whether the chain refers to it.

    By `id`: the id stands in the chain, as a word of its own with a digit or of more than three
    letters; or the document's place in the list does, as in "[2]" or "document 2", where no
    document has that number as its id. By `title`: the title of two words or more, without what
    stands in brackets, capitals and punctuation aside; or a title of one word beside "guideline" or
    the like. By `overlap`: eight words in a row. `any` takes the first of these that holds.
    `published` is the source's rule: the title as it is written, or the first fifty characters.

    Example:
        >>> documents = {"g1": Document(id="g1", title="Asthma Management (Adults)")}
        >>> [found] = read_references("By asthma management, give it.", ["g1"], documents, "any")
        >>> found.by, found.span.words
        ('title', 'asthma management')
    """
    if by == "published":
        return [_published(chain, document, documents.get(document)) for document in retrieved]
    read = _Chain.of(chain)
    ranks = _ranks(chain, retrieved) if by in {"any", "id"} else {}
    references = []
    for place, id_ in enumerate(retrieved, 1):
        known = documents.get(id_)
        how, span = next(_tries(read, ranks.get(place), id_, known, by), ("", None))
        references.append(DocumentUse(id_, how, span))
    return references


class _Chain(NamedTuple):
    """A chain, read once for all documents.

    Attributes:
        text: The chain.
        small: The same in small letters; empty where it is not plain ASCII.
        words: Its words.
        lower: The same, folded.
        places: Where each folded word stands.
        runs: Hashes of the words in a row, each with the place of the first.
    """

    text: str
    small: str
    words: list[re.Match[str]]
    lower: list[str]
    places: dict[str, list[int]]
    runs: dict[int, int]

    @classmethod
    def of(cls, text: str) -> "_Chain":
        words = list(_WORD.finditer(text))
        lower = [word[0].casefold() for word in words]
        places: dict[str, list[int]] = {}
        for place, word in enumerate(lower):
            places.setdefault(word, []).append(place)
        runs = {hash(tuple(lower[i : i + _RUN])): i for i in range(len(lower) - _RUN, -1, -1)}
        return cls(text, text.lower() if text.isascii() else "", words, lower, places, runs)


def _tries(
    chain: _Chain, rank: Span | None, id_: str, document: Document | None, by: By
) -> Iterator[tuple[str, Span]]:
    """Give each way by which the chain refers to a document, and by which words."""
    if by in {"any", "id"} and (span := _by_id(chain, id_)) is not None:
        yield "id", span
    if rank is not None:
        yield "rank", rank
    if by in {"any", "title"} and (span := _by_title(chain, document)) is not None:
        yield "title", span
    if by in {"any", "overlap"} and (span := _by_overlap(chain, document)) is not None:
        yield "overlap", span


def _span(chain: str, start: int, end: int) -> Span:
    return Span(start, end, chain[start:end])


def _published(chain: str, id_: str, document: Document | None) -> DocumentUse:
    for how, words in (
        ("title", (document and document.title) or ""),
        ("overlap", ((document and document.text) or "")[:_OPENING]),
    ):
        start = chain.find(words) if words else -1
        if start >= 0:
            return DocumentUse(id_, how, _span(chain, start, start + len(words)))
    return DocumentUse(id_, "", None)


def _by_id(chain: _Chain, id_: str) -> Span | None:
    if id_.isdigit() or (len(id_) <= _LONGEST_ID and not any(map(str.isdigit, id_))):
        return None  # a bare number is read as a place or an id in brackets, below
    if chain.small and id_.isascii() and id_.lower() not in chain.small:
        return None  # in plain ASCII, capitals are all that a pattern passes over
    match = re.search(rf"(?<![\w-]){re.escape(id_)}(?![\w-])", chain.text, re.IGNORECASE)
    return None if match is None else _span(chain.text, *match.span())


def _ranks(chain: str, retrieved: Sequence[str]) -> dict[int, Span]:
    """Give the places in the list that numbers of the chain mean, ids before places."""
    by_id = {id_: place for place, id_ in enumerate(retrieved, 1) if id_.isdigit()}
    spans: dict[int, Span] = {}
    for match in _RANK.finditer(chain):
        for number in re.findall(r"\d+", match[1] or match[2]):
            place = by_id.get(number) if by_id else int(number)
            if place is not None and 1 <= place <= len(retrieved):
                spans.setdefault(place, _span(chain, *match.span()))
    return spans


def _by_title(chain: _Chain, document: Document | None) -> Span | None:
    wanted = _title_words((document and document.title) or "")
    if not wanted:
        return None
    for i in chain.places.get(wanted[0], ()):
        if tuple(chain.lower[i : i + len(wanted)]) != wanted:
            continue
        if len(wanted) < _FEWEST and not _named_as_document(chain.lower, i):
            continue
        words = chain.words[i : i + len(wanted)]
        return _span(chain.text, words[0].start(), words[-1].end())
    return None


@lru_cache(maxsize=4096)
def _title_words(title: str) -> tuple[str, ...]:
    plain = re.sub(r"\(.*?\)", " ", title)
    return tuple(word.casefold() for word in _WORD.findall(plain))


def _named_as_document(lower: list[str], at: int) -> bool:
    return bool(
        {"guideline", "guidelines", "document", "protocol"} & set(lower[max(0, at - 2) : at + 2])
    )


def _by_overlap(chain: _Chain, document: Document | None) -> Span | None:
    if not chain.runs or document is None or not document.text:
        return None
    shared = _runs_of(document.text).intersection(chain.runs)
    if not shared:
        return None
    start = min(chain.runs[word] for word in shared)
    return _span(chain.text, chain.words[start].start(), chain.words[start + _RUN - 1].end())


@lru_cache(maxsize=256)
def _runs_of(text: str) -> frozenset[int]:
    words = [word.casefold() for word in _WORD.findall(text)]
    return frozenset(hash(tuple(words[i : i + _RUN])) for i in range(len(words) - _RUN + 1))
