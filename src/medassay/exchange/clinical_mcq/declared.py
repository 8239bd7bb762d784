"""The clinical framework's questions, guidelines and JSON reports."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

from medassay.analyses.results import Results
from medassay.errors import InvalidInput, Problem
from medassay.exchange.clinical_mcq.files import is_clinical
from medassay.exchange.clinical_mcq.importing import import_clinical
from medassay.exchange.declaration import Format, Option, Reads, Writes
from medassay.exchange.entrusted import refuse_old
from medassay.exchange.outcome import Outcome
from medassay.exchange.protocols import told
from medassay.report import clinical_files
from medassay.report.clinical_report import clinical_report_schema
from medassay.study import Study
from medassay.tables import json_bytes, write_atomically

__all__ = ["CLINICAL_MCQ"]

_IN_A_REPORT: Final = "clinical/"
_SCHEMA: Final = "new_dataset_eval.schema.json"


def _take(
    folder: Path,
    files: Sequence[Path],
    *,
    system: Annotated[
        str | None,
        Option("What the pipeline is called; as its results say, or as their file, if not given."),
    ] = None,
    answered: Annotated[bool, Option("Leave out the questions that no result speaks of.")] = False,
    synthetic: Annotated[bool, Option("The data are made up: every page says so.")] = False,
) -> Outcome:
    taken = import_clinical(folder, files, system=system, answered=answered, synthetic=synthetic)
    counts = (
        (taken.cases, "question", "questions"),
        (taken.documents, "guideline", "guidelines"),
        (taken.systems, "pipeline", "pipelines"),
        (taken.answers, "answer", "answers"),
        (taken.known, "answer that was there", "answers that were there"),
    )
    return told(folder, asdict(taken), counts, files=taken.files, notes=taken.notes)


def _give(study: Study, results: Results, into: Path) -> Outcome:
    refuse_old(into, "folder")
    files = clinical_files(results)
    if not files:
        must = "hold multiple-choice questions and answers"
        raise InvalidInput(Problem(str(study.path), must, "none", "Cases need options and gold."))
    contents = {name.removeprefix(_IN_A_REPORT): content for name, content in files.items()}
    contents[_SCHEMA] = json_bytes(clinical_report_schema())
    for name, content in contents.items():
        write_atomically(into / name, content)
    written = [str(into / name) for name in contents]
    return Outcome(
        [f"wrote {file}" for file in written], {"run": results.run.name, "files": written}
    )


CLINICAL_MCQ: Final = Format(
    id="clinical-mcq",
    title="Clinical evaluation framework",
    reads=Reads(
        about="The clinical framework's questions and guidelines, and what pipelines chose.",
        files="Questions and results as JSON, guideline_NUMBER_NAME.txt; a folder stands for its "
        "files.",
        is_one=is_clinical,
        take=_take,
    ),
    writes=Writes(
        about="The clinical framework's JSON report of each system: "
        "new_dataset_eval_N_cases.json.\n\n"
        "The study is run first, where it was not yet. The schema of the "
        "reports is written beside them.",
        into="A new folder for the reports.",
        metavar="FOLDER",
        give=_give,
    ),
)
