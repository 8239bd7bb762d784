"""What a paper that uses a report cites."""

from dataclasses import dataclass
from typing import Final

from medassay.__about__ import __version__
from medassay.analyses.results import Results

__all__ = ["SOFTWARE", "Reference", "references"]


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of the list of references.

    Attributes:
        key: Names it in LaTeX.
        text: As printed.
    """

    key: str
    text: str


SOFTWARE: Final = Reference(
    "medassay",
    "The medassay developers. medassay: the assay for health question-answering systems. "
    f"Version {__version__}. Apache-2.0.",
)
"""The software, in the words of CITATION.cff."""


def references(results: Results) -> list[Reference]:
    """Name the software, where the data come from, and what each metric is defined by."""
    texts_given = [SOFTWARE.text, results.study.source]
    texts = [text.strip().rstrip(".") + "." for text in dict.fromkeys(texts_given) if text.strip()]
    keys = [SOFTWARE.key, *(f"source{i}" for i in range(1, len(texts)))]
    return [Reference(key, text) for key, text in zip(keys, texts, strict=True)]
