"""The documents of a corpus, and the passages that they are cut into."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from medassay.cases import Document
from medassay.errors import InvalidInput, Problem
from medassay.tables import file_bytes
from medassay.text import split_sentences

_ENDINGS: Final = (".txt", ".md")
_ABOUT: Final = frozenset({"licence", "license", "notice", "readme", "source"})
_HEADING: Final = re.compile(r"\s*(?:#+\s*)?([A-Z][\w \-/]{0,60}?)\s*(?:\([^)]*\))?\s*:\s*(.*)")
_BANNER: Final = re.compile(r"\s*\[.*\]\s*")
_FINDINGS: Final = ("findings", "results")


@dataclass(frozen=True)
class CorpusText:
    """One document of a corpus.

    Attributes:
        id: The file's name without its ending.
        title: Its title; the id where it has none.
        abstract: Its abstract; where it has none, everything that is neither title nor findings.
        findings: What it found; empty where no part is called so.
        text: The file as it is.
    """

    id: str
    title: str
    abstract: str
    findings: str
    text: str

    @property
    def searched(self) -> str:
        """Give what a query is held against: title, abstract and findings."""
        return "\n".join(filter(None, (self.title, self.abstract, self.findings)))

    @cached_property
    def sentences(self) -> Sequence[str]:
        """Give what may be quoted, findings first; a sentence's number is its place from 1 on."""
        return (*split_sentences(self.findings), *split_sentences(self.abstract))


def corpus_text(name: str, text: str) -> CorpusText:
    r"""Find title, abstract and findings by their headings: a line such as `Findings:`.

    A line in square brackets, such as a banner, is no part of any. A heading is a part's if its
    words hold title, abstract, or findings or results.

    Example:
        >>> found = corpus_text("a", "Title: Ozone\nMethods:\nA cohort.\nKey findings:\nMore died.")
        >>> found.title, found.abstract, found.findings
        ('Ozone', 'A cohort.', 'More died.')
    """
    parts: dict[str, list[str]] = {}
    part = "rest"
    for line in text.splitlines():
        if _BANNER.fullmatch(line) or not line.strip():
            continue
        heading = _HEADING.fullmatch(line)
        if heading is None:
            parts.setdefault(part, []).append(line.strip())
            continue
        part = _part(heading[1])
        if heading[2]:
            # A fact in one line, such as "Region: Europe", belongs to the part that it stands in.
            content = heading[2] if part != "rest" else line.strip()
            parts.setdefault(part, []).append(content)
    abstract = parts.get("abstract") or parts.get("rest", [])
    return CorpusText(
        id=name,
        title=" ".join(parts.get("title", [])) or name,
        abstract="\n".join(abstract),
        findings="\n".join(parts.get("findings", [])),
        text=text,
    )


def _part(heading: str) -> str:
    words = heading.casefold().split()
    if words == ["title"]:
        return "title"
    if "abstract" in words:
        return "abstract"
    return "findings" if any(word in words for word in _FINDINGS) else "rest"


def read_corpus(folder: Path) -> list[CorpusText]:
    """Read the texts (.txt, .md) of a folder, by name; licences and the like are none.

    Raises:
        InvalidInput: There is no such folder, no text in it, a text that is not UTF-8, an empty
            one, or two of one name.
    """
    if not folder.is_dir():
        raise InvalidInput(Problem(str(folder), "be a folder of texts", "no such folder"))
    paths = [
        path
        for path in sorted(folder.iterdir())
        if path.suffix.lower() in _ENDINGS
        and path.name[0] != "."
        and path.stem.lower() not in _ABOUT
    ]
    if not paths:
        must, hint = "hold texts of a corpus", f"They end in {' or '.join(_ENDINGS)}."
        raise InvalidInput(Problem(str(folder), must, "none", hint))
    problems: list[Problem] = []
    corpus_texts: dict[str, CorpusText] = {}
    for path in paths:
        try:
            text = file_bytes(path, path.name).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            got = f"another encoding, at byte {error.start}"
            problems.append(Problem(path.name, "be text in UTF-8", got))
            continue
        if path.stem in corpus_texts:
            problems.append(Problem(path.name, "be named once", f'"{path.stem}" again'))
        if not text.strip():
            problems.append(Problem(path.name, "hold a text", "an empty file"))
        corpus_texts[path.stem] = corpus_text(path.stem, text)
    if problems:
        raise InvalidInput(problems)
    return list(corpus_texts.values())


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
