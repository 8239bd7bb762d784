"""Read findings, pages and refusals as `voice` asks: short, one estimate, no odd phrase.

`python -m tools.read_sentences` lists each sentence of the frozen studies' findings with what is
wrong with it; `--count` counts. README and tutorials (`prose_sentences`), and what the program
refuses (`refusals`), are read by tests.
"""

import argparse
import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_FROZEN: Final = Path(__file__).parents[1] / "tests" / "standard" / "frozen"
MOST_WORDS: Final = 25

PHRASES: Final = (
    "bear out", "borne out", "held against", "hold against", "told apart", "anew", "of its own",
    "as they are here", "said of", "no lack of knowledge", "in the raters' place", "in their place",
    "there is nothing to rank", "nobody was asked", "believe", "still allows", "runs from",
    "run from", "stands at", "too close to say", "cannot be told", "by luck", "jointly",
    "none found is not none", "95% interval", "which allows", "clear of 0", "need not show",
    "luck alone", "heavy losses", "read as never given", "got no terminal", "must be told",
    "make one's own", "in no number", "guards the number", "needs checking", "at once)",
)  # fmt: skip
"""Phrases that readers stumbled over: none is printed any more."""

_ASIDE: Final = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_QUOTED: Final = re.compile(r"“[^”]*”|\"[^\"]*\"|`[^`]*`")
_ESTIMATE: Final = re.compile(
    r"\b\d[\d,]* of (?:its |their |the |his |her )?\d[\d,]*\b|−?\b\d[\d,]*(?:\.\d+\b|\.\d+%|%)"
)
_OPENS: Final = ("What was found", "All findings in words")
_CLOSES: Final = ("Copy CSV", "Save SVG", "Open all chapters")
_NO_FINDING: Final = re.compile(
    r"Table \d+\. |.* answers?: the first \d+ of |.*\(\d+ answers?\)$|Lowest-rated answers$"
)
"""A table's caption, or the heading of answers, whose texts are the study's."""
_MADE_OF: Final = re.compile(r"(?i)\b_?(?:must|got|hint|try)_?\b")
_POINTER: Final = re.compile(r"\s+Tables? \d+(?:(?:, \d+)* and \d+)?\.?$")


def sentences(text: str) -> list[str]:
    """Split a paragraph at full stops; those of numbers, initials and "et al." split nothing.

    Example:
        >>> sentences("A got 0.9. B, e.g. the other, got more. Table 3")
        ['A got 0.9.', 'B, e.g. the other, got more.']
    """
    text = _POINTER.sub("", text.strip())
    parts = re.split(r"(?<=[.?!])(?<!e\.g\.)(?<!i\.e\.)(?<!et al\.)(?<!vs\.)\s+", text)
    return [part for part in parts if part and not _POINTER.fullmatch(f" {part}")]


def faults_of(sentence: str) -> list[str]:
    """Say what is wrong with a sentence; an interval or a percentage in brackets is no estimate.

    Example:
        >>> faults_of("ClinicBot was harmful in 13 of 20 questions (65%; 95% CI 41 to 85).")
        []
        >>> faults_of("A scored 0.91 and B scored 0.82, so they were told apart.")
        ['2 estimates', "'told apart'"]
    """
    faults = []
    words = len(_without_asides(sentence).split())
    if words > MOST_WORDS:
        faults.append(f"{words} words")
    bare = _without_asides(_QUOTED.sub("", sentence))
    bare = re.sub(r"\b(?:95|90|80)% (?:CI|bound|power)\b|\bat (?:5|10)%", "", bare)
    estimates = len(_ESTIMATE.findall(re.sub(r"(−?[\d.,]+%?) to (−?[\d.,]+%?)", r"\1", bare)))
    if estimates > 1:
        faults.append(f"{estimates} estimates")
    low = sentence.casefold()
    return faults + [f"{phrase!r}" for phrase in PHRASES if phrase in low]


def _without_asides(sentence: str) -> str:
    while (less := _ASIDE.sub("", sentence)) != sentence:
        sentence = less
    return sentence


def found_sentences(page: str) -> Iterator[str]:
    r"""Give the sentences of a page's findings: the first screen's, and those folded behind it.

    Example:
        >>> list(found_sentences("What was found\nHarm\nA did well. Table 1\nTable 1. All.\nx"))
        ['A did well.']
    """
    open_ = False
    for line in page.splitlines():
        if line in _OPENS:
            open_ = True
        elif line in _CLOSES or _NO_FINDING.match(line):
            open_ = False
        elif open_ and (line.rstrip().endswith((".", "?")) or _POINTER.search(line)):
            yield from (one for one in sentences(line) if len(one.split()) > 2)  # noqa: PLR2004 - a heading has no more


_NOT_PROSE: Final = (
    (r"(?ms)^(```|~~~).*?^\1 *$|<!--.*?-->", ""),
    (r"`[^`]*`", "“code”"),  # a command is typed and not read: one word, in quotes
    (r"!?\[([^\]]*)\]\([^)]*\)", r"\1"),
    (r"(?m)^#.*|^\|[-: |]+\|$", ""),
    (r"(?m)^(?:[-*] |\d+\. )|^\||\|$| [|·] ", "\n\n"),
    (r"\*", ""),
)
"""What of a Markdown page is no prose, and what takes its place."""


def prose_sentences(page: str) -> Iterator[str]:
    r"""Give the sentences of a Markdown page: paragraphs, items and cells, no headings, no code.

    Example:
        >>> page = "# A\n\nRun `medassay run x`, see [b](c).\n\n- One.\n- Two.\n"
        >>> list(prose_sentences(page))
        ['Run “code”, see b.', 'One.', 'Two.']
    """
    for pattern, by in _NOT_PROSE:
        page = re.sub(pattern, by, page)
    for block in re.split(r"\n\s*\n", page):
        yield from sentences(" ".join(block.split()))


def refusals(module: str) -> Iterator[str]:
    r"""Give the strings of a module's source that a refusal is made of: must, got and what to try.

    Example:
        >>> list(refusals('must = f"be {name}"\nProblem(file, must, "none", "Try it.")'))
        ['be …', 'none', 'Try it.']
    """
    for node in ast.walk(ast.parse(module)):
        values: list[ast.expr] = []
        if isinstance(node, ast.Assign) and _MADE_OF.search(ast.unparse(node.targets[0])):
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        elif isinstance(node, ast.Call) and re.search("[Pp]roblem$", ast.unparse(node.func)):
            values = [*node.args, *(keyword.value for keyword in node.keywords)]
        for value in values:
            parts = value.values if isinstance(value, ast.JoinedStr) else [value]
            words = [str(part.value) if isinstance(part, ast.Constant) else "…" for part in parts]
            if words != ["…"]:
                yield "".join(words)


def main() -> None:
    """Print the sentences that are not as asked, or how many there are."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--count", action="store_true", help="print counts alone")
    only_count = words.parse_args().count
    found: Counter[str] = Counter()
    seen: dict[str, list[str]] = {}
    for path in sorted(_FROZEN.glob("*/page.txt")):
        for sentence in found_sentences(path.read_text(encoding="utf-8")):
            seen.setdefault(sentence, faults_of(sentence))
    for sentence, faults in seen.items():
        found.update(re.sub(r"^\d+ ", "", fault) for fault in faults)
        if faults and not only_count:
            print(f"[{'; '.join(faults)}] {sentence}")
    wrong = sum(bool(faults) for faults in seen.values())
    print(f"{wrong} of {len(seen)} sentences: {dict(found.most_common())}")


if __name__ == "__main__":
    main()
