"""Kinds that come with it: retrieval, reasoning over options, answers with citations, RAG.

Answers with citations: each sentence says on which sentences of the case's note it rests.

What enters: a case with numbered evidence. What leaves: an answer whose statements cite evidence by
id, each id one that the note has. Three systems: a model that answers and cites
together, one that answers first and cites after, and one that quotes and needs no model.

A model answers in free text from retrieved passages: retrieval-augmented generation, plain.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal

from pydantic import Field

from medassay.answers import Answer, Retrieved, Statement
from medassay.cases import Case
from medassay.errors import InvalidInput, Problem
from medassay.models.endpoints import (
    Ask,
    Backend,
    EndpointSettings,
    Limits,
    Reply,
    chat_body,
    open_backend,
)
from medassay.systems.corpus import CorpusText, cut_passages
from medassay.systems.dialogue import Dialogue, PromptFile, own_prompts, read_prompts
from medassay.systems.extract import TfidfIndex
from medassay.systems.opening import AskingSettings, Opening, OpenSystem, SystemSettings
from medassay.systems.reasoning import (
    EvidenceWeigher,
    ModelWeigher,
    answer_of,
    find_method,
    query_of,
)
from medassay.systems.retrieval import Retriever, find_strategy
from medassay.text import first_words, split_sentences

_MOST: Final = 4
_MOST_WORDS: Final = 75
"""The shared task's longest answer."""
_MARK: Final = re.compile(r"\s*\[([^\[\]]*)\]")
_AFTER_STOP: Final = re.compile(r"([.!?])((?:\s*\[[^\[\]]*\])+)")


def answer_first(case: Case, system: str, prompts: PromptFile) -> Dialogue[Answer]:
    """Ask for an answer, then for its citations; the words stay those of the first reply.

    A sentence that the second reply does not repeat cites nothing: what a model says when it was
    asked to cite must not change what it answered.
    """
    fields = _note_fields(case)
    first = yield prompts.asked("answer", fields)
    answered = read_statements(first, case)
    first_words_said = " ".join(statement.text for statement in answered)
    second = yield prompts.asked("cite", {**fields, "answer": first_words_said})
    citations = {s.text: s.citations for s in read_statements(second, case)}
    statements = tuple(
        Statement(text=s.text, citations=citations.get(s.text, ())) for s in answered
    )
    raw = f"{first}\n\n{second}"
    return Answer(system=system, case=case.case, statements=statements, raw=raw)


def answer_together(case: Case, system: str, prompts: PromptFile) -> Dialogue[Answer]:
    """Ask for an answer whose sentences cite the note, and keep the citations that the note has."""
    reply = yield prompts.asked("together", _note_fields(case))
    statements = read_statements(reply, case)
    return Answer(system=system, case=case.case, statements=statements, raw=reply)


def quote_note(case: Case, system: str) -> Dialogue[Answer]:
    """Quote up to four sentences within 75 words, by the cosine of TF-IDF with question and letter.

    Example:
        >>> from medassay.systems.dialogue import converse
        >>> note = [{"id": 1, "text": "He had fever."}, {"id": 2, "text": "The weather was fine."}]
        >>> case = Case(case="1", question="Why was there fever?", evidence=note)
        >>> converse(quote_note(case, "quote")).statements
        (Statement(text='He had fever.', citations=('1',)),)
    """
    texts = {evidence.id: " ".join(evidence.text.split()) for evidence in case.evidence}
    prompt = " ".join(filter(None, (case.prompt, case.narrative)))
    chosen: set[str] = set()
    left = _MOST_WORDS
    for name, _ in TfidfIndex(texts).rank(prompt, len(texts)):
        length = len(texts[name].split())
        if length <= left and len(chosen) < _MOST:
            chosen.add(name)
            left -= length
    statements = tuple(
        Statement(text=text, citations=(name,)) for name, text in texts.items() if name in chosen
    )
    return Answer(system=system, case=case.case, statements=statements)
    yield  # a dialogue that asks nobody


def _note_fields(case: Case) -> Mapping[str, str]:
    """Give the fields of a prompt about a note: question, letter, numbered sentences, words."""
    return {
        "question": case.prompt or "",
        "narrative": case.narrative or "none",
        "sentences": "\n".join(f"[{e.id}] {' '.join(e.text.split())}" for e in case.evidence),
        "words": str(_MOST_WORDS),
    }


def read_statements(text: str, case: Case, words: int = _MOST_WORDS) -> tuple[Statement, ...]:
    """Read sentences with their citations; a number that the note has not is left out.

    A bracket after the full stop belongs to the sentence before it. The answer ends with the
    sentence that would pass the longest answer; a first sentence that alone is longer is cut.

    Example:
        >>> note = [{"id": 1, "text": "Fever."}, {"id": 2, "text": "Rest."}]
        >>> read = read_statements("He had fever [1, 9]. Rest. [2]", Case(case="1", evidence=note))
        >>> [(statement.text, statement.citations) for statement in read]
        [('He had fever.', ('1',)), ('Rest.', ('2',))]
    """
    known = {evidence.id for evidence in case.evidence}
    inside = _AFTER_STOP.sub(lambda m: f"{m[2].strip()}{m[1]}", " ".join(text.split()))
    statements: list[Statement] = []
    left = words
    for sentence in split_sentences(inside):
        cited = [part.strip() for mark in _MARK.findall(sentence) for part in mark.split(",")]
        plain = _MARK.sub("", sentence).strip()
        if not plain:
            continue
        length = len(plain.split())
        if length > left and statements:
            break
        shown = first_words(plain, left) if length > left else plain
        citations = tuple(dict.fromkeys(mark for mark in cited if mark in known))
        statements.append(Statement(text=shown, citations=citations))
        left -= length
    return tuple(statements)


def answer_grounded(
    case: Case, system: str, retriever: Retriever, prompts: PromptFile, k: int = 5
) -> Dialogue[Answer]:
    """Search by the question, show the model the best passage of each of k documents, and ask.

    This is how the med-gpt protocol's source has each of its models answer.
    """
    hits = retriever.rank(case.prompt or "", k)
    shown = "\n\n".join(f"[{hit.document}] {hit.passage.searched}" for hit in hits)
    fields = {"passages": shown or "none", "question": case.prompt or ""}
    reply = yield prompts.asked("answer", fields)
    return Answer(
        system=system,
        case=case.case,
        text=reply.strip(),
        retrieved=tuple(Retrieved(hit.document, hit.score) for hit in hits),
        raw=reply,
    )


Answers = Callable[[Case], Dialogue[Answer]]
_K: Final = 10


class _Searching(SystemSettings):
    """What the kinds have in common that search the study's documents.

    Attributes:
        retrieval: The strategy.
        words: Words in a passage.
        overlap: Words that neighbouring passages share.
    """

    retrieval: Annotated[str, Field(min_length=1)] = "bm25"
    words: Annotated[int, Field(ge=1)] = 100
    overlap: Annotated[int, Field(ge=0)] = 20

    def retriever(self, opening: Opening) -> Retriever:
        """Cut and index the study's documents.

        Raises:
            InvalidInput: The study has none with a text.
        """
        find_strategy(self.retrieval)
        with_text = [document for document in opening.documents if document.text]
        if not with_text:
            must, hint = "have documents to search in", "Name them in documents.jsonl."
            where = f"systems.{opening.system}"
            raise InvalidInput(Problem("study.toml", must, "none with a text", hint, None, where))
        return Retriever(cut_passages(with_text, self.words, self.overlap), self.retrieval)


class _Prompting(EndpointSettings, AskingSettings, SystemSettings):
    """What the kinds have in common that may ask a model.

    Attributes:
        prompts: A file of the study in place of the prompts that ship.
    """

    files: ClassVar[tuple[str, ...]] = ("prompts",)
    prompts: str | None = None

    def prompt_file(self, folder: Path, name: str) -> PromptFile:
        """Read the study's own prompts, or those that ship."""
        return (
            own_prompts(name) if self.prompts is None else read_prompts(folder / self.prompts, name)
        )

    def asking(self, opening: Opening, answers: Answers) -> OpenSystem:
        """Answer by a dialogue with the endpoint of these settings."""
        return _Open(opening.system, self, answers, open_backend(self, opening.allowed))


class RetrievalSystem(_Searching):
    """[systems.NAME] kind = "retrieval": documents by rank, and nothing else."""

    kind: ClassVar[str] = "retrieval"

    def open(self, opening: Opening) -> OpenSystem:
        """Index the study's documents."""
        retriever = self.retriever(opening)

        def answers(case: Case) -> Dialogue[Answer]:
            hits = retriever.rank(query_of(case), _K)
            retrieved = tuple(Retrieved(hit.document, hit.score) for hit in hits)
            return Answer(system=opening.system, case=case.case, retrieved=retrieved)
            yield  # a dialogue that asks nobody

        return _Open(opening.system, AskingSettings(), answers, None)


class OptionsSystem(_Prompting, _Searching):
    """[systems.NAME] kind = "options": a choice among a question's options, by a method.

    Attributes:
        method: The method of reasoning.
        by: What weighs the options: the evidence alone, or a model.
        reads: How many passages a model is shown.
    """

    kind: ClassVar[str] = "options"
    method: Annotated[str, Field(min_length=1)] = "chain"
    by: Literal["evidence", "model"] = "evidence"
    reads: Annotated[int, Field(ge=1)] = 5

    def open(self, opening: Opening) -> OpenSystem:
        """Index the study's documents, and find what weighs the options."""
        method = find_method(self.method)
        without = [case.case for case in opening.cases if not case.options]
        if without:
            must = "have options to choose from"
            raise InvalidInput([Problem(f"case {name}", must, "none") for name in without])
        retriever = self.retriever(opening)
        if self.by == "evidence":
            evidence = EvidenceWeigher(retriever.passages)
            return _Open(
                opening.system,
                AskingSettings(),
                lambda case: answer_of(case, opening.system, method, retriever, evidence),
                None,
            )
        model = ModelWeigher(self.prompt_file(opening.folder, "options"), self.reads)
        return self.asking(
            opening, lambda case: answer_of(case, opening.system, method, retriever, model)
        )


class CitedSystem(_Prompting):
    """[systems.NAME] kind = "cited": an answer whose sentences cite the case's note.

    Attributes:
        way: A model that cites as it answers, one that is asked after, or quotes without a model.
    """

    kind: ClassVar[str] = "cited"
    way: Literal["together", "answer-first", "quote"] = "quote"

    def open(self, opening: Opening) -> OpenSystem:
        """Read the prompts, where a model is asked."""
        if self.way == "quote":
            return _Open(
                opening.system,
                AskingSettings(),
                lambda case: quote_note(case, opening.system),
                None,
            )
        prompts = self.prompt_file(opening.folder, "cited")
        cite = answer_together if self.way == "together" else answer_first
        return self.asking(opening, lambda case: cite(case, opening.system, prompts))


class GroundedSystem(_Prompting, _Searching):
    """[systems.NAME] kind = "grounded": a model's answer from retrieved passages.

    Attributes:
        reads: How many documents' best passages it is shown.
    """

    kind: ClassVar[str] = "grounded"
    reads: Annotated[int, Field(ge=1)] = 5

    def open(self, opening: Opening) -> OpenSystem:
        """Index the study's documents, and read the prompts."""
        retriever = self.retriever(opening)
        prompts = self.prompt_file(opening.folder, "grounded")
        return self.asking(
            opening,
            lambda case: answer_grounded(case, opening.system, retriever, prompts, self.reads),
        )


@dataclass(frozen=True)
class _Open:
    """A system whose answers are dialogues."""

    system: str
    settings: AskingSettings
    answers: Answers
    backend: Backend | None

    @property
    def limits(self) -> Limits:
        return self.settings

    @property
    def samples(self) -> int:
        return self.settings.samples

    @property
    def corpus(self) -> Sequence[CorpusText]:
        return ()

    async def answer(self, case: Case, sample: int, ask: Ask) -> Answer | None:
        """Drive the dialogue: None where a reply failed, and so the next prompt cannot be made."""
        dialogue = self.answers(case)
        sent = self.settings.sent if isinstance(self.settings, EndpointSettings) else {}
        replies: list[Reply] = []
        try:
            prompt = next(dialogue)
            while True:
                body = chat_body(prompt.messages, {**sent, "max_tokens": prompt.most_tokens})
                about = {"case": case.case, "sample": sample, "step": len(replies)}
                replies.append(await ask(body, about=about, sample=sample))
                if replies[-1].ended == "failed":
                    return None
                prompt = dialogue.send(replies[-1].text)
        except StopIteration as end:
            return _told(end.value, sample, replies)


def _told(answer: Answer, sample: int, replies: Sequence[Reply]) -> Answer:
    """Say of an answer what its replies cost together, and which of them did not come to an end."""
    updates: dict[str, object] = {"sample": sample}
    costs = [reply.cost for reply in replies]
    if costs and None not in costs:
        updates["cost"] = round(sum(filter(None, costs)), 9)
    if short := [reply.ended for reply in replies if reply.ended in {"refused", "cut_off"}]:
        updates["ended"] = short[-1]
    return answer.model_copy(update=updates)
