"""What a judgement is about, where that is not the answer as a whole."""

import re
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

__all__ = ["ABOUT", "About", "AboutKind"]

AboutKind: TypeAlias = Literal["answer", "criterion", "statement", "citation", "span", "document"]
"""What raters are shown: the answer, or a part of it or of what it is held against."""

ABOUT: Final[tuple[AboutKind, ...]] = get_args(AboutKind)
_NUMBER: Final = re.compile(r"[1-9]\d*")
_SPAN: Final = re.compile(r"(\d+)-(\d+)")
_FORMS: Final[dict[AboutKind, str]] = {
    "answer": "be empty: the dimension is about the answer as a whole",
    "criterion": "name a criterion of the case, such as criterion:c3",
    "statement": "name a statement of the answer by its place, such as statement:2",
    "citation": "name a citation by statement and id, such as citation:2/7",
    "span": "name characters of the answer, such as span:10-25 (from 0, the end not included)",
    "document": "name a document of the case, such as document:d7",
}


class About(NamedTuple):
    """What a judgement is about, read from its column `about`.

    Attributes:
        kind: What it is.
        id: The criterion, document or cited evidence; empty for others.
        place: The statement, from 1; 0 for others.
        span: The characters, from 0, the end not included; (0, 0) for others.
    """

    kind: AboutKind
    id: str = ""
    place: int = 0
    span: tuple[int, int] = (0, 0)

    @classmethod
    def read(cls, text: str) -> "About | None":
        """Read a cell of the column `about`; None where it has none of the forms.

        Example:
            >>> About.read("citation:2/7")
            About(kind='citation', id='7', place=2, span=(0, 0))
            >>> About.read("").kind, About.read("span:9-3"), About.read("page:3")
            ('answer', None, None)
        """
        if not text:
            return cls("answer")
        kind, _, rest = text.partition(":")
        match kind:
            case "criterion" | "document" if rest:
                return cls(kind, rest)
            case "statement" if _NUMBER.fullmatch(rest):
                return cls(kind, place=int(rest))
            case "citation":
                place, _, cited = rest.partition("/")
                return cls(kind, cited, int(place)) if _NUMBER.fullmatch(place) and cited else None
            case "span" if span := _SPAN.fullmatch(rest):
                start, end = int(span[1]), int(span[2])
                return cls(kind, span=(start, end)) if start < end else None
        return None

    @property
    def written(self) -> str:
        """Give the cell of the column `about` that this is read from.

        Example:
            >>> About("criterion", "c3").written, About("citation", "7", 2).written
            ('criterion:c3', 'citation:2/7')
            >>> About.read(About("span", span=(3, 9)).written)
            About(kind='span', id='', place=0, span=(3, 9))
        """
        match self.kind:
            case "answer":
                return ""
            case "criterion" | "document":
                return f"{self.kind}:{self.id}"
            case "statement":
                return f"{self.kind}:{self.place}"
            case "citation":
                return f"{self.kind}:{self.place}/{self.id}"
            case "span":
                return f"{self.kind}:{self.span[0]}-{self.span[1]}"

    @staticmethod
    def must(kind: AboutKind) -> str:
        """Say what a cell of the column must be, for a dimension about this."""
        return _FORMS[kind]
