"""Precision, recall and F1 of token states for a batch, each text encoded once."""

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.metrics.arithmetic.bertscore import Matched, greedy_match, unit_rows
from medassay.models import ResultCache, result_cache
from medassay.models.encoders import Encoder, Pieces, pieces_held, states_of_texts, windows
from medassay.models.sound import unit_vectors_in

__all__ = ["Match", "TokenMatcher"]

_FORM: Final = struct.Struct("<5d?")
_ROUNDING: Final = 1e-3  # of cosines in single precision


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
            yield texts[i], _Encoded(unit_rows(states), self._weights(parts), cut)

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
    matched = greedy_match(answer.states, reference.states, answer.weights, reference.weights)
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
