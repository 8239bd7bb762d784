"""Statements held against their sources: what each metric of support shares."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics.declaration import Need, Odd, Parameter, references
from medassay.metrics.registry import Pair
from medassay.metrics.statements import Checked
from medassay.models import ResultCache, result_cache
from medassay.models.nli import Judge, Question, SupportFinding, SupportVerdict
from medassay.text import split_sentences

AGAINST: Final = Parameter(
    name="against",
    says="What statements are compared with: the case's evidence, experts' answers (reference), or"
    " the documents that the system retrieved.",
    values=("evidence", "reference", "retrieved"),
    default="evidence",
)
OF: Final = Parameter(
    name="of",
    says="Whose statements: the answer's text, or its chain of reasoning, as the protocol's source"
    " takes them (reasoning).",
    values=("answer", "reasoning"),
    default="answer",
)
STATES_NOTHING: Final[Odd] = dict.fromkeys(
    ("emoji alone", "punctuation alone", "control characters alone", "the question again"), "0"
)


def statements_of(answer: Answer) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Give what an answer states, each with its citations: its statements, or its sentences.

    Questions state nothing, nor does what has neither letter nor digit.

    Example:
        >>> statements_of(Answer(system="A", case="1", text="Why? Rest helps."))
        (('Rest helps.', ()),)
    """
    if answer.statements is not None:
        pieces = [(statement.text.strip(), statement.citations) for statement in answer.statements]
    else:
        pieces = [(sentence, ()) for sentence in split_sentences(answer.text or "")]
    return tuple((text, cited) for text, cited in pieces if _states(text))


def _states(text: str) -> bool:
    return not text.rstrip("\"'”’)").endswith(("?", "？", "؟")) and any(map(str.isalnum, text))


def sources_of(case: Case, answer: Answer, against: str) -> tuple[tuple[str, str], ...]:
    """Give the texts that statements are held against, each with its id.

    Args:
        case: The case.
        answer: The answer; read only for what it retrieved.
        against: `evidence`, `reference` (experts' answers) or `retrieved` (documents).
    """
    if against == "reference":
        texts = references(case, "human")
        return tuple((f"reference {i}", text) for i, text in enumerate(texts, 1))
    if against == "retrieved":
        returned_ids = {retrieved.document for retrieved in answer.retrieved or ()}
        return tuple((d.id, d.text) for d in case.documents if d.text and d.id in returned_ids)
    return tuple((evidence.id, evidence.text) for evidence in case.evidence)


def check_statements(pairs: Sequence[Pair], judge: Judge, against: str) -> list[list[Checked]]:
    """Hold every statement of every answer against all sources of its case."""
    statements = []
    for case, answer in pairs:
        sources = sources_of(case, answer, against)
        statements.append([(text, sources, False) for text, _ in statements_of(answer)])
    return _check(statements, judge)


def check_citations(pairs: Sequence[Pair], judge: Judge) -> list[list[Checked]]:
    """Hold every statement against the evidence that it cites; unknown ids hold nothing."""
    citations = []
    for case, answer in pairs:
        texts = {evidence.id: evidence.text for evidence in case.evidence}
        rows = []
        for text, cited in statements_of(answer):
            sources = tuple((id_, texts[id_]) for id_ in dict.fromkeys(cited) if id_ in texts)
            rows.append((text, sources, bool(sources)))
        citations.append(rows)
    return _check(citations, judge)


def _check(
    asked: Sequence[Sequence[tuple[str, tuple[tuple[str, str], ...], bool]]], judge: Judge
) -> list[list[Checked]]:
    """Ask the judge everything at once, so that a model can fill its batches."""
    questions = []
    split: dict[int, tuple[tuple[str, ...], ...]] = {}  # most statements share their sources
    for text, sources, _ in chain.from_iterable(asked):
        if id(sources) not in split:
            split[id(sources)] = tuple(_sentences(source) for _, source in sources)
        questions.append((text, split[id(sources)]))
    findings = zip(_judged(questions, judge), questions, strict=True)
    checked = []
    for rows in asked:
        done = []
        for text, sources, cites in rows:
            finding, (_, passages) = next(findings)
            source, sentence = _decided(finding, sources, passages)
            done.append(Checked(text, finding, source, sentence, cites))
        checked.append(done)
    return checked


@lru_cache(maxsize=4096)
def _sentences(text: str) -> tuple[str, ...]:
    """Split a document once, however many answers it is held against."""
    return tuple(split_sentences(text))


def _decided(
    finding: SupportFinding, sources: Sequence[tuple[str, str]], passages: Sequence[tuple[str, ...]]
) -> tuple[str | None, str]:
    """Give the id of the source that decides, and its sentence."""
    place = finding.decided_by
    if place is None:
        return None, ""
    for (source, _), sentences in zip(sources, passages, strict=True):
        if place < len(sentences):
            return source, sentences[place]
        place -= len(sentences)
    message = f"place {finding.decided_by} is beyond the evidence"
    raise IndexError(message)


def _judged(
    asked: Sequence[tuple[str, tuple[tuple[str, ...], ...]]], judge: Judge
) -> list[SupportFinding]:
    """Judge what was not judged before: several metrics ask the same, and the report once more."""
    questions: list[Question] = [
        (statement, [*chain.from_iterable(passages)]) for statement, passages in asked
    ]
    cache = result_cache("findings-and-cuts", judge.settings, reveals_text=True)
    keys = [ResultCache.key(statement, *texts) for statement, texts in questions]
    sentences = {key: len(texts) for key, (_, texts) in zip(keys, questions, strict=True)}
    contents = cache.get(keys, lambda key, content: _can_be(content, sentences[key]))
    todo = {
        key: question for key, question in zip(keys, questions, strict=True) if key not in contents
    }
    made = {
        key: json.dumps(
            [finding.verdict, finding.decided_by, finding.strength, finding.why, finding.cut]
        ).encode()
        for key, finding in zip(todo, judge.judge(list(todo.values())), strict=True)
    }
    cache.keep(made)
    contents |= made
    return [_finding(*json.loads(contents[key])) for key in keys]


def _can_be(content: bytes, sentences: int) -> bool:
    """Tell whether a kept content can be a finding on so many sentences of evidence."""
    try:
        verdict, place, strength, why, cut = json.loads(content)
        SupportVerdict(verdict)
    except (ValueError, TypeError, RecursionError):
        return False
    return (
        (place is None or (type(place) is int and 0 <= place < sentences))
        and (type(strength) in {int, float} and 0 <= strength <= 1)
        and (type(cut) is int and cut >= 0)
        and isinstance(why, str)
    )


def _finding(
    verdict: str, decided_by: int | None, strength: float, why: str, cut: int
) -> SupportFinding:
    return SupportFinding(SupportVerdict(verdict), decided_by, strength, why, cut)


def _statements(answer: Answer) -> tuple[str, ...] | None:
    if answer.text is None:
        return None
    return answer.text, *(text for text, _ in statements_of(answer))


def _reasoned(answer: Answer) -> tuple[object, ...] | None:
    if answer.reasoning is None:
        return ("",) if answer.is_blank else None
    return answer.is_blank, answer.reasoning  # blank beside a blank chain: an empty answer


def _retrieved(answer: Answer) -> tuple[str, ...] | None:
    if answer.retrieved is None:
        return () if answer.is_blank else None
    return tuple(retrieved.document for retrieved in answer.retrieved)


STATEMENTS: Final = Need(words="text", of_answer=_statements)


OF_ANSWER_OR_REASONING: Final = (
    Need(words="text", of_answer=_statements, when=("of", "answer")),
    Need(words="text of reasoning", of_answer=_reasoned, when=("of", "reasoning")),
)


SOURCES: Final = (
    Need(
        words="evidence",
        of_case=lambda case: tuple((e.id, e.text) for e in case.evidence) or None,
        when=("against", "evidence"),
    ),
    Need(
        words="reference of kind human",
        of_case=lambda case: references(case, "human") or None,
        when=("against", "reference"),
    ),
    Need(
        words="documents with their content",
        of_case=lambda case: tuple((d.id, d.text) for d in case.documents if d.text) or None,
        when=("against", "retrieved"),
    ),
    Need(
        words="retrieved documents",
        of_answer=_retrieved,
        when=("against", "retrieved"),
    ),
)


def stated(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Pair]:
    """Put the chain of reasoning in the place of the text where it is asked for."""
    if arguments.get("of") != "reasoning":
        return list(pairs)
    return [
        (case, answer.model_copy(update={"text": answer.reasoning or "", "statements": None}))
        for case, answer in pairs
    ]
