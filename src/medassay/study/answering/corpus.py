"""Texts that a system brought, among a study's documents."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from medassay.cases import Document, read_documents
from medassay.errors import InvalidInput, Problem
from medassay.study.files import table_file
from medassay.study.urls.placed import refuse_at_urls
from medassay.systems import CorpusText
from medassay.tables import jsonl_bytes, write_atomically

__all__ = ["add_corpus"]

_DOCUMENTS: Final = "documents"


def add_corpus(folder: Path, texts: Sequence[CorpusText]) -> list[str]:
    """Add texts to a study's documents, for whoever reads what an answer names.

    Returns:
        The files that were written.

    Raises:
        InvalidInput: The study has another text of a name, or holds documents in a form that cannot
            grow.
    """
    path = table_file(folder, _DOCUMENTS)
    held = {} if path is None else read_documents(path)
    problems = [
        Problem(text.id, "be the study's own document", "another text of that name",
                "Rename one of the two.")
        for text in texts
        if text.id in held and held[text.id].text != text.text
    ]  # fmt: skip
    new = {
        text.id: Document(id=text.id, title=text.title, text=text.text)
        for text in texts
        if text.id not in held
    }
    if new and path is not None and path.suffix != ".jsonl":
        must, hint = "be JSON Lines, to grow", "Write it anew as documents.jsonl."
        problems.append(Problem(path.name, must, path.suffix, hint))
    if problems:
        raise InvalidInput(problems)
    if not new:
        return []
    refuse_at_urls(folder, _DOCUMENTS)
    rows = [text.model_dump(mode="json", exclude_none=True) for text in (held | new).values()]
    write_atomically(folder / f"{_DOCUMENTS}.jsonl", jsonl_bytes(rows))
    return [f"{_DOCUMENTS}.jsonl"]
