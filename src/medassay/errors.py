"""What can go wrong, as one tree.

Everything that medassay raises on purpose is a `MedassayError`, so a caller can catch one class;
the command line prints these without a traceback.

    MedassayError
    ├── InvalidInput      files or values that cannot be used; carries every `Problem` found
    ├── UnknownName       a metric, protocol, dimension ... that is not known; suggests the nearest
    └── MissingBackend    an optional package is not installed; carries the line that installs it
        └── UnusableModel a named model is not there, is damaged, or is of another kind
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher, get_close_matches
from typing import Final

_KEPT: Final = "what [privacy] keeps in the study"
_NAMING: Final = {"tag.": "tag.*", "case ": "case"}
"""How a column begins that names a tag or a case, and what is said of it instead."""


class MedassayError(Exception):
    """Whatever medassay raises on purpose."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with one place of the input.

    Attributes:
        file: The file, as the user named it, or the argument where there is no file.
        must: What must be there, as the end of the sentence "must be ...".
        got: What was found, quoted where it is text.
        try_: What to do about it, a sentence of its own; empty where nothing can be said.
        row: The row as a spreadsheet numbers it (the header is row 1), or the line of a JSONL file.
        column: The column or key.
        cell: The cell as a spreadsheet names it, such as Ratings!D17; it is said instead of the
            row.
        counted: What is said in place of `got` where a study keeps its texts and ids: counts and
            words of ours, nothing that stands in its files. Empty where there is no such word.
        asks: Whether `got` is a question to whoever reads it: it is printed alone.

    Example:
        >>> print(Problem("judgements.csv", must="be one of Yes, No", got='"Y"', row=17,
        ...               column="label", try_='Did you mean "Yes"?'))
        judgements.csv, row 17, column label: must be one of Yes, No; got "Y". Did you mean "Yes"?
    """

    file: str
    must: str
    got: str
    try_: str = ""
    row: int | None = None
    column: str | None = None
    cell: str | None = None
    counted: str = ""
    asks: bool = False

    def __str__(self) -> str:
        """Say it in the one form that all of medassay uses."""
        place = [self.file]
        if self.cell is not None:
            place.append(f"cell {self.cell}")
        elif self.row is not None:
            place.append(f"row {self.row}")
        if self.column is not None:
            place.append(f"column {self.column}")
        said = self.got if self.asks else f"must {self.must}; got {self.got}"
        sentence = f"{', '.join(place)}: {said}"
        sentence += "" if self.got.endswith(("?", ".")) else "."
        return f"{sentence} {self.try_}".rstrip()

    def without_quotes(self) -> "Problem":
        """Say it without what stands in the study's files, for readers who may not see that.

        A hint may quote as well: it stays where somebody has said what may be told.

        Example:
            >>> odd = Problem("cases", "have a gold", 'none for "q7"', "Add it.", 3)
            >>> print(odd.without_quotes())
            cases, row 3: must have a gold; got what [privacy] keeps in the study.
        """
        got, hint = (self.counted, self.try_) if self.counted else (_KEPT, "")
        column = self.column or ""
        known = next((end for start, end in _NAMING.items() if column.startswith(start)), column)
        return replace(self, got=got, try_=hint, column=known or None, asks=False)

    def as_dict(self) -> dict[str, str | int | None]:
        """Give the parts under the keys that `--json` prints."""
        place = {"file": self.file, "row": self.row, "column": self.column}
        cell = {} if self.cell is None else {"cell": self.cell}
        return {**place, **cell, "must": self.must, "got": self.got, "try": self.try_}


class InvalidInput(MedassayError):
    """Input that cannot be used. Carries every problem that was found, not just the first."""

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = (
            (problems,) if isinstance(problems, Problem) else tuple(problems)
        )
        super().__init__("\n".join(map(str, self.problems)))


class UnknownName(MedassayError):
    """A name that is not known, with the nearest known ones.

    Example:
        >>> print(UnknownName("metric", "rogue1", ["bleu", "rouge1", "rouge2"]))
        there is no metric "rogue1". Did you mean "rouge1" or "rouge2"?
    """

    def __init__(self, kind: str, name: str, known: Sequence[str]) -> None:
        self.kind, self.name, self.known = kind, name, tuple(known)
        close = get_close_matches(name, known, n=2, cutoff=0.6)
        if close:
            hint = "Did you mean " + " or ".join(f'"{c}"' for c in close) + "?"
        else:
            hint = f"Known: {', '.join(known)}." if known else "None is known."
        self.hint = hint
        super().__init__(f'there is no {kind} "{name}". {hint}')


class MissingBackend(MedassayError):
    """An optional package is needed and not installed."""

    def __init__(self, package: str, purpose: str, install: str) -> None:
        self.package, self.purpose, self.install = package, purpose, install
        super().__init__(f"{purpose} needs {package}, which is not installed. Try: {install}")


class UnusableModel(MissingBackend):
    """A model is named and cannot be used: not where it is said to be, damaged, of another kind.

    Example:
        >>> print(UnusableModel(Problem("mine/model.onnx", "be whole", "half of it", "Fetch it.")))
        mine/model.onnx: must be whole; got half of it. Fetch it.
    """

    def __init__(self, problem: Problem) -> None:
        text = str(replace(problem, try_="")).rstrip(".")
        super().__init__(f"a usable model ({text})", "the metric", problem.try_)
        self.problem = problem
        self.args = (str(problem),)


def nearest(got: str, known: Iterable[str]) -> str:
    r"""Suggest the nearest known word, as a sentence, or say nothing.

    Example:
        >>> nearest("Partly", ["Yes", "Partially", "No"])
        'Did you mean "Partially"?'
        >>> nearest("zzz", ["Yes", "No"])
        ''
        >>> nearest("1", ["2", "10", "01"])
        'Did you mean "01"?'
        >>> nearest("10", ["1", "2"])
        ''
        >>> nearest("N\u200bo", ["Yes", "No"])
        'Did you mean "No"? They look alike: yours has U+200B ZERO WIDTH SPACE too much.'
    """
    words = list(known)
    # A spreadsheet drops the zeros before a number.
    padded = [word for word in words if got and word.lstrip("0") == got.lstrip("0")]
    if len(padded) == 1:
        return f'Did you mean "{padded[0]}"?'
    alike = [word for word in words if _seen(word) == _seen(got)]
    if alike:
        return f'Did you mean "{alike[0]}"?{_unseen(got, alike[0])}'
    if _is_number(got):
        return ""  # 10 is no 1 that was mistyped
    by_form = {word.casefold().strip(): word for word in words}
    close = get_close_matches(got.casefold().strip(), by_form, n=1, cutoff=0.6)
    if not close:
        return ""
    word = by_form[close[0]]
    return f'Did you mean "{word}"?{_unseen(got, word)}'


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _seen(text: str) -> str:
    """Give what an eye sees of a text, capitals aside."""
    if text.isascii():
        return " ".join(text.split()).casefold()
    letters = (letter for letter in text if unicodedata.category(letter) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", "".join(letters)).split()).casefold()


def _unseen(got: str, word: str) -> str:
    """Say which characters differ where two texts look the same; nothing where they do not."""
    changes = [
        (got[a:b], word[c:d])
        for kind, a, b, c, d in SequenceMatcher(None, got, word, autojunk=False).get_opcodes()
        if kind != "equal"
    ]
    letters = [part for part in changes if part[0].casefold() != part[1].casefold()]
    if not letters or (got + word).isascii():
        return ""
    if _seen(got) != _seen(word) and not all(_of_two_scripts(*part) for part in letters):
        return ""
    ours, theirs = letters[0]
    if not ours:
        return f" They look alike: yours lacks {_named(theirs)}."
    instead = f"where that has {_named(theirs)}" if theirs else "too much"
    return f" They look alike: yours has {_named(ours)} {instead}."


def _of_two_scripts(ours: str, theirs: str) -> bool:
    """Say whether letters stand for letters of another script, such as Cyrillic for Latin."""
    pairs = list(zip(ours, theirs, strict=False))
    return len(ours) == len(theirs) and all(
        a.isalpha() and b.isalpha() and _script(a) != _script(b) for a, b in pairs
    )


def _script(letter: str) -> str:
    return unicodedata.name(letter, "?").partition(" ")[0]


def _named(letters: str) -> str:
    return ", ".join(
        f"U+{ord(letter):04X} {unicodedata.name(letter, 'without a name')}" for letter in letters
    )
