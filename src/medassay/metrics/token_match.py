"""What metrics by an encoder share: likeness of sentences, and tokens matched greedily."""

import math
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from medassay.errors import MissingBackend
from medassay.metrics.declaration import Parameter, Reads, answer_text, references
from medassay.metrics.registry import Pair
from medassay.models import ResultCache, find_model, model_setup, result_cache
from medassay.models.encoders import (
    EMBEDDED,
    WINDOW,
    Encoder,
    Pieces,
    encoder_facts,
    load_encoder,
    pieces_held,
    states_of_texts,
    windows,
)
from medassay.models.files import unit_vectors_in
from medassay.models.find import looks_english
from medassay.scores import Reason, Score, Unscored
from medassay.text import main_script

MODEL: Final = Parameter(
    name="model",
    says=f"The encoder: the embedded one ({EMBEDDED}), a hub id, or a word of [models.folders] in"
    " study.toml.",
    kind="text",
    values=(EMBEDDED,),
    default=EMBEDDED,
)
COST: Final = (
    "a pass through the encoder for each text, shared by all metrics that read it: with the"
    " embedded one about 30 texts of 100 words a second on one processor core, 300 MB"
)
BLIND_SPOTS: Final = (
    (
        "Negation and contradiction: a sentence and its contradiction are about the same thing,"
        " and come nearer to each other than paraphrases do."
    ),
    "Single facts: a wrong dose or drug in a long answer hardly moves its mean.",
    "Languages other than English, with the embedded model.",
)
WINDOWS: Final = ("answer_windows", "reference_windows")
"""Parts of a score: windows of the answer, and of the longest text that it is compared with."""
_ENGLISH: Final = frozenset({"en", "english"})
# Models that metrics name themselves: a folder of theirs may come without its card.
_KNOWN: Final = dict.fromkeys(
    (EMBEDDED, "distilbert-base-uncased", "roberta-base", "roberta-large"), "en"
)


def sentence_backend(purpose: str) -> Callable[[Mapping[str, str]], Mapping[str, str]]:
    """Make what a declaration's `backend` asks for: finds the model that `model=` names."""

    def find(arguments: Mapping[str, str]) -> Mapping[str, str]:
        return encoder_facts(arguments["model"], purpose=purpose)

    return find


def cosine(first: NDArray[np.float64] | None, two: NDArray[np.float64] | None) -> float | None:
    """Give the cosine of two unit vectors; None where one text had none.

    Example:
        >>> cosine(np.array([1.0, 0.0]), np.array([0.6, 0.8])), cosine(None, np.array([1.0]))
        (0.6, None)
    """
    if first is None or two is None:
        return None
    return float(np.clip(first @ two, -1, 1))


def pieces_known(
    model_of: Callable[[Mapping[str, str]], tuple[str, int | None]], purpose: str
) -> Reads:
    """Declare that an encoder reads what it has pieces for: unknown ones are all alike to it.

    Args:
        model_of: Gives the encoder's name and layer.
        purpose: What needs the encoder, for the message where it is missing.
    """

    def share(text: str, arguments: Mapping[str, str]) -> float:
        if text.isascii():
            return 1.0
        encoder = load_encoder(*model_of(arguments), purpose=purpose)
        count, known = 0, 0.0
        for word, times in Counter(text.split()).items():
            letters = times * sum(map(str.isalpha, word))
            # A word of a script without blanks is a whole sentence, and may be one unknown piece.
            known += letters * _known(encoder.pieces(word)) if letters else 0
            count += letters
        return known / count if count else 1.0

    return Reads(
        what="letters that its model knows",
        share=share,
        of_case=lambda case, _, arguments: (
            (case.prompt or "",)
            if arguments["ref"] == "question"
            else references(case, arguments["ref"])
        ),
        of_answer=answer_text,
    )


def _known(pieces: Pieces) -> float:
    return 1 - pieces.unknown / pieces.length if pieces.length else 0.0


def count_windows(model: str, texts: Sequence[str], *, purpose: str) -> list[int]:
    """Count the windows of each text, as sentence vectors and token matches read them.

    Args:
        model: The encoder's name.
        texts: The texts, as they are given to it.
        purpose: What needs it, for the message where it is missing.

    Raises:
        MissingBackend: The model is not on this machine.
    """
    facts = {**encoder_facts(model, purpose=purpose), "window": str(WINDOW)}
    cache = result_cache("windows", facts, reveals_text=False)
    keys = {text: ResultCache.key(text) for text in texts}
    contents = cache.get(keys.values(), lambda _, content: content.isdigit())
    made = {
        key: str(_count(model, text, purpose)).encode()
        for text, key in keys.items()
        if key not in contents
    }
    cache.keep(made)
    contents |= made
    return [int(contents[keys[text]]) for text in texts]


def _count(model: str, text: str, purpose: str) -> int:
    encoder = load_encoder(model, purpose=purpose)
    return len(windows(encoder.pieces(text), min(WINDOW, encoder.longest)))


def cautions_for_english(
    model_of: Callable[[Mapping[str, str]], str],
) -> Callable[[Sequence[Pair], Mapping[str, str]], list[str]]:
    """Make a declaration's `cautions`: how many answers an English model can hardly read."""

    def cautions(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[str]:
        if language_of(model_of(arguments)) not in _ENGLISH:
            return []
        texts = [answer.text or "" for _, answer in pairs]
        scripts = Counter(main_script(text) for text in texts if not looks_english(text))
        if not scripts:
            return []
        named = ", ".join(f"{n} in {s} script" for s, n in sorted(scripts.items(), key=str))
        count = scripts.total()
        verb = "does" if count == 1 else "do"
        words = (
            f"the model reads English, and {count} of {len(pairs)} answers {verb} not look like it"
            f" ({named}); their scores say little."
        )
        return [words]

    return cautions


def language_of(model: str) -> str:
    """Give the one language a model card names; empty where it names none or several.

    Example:
        >>> language_of("minilm")
        'en'
    """
    if not model or model in model_setup().given:
        return ""
    if model in _KNOWN:
        return _KNOWN[model]
    try:
        path = find_model(model, "its card").path
    except MissingBackend:
        return ""
    return _in_card((path if path.is_dir() else path.parent) / "README.md")


def _in_card(path: Path) -> str:
    if not path.is_file():
        return ""
    head = path.read_text(encoding="utf-8", errors="replace").split("---")
    if len(head) < 3:  # noqa: PLR2004 - before, between and behind the two lines of dashes
        return ""
    lines = head[1].splitlines()
    for place, line in enumerate(lines):
        key, _, value = line.partition(":")
        if key.strip() != "language":
            continue
        listed = [x.strip("- ") for x in lines[place + 1 :] if x.startswith("- ")]
        several = value.strip() or (listed[0] if len(listed) == 1 else "")
        return several.strip("[]'\" ").lower()
    return ""


_FORM: Final = struct.Struct("<5d?")
_ROUNDING: Final = 1e-3  # of cosines in single precision
CUT: Final = ("answer_pieces_cut", "reference_pieces_cut")
"""Parts of a score: pieces that were not read, of the answer and of the reference that counts."""
NO_PIECE: Final = "no piece of text that the model reads"


class Matched(NamedTuple):
    """Precision, recall and F1."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Match:
    """How an answer matches one reference.

    Attributes:
        matched: Precision, recall and F1, not rescaled; None where a text has no piece.
        answer_cut: Pieces of the answer that were not read.
        reference_cut: Pieces of the reference that were not read.
    """

    matched: Matched | None
    answer_cut: int
    reference_cut: int


@dataclass(frozen=True)
class _Encoded:
    states: NDArray[np.float32]
    weights: tuple[float, ...]
    cut: int


@dataclass(frozen=True)
class TokenMatcher:
    """Matches texts by one encoder.

    Attributes:
        facts: What the states depend on: hash of the weights, layer.
        load: Loads the encoder; called only where something is not kept yet.
        window: Pieces in a window; None reads one window as long as the encoder allows, and cuts
            what is behind it.
        weigh: Makes, for the encoder, the function that weighs a piece by its id; all weigh 1 if
            not given.
        weighing: What tells that function from others.
    """

    facts: Mapping[str, str]
    load: Callable[[], Encoder]
    window: int | None = None
    weigh: Callable[[Encoder], Callable[[int], float]] | None = None
    weighing: str = "none"

    @cached_property
    def encoder(self) -> Encoder:
        """Give the encoder, loaded when first used."""
        return self.load()

    @cached_property
    def _kept(self) -> ResultCache:
        return result_cache(
            "token-matches", {**self._read_as, "weighing": self.weighing}, reveals_text=False
        )

    @cached_property
    def _states(self) -> ResultCache:
        return result_cache("token-states", self._read_as, reveals_text=True)

    @property
    def _read_as(self) -> Mapping[str, str]:
        return {**self.facts, "window": str(self.window)}

    def match(
        self, answers: Sequence[str], references: Sequence[Sequence[str]]
    ) -> list[list[Match]]:
        """Match each answer with each of its references.

        References are encoded once and kept; answers are encoded where any of their matches is
        not kept, and let go.
        """
        keys = {
            (answer, text): ResultCache.key(answer, text)
            for answer, texts in zip(answers, references, strict=True)
            for text in texts
        }
        contents = self._kept.get(keys.values(), _can_be)
        stale: dict[str, list[str]] = {}
        for (answer, text), key in keys.items():
            if key not in contents:
                stale.setdefault(text, []).append(answer)
        for part in self._parts(list(stale)):
            made = self._matched({text: stale[text] for text in part}, keys)
            self._kept.keep(made)
            contents |= made
        return [
            [_unpack(contents[keys[answer, text]]) for text in texts]
            for answer, texts in zip(answers, references, strict=True)
        ]

    def _parts(self, references: Sequence[str]) -> Iterator[Sequence[str]]:
        """Cut references into parts whose states can be held together."""
        part: list[str] = []
        pieces, most = 0, pieces_held(self.encoder)
        for text in references:
            part.append(text)
            pieces += sum(len(window.ids) for window in self._read(text)[0])
            if pieces > most:
                yield part
                part, pieces = [], 0
        if part:
            yield part

    def _matched(
        self, answers_of: Mapping[str, Sequence[str]], keys: Mapping[tuple[str, str], str]
    ) -> dict[str, bytes]:
        """Match references with their answers, each answer encoded once and let go."""
        references = self._references(list(answers_of))
        texts_of: dict[str, list[str]] = {}
        for text, answers in answers_of.items():
            for answer in answers:
                texts_of.setdefault(answer, []).append(text)
        made: dict[str, bytes] = {}
        for answer, encoded in self._encoded(list(texts_of)):
            for text in texts_of[answer]:
                made[keys[answer, text]] = _pack(encoded, references[text])
        return made

    def _references(self, texts: Sequence[str]) -> dict[str, _Encoded]:
        key_of = {text: ResultCache.key(text) for text in texts}
        text_of = {key: text for text, key in key_of.items()}

        def sound(key: str, states: bytes) -> bool:
            pieces = sum(len(part.ids) for part in self._read(text_of[key])[0])
            return unit_vectors_in(states, pieces, np.float32)

        held = self._states.get(key_of.values(), sound)
        fresh = dict(self._encoded([text for text in texts if key_of[text] not in held]))
        self._states.keep(
            {key_of[text]: encoded.states.tobytes() for text, encoded in fresh.items()}
        )
        encoded_texts = dict(fresh)
        for text in texts:
            if text not in fresh:
                read, cut = self._read(text)
                weights = self._weights(read)
                states = np.frombuffer(held[key_of[text]], dtype=np.float32)
                encoded_texts[text] = _Encoded(states.reshape(len(weights), -1), weights, cut)
        return encoded_texts

    def _encoded(self, texts: Sequence[str]) -> Iterator[tuple[str, _Encoded]]:
        """Encode texts, in an order that spares padding."""
        read = [self._read(text) for text in texts]
        for i, states in states_of_texts(self.encoder, [parts for parts, _ in read]):
            parts, cut = read[i]
            yield texts[i], _Encoded(_unit_rows(states), self._weights(parts), cut)

    def _read(self, text: str) -> tuple[list[Pieces], int]:
        """Give the windows that are read, and how many pieces are behind them."""
        longest = self.encoder.longest
        parts = windows(self.encoder.pieces(text), min(self.window or longest, longest))
        read = parts if self.window is not None else parts[:1]
        return read, sum(part.length for part in parts[len(read) :])

    def _weights(self, read: Sequence[Pieces]) -> tuple[float, ...]:
        weights: list[float] = []
        for part in read:
            marks = {i for i, mark in zip(part.ids, part.marks, strict=True) if mark}
            weights += [0.0 if i in marks else self._weight(i) for i in part.ids]
        return tuple(weights)

    @cached_property
    def _weight(self) -> Callable[[int], float]:
        return (lambda _: 1.0) if self.weigh is None else self.weigh(self.encoder)


def _pack(answer: _Encoded, reference: _Encoded) -> bytes:
    matched = _greedy_match(answer.states, reference.states, answer.weights, reference.weights)
    return _FORM.pack(*(matched or (0.0, 0.0, 0.0)), answer.cut, reference.cut, matched is not None)


def _can_be(_: str, content: bytes) -> bool:
    """Tell whether a kept content can be a match."""
    if len(content) != _FORM.size:
        return False
    *cosines, answer_cut, reference_cut, _there = _FORM.unpack(content)
    cuts = all(cut >= 0 and float(cut).is_integer() for cut in (answer_cut, reference_cut))
    return cuts and all(abs(cosine) <= 1 + _ROUNDING for cosine in cosines)


def _unpack(content: bytes) -> Match:
    precision, recall, f1, answer_cut, reference_cut, there = _FORM.unpack(content)
    matched = Matched(precision, recall, f1) if there else None
    return Match(matched, int(answer_cut), int(reference_cut))


def match_batch(
    matcher: TokenMatcher, pairs: Sequence[Pair], arguments: Mapping[str, str]
) -> list[list[Match]]:
    """Match every answer of a batch with the references of its case."""
    return matcher.match(
        [answer_text(answer, arguments) for _, answer in pairs],
        [references(case, arguments["ref"]) for case, _ in pairs],
    )


def best_of(
    matches: Sequence[Match],
    part: str,
    scale: Callable[[float], float] = float,
    otherwise: str = NO_PIECE,
) -> Score | Unscored:
    """Give precision, recall or F1 with the reference where it is highest, as bert-score does.

    Args:
        matches: The answer with each of its references.
        part: `precision`, `recall` or `f1`.
        scale: What is done to the value.
        otherwise: Why there is no value where nothing could be matched.
    """
    values = [(getattr(m.matched, part), m) for m in matches if m.matched is not None]
    if not values:
        return Unscored(Reason.UNDEFINED, otherwise)
    value, match = max(values, key=lambda pair: pair[0])
    return Score(scale(value), (float(match.answer_cut), float(match.reference_cut)))


def _unit_rows(states: NDArray[np.float32]) -> NDArray[np.float32]:
    """Bring every row to length 1."""
    lengths = np.linalg.norm(states, axis=1, keepdims=True)
    unit: NDArray[np.float32] = (states / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return unit


def _greedy_match(
    answer: NDArray[np.float32],
    reference: NDArray[np.float32],
    answer_weights: Sequence[float],
    reference_weights: Sequence[float],
) -> Matched | None:
    """Match each piece with the nearest of the other text; None where no piece has a weight.

    Args:
        answer: Unit vectors, shape (pieces, width).
        reference: Unit vectors, shape (pieces, width).
        answer_weights: A weight of 0 or more for each piece.
        reference_weights: A weight of 0 or more for each piece.

    Example:
        >>> e = np.eye(3, dtype=np.float32)
        >>> _greedy_match(e[:2], e[1:], [1, 1], [1, 3])
        Matched(precision=0.5, recall=0.25, f1=0.3333333333333333)
    """
    of_answer = np.asarray(answer_weights, dtype=np.float64)
    of_reference = np.asarray(reference_weights, dtype=np.float64)
    if not of_answer.sum() or not of_reference.sum():
        return None
    # In double precision: in single, which of two texts comes first shows in the eighth digit.
    nearness = np.clip(answer.astype(np.float64) @ reference.T.astype(np.float64), -1, 1)
    precision = min(1.0, float(nearness.max(axis=1) @ of_answer / of_answer.sum()))
    recall = min(1.0, float(nearness.max(axis=0) @ of_reference / of_reference.sum()))
    # Cosines of real texts are far above 0; below it a harmonic mean would mean nothing.
    sensible = precision > 0 and recall > 0
    f1 = 2 * precision * recall / (precision + recall) if sensible else 0.0
    return Matched(precision, recall, f1)


def idf_weights(documents: Iterable[Iterable[int]]) -> tuple[Mapping[int, float], float]:
    """Weigh pieces by how few documents have them: ln((N + 1) / (n + 1)).

    Returns:
        The weight of each piece seen, and that of a piece in no document, ln(N + 1).

    Example:
        >>> weights, unseen = idf_weights([[101, 7, 102], [101, 7, 8, 8, 102], [101, 102]])
        >>> weights[101], round(weights[7], 3), round(weights[8], 3), round(unseen, 3)
        (0.0, 0.288, 0.693, 1.386)
    """
    sets = [set(document) for document in documents]
    counts = Counter(piece for pieces in sets for piece in pieces)
    n = len(sets)
    weights = {piece: math.log((n + 1) / (count + 1)) for piece, count in counts.items()}
    return weights, math.log(n + 1)


def rescaled(value: float, baseline: float) -> float:
    """Put the baseline at 0 and leave 1 where it is.

    Example:
        >>> rescaled(0.75, 0.5)
        0.5
    """
    return (value - baseline) / (1 - baseline)
