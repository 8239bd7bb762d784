"""BERTScore's rule with the embedded encoder: another number, so another name."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from medassay.metrics.declaration import (
    LIMIT,
    ODD_FOR_ENCODERS,
    REF,
    REFERENCES,
    TEXT,
    Declaration,
    Direction,
    answer_text,
    references,
)
from medassay.metrics.registry import Pair, metric
from medassay.metrics.token_match import (
    WINDOWS,
    TokenMatcher,
    best_of,
    cautions_for_english,
    count_windows,
    match_batch,
    pieces_known,
)
from medassay.models.encoders import EMBEDDED, WINDOW, encoder_facts, load_encoder
from medassay.scores import Reason, Score, Unscored

_ASKS: Final = {
    "precision": "How much of what the answer says has something near it in the reference?",
    "recall": "How much of what the reference says has something near it in the answer?",
    "f1": "How near do answer and reference come to each other, word piece by word piece?",
}
_PURPOSE: Final = "the embedded encoder"


def _declare(part: str) -> Declaration:
    return Declaration(
        name=f"minilm_match_{part}",
        title=f"MiniLM match {part.replace('f1', 'F1')}",
        question=_ASKS[part],
        unit="a mean of cosines, not rescaled",
        low=0 if part == "f1" else -1,
        high=1,
        direction=Direction.HIGHER,
        needs=(*REFERENCES, TEXT),
        parameters=(REF, LIMIT),
        parts=WINDOWS,
        libraries=("numpy",),
        symmetric=part == "f1",
        if_no_answer=Reason.NEVER_ANSWERED,
        if_empty=Reason.EMPTY_ANSWER,
        odd=ODD_FOR_ENCODERS,
        reads=pieces_known(lambda _: (EMBEDDED, None), _PURPOSE),
        undefined_when="the answer or every reference has no piece that the model reads, such as"
        " control characters alone, or over half of its letters are unknown to it",
        reference="The rule of Zhang et al. 2020, https://openreview.net/forum?id=SkeHuCVFDr, on"
        " all-MiniLM-L6-v2 (last layer, 8-bit weights): no published BERTScore",
        settings=lambda _: {"window": str(WINDOW)},
        version=3,
        backend=lambda _: encoder_facts(EMBEDDED, purpose=_PURPOSE),
        cautions=cautions_for_english(lambda _: EMBEDDED),
        cost="a pass through a small encoder for each text: about 30 answers of 100 words a second"
        " on one processor core, 300 MB",
        blind_spots=(
            (
                "Negation and contradiction: on ten health pairs contradictions came nearer to"
                " their sentence (0.81) than paraphrases did (0.67)."
            ),
            "Numbers, doses and units: one piece among many.",
            (
                "Languages other than English: other scripts fall into single letters or unknown"
                " pieces."
            ),
        ),
    )


def _compute(
    part: str, pairs: Sequence[Pair], arguments: Mapping[str, str]
) -> list[Score | Unscored]:
    matcher = TokenMatcher(
        encoder_facts(EMBEDDED, purpose=_PURPOSE),
        partial(load_encoder, EMBEDDED, purpose=_PURPOSE),
        WINDOW,
    )
    scores = [best_of(matches, part) for matches in match_batch(matcher, pairs, arguments)]
    texts = [answer_text(answer, arguments) for _, answer in pairs]
    groups = [references(case, arguments["ref"]) for case, _ in pairs]
    windows = count_windows(EMBEDDED, texts, purpose=_PURPOSE)
    wide = iter(
        count_windows(EMBEDDED, [text for group in groups for text in group], purpose=_PURPOSE)
    )
    parts = [
        (float(count), float(max(next(wide) for _ in group)))
        for count, group in zip(windows, groups, strict=True)
    ]
    return [
        Score(score.value, of) if isinstance(score, Score) else score
        for score, of in zip(scores, parts, strict=True)
    ]


for _part in _ASKS:
    metric(_declare(_part))(partial(_compute, _part))
