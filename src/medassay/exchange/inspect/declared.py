"""Inspect's logs and precomputed scores."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Format, Option, Reads, Writes
from medassay.exchange.glimpse import Glimpse
from medassay.exchange.inspect.exporting import export_inspect
from medassay.exchange.inspect.importing import LogWishes, import_inspect
from medassay.exchange.other_tools.declaring import told
from medassay.exchange.outcome import Outcome
from medassay.study import Scored, Study

__all__ = ["INSPECT"]


def _take(
    study: Study,
    files: Sequence[Path],
    *,
    system: Annotated[
        str | None, Option("What the system is called; as the log's model if not given.")
    ] = None,
    rater: Annotated[
        str | None,
        Option(
            "Scores called after a dimension are labels of this rater: a model, or NAME=person.",
            metavar="NAME[=person]",
        ),
    ] = None,
    name: Annotated[str, Option("What the table of scores is called.")] = "inspect",
) -> Outcome:
    who, _, kind = (rater or "").partition("=")
    if kind not in {"", "model", "person"}:
        must = "say of a rater that it is a model or a person"
        raise InvalidInput(Problem("--rater", must, f'"{rater}"', "For example anna=person."))
    wishes = LogWishes(system, who or None, kind or "model", name)
    return Outcome.of(*import_inspect(study, files, wishes))


def _give(study: Study, scored: Scored, into: Path) -> Outcome:
    return told(export_inspect(study, scored, into))


def _is_one(seen: Glimpse) -> bool:
    if seen.path.suffix == ".eval":
        return True
    if {"eval", "status"} <= seen.first.keys():
        return True
    return {"id", "value"} <= seen.first.keys() or seen.has("id", "value")


INSPECT: Final = Format(
    id="inspect",
    title="Inspect",
    reads=Reads(
        about="Inspect: answers, scores, and ratings whose raters are named.",
        files="Logs (.eval, .json), or files of precomputed scores.",
        is_one=_is_one,
        take=_take,
    ),
    writes=Writes(
        about="Inspect: a log of each system, and files of ratings for precomputed_scores.",
        into="A new folder for the files.",
        metavar="FOLDER",
        give=_give,
    ),
)
