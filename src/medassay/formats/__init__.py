"""The border post: one file an outside format, in and out.

What enters: files as other people and tools write them. What leaves: sheets and records in
medassay's own words, and the same files again. Submissions to the ArchEHR-QA shared tasks are read
twice, as the official scorer does and as they were meant, with a diagnosis of every difference.
"""

from medassay.formats.archehr_cases import read_archehr_cases
from medassay.formats.archehr_finding import EFFECTS, Effect, Finding, Tally, blocks, tally
from medassay.formats.archehr_readings import READINGS, Reading
from medassay.formats.archehr_submission import (
    FORMS,
    Form,
    Submission,
    known_ids,
    read_archehr_submission,
)
from medassay.formats.archehr_write import write_archehr_cases, write_archehr_submission
from medassay.formats.clinical_report import (
    ClinicalReport,
    clinical_report_name,
    clinical_report_schema,
)
from medassay.formats.environmental_health import (
    PanelFiles,
    PanelTable,
    read_environmental_health,
)
from medassay.formats.med_gpt import Chunk, read_chunks, read_med_gpt
from medassay.formats.tidy import read_tidy
from medassay.formats.trec import (
    TrecRun,
    read_trec_qrels,
    read_trec_run,
    write_trec_qrels,
    write_trec_run,
)

__all__ = [
    "EFFECTS",
    "FORMS",
    "READINGS",
    "Chunk",
    "ClinicalReport",
    "Effect",
    "Finding",
    "Form",
    "PanelFiles",
    "PanelTable",
    "Reading",
    "Submission",
    "Tally",
    "TrecRun",
    "blocks",
    "clinical_report_name",
    "clinical_report_schema",
    "known_ids",
    "read_archehr_cases",
    "read_archehr_submission",
    "read_chunks",
    "read_environmental_health",
    "read_med_gpt",
    "read_tidy",
    "read_trec_qrels",
    "read_trec_run",
    "tally",
    "write_archehr_cases",
    "write_archehr_submission",
    "write_trec_qrels",
    "write_trec_run",
]
