"""One vector for a text: the mean of its states."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.models.cache import ResultCache, result_cache
from medassay.models.encoders.load import encoder_facts, load_encoder
from medassay.models.encoders.windows import windows

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
    found = cache.get(unique)
    made = {key: _vector(name, text, purpose) for key, text in unique.items() if key not in found}
    cache.keep(made)
    found |= made
    vectors = {
        key: np.frombuffer(content, dtype=np.float64) if content else None
        for key, content in found.items()
    }
    return [vectors[ResultCache.key(text)] for text in texts]


def _vector(name: str, text: str, purpose: str) -> bytes:
    encoder = load_encoder(name, purpose=purpose)
    pieces = encoder.pieces(text)
    if not pieces.length:
        return b""
    parts = windows(pieces, min(WINDOW, encoder.longest))
    states = np.concatenate([encoder.states(part.ids) for part in parts])
    mean = states.mean(axis=0, dtype=np.float64)
    return bytes((mean / np.linalg.norm(mean)).tobytes())
