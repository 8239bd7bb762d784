"""The texts of the answers that lost most, where both studies let them out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Final

from medassay.analyses import VersionComparison
from medassay.study import Study
from medassay.study.files.kept_back import texts_of
from medassay.validity import Flip, GateResult

__all__ = ["WorstAnswer", "worst_texts"]

_MOST: Final = 5
_LONGEST: Final = 600


@dataclass(frozen=True, slots=True)
class WorstAnswer:
    """One answer that lost by a metric.

    Attributes:
        system: Whose it is.
        case: What it answers.
        metric: By which metric it lost.
        was: Its score before.
        now: Its score now.
        old: Its text before.
        new: Its text now.
    """

    system: str
    case: str
    metric: str
    was: float
    now: float
    old: str
    new: str


def worst_texts(comparison: VersionComparison, old: str, new: str) -> list[WorstAnswer]:
    """Give the five answers that lost most, in turn by each metric, with both texts.

    Args:
        comparison: What was found.
        old: The old version, as it was named.
        new: The new version, as it was named.

    Returns:
        Nothing where a version is a table of scores, or keeps its texts.
    """
    folders = [_folder(side) for side in (old, new)]
    if any(not (folder / "study.toml").is_file() for folder in folders):
        return []
    if any(texts_of(folder) != "full" for folder in folders):
        return []
    before, after = map(_texts, folders)
    worst: dict[tuple[str, str], WorstAnswer] = {}
    for metric, flip in _in_turn(comparison.results):
        texts = [_text(held, flip) for held in (before, after)]
        if (flip.system, flip.case) in worst or None in texts:
            continue
        was, now = (str(text) for text in texts)
        worst[flip.system, flip.case] = WorstAnswer(
            flip.system, flip.case, metric, flip.old, flip.new, was, now
        )
        if len(worst) == _MOST:
            break
    return list(worst.values())


def _folder(side: str) -> Path:
    return Path(side) if Path(side).exists() else Path(side.rpartition(":")[0])


def _in_turn(results: Sequence[GateResult]) -> Iterator[tuple[str, Flip]]:
    """Give the largest loss by each metric, then the second largest: scales differ."""
    lost = [
        [(result.metric, flip) for flip in result.flips if flip.change < 0] for result in results
    ]
    for row in zip_longest(*lost):
        yield from filter(None, row)


def _texts(folder: Path) -> dict[tuple[str, str], str]:
    answers = Study.open_whole(folder).answers
    return {(one.system, one.case): one.text for one in answers if one.text is not None}


def _text(texts: dict[tuple[str, str], str], flip: Flip) -> str | None:
    """Give a text; systems of two names are paired under both, as in "a to b"."""
    names = {system for system, _ in texts}
    name = flip.system if flip.system in names else next(iter(names)) if len(names) == 1 else ""
    if not name:
        parts = flip.system.split(" to ")
        name = next((part for part in parts if part in names), "")
    text = texts.get((name, flip.case))
    return text if text is None or len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()} ..."
