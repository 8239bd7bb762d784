"""Measure how well the open vocabulary finds medical concepts, on 100 answers marked by hand.

`python -m tools.measure_concepts` prints the table; with a file name it writes it into the page of
that name, between its two marks. Vocabularies that are not installed are left out, and named.
"""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from medassay.models.concepts.open import build
from medassay.models.concepts.sources import found_sources, missing_sources
from medassay.models.concepts.vocabulary import Vocabulary, everyday_words

MARKED: Final = Path(__file__).parents[1] / "tests" / "data" / "kqa_concepts" / "marked.jsonl"
KINDS: Final = ("problem", "substance", "procedure", "anatomy", "organism", "function")
_OPTIONAL: Final = ("headings", "hpo")
_OPEN: Final = "<!-- measured: python -m tools.measure_concepts docs/concepts.md -->"
_CLOSE: Final = "<!-- /measured -->"

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Text:
    """A text with the places where a concept was marked, and each one's kind."""

    text: str
    marks: dict[Span, str]


@dataclass(frozen=True, slots=True)
class Measured:
    """Counts over all texts.

    Attributes:
        marked: Marks, by kind.
        found: Names that the matcher found.
        exact: Marks found with the same first and last character, by kind.
        touched: Marks of which a part was found, by kind.
        right: Names found that share a part with a mark.
    """

    marked: dict[str, int]
    found: int
    exact: dict[str, int]
    touched: dict[str, int]
    right: int


def read_marked(path: Path = MARKED) -> list[Text]:
    """Read the texts; a mark counts at every place where its phrase stands on its own.

    A phrase inside a longer marked phrase is no mark of its own there.
    """
    texts = []
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        phrases = sorted(record["concepts"], key=lambda one: -len(one["phrase"]))
        marks: dict[Span, str] = {}
        for one in phrases:
            for span in _places(one["phrase"], record["text"]):
                if not any(span[0] < end and start < span[1] for start, end in marks):
                    marks[span] = one["kind"]
        texts.append(Text(record["text"], marks))
    return texts


def _places(phrase: str, text: str) -> Iterator[Span]:
    for found in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", text, re.IGNORECASE):
        yield found.span()


def measure(vocabulary: Vocabulary, texts: Sequence[Text]) -> Measured:
    """Count what the vocabulary finds of what was marked."""
    marked, exact, touched = (dict.fromkeys(KINDS, 0) for _ in range(3))
    found = right = 0
    for one in texts:
        spans = [(hit.start, hit.end) for hit in vocabulary.find(one.text)]
        found += len(spans)
        right += sum(any(_meet(span, mark) for mark in one.marks) for span in spans)
        for mark, kind in one.marks.items():
            marked[kind] += 1
            exact[kind] += mark in spans
            touched[kind] += any(_meet(span, mark) for span in spans)
    return Measured(marked, found, exact, touched, right)


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def vocabularies() -> Iterator[tuple[str, Vocabulary]]:
    """Build the vocabulary with and without what is not in the extra."""
    every = found_sources()
    optional = [one for one in every if one.source.name in _OPTIONAL]
    least = [one for one in every if one not in optional]
    choices = [("the extra `concepts`", least)]
    choices += [(f"with {one.source.name}", [s for s in every if s in (*least, one)])
                for one in optional]  # fmt: skip
    if len(optional) > 1:
        choices.append(("with both", every))
    # The list and the marks are by one hand: what the list adds is shown.
    choices.append(("without medassay's own list", [s for s in least if s.source.name != "own"]))
    for name, chosen in choices:
        merged = build(chosen)
        yield name, Vocabulary(merged.keys, merged.places, merged.concepts, everyday_words())


def table() -> str:
    """Write the figures as Markdown."""
    texts = read_marked()
    rows = []
    for name, vocabulary in vocabularies():
        got = measure(vocabulary, texts)
        all_marks = sum(got.marked.values())
        rows.append((name, len(vocabulary), got, all_marks))
    first = rows[0][2]
    head = ["", "names", "precision, exact", "recall, exact", "precision, touching",
            "recall, touching", *(f"{k} ({first.marked[k]})" for k in KINDS)]  # fmt: skip
    lines = [f"| {' | '.join(head)} |", f"| --- |{' ---: |' * (len(head) - 1)}"]
    for name, size, got, marks in rows:
        exact, touched = sum(got.exact.values()), sum(got.touched.values())
        cells = [name, f"{size:,}"]
        cells += [
            _share(exact, got.found), _share(exact, marks),
            _share(got.right, got.found), _share(touched, marks),
        ]  # fmt: skip
        cells += [_share(got.exact[kind], got.marked[kind]) for kind in KINDS]
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", _said(first, len(texts))]
    return "\n".join(lines)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f}"


def _said(got: Measured, texts: int) -> str:
    sources = ", ".join(f"{one.source.name} {one.version}".strip() for one in found_sources())
    lacking = ", ".join(source.name for source in missing_sources()) or "nothing"
    return (
        f"{texts} answers, {sum(got.marked.values())} marks. The last six columns are exact recall"
        f" by kind. Sources: {sources}; not installed: {lacking}."
    )


def main(words: Sequence[str]) -> None:
    """Print the table, or write it into a page."""
    made = table()
    if not words:
        print(made)
        return
    page = Path(words[0])
    before, _, rest = page.read_text(encoding="utf-8").partition(_OPEN)
    _, _, after = rest.partition(_CLOSE)
    page.write_text(f"{before}{_OPEN}\n\n{made}\n\n{_CLOSE}{after}", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
