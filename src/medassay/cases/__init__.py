"""What is asked: one record a case, with all that an answer can be held against.

What enters: a file of cases (JSONL, CSV or Parquet). What leaves: `Cases`, checked records in file
order, with the warnings that a reader should see.
"""

from medassay.cases.collection import Cases, read_cases, read_documents, with_documents, write_cases
from medassay.cases.near import MOST_CASES, near_clusters, near_pairs
from medassay.cases.record import (
    Case,
    Criterion,
    Document,
    Evidence,
    Id,
    LabelledDocument,
    Reference,
    Relevance,
    Turn,
    one_object,
)
from medassay.cases.rows import CASE_COLUMNS, look_alikes

__all__ = [
    "CASE_COLUMNS",
    "MOST_CASES",
    "Case",
    "Cases",
    "Criterion",
    "Document",
    "Evidence",
    "Id",
    "LabelledDocument",
    "Reference",
    "Relevance",
    "Turn",
    "look_alikes",
    "near_clusters",
    "near_pairs",
    "one_object",
    "read_cases",
    "read_documents",
    "with_documents",
    "write_cases",
]
