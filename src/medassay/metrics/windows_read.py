"""In how many windows a model reads a text, so that scores of long texts can be counted."""

from collections.abc import Sequence
from typing import Final

from medassay.models import ResultCache, result_cache
from medassay.models.encoders import WINDOW, encoder_facts, load_encoder, windows

__all__ = ["WINDOWS", "count_windows"]

WINDOWS: Final = ("answer_windows", "reference_windows")
"""Parts of a score: windows of the answer, and of the longest text that it is compared with."""


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
