"""Have a reference system answer a file of cases, into a study."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from medassay.answers import Answers
from medassay.cases import Document, read_cases, read_documents, write_cases
from medassay.errors import InvalidInput, Problem
from medassay.study.files import table_file
from medassay.study.folder import Study
from medassay.study.intake.answers import add_answers
from medassay.study.new import new_study
from medassay.study.protocol import protocol_of_system
from medassay.systems import CorpusText, ExtractionRule, answer_with_tfidf, read_corpus
from medassay.tables import is_there, jsonl_bytes, write_atomically

__all__ = ["Answered", "answer_cases"]

_SYSTEM: Final = "tfidf"
_DOCUMENTS: Final = "documents"


@dataclass(frozen=True)
class Answered:
    """What a reference system did.

    Attributes:
        system: What it is called.
        answers: Answers that are new in the study.
        known: Answers that were there already, the same.
        empty: Cases for which nothing in the corpus shares a word with the question.
        documents: Documents of the corpus.
        files: The study's files that were written.
    """

    system: str
    answers: int
    known: int
    empty: tuple[str, ...]
    documents: int
    files: tuple[str, ...]


def answer_cases(
    folder: Path,
    cases: Path,
    corpus: Path,
    *,
    system: str = _SYSTEM,
    k: int | None = None,
    normalised: Literal["query", "run"] = "query",
) -> Answered:
    """Let TF-IDF retrieval answer each case out of a folder of texts.

    Where Medium and High begin is what `[confidence]` in the study says, or its protocol; a study
    without such a rule, and a new one, has that of the protocol whose source describes the system.

    Args:
        folder: The study. A new one is made of the cases, by the protocol whose source describes
            the system; in one that is there the cases must be the study's own.
        cases: A file of cases.
        corpus: A folder of texts.
        system: What the system is called.
        k: How many documents are returned; as `[confidence]` says if not given.
        normalised: Whether similarities are normalised within each query, or over the run.

    Raises:
        InvalidInput: Every problem of the cases or of the corpus; the study has other cases,
            another text of a document, or another answer of this system.
    """
    asked = read_cases(cases)
    texts = read_corpus(corpus)
    there = is_there(folder / "study.toml")
    given = Study.open_whole(folder).config.confidence if there else None
    described_by = protocol_of_system(_SYSTEM)
    chosen = given if given is not None else described_by.confidence
    rule = ExtractionRule(normalised=normalised)
    if chosen is not None:
        rule = replace(rule, k=chosen.k, thresholds=chosen.thresholds)
    if k is not None:
        rule = replace(rule, k=k)
    answers = Answers.of(answer_with_tfidf(asked, texts, system, rule))
    written: list[str] = []
    if there:
        strange = [name for name in asked.ids if name not in Study.open_whole(folder).cases.ids]
        if strange:
            must = "be a case of the study"
            raise InvalidInput([Problem(cases.name, must, f'"{name}"') for name in strange])
    documents = _documents(folder, texts) if there else _as_documents(texts)
    if not there:
        new_study(folder, described_by.name, empty=True)
        write_cases(folder / "cases.jsonl", asked)
        written += ["study.toml", "cases.jsonl"]
    if documents is not None:
        rows = (
            document.model_dump(mode="json", exclude_none=True) for document in documents.values()
        )
        write_atomically(folder / f"{_DOCUMENTS}.jsonl", jsonl_bytes(rows))
        written.append(f"{_DOCUMENTS}.jsonl")
    taken = add_answers(Study.open_whole(folder), answers, system)
    return Answered(
        system=system,
        answers=taken.added,
        known=taken.known,
        empty=tuple(answer.case for answer in answers if not answer.retrieved),
        documents=len(texts),
        files=(*written, *taken.files),
    )


def _as_documents(texts: list[CorpusText]) -> dict[str, Document]:
    return {text.id: Document(id=text.id, title=text.title, text=text.text) for text in texts}


def _documents(folder: Path, texts: list[CorpusText]) -> dict[str, Document] | None:
    """Add a corpus to a study's documents; None where it holds them all, so nothing is written."""
    path = table_file(folder, _DOCUMENTS)
    held = {} if path is None else read_documents(path)
    problems = [
        Problem(f"{text.id}", "be the study's own document", "another text of that name",
                "Rename one of the two.")
        for text in texts
        if text.id in held and held[text.id].text != text.text
    ]  # fmt: skip
    new = {
        name: as_document for name, as_document in _as_documents(texts).items() if name not in held
    }
    if new and path is not None and path.suffix != ".jsonl":
        must, hint = "be JSON Lines, to grow", "Write it anew as documents.jsonl."
        problems.append(Problem(path.name, must, path.suffix, hint))
    if problems:
        raise InvalidInput(problems)
    return held | new if new else None
