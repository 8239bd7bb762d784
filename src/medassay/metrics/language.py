"""A warning where a model reads texts of another language than it was made for."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from medassay.errors import MissingBackend
from medassay.metrics.registry import Pair
from medassay.models import find_model, model_setup
from medassay.models.encoders import EMBEDDED
from medassay.models.language import looks_english
from medassay.text import main_script

__all__ = ["cautions_for_english", "language_of"]

_ENGLISH: Final = frozenset({"en", "english"})
# Models that metrics name themselves: a folder of theirs may come without its card.
_KNOWN: Final = dict.fromkeys(
    (EMBEDDED, "distilbert-base-uncased", "roberta-base", "roberta-large"), "en"
)


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
