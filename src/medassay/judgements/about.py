"""What a judgement is about: the answer, or which part of it or of what it is held against."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from medassay.answers import Answer, Statement
from medassay.cases import Case

__all__ = ["ABOUT", "About", "AboutKind", "Part", "cited_text", "parts_of", "statements_of"]

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


class Part(NamedTuple):
    """One thing that can be judged.

    Attributes:
        about: Its value for the column `about`.
        id: The criterion, document or cited evidence; empty for others.
        text: Its own words; empty where nobody has them.
        title: What a document is called; empty for others.
        cited_by: The words of the statement that cites it; empty for others.
    """

    about: str
    id: str = ""
    text: str = ""
    title: str = ""
    cited_by: str = ""


def parts_of(
    case: Case, answer: Answer | None, kind: AboutKind, documents: Iterable[str] | None = None
) -> Iterator[Part]:
    """List what a judgement of this kind can be about, in the order of case and answer.

    Of an answer that is not there only what its case has. Spans are found by who judges.

    Args:
        case: Its case.
        answer: The answer.
        kind: What the judgement is about.
        documents: Ids of documents, in their order; those that were retrieved and then those of
            the case if not given.

    Example:
        >>> case = Case(case="1", evidence=[{"id": "7", "text": "Rest for two weeks."}])
        >>> answer = Answer(
        ...     system="A", case="1", statements=[{"text": "Rest.", "citations": ["7"]}]
        ... )
        >>> [part.about for part in parts_of(case, answer, "statement")]
        ['statement:1']
        >>> part, = parts_of(case, answer, "citation")
        >>> part.about, part.text, part.cited_by
        ('citation:1/7', 'Rest for two weeks.', 'Rest.')
    """
    statements = () if answer is None else statements_of(answer)
    match kind:
        case "answer":
            yield Part("")
        case "criterion":
            for criterion in case.criteria:
                yield Part(About(kind, criterion.id).written, criterion.id, criterion.text)
        case "statement":
            for place, statement in enumerate(statements, start=1):
                yield Part(About(kind, place=place).written, text=statement.text)
        case "citation":
            yield from _citations(case, statements)
        case "document":
            retrieved = () if answer is None else answer.retrieved or ()
            every = [retrieved_document.document for retrieved_document in retrieved] + [
                document.id for document in case.documents
            ]
            yield from _documents(case, every if documents is None else documents)
        case "span":
            pass


def _citations(case: Case, statements: Sequence[Statement]) -> Iterator[Part]:
    for place, statement in enumerate(statements, start=1):
        for cited in dict.fromkeys(statement.citations):
            about = About("citation", cited, place).written
            yield Part(about, cited, cited_text(case, cited) or "", cited_by=statement.text)


def cited_text(case: Case, cited: str) -> str | None:
    """Give the words of what an answer cites; empty where nobody has them.

    Returns:
        None where the case has other sources, and none of this name.

    Example:
        >>> case = Case(case="1", documents=[{"id": "d", "text": "Rest."}, {"id": "e"}])
        >>> cited_text(case, "d"), cited_text(case, "d#3"), cited_text(case, "e")
        ('Rest.', 'Rest.', '')
        >>> cited_text(case, "f"), cited_text(Case(case="2"), "f")
        (None, '')
    """
    texts = {document.id: document.text or document.title or "" for document in case.documents}
    texts |= {evidence.id: evidence.text for evidence in case.evidence}
    # `document#3` is a sentence of a document.
    return texts.get(cited, texts.get(cited.rpartition("#")[0], None if texts else ""))


def _documents(case: Case, names: Iterable[str]) -> Iterator[Part]:
    known = {document.id: document for document in case.documents}
    for name in dict.fromkeys(names):
        title, text = "", ""
        if name in known:
            title, text = known[name].title or "", known[name].text or ""
        yield Part(About("document", name).written, name, text or title, title or text)


def statements_of(answer: Answer) -> Sequence[Statement]:
    """Give an answer's statements; all of its text is one where it has none of its own.

    Example:
        >>> [one.text for one in statements_of(Answer(system="A", case="1", text="Rest."))]
        ['Rest.']
    """
    if answer.statements or not (answer.text or "").strip():
        return answer.statements or ()
    return (Statement(text=answer.text or ""),)
