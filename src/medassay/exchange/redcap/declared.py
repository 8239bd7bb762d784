"""REDCap's exports, and projects for it: dictionary, records, and what stays with the study."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

from medassay.campaign.rating_sheet import HEADINGS, REASON_WORDS, SYNTHETIC
from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Format, Option, Reads
from medassay.exchange.other_tools.declaring import Handout, find_handouts
from medassay.exchange.other_tools.export_tasks import AnnotationTool, task_writes
from medassay.exchange.other_tools.import_ratings import (
    ToolLabel,
    ToolProject,
    ToolTask,
    check_names,
    import_ratings,
    read_items,
)
from medassay.exchange.outcome import Outcome
from medassay.exchange.redcap.export import Wanted, is_redcap
from medassay.exchange.redcap.fields import (
    ANSWER,
    RATER,
    RATING,
    RECORD,
    Field,
    RatingFields,
    codes_of,
    dictionary_bytes,
    rating_fields,
    read_dictionary,
    shown_field,
)
from medassay.exchange.redcap.read import read_redcap
from medassay.judgements import Dimension, Rubric
from medassay.judgements.campaign import FOLDER
from medassay.study import Study
from medassay.tables import csv_bytes, guarded_cell, read_sheet
from medassay.text import count_of

_MOST_BYTES: Final = 65_535
"""What REDCap's database keeps of one value."""
_COMPLETE: Final = "2"
_KEPT: Final = "dictionary.csv"
"""What was asked under a hand-out: exports hold codes, and this says what each stood for."""


def redcap_files(project: ToolProject) -> dict[str, bytes]:
    """Write the files of a project, by their names."""
    rubric, tasks, kinds, title, synthetic, ratings = project
    return {
        "data_dictionary.csv": redcap_dictionary(rubric, kinds, title=title, synthetic=synthetic),
        "records.csv": redcap_records(tasks, rubric, kinds, ratings=ratings),
    }


def redcap_fields(
    rubric: Rubric, kinds: Sequence[str] = (), *, title: str = "", synthetic: bool = False
) -> list[Field]:
    """List the fields that ask a rubric: one form to read, one to rate.

    Args:
        rubric: What is asked.
        kinds: The kinds of text that a record has, in order; see `HEADINGS`.
        title: What stands above the texts.
        synthetic: Whether the data are made up, which is then said above the texts.

    Raises:
        InvalidInput: A label cannot be a choice there.
    """
    _check(rubric)
    shown = [
        Field(shown_field(kind), ANSWER, "notes", HEADINGS[kind],
              annotation="medassay: shown @READONLY")
        for kind in kinds
    ]  # fmt: skip
    texts = [f"Code [{RECORD}]"]
    texts += [f"<b>{HEADINGS[kind]}</b>\n[{shown_field(kind)}]" for kind in kinds]
    above = " ".join(filter(None, [f"{title}." if title and synthetic else title,
                                   SYNTHETIC if synthetic else ""]))  # fmt: skip
    return [
        Field(RECORD, ANSWER, "text", "Code", annotation="medassay: code"),
        *shown,
        Field(shown_field("texts"), RATING, "descriptive", "\n\n".join(texts), section=above,
              annotation="medassay: shown"),
        Field(RATER, RATING, "text", "Rater", note="Your name, as the study's lead knows it.",
              required=True, annotation="medassay: rater @USERNAME"),
        *(one for fields in rating_fields(rubric.dimensions) for one in _asked(fields, rubric)),
    ]  # fmt: skip


def redcap_dictionary(
    rubric: Rubric, kinds: Sequence[str], *, title: str, synthetic: bool
) -> bytes:
    """Write the data dictionary of a project that asks a rubric; see `redcap_fields`."""
    return dictionary_bytes(redcap_fields(rubric, kinds, title=title, synthetic=synthetic))


def redcap_records(
    tasks: Sequence[ToolTask], rubric: Rubric, kinds: Sequence[str], *, ratings: bool
) -> bytes:
    """Write records to import, one an answer.

    With `ratings` each rater's labels follow as an instance of the repeating form. Without them
    the columns of repeating forms are left out: a project in which none repeats takes such a file.
    """
    fields = rating_fields(rubric.dimensions)
    shown = [shown_field(kind) for kind in kinds]
    repeat = ("redcap_repeat_instrument", "redcap_repeat_instance") if ratings else ()
    said = [RATER, *(name for some in fields for name in _names(some)), f"{RATING}_complete"]
    columns = [RECORD, *repeat, *shown, f"{ANSWER}_complete", *(said if ratings else ())]
    rows = []
    for task in tasks:
        texts = {shown_field(kind): "\n\n".join(task.texts.get(kind, ())) for kind in kinds}
        rows.append({RECORD: task.code, **texts, f"{ANSWER}_complete": _COMPLETE})
        for place, (rater, labels) in enumerate(sorted(task.labels.items()), 1):
            rows.append(
                {
                    RECORD: task.code,
                    "redcap_repeat_instrument": RATING,
                    "redcap_repeat_instance": str(place),
                    RATER: rater,
                    **_cells(fields, labels),
                    f"{RATING}_complete": _COMPLETE,
                }
            )
    return csv_bytes(
        columns, [[guarded_cell(row.get(column, "")) for column in columns] for row in rows]
    )


def redcap_notes(project: ToolProject) -> list[str]:
    """Say of how many texts REDCap would keep the beginning only."""
    cut = sum(
        len("\n\n".join(paragraphs).encode()) > _MOST_BYTES
        for task in project.tasks
        for paragraphs in task.texts.values()
    )
    if not cut:
        return []
    return [
        (
            f"{count_of(cut, 'text')} of more than {_MOST_BYTES:,} bytes: REDCap keeps no more of "
            "a value. Leave them out with --hide, or rate with sheets: medassay campaign create."
        )
    ]


def kept_dictionary(study: Path, handout: Handout, rubric: Rubric) -> dict[str, bytes]:
    """Write the dictionary that a study keeps beside a hand-out: the name of the file, its bytes.

    Raises:
        InvalidInput: The hand-out was written before and asked something else then: its codes
            would be read as other labels than raters chose.
    """
    # Whatever was shown: texts may be handed out later under the same codes.
    fields = redcap_fields(rubric, tuple(HEADINGS))
    there = _dictionary(study, handout.name)
    if there and [field.meaning for field in there.values()] != [field.meaning for field in fields]:
        must = "name a new hand-out where the rubric has changed"
        got = f'"{handout.name}", which asked something else'
        raise InvalidInput(Problem("--name", must, got, "Give another --name."))
    return {_place(handout.name): dictionary_bytes(fields)}


def kept_dictionaries(study: Path) -> list[tuple[frozenset[str], dict[str, Field]]]:
    """Read what each hand-out to REDCap asked: its codes, and the fields of its project."""
    return [
        (frozenset(handout.items), fields)
        for name, handout in find_handouts(study).items()
        if (fields := _dictionary(study, name))
    ]


def _place(name: str) -> str:
    return f"{FOLDER}/{name}/{_KEPT}"


def _dictionary(study: Path, name: str) -> dict[str, Field]:
    path = study / _place(name)
    return read_dictionary(read_sheet(path, _place(name))) if path.exists() else {}


def _asked(fields: RatingFields, rubric: Rubric) -> Iterator[Field]:
    asked, name = fields.dimension, fields.said
    of = f"dimension {asked.id}"
    if asked.number is None:
        codes = codes_of(asked.names, asked.scores)
        yield Field(name, RATING, "radio", asked.question, _by_code(codes), note=_note(asked),
                    required=True, annotation=f"medassay: {of}")  # fmt: skip
    else:
        bounds = asked.number.low, asked.number.high
        low, high = ("" if bound is None else f"{bound:.15g}" for bound in bounds)
        yield Field(name, RATING, "text", asked.question, note=f"{asked.number}.".capitalize(),
                    validation="number", low=low, high=high,
                    annotation=f"medassay: {of}")  # fmt: skip
        reasons = {code: word for word, code in codes_of(()).items() if word in REASON_WORDS}
        yield Field(fields.reason, RATING, "radio", f"No number of {_title(asked)}: why?", reasons,
                    shown_if=f'[{name}] = ""',
                    annotation=f"medassay: reason {asked.id}")  # fmt: skip
    if asked.confidence:
        how = f"How sure are you of {_title(asked)}?"
        annotation = f"medassay: confidence {asked.id}"
        if asked.confidence_is_number:
            yield Field(fields.confidence, RATING, "text", how, note="A number from 0 to 1.",
                        validation="number", low="0", high="1", annotation=annotation)  # fmt: skip
        else:
            yield Field(fields.confidence, RATING, "radio", how,
                        _by_code(_confidence_codes(asked)), annotation=annotation)  # fmt: skip
    words = f"{rubric.rationale or 'Comment'} ({_title(asked)})"
    yield Field(fields.comment, RATING, "notes", words, annotation=f"medassay: comment {asked.id}")


def _names(fields: RatingFields) -> Iterator[str]:
    yield fields.said
    if fields.dimension.number is not None:
        yield fields.reason
    if fields.dimension.confidence:
        yield fields.confidence
    yield fields.comment


def _cells(fields: Sequence[RatingFields], labels: Mapping[str, ToolLabel]) -> dict[str, str]:
    """Give what a rater says as REDCap stores it: codes, numbers and words."""
    cells: dict[str, str] = {}
    for some in fields:
        label, asked = labels.get(some.dimension.id), some.dimension
        if label is None:
            continue
        codes = codes_of(asked.names, asked.scores)
        if asked.number is None or label.said in REASON_WORDS:
            cells[some.said if asked.number is None else some.reason] = codes[label.said]
        else:
            cells[some.said] = label.said
        sure = label.confidence
        if sure:
            named = not asked.confidence_is_number
            cells[some.confidence] = _confidence_codes(asked)[sure] if named else sure
        cells[some.comment] = label.comment
    return cells


def _title(asked: Dimension) -> str:
    return asked.title or asked.id


def _note(asked: Dimension) -> str:
    """Say when to choose each label: choices themselves hold the bare words."""
    return "\n".join(
        f"{label.label}: {label.description}" for label in asked.labels if label.description
    )


def _confidence_codes(asked: Dimension) -> dict[str, str]:
    return {word: str(place) for place, word in enumerate(asked.confidence, 1)}


def _by_code(codes: Mapping[str, str]) -> dict[str, str]:
    return {code: word for word, code in codes.items()}


def _check(rubric: Rubric) -> None:
    """Refuse labels that REDCap would part in two."""
    hint = "Rename it in the rubric; the old word may be one of its aliases."
    problems = [
        Problem("the rubric", "have no | in a label, which parts choices in REDCap", f'"{word}"',
                hint, column=asked.id)
        for asked in rubric.dimensions
        for word in (*asked.names, *asked.confidence)
        if "|" in word
    ]  # fmt: skip
    if problems:
        raise InvalidInput(problems)


_Names = Annotated[
    Mapping[str, str],
    Option(
        "A dimension of ours, or rater, system or case, is their field THEIRS.",
        ("--column", "-c"),
        "OURS=THEIRS",
    ),
]


def _take(
    study: Study,
    files: Sequence[Path],
    *,
    items: Annotated[
        Path | None,
        Option("A table of their records: id, system, case; not needed for our own exports."),
    ] = None,
    column: _Names,
) -> Outcome:
    check_names(study, column, (RATER,))
    about = {} if items is None else read_items(items)
    # Exports of a project that we wrote hold codes: what was asked there stands in the study.
    wanted = Wanted(study.rubric, column, kept_dictionaries(study.path), about)
    return Outcome.of_one(import_ratings(study, read_redcap(files, wanted), column))


REDCAP_TOOL: Final = AnnotationTool(
    "redcap", redcap_files, numbers=True, kept=kept_dictionary, notes=redcap_notes
)
REDCAP: Final = Format(
    id="redcap",
    title="REDCap",
    reads=Reads(
        about="REDCap: what raters entered, as judgements.",
        files="Exports as CSV, raw or in labels; with them the data dictionary, if it is not ours.",
        is_one=is_redcap,
        take=_take,
    ),
    writes=task_writes(
        REDCAP_TOOL,
        "REDCap: a data dictionary that asks the rubric, and blinded records to import.",
    ),
)
