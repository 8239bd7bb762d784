"""What a format's functions may ask for by the types of what stands before the star."""

from collections.abc import Sequence
from pathlib import Path
from types import UnionType
from typing import Any, Final, get_args, get_origin

from medassay.analyses.results import Results
from medassay.exchange.declaration import Format, asks
from medassay.judgements.campaign import Secret
from medassay.study import Scored, Study

__all__ = ["GIVEN", "lacking", "wants"]

GIVEN: Final = {
    Study: "the study, open",
    Scored: "its scores: the verb then has --metrics, --only and --offline",
    Results: "the results of its run, which is made where there is none: the verb has --offline",
    Secret: "randomness for codes: nobody else writes into the study meanwhile",
}
"""What an export may ask for, beside the place that it writes to."""


def wants(give: Any, kind: type) -> bool:  # noqa: ANN401 - a function of any parameters
    """Say whether an export asks for one of these."""
    return kind in asks(give).values()


def lacking(file_format: Format) -> str:
    """Say what a format asks for that there is not; nothing where all is there."""
    if file_format.reads is not None:
        asked = list(asks(file_format.reads.take).values())
        fits = len(asked) == len(("into", "files"))
        if not fits or asked[0] not in {Study, Path} or not _are_files(asked[1]):
            return "take must ask for a Study or a Path, then for a Sequence[Path]"
    if file_format.writes is not None:
        *kinds, into = asks(file_format.writes.give).values()
        if into is not Path and not _may_be_left(into):
            return "give must ask last for the Path that --into names"
        strange = [str(kind) for kind in kinds if kind not in GIVEN]
        if strange:
            names = ", ".join(kind.__name__ for kind in GIVEN)
            return f"give may ask for {names}; not for {', '.join(strange)}"
    return ""


def _are_files(kind: Any) -> bool:  # noqa: ANN401 - a type of any kind
    return get_origin(kind) in {Sequence, list, tuple} and get_args(kind)[:1] == (Path,)


def _may_be_left(kind: Any) -> bool:  # noqa: ANN401 - a type of any kind
    return isinstance(kind, UnionType) and set(get_args(kind)) == {Path, type(None)}
