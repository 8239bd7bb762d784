"""Build the open vocabulary out of its sources, once, and keep it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from medassay.errors import InvalidInput
from medassay.models.concepts.entry import Entry
from medassay.models.concepts.merge import Merged, merge
from medassay.models.concepts.sources import FoundSource
from medassay.models.files import unusable

__all__ = ["RULES", "Progress", "build"]

RULES: Final = 1
"""Raised whenever the same sources give another vocabulary, or a text other concepts."""

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""


def build(sources: Sequence[FoundSource], progress: Progress | None = None) -> Merged:
    """Read every source and put them together; seconds.

    Raises:
        UnusableModel: A source is not what it should be.
    """
    steps = len(sources) + 1

    def read(step: int, found_source: FoundSource) -> Iterator[Entry]:
        if progress is not None:
            progress(f"reading {found_source.source.title}", step, steps)
        try:
            yield from found_source.source.read(found_source.path)
        except InvalidInput as error:
            wrong = error.problems[0]
            raise unusable(found_source.path, wrong.must, wrong.got, wrong.try_) from error

    streams: list[Iterable[Entry]] = [read(i, source) for i, source in enumerate(sources)]
    merged = merge(streams)
    if progress is not None:
        progress("concepts put together", steps, steps)
    return merged
