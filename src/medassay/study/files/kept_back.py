"""How much of a study may be told, known without opening it: for messages where that fails."""

import errno
from collections.abc import Iterable
from pathlib import Path
from typing import Final, get_args

from medassay.annotations import Texts
from medassay.study.files.names import STUDY_FILE
from medassay.tables import parse_toml

__all__ = ["keeps_words", "texts_of"]

_LEVELS: Final[tuple[Texts, ...]] = get_args(Texts)


def texts_of(folder: Path) -> Texts:
    """Give the setting of a study; where it cannot be read, the strictest one.

    A folder that is no study keeps nothing: nobody said so.
    """
    path = folder / STUDY_FILE
    try:
        if not path.is_file():
            return "full"
        settings = parse_toml(path.read_text(encoding="utf-8"))
        privacy = settings.get("privacy", {})
        level_set = privacy.get("texts", "full") if isinstance(privacy, dict) else None
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        # What no folder can be called, such as a long text among the arguments, is none either.
        too_long = isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG
        return "full" if too_long else "none"
    return next((level for level in _LEVELS if level == level_set), "none")


def keeps_words(arguments: Iterable[str]) -> bool:
    """Say whether a command names a study that keeps its texts, or is told to keep them."""
    words = list(arguments)
    if any(word in words for word in ("ids", "none", "--texts=ids", "--texts=none")):
        return True
    places = [*words, *(word.rpartition(":")[0] for word in words)]
    places += [word.partition("=")[2] for word in words]
    return any(texts_of(Path(place)) != "full" for place in places if place)
