"""Evidence utilisation: does the reasoning refer to the documents that were retrieved?"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

import numpy as np
from numpy.typing import NDArray

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics.builtin.chain_completeness import REASONING
from medassay.metrics.declaration import (
    SPACED,
    SPACED_LETTERS,
    Declaration,
    Direction,
    Need,
    Parameter,
    Reads,
    beside_chain,
)
from medassay.metrics.reasoning import read_references
from medassay.metrics.registry import Pair, metric
from medassay.scores import Reason, Score, Unscored

if TYPE_CHECKING:
    from medassay.metrics.reasoning import By


def _documents(case: Case) -> tuple[object, ...]:
    return tuple((d.id, d.title, d.text) for d in case.documents)


def _retrieved(answer: Answer) -> tuple[object, ...] | None:
    if answer.retrieved is None:
        return () if beside_chain(answer).is_blank else None
    return tuple(retrieved.document for retrieved in answer.retrieved)


def _readable(case: Case) -> tuple[object, ...] | None:
    known = tuple(document for document in case.documents if document.title or document.text)
    return _documents(case) if known else None


_READABLE: Final = tuple(
    Need(words="documents with a title or content", of_case=_readable, when=("by", by))
    for by in ("published", "title", "overlap")
)


def _pool(sums: NDArray[np.float64], _: Mapping[str, str]) -> NDArray[np.float64]:
    used, of = sums[..., 0], sums[..., 1]
    return np.divide(used, of, out=np.full_like(of, np.nan), where=of > 0)


def _texts(case: Case, answer: Answer, arguments: Mapping[str, str]) -> tuple[str, ...]:
    """Give the text that is looked for word by word; ids and titles are found in any script."""
    if arguments["by"] not in {"any", "overlap"}:
        return ()
    returned = {retrieved.document for retrieved in answer.retrieved or ()}
    texts = [document.text for document in case.documents if document.id in returned]
    joined = "\n".join(text for text in texts if text)
    return (joined,) if joined else ()


@metric(
    Declaration(
        name="evidence_utilisation",
        title="Evidence utilisation",
        question="How many of the retrieved documents does the reasoning refer to?",
        unit="a fraction of the retrieved documents",
        low=0,
        high=1,
        direction=Direction.HIGHER,
        needs=(
            REASONING,
            Need(words="retrieved documents", of_answer=_retrieved),
            Need(words="documents", of_case=_documents, when=("by", "any")),
            *_READABLE,
        ),
        parameters=(
            Parameter(
                name="by",
                says="By id or place in the list, by title, by eight words in a row (overlap), or"
                " by any of these; published is the source's rule: the title as written, or the"
                " first fifty characters.",
                values=("any", "published", "id", "title", "overlap"),
                default="any",
            ),
        ),
        if_no_answer=0,
        reads=Reads(what=SPACED, share=SPACED_LETTERS, of_case=_texts),
        version=2,
        undefined_when="nothing was retrieved; by any or overlap, documents mostly in a script"
        " without blanks between words",
        reference="Uprety (2025), Medical Question-Answering System, part 3 (by=published); the"
        " other ways are medassay's own, docs/reasoning.md",
        parts=("referred", "retrieved"),
        pool=_pool,
        parallel=lambda _: True,
        blind_spots=(
            "Whether the document is used or merely named, and used rightly.",
            "A document put in other words, without its name, is not found.",
            "More is not always better: of ten documents found, two may be all that bear on it.",
            "By id: a chain that numbers documents otherwise than by their place is misread.",
        ),
    )
)
def evidence_utilisation(
    pairs: Sequence[Pair], arguments: Mapping[str, str]
) -> list[Score | Unscored]:
    """Count the documents that the chain refers to."""
    by = cast("By", arguments["by"])
    scores: list[Score | Unscored] = []
    for case, answer in pairs:
        ids = [retrieved.document for retrieved in answer.retrieved or ()]
        if not ids:
            scores.append(Unscored(Reason.UNDEFINED, "nothing was retrieved"))
            continue
        known = {document.id: document for document in case.documents}
        references = read_references(answer.reasoning or "", ids, known, by)
        hits = sum(reference.span is not None for reference in references)
        scores.append(Score(hits / len(ids), (float(hits), float(len(ids)))))
    return scores
