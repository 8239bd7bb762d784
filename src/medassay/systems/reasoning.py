"""Reasoning over options: how a choice is come to from passages, step by step.

What enters: a case with options, a retriever, and what weighs options (a model that is asked, or
the evidence alone). What leaves: an answer with choice, confidence, chain and the documents read.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum
from typing import Final, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from medassay.answers import Answer, Retrieved, Statement, parse_choice
from medassay.cases import Case
from medassay.errors import UnknownName
from medassay.models.encoders import sentence_vectors
from medassay.systems.corpus import Passage
from medassay.systems.dialogue import Dialogue, Prompt, PromptFile
from medassay.systems.retrieval import Hit, Retriever
from medassay.text import content_terms, split_sentences

_KEPT: Final = 2
_SURE: Final = 0.75
_Step = Literal["presentation", "findings", "differential", "guideline"]
"""The steps of clinical reasoning before the answer."""
_SHARE: Final = r"^\W*\(?{letter}\)?\W{{0,4}}[:=]\W*(\d+(?:\.\d+)?)\s*%"
_PURPOSE: Final = "weighing options by meaning"
_MARKS: Final = "*-#• "
_BEST_LINES: Final = 5
_SHOWN_FINDINGS: Final = 6
_LONGEST_QUOTE: Final = 200
_LISTED: Final = 10
"""Documents that an answer lists as retrieved."""


@dataclass(frozen=True, slots=True)
class PassagesFound:
    """What was found for a query.

    Attributes:
        hits: Documents by rank.
        passages: The passages that are weighed: the best ones, or all of the first document.
    """

    hits: Sequence[Hit]
    passages: Sequence[Passage]


@dataclass(frozen=True, slots=True)
class Weighing:
    """How much speaks for each option.

    Attributes:
        chosen: The option that most speaks for; None where none was told.
        shares: Option to the share of all that speaks for it, together 1; empty where a model told
            none, and then there is no confidence.
        says: What speaks for the choice, in words.
        documents: The documents that were read, the one that decided first.
    """

    chosen: str | None
    shares: Mapping[str, float]
    says: str
    documents: tuple[str, ...]

    @property
    def confidence(self) -> float | None:
        """Give the share of the option chosen; None where it is not known."""
        return self.shares.get(self.chosen) if self.chosen is not None else None


@dataclass(frozen=True, slots=True)
class Concluded:
    """What a method came to.

    Attributes:
        read: What was found and read.
        chain: The steps, in words.
        weighing: The last weighing of the options.
    """

    read: PassagesFound
    chain: Sequence[str]
    weighing: Weighing


class Weigher(Protocol):
    """Weighs options, and says a step of a chain of reasoning in words."""

    @property
    def reads(self) -> int | None:
        """Give how many passages it reads at once; None for all of the first document."""

    def weigh(
        self, case: Case, letters: Sequence[str], passages: Sequence[Passage]
    ) -> Dialogue[Weighing]:
        """Weigh some options of a case against passages."""

    def step(
        self, case: Case, step: _Step, said: Sequence[str], passages: Sequence[Passage]
    ) -> Dialogue[str]:
        """Say one step after those already said."""


Reasons = Callable[[Case, Retriever, Weigher], Dialogue[Concluded]]


@dataclass(frozen=True, slots=True)
class Method:
    """A way of reasoning over the options of a question.

    Attributes:
        name: What a study calls it by.
        says: What it does, in a sentence.
        reasons: From a case, a retriever and a weigher to what it concludes.
    """

    name: str
    says: str
    reasons: Reasons


_KNOWN: Final[dict[str, Method]] = {}


def _method(name: str, *, says: str) -> Callable[[Reasons], Reasons]:
    """Declare a method: its name, and what it does."""

    def declare(reasons: Reasons) -> Reasons:
        _KNOWN[name] = Method(name, says, reasons)
        return reasons

    return declare


def methods() -> tuple[Method, ...]:
    """List the methods by name.

    Example:
        >>> [one.name for one in methods()]
        ['chain', 'hybrid', 'structured', 'tree']
    """
    return tuple(_KNOWN[name] for name in sorted(_KNOWN))


def find_method(name: str) -> Method:
    """Find a method by its name.

    Raises:
        UnknownName: There is none.
    """
    known = {declared.name: declared for declared in methods()}
    if name not in known:
        raise UnknownName("method of reasoning", name, list(known))
    return known[name]


def answer_of(
    case: Case, system: str, chosen: Method, retriever: Retriever, weigher: Weigher
) -> Dialogue[Answer]:
    """Let a method answer a case: choice, confidence, chain, and the documents by rank.

    Example:
        >>> from medassay.cases import Document
        >>> from medassay.systems import cut_passages
        >>> from medassay.systems.dialogue import converse
        >>> passages = cut_passages([Document(id="g1", text="Rest and fluids help in a cold.")])
        >>> case = Case(case="1", question="What helps?", options={"A": "Rest", "B": "Surgery"})
        >>> retriever, weigher = Retriever(passages, "tfidf"), _Fixed()
        >>> answer = converse(answer_of(case, "s", find_method("chain"), retriever, weigher))
        >>> answer.choice, answer.confidence, answer.text
        ('A', 0.75, 'The answer is (A) Rest.')
    """
    concluded = yield from chosen.reasons(case, retriever, weigher)
    weighing = concluded.weighing
    text = "No option could be told from the others."
    if weighing.chosen is not None:
        text = f"The answer is ({weighing.chosen}) {case.options[weighing.chosen]}."
    return Answer(
        system=system,
        case=case.case,
        statements=(Statement(text=text, citations=weighing.documents[:1]),),
        retrieved=tuple(Retrieved(hit.document, hit.score) for hit in concluded.read.hits),
        reasoning="\n".join([*concluded.chain, f"Therefore: {text}"]),
        choice=weighing.chosen,
        confidence=None if weighing.confidence is None else round(weighing.confidence, 6),
    )


class _Fixed:
    """A weigher for examples: three quarters speak for the first option."""

    reads: int | None = None

    def weigh(self, case: Case, letters: Sequence[str], passages: object) -> Dialogue[Weighing]:
        del case, passages
        return Weighing(letters[0], {letters[0]: 0.75}, "It says so.", ("g1",))
        yield

    def step(self, case: Case, step: str, said: object, passages: object) -> Dialogue[str]:
        del case, said, passages
        return step
        yield


@_method("chain", says="Searches once by question and options, and weighs all options in one go.")
def chain(case: Case, retriever: Retriever, weigher: Weigher) -> Dialogue[Concluded]:
    """Search, weigh all options together, choose."""
    read = _read_for(query_of(case), retriever, weigher.reads)
    weighing = yield from weigher.weigh(case, list(case.options), read.passages)
    return Concluded(read, [weighing.says], weighing)


@_method(
    "tree",
    says="Searches for each option by itself, keeps the two that their own passages speak for most,"
    " and weighs these two by the passages of both.",
)
def tree(case: Case, retriever: Retriever, weigher: Weigher) -> Dialogue[Concluded]:
    """Branch, score, prune to two, weigh these two."""
    letters = list(case.options)
    branches: dict[str, PassagesFound] = {}
    scores: dict[str, float] = {}
    chain = [f"Each of {len(letters)} options is followed by what its own words find."]
    for letter in letters:
        branches[letter] = _read_for(query_of(case, [letter]), retriever, weigher.reads)
        scored = yield from weigher.weigh(case, letters, branches[letter].passages)
        scores[letter] = scored.shares.get(letter, float(scored.chosen == letter))
        chain.append(f"Branch ({letter}) {case.options[letter]}: {scores[letter]:.2f}.")
    best = sorted(sorted(letters, key=lambda letter: (-scores[letter], letter))[:_KEPT])
    chain.append(f"Kept: {', '.join(best)}; the others are less likely.")
    passages = list(dict.fromkeys(p for letter in best for p in branches[letter].passages))
    weighing = yield from weigher.weigh(case, best, passages)
    return Concluded(
        _read_for(query_of(case), retriever, weigher.reads), [*chain, weighing.says], weighing
    )


@_method(
    "structured",
    says="Says presentation, findings, differential and guideline one by one, searches again by the"
    " findings, and weighs the options last.",
)
def structured(case: Case, retriever: Retriever, weigher: Weigher) -> Dialogue[Concluded]:
    """Say four steps, the guideline by what was found in the second, then weigh."""
    read = _read_for(query_of(case), retriever, weigher.reads)
    sayings: list[str] = []
    for step in get_args(_Step):
        if step == "guideline":
            # The findings say more about the disease than the story around them does.
            read = _read_for(f"{query_of(case)} {sayings[-2]}", retriever, weigher.reads)
        sayings.append((yield from weigher.step(case, step, sayings, read.passages)))
    weighing = yield from weigher.weigh(case, list(case.options), read.passages)
    return Concluded(read, [*sayings, weighing.says], weighing)


@_method(
    "hybrid", says="Takes the chain's answer where its confidence is 0.75 or more, else a tree's."
)
def hybrid(case: Case, retriever: Retriever, weigher: Weigher) -> Dialogue[Concluded]:
    """Escalate where the chain is not sure; a choice without confidence is not sure."""
    first = yield from chain(case, retriever, weigher)
    confidence = first.weighing.confidence
    if confidence is not None and confidence >= _SURE:
        return first
    second = yield from tree(case, retriever, weigher)
    sureness = "no confidence" if confidence is None else f"confidence {confidence:.2f}"
    chain_of_both = [
        *first.chain,
        f"With {sureness}, under {_SURE:g}, options are followed one by one.",
    ]
    return Concluded(second.read, [*chain_of_both, *second.chain], second.weighing)


def query_of(case: Case, letters: Sequence[str] | None = None) -> str:
    """Give what a question is searched by: its words and its options', or some options'."""
    options = case.options if letters is None else {key: case.options[key] for key in letters}
    return " ".join([case.question or "", *options.values()])


def _read_for(query: str, retriever: Retriever, reads: int | None) -> PassagesFound:
    """Search, and take what is read: so many passages, or the whole first document."""
    hits = retriever.rank(query, _LISTED)
    if reads is None:
        first = hits[0].document if hits else None
        return PassagesFound(hits, [p for p in retriever.passages if p.document == first])
    scores = retriever.scores(query)
    best = [
        place for place in np.argsort(-scores, kind="stable")[:reads] if scores[place] > -np.inf
    ]
    return PassagesFound(hits, [retriever.passages[place] for place in best])


_LEAST, _MOST = 90, 110


class ModelWeigher:
    """Asks a model for each option's probability, and for the steps of a chain.

    Args:
        prompts: What is asked: `weigh` and one prompt a step.
        reads: How many passages a prompt shows.
    """

    def __init__(self, prompts: PromptFile, reads: int = 5) -> None:
        self._prompts = prompts
        self.reads: int | None = reads

    def weigh(
        self, case: Case, letters: Sequence[str], passages: Sequence[Passage]
    ) -> Dialogue[Weighing]:
        """Ask for the probability of each option; what cannot be read is no confidence."""
        options = {letter: case.options[letter] for letter in letters}
        reply = yield self._prompt("weigh", case, options, (), passages)
        shares = shares_in(reply, letters)
        chosen = parse_choice(reply, options).choice
        if shares:
            chosen = min(letters, key=lambda letter: (-shares[letter], letter))
        documents = tuple(dict.fromkeys(passage.document for passage in passages))
        return Weighing(chosen, shares, reply.strip() or "The model said nothing.", documents)

    def step(
        self, case: Case, step: _Step, said: Sequence[str], passages: Sequence[Passage]
    ) -> Dialogue[str]:
        """Ask for one step, with what was said before it."""
        reply = yield self._prompt(step, case, case.options, said, passages)
        return f"{step.capitalize()}: {reply.strip() or 'the model said nothing.'}"

    def _prompt(
        self,
        name: str,
        case: Case,
        options: Mapping[str, str],
        said: Sequence[str],
        passages: Sequence[Passage],
    ) -> Prompt:
        fields = {
            "passages": "\n\n".join(f"[{p.document}] {p.searched}" for p in passages) or "none",
            "question": case.question or "",
            "options": "\n".join(f"{letter}. {text}" for letter, text in options.items()),
            "said": "\n".join(said) or "nothing yet",
        }
        return self._prompts.asked(name, fields)


def shares_in(text: str, letters: Sequence[str]) -> dict[str, float]:
    r"""Read a probability for each option, such as `A: 70%`; none unless all are there and sum up.

    Example:
        >>> shares_in("A: 75%\nB: 25%", ["A", "B"])
        {'A': 0.75, 'B': 0.25}
        >>> shares_in("A: 75%\nB: 75%", ["A", "B"])
        {}
    """
    by_letter = {
        letter: re.findall(_SHARE.format(letter=re.escape(letter)), text, re.MULTILINE)
        for letter in letters
    }
    if not all(by_letter.values()):
        return {}
    # A model that corrects itself means what it says last.
    percents = {letter: float(values[-1]) for letter, values in by_letter.items()}
    whole = fsum(percents.values())
    if not _LEAST <= whole <= _MOST:
        return {}
    return {letter: percent / whole for letter, percent in percents.items()}


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each of two readings of the evidence counts, and how sure a lead makes.

    Tuned on 50 named questions of the clinical set, and on nothing else
    (`python -m tools.tune_evidence`, design/models.md).

    Attributes:
        alone: The cosine of the option with the nearest line.
        together: The mean cosine of what is asked and the option together with the five nearest
            lines.
        sureness: What a lead of one standard deviation is multiplied by before it becomes a share.
    """

    alone: float = 0.5
    together: float = 1.0
    sureness: float = 0.2


class EvidenceWeigher:
    """Weighs options by the lines of passages, without a model that reasons.

    Args:
        corpus: All passages, which say how rare a word is.
        weights: How much each reading counts.
        model: The sentence encoder.

    Raises:
        MissingBackend: The encoder is not installed.
    """

    def __init__(
        self, corpus: Sequence[Passage], weights: Weights | None = None, model: str = "minilm"
    ) -> None:
        self._weights = weights or Weights()
        self._model = model
        self._having = Counter(term for p in corpus for term in set(content_terms(p.searched)))

    @property
    def reads(self) -> int | None:
        """Read all of the first document: what was tuned."""
        return None

    def weigh(
        self, case: Case, letters: Sequence[str], passages: Sequence[Passage]
    ) -> Dialogue[Weighing]:
        """Weigh options: each reading is brought to mean 0 and deviation 1 over the options."""
        return self._weighed(case, letters, passages)
        yield  # a dialogue that asks nobody

    def _weighed(self, case: Case, letters: Sequence[str], passages: Sequence[Passage]) -> Weighing:
        lines = _lines(passages)
        options = [case.options[letter] for letter in letters]
        if not lines or not options:
            return Weighing(None, {}, "No passage was found to weigh the options by.", ())
        weights = np.asarray([self._weights.alone, self._weights.together])
        total = _standardised(self.readings(case, options, lines)) @ weights
        shares = dict(zip(letters, _shares(total, self._weights.sureness), strict=True))
        chosen = min(letters, key=lambda letter: (-shares[letter], letter))
        nearest = self._near(case, [case.options[chosen]], lines)[0].argmax()
        line, document = lines[int(nearest)]
        read = dict.fromkeys([document, *(passage.document for passage in passages)])
        says = f'For ({chosen}) {case.options[chosen]} {document} says: "{_cut(line)}"'
        return Weighing(chosen, shares, says, tuple(read))

    def readings(
        self, case: Case, options: Sequence[str], lines: Sequence[tuple[str, str]]
    ) -> NDArray[np.float64]:
        """Give the two readings of each option, shape (options, 2)."""
        line_vectors = self._vectors([line for line, _ in lines])
        alone = (self._vectors(options) @ line_vectors.T).max(axis=1)
        nearest = np.sort(self._near(case, options, lines), axis=1)[:, -_BEST_LINES:]
        return np.column_stack([alone, nearest.mean(axis=1)])

    def _near(
        self, case: Case, options: Sequence[str], lines: Sequence[tuple[str, str]]
    ) -> NDArray[np.float64]:
        """Give the cosine of what is asked and each option together with each line."""
        together = self._vectors([f"{_asked(case)} {option}" for option in options])
        near: NDArray[np.float64] = together @ self._vectors([line for line, _ in lines]).T
        return near

    def step(
        self, case: Case, step: _Step, said: Sequence[str], passages: Sequence[Passage]
    ) -> Dialogue[str]:
        """Say a step in words that stand in the question, the options or the passages."""
        del said  # what was said before changes nothing that stands there
        return self._steps(case, passages)[step]
        yield  # a dialogue that asks nobody

    def _steps(self, case: Case, passages: Sequence[Passage]) -> Mapping[_Step, str]:
        asked = sorted(set(content_terms(case.question or "")), key=lambda t: (self._having[t], t))
        read = frozenset(term for p in passages for term in content_terms(p.searched))
        shared = [term for term in asked if term in read][:_SHOWN_FINDINGS]
        first = passages[0] if passages else None
        opening = split_sentences(case.question or "") or [""]
        return {
            "presentation": f"Clinical presentation: {opening[0]}",
            "findings": f"Findings that the passages have too: {', '.join(shared) or 'none'}.",
            "differential": f"Differential: {'; '.join(case.options.values())}.",
            "guideline": f"Guideline read first: {first.title or first.document}"
            f" ({first.document})."
            if first
            else "No guideline was found.",
        }

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Give the vector of each text, all asked for at once; 0 where the model sees nothing."""
        vectors = sentence_vectors(self._model, texts, purpose=_PURPOSE)
        width = next((len(vector) for vector in vectors if vector is not None), 1)
        return np.vstack([np.zeros(width) if vector is None else vector for vector in vectors])


def _lines(passages: Sequence[Passage]) -> list[tuple[str, str]]:
    """Give the sentences of passages, once each, with their document."""
    lines: dict[tuple[str, str], None] = {}
    for passage in passages:
        for sentence in split_sentences(passage.text):
            line = sentence.strip(_MARKS)
            if re.search(r"\w", line):
                lines[line, passage.document] = None
    return list(lines)


def _asked(case: Case) -> str:
    """Give the question's last sentence: what is asked, after the story."""
    sentences = split_sentences(case.question or "")
    return sentences[-1] if sentences else ""


def _standardised(table: NDArray[np.float64]) -> NDArray[np.float64]:
    spread = table.std(axis=0)
    centred: NDArray[np.float64] = table - table.mean(axis=0)
    spread[spread == 0] = 1.0  # a reading that is the same for all options tells none apart
    standardised: NDArray[np.float64] = centred / spread
    return standardised


def _shares(total: NDArray[np.float64], sureness: float) -> list[float]:
    # Rounded: the last digits of a sum must not decide a choice.
    powers = [exp(sureness * round(float(value - total.max()), 9)) for value in total]
    return [power / fsum(powers) for power in powers]


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST_QUOTE else f"{line[: _LONGEST_QUOTE - 1].rstrip()}…"
