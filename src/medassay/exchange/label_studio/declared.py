"""Label Studio's exports and tasks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Format, Function, Glimpse, Option, Reads
from medassay.exchange.label_studio.new_study import asks_itself, read_names, rows_of_tasks
from medassay.exchange.label_studio.read import read_label_studio
from medassay.exchange.label_studio.write import label_studio_files
from medassay.exchange.other_tools.export_tasks import AnnotationTool, task_writes
from medassay.exchange.other_tools.import_ratings import check_names, import_ratings
from medassay.exchange.outcome import Outcome
from medassay.exchange.spreadsheet.collected import FallbackNames
from medassay.exchange.spreadsheet.headers import read_header
from medassay.exchange.spreadsheet.importing import import_spreadsheet
from medassay.exchange.spreadsheet.told import told_of
from medassay.exchange.spreadsheet.wishes import Wishes
from medassay.exchange.tool_rows.making import (
    ImportOptions,
    LabelWords,
    Rater,
    Scale,
    Synthetic,
    System,
    make_study,
)
from medassay.exchange.tool_rows.rows import ToolRows
from medassay.study import Study
from medassay.tables import is_there

ColumnWords = Annotated[
    list[str] | None,
    Option("Our OURS is their field THEIRS.", ("--column", "-c"), "OURS=THEIRS"),
]


_FLAT: Final = {"annotation_id": "skip", "created_at": "skip", "updated_at": "skip",
                "lead_time": "skip", "agreement": "skip", "annotator": "rater"}  # fmt: skip
"""What JSON-MIN and CSV call the facts of an annotation."""


_Otherwise = Callable[[Path, Sequence[Path], Sequence[str], str, ImportOptions], Outcome | None]


def task_taker(
    read: Callable[[Sequence[Path], str, Mapping[str, str]], ToolRows],
    otherwise: _Otherwise = lambda *_: None,
) -> Function:
    """Give the function that takes tasks, with the options that their tools share.

    Args:
        read: Reads files; beside them whose the answers are, and what fields are called.
        otherwise: Takes files that are no tasks of a new study; None where they are.
    """

    def take(
        into: Path, files: Sequence[Path], *, column: ColumnWords = None, system: System = None,
        rater: Rater = None, scale: Scale = None, label: LabelWords = None,
        synthetic: Synthetic = False,
    ) -> Outcome:  # fmt: skip
        said = ImportOptions(rater or (), scale or (), label or (), synthetic)
        words = column or ()
        return otherwise(into, files, words, system or "", said) or make_study(
            into, files, read(files, system or "", read_names(words)), said
        )

    return take


def _otherwise(
    into: Path, files: Sequence[Path], words: Sequence[str], system: str, said: ImportOptions
) -> Outcome | None:
    """Take tables of annotations, and what was said of tasks that a study handed out."""
    if any(_is_flat(Glimpse(file)) for file in files):
        names = FallbackNames(system)
        wishes = Wishes(columns=words, names=names, scales=said.scales, labels=said.labels,
                        synthetic=said.synthetic)  # fmt: skip
        return _flat(into, files, wishes, said.rater)
    if not is_there(into / "study.toml") or asks_itself(files, words):
        return None
    study, ours = Study.open_whole(into), read_names(words)
    check_names(study, ours)
    return Outcome.of_one(import_ratings(study, read_label_studio(files), ours))


def _flat(into: Path, files: Sequence[Path], wishes: Wishes, raters: Sequence[str]) -> Outcome:
    """Take an export that is a table: a row an annotation, read as any table of ratings is.

    Raises:
        InvalidInput: Its raters are models, which no table of ratings holds, or may be.
    """
    if any(word != "people" for word in raters):
        must, hint = "be people in JSON-MIN and CSV", "In Label Studio: Export, then JSON."
        raise InvalidInput(Problem("--rater", must, f'"{", ".join(raters)}"', hint))
    names = {name for file in files for name in _names(Glimpse(file))}
    typed = {pair.partition("=")[2] for pair in wishes.columns}
    told = [f"{ours}={name}" for name, ours in _FLAT.items() if name in names - typed]
    if "id" in names - typed:
        asks = any({"question", "case"} & set(read_header(name).roles) for name in names - {"id"})
        told.append("skip=id" if asks else "case=id")
    wishes = replace(wishes, columns=[*told, *wishes.columns])
    summary = import_spreadsheet(into, files, wishes)
    return told_of(summary, into, verdicts=bool(summary.raters))


def _names(seen: Glimpse) -> frozenset[str]:
    return seen.columns or frozenset(seen.first)


def _is_flat(seen: Glimpse) -> bool:
    names = _names(seen)
    return "annotation_id" in names and not names.isdisjoint({"annotator", "lead_time"})


LABEL_STUDIO_TOOL: Final = AnnotationTool("label-studio", label_studio_files)
LABEL_STUDIO: Final = Format(
    id="label-studio",
    title="Label Studio",
    reads=Reads(
        about="Label Studio: tasks with their annotations, as questions, answers and ratings.",
        files="Exports as JSON, JSON-MIN or CSV.",
        is_one=lambda seen: {"data", "annotations"} <= seen.first.keys() or _is_flat(seen),
        take=task_taker(rows_of_tasks, _otherwise),
    ),
    writes=task_writes(
        LABEL_STUDIO_TOOL,
        "Label Studio: blinded tasks, and the labelling configuration of the rubric.",
    ),
)
