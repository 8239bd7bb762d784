"""What of an answer, or of what it is held against, a judgement can be about."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from medassay.answers import Answer, Statement
from medassay.cases import Case
from medassay.judgements.about import About, AboutKind

__all__ = ["Part", "cited_text", "parts_of", "statements_of"]


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
