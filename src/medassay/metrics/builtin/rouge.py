"""ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

from medassay.cases import Case
from medassay.metrics.declaration import (
    ENGLISH_LETTERS,
    LIMIT,
    NOTHING_READ,
    REF,
    REFERENCES,
    TEXT,
    WORDS,
    Declaration,
    Direction,
    Parameter,
    Reads,
    answer_text,
    reads_references,
    references,
)
from medassay.metrics.registry import Pair, metric
from medassay.scores import Reason, Score, Unscored

if TYPE_CHECKING:
    from rouge_score_rs import RougeScorer

_SHARED: Final = {
    "rouge1": "How many words do the answer and the reference share?",
    "rouge2": "How many pairs of neighbouring words do the answer and the reference share?",
    "rougeL": "How long is the longest run of words, gaps allowed, that both have in one order?",
    "rougeLsum": "How much of each line of the reference do the answer's lines have in one order?",
}
KINDS: Final = ("rouge1", "rouge2", "rougeL", "rougeLsum")
Measure = Literal["precision", "recall", "fmeasure"]
_WORD: Final = re.compile("[a-z0-9]")
_WORDS: Final = re.compile("[a-z0-9]+")


_MEASURES: Final[dict[str, Measure]] = {
    "f": "fmeasure",
    "precision": "precision",
    "recall": "recall",
}


def _settings(_: Mapping[str, str]) -> Mapping[str, str]:
    return {"tokenizer": "a-z0-9", "case": "lowered"}


def _reads(kind: str) -> Reads:
    fewest = 2 if kind == "rouge2" else 1  # a reference of one word has no pair of words

    def tells(case: Case, arguments: Mapping[str, str]) -> bool:
        return any(_count_words(text) >= fewest for text in references(case, arguments["ref"]))

    return reads_references("a–z", ENGLISH_LETTERS, tells)


def _declare(kind: str) -> Declaration:
    return Declaration(
        name=kind,
        title=f"ROUGE-{kind.removeprefix('rouge')}",
        question=_SHARED[kind],
        unit="a fraction; papers print it times 100",
        low=0,
        high=1,
        direction=Direction.HIGHER,
        needs=(*REFERENCES, TEXT),
        parameters=(
            REF,
            Parameter(
                name="measure",
                says="Their F-measure (f), the share of the answer's (precision) or of the"
                " reference's (recall).",
                values=tuple(_MEASURES),
                default="f",
            ),
            Parameter(
                name="stemmer",
                says="Whether words longer than three letters are stemmed (Porter).",
                values=("no", "yes"),
                default="no",
            ),
            LIMIT,
            WORDS,
        ),
        reads=_reads(kind),
        version=2,
        symmetric=kind != "rougeLsum",  # which unites matches over the lines of the reference
        if_no_answer=0,
        if_empty=0,
        odd=NOTHING_READ,
        undefined_when="under half of the letters of each reference are a–z, or none has a word of"
        " a–z or 0–9: ROUGE's tokeniser reads nothing else",
        reference="Lin 2004, https://aclanthology.org/W04-1013; values of rouge-score 0.1.2",
        parallel=lambda _: True,
        blind_spots=(
            "Meaning said in other words: only equal words count.",
            "Negation, doses and numbers: one word among many.",
            "Scripts other than Latin: its tokeniser reads a–z and 0–9 alone.",
        ),
        settings=_settings,
        libraries=("rouge-score-rs",),
    )


def _compute_with(kind: str) -> Callable[..., list[Score | Unscored]]:
    def compute(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
        readable = [
            tuple(filter(has_words, references(case, arguments["ref"]))) for case, _ in pairs
        ]
        places = [i for i, texts in enumerate(readable) if texts]
        values = rouge(
            kind,
            [answer_text(pairs[i][1], arguments) for i in places],
            [readable[i] for i in places],
            measure=_MEASURES[arguments["measure"]],
            stemmer=arguments["stemmer"] == "yes",
        )
        undefined = Unscored(Reason.UNDEFINED, "no reference has a word of a–z or 0–9")
        scores: list[Score | Unscored] = [undefined] * len(pairs)
        for i, value in zip(places, values, strict=True):
            scores[i] = Score(value)
        return scores

    return compute


for _kind in KINDS:
    metric(_declare(_kind))(_compute_with(_kind))


def has_words(text: str) -> bool:
    """Say whether ROUGE sees any word in a text.

    Example:
        >>> has_words("Ruhe!"), has_words("راحة")
        (True, False)
    """
    return _WORD.search(text.lower()) is not None


def _count_words(text: str) -> int:
    """Count the words that ROUGE sees in a text.

    Example:
        >>> _count_words("Rest, 2 days!")
        3
    """
    return len(_WORDS.findall(text.lower()))


def rouge(
    kind: str,
    answers: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    measure: Measure = "fmeasure",
    stemmer: bool = False,
) -> list[float]:
    """Compute one kind of ROUGE for many answers.

    Args:
        kind: One of `KINDS`.
        answers: Texts.
        references: For each answer one or more texts; the one with the highest F counts, the first
            of equals, as rouge-score's `score_multi` does.
        measure: Which of the three numbers.
        stemmer: Whether words longer than three letters are stemmed (Porter).

    Example:
        >>> rouge("rouge1", ["rest at home"], [["rest at home", "go home"]])
        [1.0]
    """
    targets = [text for texts in references for text in texts]
    repeated = [a for a, texts in zip(answers, references, strict=True) for _ in texts]
    scored = iter(_scorer(kind, stemmer).score_batch(targets, repeated))
    values = []
    for texts in references:
        candidates = [next(scored)[kind] for _ in texts]
        best = max(candidates, key=lambda candidate: candidate.fmeasure)
        values.append(float(getattr(best, measure)))
    return values


@cache
def _scorer(kind: str, stemmer: bool) -> "RougeScorer":  # noqa: FBT001 - the key of a cache
    from rouge_score_rs import RougeScorer

    return RougeScorer([kind], use_stemmer=stemmer)
