"""What metrics of sentence embeddings share: the choice of model, and the cosine."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.metrics.parameter import Parameter
from medassay.models.encoders import EMBEDDED, encoder_facts

__all__ = ["BLIND_SPOTS", "COST", "MODEL", "cosine", "sentence_backend"]

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
