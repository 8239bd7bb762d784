"""What a paper that uses a report cites."""

from dataclasses import dataclass
from typing import Final

from medassay.__about__ import __version__
from medassay.analyses.results import Results

__all__ = ["SOFTWARE", "ListedSource", "references"]


@dataclass(frozen=True, slots=True)
class ListedSource:
    """One entry of the list of references.

    Attributes:
        key: Names it in LaTeX.
        text: As printed.
    """

    key: str
    text: str


SOFTWARE: Final = ListedSource(
    "medassay",
    "The medassay developers. medassay: the assay for health question-answering systems. "
    f"Version {__version__}. Apache-2.0.",
)
"""The software, in the words of CITATION.cff."""


def references(results: Results) -> list[ListedSource]:
    """Name the software, where the data come from, and what each metric is defined by."""
    texts_given = [SOFTWARE.text, results.study.source]
    texts = [text.strip().rstrip(".") + "." for text in dict.fromkeys(texts_given) if text.strip()]
    keys = [SOFTWARE.key, *(f"source{i}" for i in range(1, len(texts)))]
    return [ListedSource(key, text) for key, text in zip(keys, texts, strict=True)]
