"""Encoders: a text becomes word pieces, and each piece a vector that knows its neighbours.

What enters: the name of a model and a text. What leaves: `Pieces` (windows of the text as the model
reads it, with what was cut and what it does not know) and their states, float32, shape (pieces,
width). The embedded encoder `minilm` needs no download; any other is a folder or a hub id.
"""

from medassay.models.encoders.encoder import Encoder, Pieces, pieces_held, states_of_texts, windows
from medassay.models.encoders.load import (
    EMBEDDED,
    WINDOW,
    encoder_facts,
    load_encoder,
    sentence_vectors,
)

__all__ = [
    "EMBEDDED",
    "WINDOW",
    "Encoder",
    "Pieces",
    "encoder_facts",
    "load_encoder",
    "pieces_held",
    "sentence_vectors",
    "states_of_texts",
    "windows",
]
