"""BERTScore with any published encoder: precision, recall, F1."""

from collections.abc import Callable, Mapping, Sequence
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
    Parameter,
)
from medassay.metrics.registry import Pair, metric
from medassay.metrics.token_match import (
    CUT,
    NO_PIECE,
    TokenMatcher,
    best_of,
    cautions_for_english,
    idf_weights,
    match_batch,
    pieces_known,
    rescaled,
)
from medassay.models import ResultCache, file_digest, model_setup
from medassay.models.encoders import Encoder, encoder_facts, load_encoder, windows
from medassay.models.find import baseline_file, read_baseline
from medassay.scores import Reason, Score, Unscored

_ASKS: Final = {
    "precision": "How near does each word piece of the answer come to one of the reference?",
    "recall": "How near does each word piece of the reference come to one of the answer?",
    "f1": "How near do the word pieces of answer and reference come to each other?",
}
_PURPOSE: Final = "BERTScore"
_NO_WEIGHT: Final = (
    "no piece of text that has a weight: idf=references gives none to what every reference has"
)
_NO_CORPUS: Final = (
    "idf=references counts pieces in all references of a study, and none were given: score with"
    " medassay.score, which takes them from the cases"
)


def _layer(arguments: Mapping[str, str]) -> int:
    return int(arguments["layer"])


def _corpus(arguments: Mapping[str, str]) -> Sequence[str]:
    """Give the texts that idf counts, in one order whatever that of the cases; none without idf."""
    if arguments["idf"] == "none":
        return ()
    return sorted(model_setup().corpora.get(arguments["ref"], ()))


def _backend(arguments: Mapping[str, str]) -> Mapping[str, str]:
    facts = dict(encoder_facts(arguments["model"], _layer(arguments), purpose=_PURPOSE))
    if arguments["baseline"] != "none":
        path = baseline_file(arguments["baseline"], arguments["model"], _PURPOSE)
        facts["baseline_file"] = file_digest(path)[:16]
    if arguments["idf"] != "none":
        facts["idf_corpus"] = _digest(_corpus(arguments))
    return facts


def _digest(corpus: Sequence[str]) -> str:
    return ResultCache.key(*corpus)[:16]


def _settings(_: Mapping[str, str]) -> Mapping[str, str]:
    return {"values_of": "bert-score 0.3.13", "weights": "fp32"}


def _range(part: str, arguments: Mapping[str, str]) -> tuple[float | None, float]:
    cosines = arguments["baseline"] == "none"  # rescaled ones have no lower end
    return (0 if part == "f1" else -1) if cosines else None, 1


def _declare(part: str) -> Declaration:
    return Declaration(
        name=f"bertscore_{part}",
        title=f"BERTScore {part.replace('f1', 'F1')}",
        question=_ASKS[part],
        unit="a cosine, or with a baseline the share of the way from unrelated texts (0) to equal"
        " ones (1); papers print it times 100",
        low=None,
        high=1,
        range_with=partial(_range, part),
        direction=Direction.HIGHER,
        needs=(*REFERENCES, TEXT),
        parameters=(
            REF,
            Parameter(
                name="model",
                says="The encoder: a hub id, or a word of [models.folders] in study.toml.",
                kind="text",
                values=("distilbert-base-uncased",),
            ),
            Parameter(
                name="layer",
                says="The layer whose states are compared; the shared tasks take 4 of"
                " distilbert-base-uncased.",
                kind="integer",
                low=0,
                values=(),
            ),
            Parameter(
                name="idf",
                says="Whether pieces weigh alike (none), or rare ones among all references of the"
                " study more (references). Each reference counts once, as the paper has it and as"
                " bert-score does with idf_sents=; its score(idf=True) counts a reference once for"
                " every answer to it, so its weights change with the number of systems.",
                values=("none", "references"),
                default="none",
            ),
            Parameter(
                name="baseline",
                says="Whether values are cosines (none), or rescaled by the authors' baseline for a"
                " language, such as en.",
                kind="text",
                values=("none", "en"),
                default="none",
            ),
            LIMIT,
        ),
        usual=({"model": "distilbert-base-uncased", "layer": "4", "baseline": "en"},),
        parts=CUT,
        libraries=("numpy",),
        symmetric=part == "f1",
        if_no_answer=Reason.NEVER_ANSWERED,
        if_empty=Reason.EMPTY_ANSWER,
        odd=ODD_FOR_ENCODERS,
        reads=pieces_known(lambda arguments: (arguments["model"], _layer(arguments)), _PURPOSE),
        version=2,
        undefined_when="the answer or every reference has no piece that the model reads, such as"
        " control characters alone, or over half of its letters are unknown to it;"
        " with idf=references also where all its pieces are in every reference, or no references"
        " were given",
        reference="Zhang et al. 2020, https://openreview.net/forum?id=SkeHuCVFDr; values of"
        " bert-score 0.3.13",
        settings=_settings,
        backend=_backend,
        cautions=cautions_for_english(lambda arguments: arguments["model"]),
        cost="a pass through the encoder for each text, so it grows with the size of the model;"
        " precision, recall and F1 share it",
        blind_spots=(
            "Negation and contradiction: 'is safe' and 'is not safe' are near each other.",
            "Numbers, doses and units: one piece among many.",
            (
                "Text behind the model's limit (512 pieces for most) is cut, as published; the"
                " parts of a score count it."
            ),
        ),
    )


def _compute(
    part: str, pairs: Sequence[Pair], arguments: Mapping[str, str]
) -> list[Score | Unscored]:
    model, layer = arguments["model"], _layer(arguments)
    with_idf, corpus = arguments["idf"] != "none", _corpus(arguments)
    if with_idf and not corpus:
        return [Unscored(Reason.UNDEFINED, _NO_CORPUS)] * len(pairs)
    matcher = TokenMatcher(
        encoder_facts(model, layer, purpose=_PURPOSE),
        partial(load_encoder, model, layer, purpose=_PURPOSE),
        weigh=partial(_idf, corpus) if with_idf else None,
        weighing=_digest(corpus) if with_idf else "none",
    )
    base = 0.0
    if arguments["baseline"] != "none":
        path = baseline_file(arguments["baseline"], model, _PURPOSE)
        base = read_baseline(path, layer)[("precision", "recall", "f1").index(part)]
    by_answer = match_batch(matcher, pairs, arguments)
    without = _NO_WEIGHT if with_idf else NO_PIECE
    return [
        best_of(matches, part, lambda value: rescaled(value, base), without)
        for matches in by_answer
    ]


def _idf(corpus: Sequence[str], encoder: Encoder) -> Callable[[int], float]:
    documents = [windows(encoder.pieces(text), encoder.longest)[0].ids for text in corpus]
    weights, unseen = idf_weights(documents)
    return lambda piece: weights.get(piece, unseen)


for _part in _ASKS:
    metric(_declare(_part))(partial(_compute, _part))
