"""Documents cut into passages: what is searched, and what a model is shown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from medassay.cases import Document
from medassay.errors import InvalidInput, Problem

__all__ = ["Passage", "cut_passages"]


@dataclass(frozen=True, slots=True)
class Passage:
    """A run of words of one document.

    Attributes:
        document: The document's id.
        number: Its place in the document, from 1.
        title: The document's title; empty where it has none.
        text: Its words, blanks made one.
    """

    document: str
    number: int
    title: str
    text: str

    @property
    def searched(self) -> str:
        """Give what a query is held against: a passage alone may not say what it is about."""
        return f"{self.title}. {self.text}" if self.title else self.text


def cut_passages(
    documents: Iterable[Document], words: int | None = 100, overlap: int = 20
) -> Sequence[Passage]:
    """Cut documents into passages of so many words, each beginning with the last of the one before.

    Args:
        documents: The documents, in the order that equal scores are settled by.
        words: Words in a passage; None takes whole documents.
        overlap: Words that neighbours share, so that no sentence is cut for both.

    Returns:
        The passages, document after document; a document without text has none.

    Raises:
        InvalidInput: The overlap is not smaller than the passage, or no document has text.

    Example:
        >>> texts = [Document(id="g1", title="Ozone", text="One two three four five")]
        >>> [passage.text for passage in cut_passages(texts, words=3, overlap=1)]
        ['One two three', 'three four five']
    """
    if words is not None and not 0 <= overlap < words:
        must = f"be from 0 to {words - 1}, under the {words} words of a passage"
        raise InvalidInput(Problem("overlap", must, str(overlap)))
    passages = [
        Passage(document.id, number, document.title or "", " ".join(run))
        for document in documents
        for number, run in enumerate(_runs((document.text or "").split(), words, overlap), 1)
    ]
    if not passages:
        raise InvalidInput(
            Problem("documents", "hold a text to search in", "none", "Give each its text.")
        )
    return passages


def _runs(all_words: list[str], words: int | None, overlap: int) -> Iterable[list[str]]:
    if words is None or len(all_words) <= words:
        return [all_words] if all_words else []
    step = words - overlap
    starts = range(0, len(all_words) - overlap, step)
    return [all_words[start : start + words] for start in starts]
