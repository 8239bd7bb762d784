"""Kinds that ask nobody: a recorded file, and the environmental-health pipeline."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from medassay.answers import Answer, Answers, read_answers
from medassay.cases import Case, Cases
from medassay.errors import InvalidInput, Problem
from medassay.models.endpoints import Ask, Limits
from medassay.systems.corpus import CorpusText, corpus_text, read_corpus
from medassay.systems.extract import answer_with_tfidf
from medassay.systems.opening import Opening, OpenSystem, SystemSettings

__all__ = ["RecordedSystem", "TfidfSystem"]


class RecordedSystem(SystemSettings):
    """[systems.NAME] kind = "recorded": what the system answered elsewhere.

    Attributes:
        file: A file of the study with its answers: .jsonl, .csv, .parquet or a workbook.
    """

    kind: ClassVar[str] = "recorded"
    files: ClassVar[tuple[str, ...]] = ("file",)
    file: Annotated[str, Field(min_length=1)]

    def open(self, opening: Opening) -> OpenSystem:
        """Read the file; its answers are this system's, whatever it calls itself."""
        answers = read_answers(opening.folder / self.file, Cases.of(opening.cases))
        if len(answers.systems) > 1:
            got = f"those of {', '.join(answers.systems)}"
            raise InvalidInput(Problem(self.file, "hold the answers of one system", got))
        return _Given.of(
            opening.system,
            (answer.model_copy(update={"system": opening.system}) for answer in answers),
        )


class TfidfSystem(SystemSettings):
    """[systems.NAME] kind = "tfidf": the environmental-health protocol's own pipeline.

    Attributes:
        corpus: A folder of the study with texts (.txt, .md); the study's documents if not given.
        k: How many documents are returned; as `[confidence]` says if not given.
        normalised: Confidence from similarities within each query, or over the whole run.
    """

    kind: ClassVar[str] = "tfidf"
    files: ClassVar[tuple[str, ...]] = ("corpus",)
    corpus: str | None = None
    k: Annotated[int, Field(ge=1)] | None = None
    normalised: Literal["query", "run"] = "query"

    def texts(self, opening: Opening) -> list[CorpusText]:
        """Give the texts that are searched.

        Raises:
            InvalidInput: There are none.
        """
        if self.corpus is not None:
            return read_corpus(opening.folder / self.corpus)
        texts = [
            corpus_text(document.id, document.text)
            for document in opening.documents
            if document.text
        ]
        if not texts:
            must = "have texts to search: documents, or a folder named as corpus"
            where = f"systems.{opening.system}.corpus"
            raise InvalidInput(Problem("study.toml", must, "neither", "", None, where))
        return texts

    def open(self, opening: Opening) -> OpenSystem:
        """Answer every case: confidence may depend on all of them."""
        rule = replace(opening.rule, normalised=self.normalised)
        if self.k is not None:
            rule = replace(rule, k=self.k)
        texts = self.texts(opening)
        answers = answer_with_tfidf(opening.cases, texts, opening.system, rule)
        return _Given.of(opening.system, answers, texts if self.corpus is not None else ())


@dataclass(frozen=True)
class _Given:
    system: str
    answers: Answers
    backend: None
    limits: Limits
    samples: int
    corpus: Sequence[CorpusText]

    @classmethod
    def of(cls, system: str, made: Iterable[Answer], corpus: Sequence[CorpusText] = ()) -> "_Given":
        answers = Answers.of(made)
        most = max((answer.sample for answer in answers), default=0) + 1
        return cls(system, answers, None, Limits(), most, corpus)

    async def answer(self, case: Case, sample: int, ask: Ask) -> Answer | None:
        del ask  # nobody is asked
        return self.answers.get(self.system, case.case, sample)
