"""Concept coverage: do the documents found name the concepts of the question?"""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.metrics.builtin.context_relevance import FOUND, PROMPT, READABLE
from medassay.metrics.declaration import ENGLISH_LETTERS, Declaration, Direction, Reads
from medassay.metrics.registry import Pair, metric
from medassay.models import install_line
from medassay.models.concepts import open_vocabulary, vocabulary_facts
from medassay.scores import Reason, Score, Unscored

_NONE: Final = "the question names no concept that the vocabulary knows"


@metric(
    Declaration(
        name="concept_coverage",
        title="Concept coverage",
        question="How many of the question's diseases, drugs, findings and procedures do the"
        " documents that were found name?",
        unit="a fraction of the concepts of the question",
        low=0,
        high=1,
        direction=Direction.HIGHER,
        needs=(PROMPT, READABLE, FOUND),
        takes_k=True,
        reads=Reads(
            what="names in a–z",
            share=ENGLISH_LETTERS,
            of_case=lambda case, *_: (case.prompt or "",),
        ),
        version=2,
        if_no_answer=0,
        undefined_when=f"{_NONE}, under half of its letters are a–z, or a document among the first"
        " k has no text in the case",
        reference="The coverage under the source's context relevance (Uprety 2025, part 3), with"
        " concepts of open vocabularies in place of strings; docs/concepts.md",
        backend=lambda _: vocabulary_facts(),
        cost="A fifth of a millisecond a text; the vocabulary is built once a study, in seconds."
        f" Needs {install_line('concepts')}.",
        blind_spots=(
            "Negation, numbers and who has it: a concept that is named is named.",
            "What names outside the vocabulary say.",
            "Whether the documents answer the question, or merely speak of the same things.",
        ),
    )
)
def concept_coverage(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Give the share of the question's concepts among the first k documents."""
    vocabulary, k = open_vocabulary(), int(arguments["k"])
    known: dict[str, frozenset[str]] = {}

    def concepts(text: str) -> frozenset[str]:
        if text not in known:
            known[text] = vocabulary.concepts(text)
        return known[text]

    scores: list[Score | Unscored] = []
    for case, answer in pairs:
        prompt = concepts(case.prompt or "")
        texts = {d.id: f"{d.title or ''}\n{d.text}" for d in case.documents if d.text is not None}
        top = [retrieved.document for retrieved in (answer.retrieved or ())[:k]]
        if not prompt:
            scores.append(Unscored(Reason.UNDEFINED, _NONE))
        elif any(document not in texts for document in top):
            scores.append(
                Unscored(Reason.UNDEFINED, "a retrieved document has no text in the case")
            )
        else:
            named = frozenset[str]().union(*(concepts(texts[document]) for document in top))
            scores.append(Score(len(prompt & named) / len(prompt)))
    return scores
