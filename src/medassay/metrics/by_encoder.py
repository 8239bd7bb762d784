"""What metrics by an encoder share: sentences' likeness, what is read, cautions of language."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.errors import MissingBackend
from medassay.metrics.needs import answer_text, references
from medassay.metrics.parameter import Parameter
from medassay.metrics.reads import Reads
from medassay.metrics.registry import Pair
from medassay.models import ResultCache, find_model, model_setup, result_cache
from medassay.models.encoders import EMBEDDED, WINDOW, Pieces, encoder_facts, load_encoder, windows
from medassay.models.language import looks_english
from medassay.text import main_script

__all__ = [
    "BLIND_SPOTS",
    "COST",
    "MODEL",
    "WINDOWS",
    "cautions_for_english",
    "cosine",
    "count_windows",
    "language_of",
    "pieces_known",
    "sentence_backend",
]

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
            (case.asked or "",)
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
