"""BLEU of single answers, with the parts that corpus BLEU pools."""

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from medassay.cases import Case
from medassay.metrics.arithmetic.bleu import PARTS, compare, merge
from medassay.metrics.arithmetic.bleu import bleu as bleu_from_parts
from medassay.metrics.arithmetic.ngrams import ORDER, count_ngrams
from medassay.metrics.declaration import Declaration, Direction
from medassay.metrics.needs import LIMIT, REF, REFERENCES, TEXT, WORDS, answer_text, references
from medassay.metrics.reads import SPACED, SPACED_LETTERS, reads_references
from medassay.metrics.registry import Pair, metric
from medassay.scores import Score, Unscored
from medassay.text import tokenize_13a

__all__ = ["bleu"]


def _settings(_: Mapping[str, str]) -> Mapping[str, str]:
    return {
        "tokenizer": "13a",
        "case": "kept",
        "order": str(ORDER),
        "smoothing": "none",
        "effective_order": "no",
    }


def _tells(case: Case, arguments: Mapping[str, str]) -> bool:
    """Say whether a reference has four words in a row: without them even its own text is 0."""
    return any(len(tokenize_13a(text)) >= ORDER for text in references(case, arguments["ref"]))


_DECLARATION = Declaration(
    name="bleu",
    title="BLEU",
    question="How much of the answer's wording, up to four words in a row, is in the reference?",
    unit="a fraction; sacrebleu and papers print it times 100",
    low=0,
    high=1,
    direction=Direction.HIGHER,
    needs=(*REFERENCES, TEXT),
    parameters=(REF, LIMIT, WORDS),
    if_no_answer=0,
    if_empty=0,
    reads=reads_references(SPACED, SPACED_LETTERS, _tells),
    version=2,
    undefined_when="each reference is mostly in a script without blanks between words; without a"
    " match of four words in a row it is 0",
    reference="Papineni et al. 2002, doi:10.3115/1073083.1073135; settings of the ArchEHR-QA"
    " scorers, in sacrebleu's terms: smooth_method none, use_effective_order off",
    parts=PARTS,
    pool=lambda sums, _: bleu_from_parts(sums),
    parallel=lambda _: True,
    blind_spots=(
        "Meaning said in other words: only equal words in one order count.",
        "Negation, doses and numbers: one word among many.",
        "References under four words: by its rule even the same words are 0.",
    ),
    settings=_settings,
    libraries=("numpy", "sacrebleu"),
)


@metric(_DECLARATION)
def bleu(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Compute BLEU of each answer; each distinct reference is counted once."""
    if not pairs:
        return []
    lines = [references(case, arguments["ref"]) for case, _ in pairs]
    texts = [answer_text(answer, arguments) for _, answer in pairs]
    every = list(dict.fromkeys([*chain.from_iterable(lines), *texts]))
    grams = dict(zip(every, count_ngrams(map(tokenize_13a, every)), strict=True))
    merged = {each: merge([grams[text] for text in each]) for each in dict.fromkeys(lines)}
    rows = [compare(grams[text], merged[each]) for text, each in zip(texts, lines, strict=True)]
    values = bleu_from_parts(np.asarray(rows))
    return [Score(v, parts) for v, parts in zip(values.tolist(), rows, strict=True)]
