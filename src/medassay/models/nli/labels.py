"""What the classes of an NLI model mean, whatever they are called and in whatever order."""

from collections.abc import Sequence
from typing import Final

from medassay.errors import InvalidInput, Problem

__all__ = ["MEANINGS", "read_labels"]

MEANINGS: Final = ("entailment", "neutral", "contradiction", "other")
"""`other` is the class of a two-class model for all that is not entailment."""

_OPENINGS: Final = {
    "entail": "entailment",
    "support": "entailment",
    "consistent": "entailment",
    "neutral": "neutral",
    "not enough": "neutral",
    "nei": "neutral",
    "contradict": "contradiction",
    "refute": "contradiction",
    "not entail": "other",
    "non entail": "other",
    "unsupport": "other",
    "not support": "other",
    "inconsistent": "other",
    "hallucinat": "other",
}


def read_labels(stated: str, names: Sequence[str], model: str) -> tuple[str, ...]:
    """Give the meaning of each class, in the order of the model's outputs.

    Args:
        stated: `config` to read the model's own names, or meanings between strokes:
            `contradiction/neutral/entailment`, or `other/entailment` for two classes.
        names: What the model's configuration calls its classes; empty where it says nothing.
        model: The model's name, for the message.

    Raises:
        InvalidInput: A class has no known meaning, or there is not one class of entailment, or more
            or fewer meanings are stated than the model has classes.

    Example:
        >>> read_labels("config", ["CONTRADICTION", "Entailment", "neutral"], "m")
        ('contradiction', 'entailment', 'neutral')
        >>> read_labels("other/entailment", ["LABEL_0", "LABEL_1"], "m")
        ('other', 'entailment')
    """
    if stated == "config":
        meanings = tuple(_meaning(name) for name in names)
        got = ", ".join(names) or "no names"
    else:
        meanings = tuple(part.strip().lower() for part in stated.split("/"))
        got = stated
    fits = (
        set(meanings) <= set(MEANINGS)
        and meanings.count("entailment") == 1
        and len(set(meanings)) == len(meanings) > 1
        and (not names or len(names) == len(meanings))
    )
    if not fits:
        many = f" for {len(names)} classes" if names else ""
        must = f"say what each class means: {', '.join(MEANINGS)}, each once{many}"
        try_ = "State them in order, as in labels=contradiction/neutral/entailment."
        raise InvalidInput(Problem(f"model {model}", must, f'"{got}"', try_, None, "labels"))
    return meanings


def _meaning(name: str) -> str:
    plain = name.lower().replace("_", " ").replace("-", " ").strip()
    meanings = [meaning for opening, meaning in _OPENINGS.items() if plain.startswith(opening)]
    return meanings[0] if meanings else ""
