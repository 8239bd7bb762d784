"""A warning where a model reads texts of another language than it was made for."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from medassay.errors import MissingBackend
from medassay.metrics.registry import Pair
from medassay.models import find_model
from medassay.models.encoders import EMBEDDED
from medassay.text import main_script

__all__ = ["cautions_for_english", "language_of"]

_ENGLISH: Final = frozenset({"en", "english"})


def cautions_for_english(
    model_of: Callable[[Mapping[str, str]], str],
) -> Callable[[Sequence[Pair], Mapping[str, str]], list[str]]:
    """Make a declaration's `cautions`: how many answers an English model can hardly read."""

    def cautions(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[str]:
        if language_of(model_of(arguments)) not in _ENGLISH:
            return []
        scripts = Counter(main_script(answer.text or "") for _, answer in pairs)
        other = sorted((s, n) for s, n in scripts.items() if s not in {None, "Latin"})
        if not other:
            return []
        named = ", ".join(f"{count} in {script} script" for script, count in other)
        count = sum(count for _, count in other)
        verb = "is" if count == 1 else "are"
        words = (
            f"the model reads English, and {count} of {len(pairs)} answers {verb} mostly in another"
            f" script ({named}); their scores say little."
        )
        return [words]

    return cautions


def language_of(model: str) -> str:
    """Give the one language a model card names; empty where it names none or several.

    Example:
        >>> language_of("minilm")
        'en'
    """
    if model == EMBEDDED:
        return "en"
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
