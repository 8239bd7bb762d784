"""Read what a study's folder says was asked and answered, and the documents that cases share."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from medassay.answers import Answers, read_answers
from medassay.cases import Cases, read_cases, read_documents, with_documents
from medassay.errors import InvalidInput, Problem
from medassay.study.asked import with_asked
from medassay.study.config import StudyConfig
from medassay.study.document_labels import labelled_documents
from medassay.study.files import ANSWERS, table_file, tables_of
from medassay.study.relevance import DocumentLabel

__all__ = ["read_study_answers", "read_study_cases", "with_shared_texts"]


def read_study_cases(folder: Path) -> Cases:
    """Read the cases, which every study has.

    Raises:
        InvalidInput: There are none, or something is wrong with them.
    """
    path = table_file(folder, "cases")
    if path is None:
        hint = "Add cases.jsonl, cases.csv or cases.parquet."
        raise InvalidInput(Problem("cases", "be a file of the study", "nothing there", hint))
    return read_cases(path)


def read_study_answers(folder: Path, cases: Cases | None, config: StudyConfig | None) -> Answers:
    """Read the answers of all systems, and which cases each was asked.

    There are none where the study has no such folder.

    Args:
        folder: The study's folder.
        cases: The cases that were asked; None where they could not be read.
        config: study.toml, which may name systems that have not answered yet; None where it could
            not be read.

    Raises:
        InvalidInput: Everything that is wrong with them.
    """
    tables = tables_of(folder, ANSWERS)
    answers = read_answers(tables[0].parent, cases) if tables else Answers(())
    return with_asked(folder, answers, cases, config)


def with_shared_texts(
    folder: Path, cases: Cases | None, answers: Answers | None, labels: Sequence[DocumentLabel]
) -> Cases | None:
    """Give the cases the texts of documents.jsonl, where the study has one."""
    path = table_file(folder, "documents")
    if path is None:
        return cases
    shared = read_documents(path)
    if cases is None or answers is None:
        return cases
    named = labelled_documents(labels)

    def retrieved(case: str) -> Iterator[str]:
        yield from named.get(case, ())
        for system in answers.systems:
            for answer in answers.samples(system, case):
                yield from (one.document for one in answer.retrieved or ())

    return with_documents(cases, shared, retrieved)
