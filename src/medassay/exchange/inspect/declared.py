"""Inspect's logs and precomputed scores."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Format, Glimpse, Option, Reads, Writes
from medassay.exchange.inspect.exporting import export_inspect
from medassay.exchange.inspect.importing import LogWishes, import_inspect
from medassay.exchange.inspect.new_study import rows_of_logs
from medassay.exchange.other_tools.declaring import told
from medassay.exchange.outcome import Outcome
from medassay.exchange.tool_rows.making import (
    ImportOptions,
    LabelWords,
    Scale,
    Synthetic,
    make_study,
)
from medassay.study import Scored, Study
from medassay.tables import is_there


def _take(
    into: Path,
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
    scale: Scale = None,
    label: LabelWords = None,
    synthetic: Synthetic = False,
) -> Outcome:
    if not is_there(into / "study.toml"):
        said = ImportOptions(scales=scale or (), labels=label or (), synthetic=synthetic)
        return make_study(into, files, rows_of_logs(files, system or ""), said)
    who, _, kind = (rater or "").partition("=")
    if kind not in {"", "model", "person"}:
        must = "say of a rater that it is a model or a person"
        raise InvalidInput(Problem("--rater", must, f'"{rater}"', "For example anna=person."))
    wishes = LogWishes(system, who or None, kind or "model", name)
    return Outcome.of(*import_inspect(Study.open_whole(into), files, wishes))


def _give(study: Study, scored: Scored, into: Path) -> Outcome:
    return told(export_inspect(study, scored, into))


def _is_one(seen: Glimpse) -> bool:
    if seen.path.suffix == ".eval":
        return True
    if {"eval", "status"} <= seen.first.keys():
        return True
    if seen.path.suffix.lower() not in {".json", ".jsonl"}:
        return False
    if {"traceId", "dataType"} & (seen.first.keys() | seen.names):
        return False  # a score of another tool
    return {"id", "value"} <= seen.first.keys() or seen.has("id", "value")


INSPECT: Final = Format(
    id="inspect",
    title="Inspect",
    reads=Reads(
        about="Inspect: questions, answers, scores, and ratings whose raters are named.",
        files="Logs (.eval, .json), or files of precomputed scores for a study that is there.",
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
