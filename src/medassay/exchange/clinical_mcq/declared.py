"""The clinical framework's JSON report."""

from pathlib import Path
from typing import Final

from medassay.analyses.results import Results
from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Format, Writes
from medassay.exchange.entrusted import refuse_old
from medassay.exchange.outcome import Outcome
from medassay.report import clinical_files
from medassay.report.clinical_report import clinical_report_schema
from medassay.study import Study
from medassay.tables import json_bytes, write_atomically

__all__ = ["CLINICAL_MCQ"]

_IN_A_REPORT: Final = "clinical/"
_SCHEMA: Final = "new_dataset_eval.schema.json"


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
