"""One vector for a text: the mean of its states."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.models.cache import ResultCache, result_cache
from medassay.models.encoders.batches import states_of_texts
from medassay.models.encoders.load import encoder_facts, load_encoder
from medassay.models.encoders.windows import windows
from medassay.models.sound import unit_vectors_in

__all__ = ["WINDOW", "sentence_vectors"]

WINDOW: Final = 256
"""Pieces that are read at once: what sentence encoders of this kind were made for."""


def sentence_vectors(
    name: str, texts: Sequence[str], *, purpose: str
) -> list[NDArray[np.float64] | None]:
    """Give the unit vector of each text; None where the model sees no piece of it.

    It is the mean over the states of all pieces, marks included, as sentence-transformers takes it;
    a long text is read in consecutive windows, and the mean is over all of them: nothing is cut.

    Raises:
        MissingBackend: The model is not on this machine.
    """
    facts = {**encoder_facts(name, purpose=purpose), "window": str(WINDOW)}
    cache = result_cache("sentence-vectors", facts, reveals_text=True)
    unique = {ResultCache.key(text): text for text in texts}
    # A text of which the model sees no piece has no vector.
    by_key = cache.get(unique, lambda _, content: not content or unit_vectors_in(content, 1))
    made = _vectors(name, {k: text for k, text in unique.items() if k not in by_key}, purpose)
    cache.keep(made)
    by_key |= made
    vectors = {
        key: np.frombuffer(content, dtype=np.float64) if content else None
        for key, content in by_key.items()
    }
    return [vectors[ResultCache.key(text)] for text in texts]


def _vectors(name: str, texts: Mapping[str, str], purpose: str) -> dict[str, bytes]:
    """Give the vector of each text as bytes, by its key."""
    if not texts:
        return {}
    encoder = load_encoder(name, purpose=purpose)
    longest = min(WINDOW, encoder.longest)
    read, contents = {}, dict.fromkeys(texts, b"")
    for key, text in texts.items():
        pieces = encoder.pieces(text)
        if pieces.length:
            read[key] = windows(pieces, longest)
    keys = list(read)
    for i, states in states_of_texts(encoder, list(read.values())):
        mean = states.mean(axis=0, dtype=np.float64)
        contents[keys[i]] = bytes((mean / np.linalg.norm(mean)).tobytes())
    return contents
