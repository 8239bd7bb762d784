"""MEDCON: which UMLS concepts answer and reference both name, in two forms."""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.metrics.concept_overlap import best_overlap, medcon_compat
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
from medassay.models.concepts import UmlsTerms, open_umls, umls_facts
from medassay.scores import Reason, Score, Unscored

_NONE: Final = "no reference names a UMLS concept of the 66 semantic types"


def _range(arguments: Mapping[str, str]) -> tuple[float, float]:
    return 0, 1 if arguments["rule"] == "cui" else 2


_DECLARATION = Declaration(
    name="medcon",
    title="MEDCON",
    question="Do the answer and the reference name the same UMLS concepts?",
    unit="a fraction; papers print it times 100",
    low=0,
    high=2,
    range_with=_range,
    direction=Direction.HIGHER,
    needs=(*REFERENCES, TEXT),
    parameters=(
        REF,
        Parameter(
            name="rule",
            says="compat: as the shared tasks' scorers compute it, over matched terms, where answer"
            " and reference cannot change places and a value may pass 1 (never 2); cui: F1 of the"
            " two sets of concepts, symmetric, at most 1.",
            values=("compat", "cui"),
        ),
        LIMIT,
    ),
    reads=reads_references("names in a–z", ENGLISH_LETTERS),
    version=2,
    if_no_answer=0,
    if_empty=0,
    odd=NOTHING_READ,
    undefined_when=f"under half of each reference's letters are a–z; with rule=cui: {_NONE}; with"
    " rule=compat 0/0 is 0",
    reference="Yim et al. 2023, doi:10.1038/s41597-023-02487-3; archehr-qa at 771b948; QuickUMLS,"
    " Soldaini & Goharian 2016. The rule compat is what the scorers compute, not the set F1 that"
    " their papers describe",
    settings=lambda _: {
        "semantic_types": "66",
        "window": "5",
        "threshold": "1",
        "similarity": "jaccard",
    },
    backend=lambda _: umls_facts(),
    cost="QuickUMLS parses every text, once; it needs a UMLS licence, which is free, an index that"
    f" you build from it, and {install_line('umls')}.",
    blind_spots=(
        'Negation: "no sign of malaria" names malaria as "malaria" does.',
        "Numbers, doses, units and times.",
        "Procedures, organisms and people: their semantic types are not among the 66.",
        (
            "Which UMLS release the index was built from, and with which options: two sites with"
            " two indexes get two numbers. The signature has the index's hash."
        ),
        (
            "QuickUMLS 1.4.2 ignores the scorers' ignore_syntax=True: its rules on parts of speech"
            " stay on, there and here."
        ),
    ),
)


@metric(_DECLARATION)
def medcon(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Compute MEDCON; each distinct text is matched once, and kept where texts may be."""
    answers = [answer_text(answer, arguments) for _, answer in pairs]
    targets = [references(case, arguments["ref"]) for case, _ in pairs]
    terms = open_umls().terms([*answers, *(text for texts in targets for text in texts)])
    compute = _compat if arguments["rule"] == "compat" else _cui
    return [
        compute(terms[text], [terms[target] for target in texts])
        for text, texts in zip(answers, targets, strict=True)
    ]


def _compat(answer: UmlsTerms, reference_terms: Sequence[UmlsTerms]) -> Score | Unscored:
    return Score(max(medcon_compat(answer, terms) for terms in reference_terms))


def _cui(answer: UmlsTerms, reference_terms: Sequence[UmlsTerms]) -> Score | Unscored:
    parts = best_overlap(_concepts(answer), [_concepts(terms) for terms in reference_terms])
    if parts is None:
        return Unscored(Reason.UNDEFINED, _NONE)
    shared, mine, theirs = parts
    return Score(2 * shared / (mine + theirs))


def _concepts(terms: UmlsTerms) -> frozenset[str]:
    return frozenset().union(*terms.values())
