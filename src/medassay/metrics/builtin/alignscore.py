"""AlignScore: does the reference bear out what the answer says?"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from medassay.metrics.declaration import (
    LIMIT,
    REF,
    REFERENCES,
    TEXT,
    Declaration,
    Direction,
    Parameter,
    answer_text,
    references,
)
from medassay.metrics.registry import Pair, metric
from medassay.metrics.token_match import cautions_for_english
from medassay.models.install import need_all
from medassay.models.nli.alignscore import (
    MODES,
    Aligned,
    Texts,
    find_alignscore,
    punkt_sentences,
    punkt_version,
)
from medassay.scores import Score, Unscored
from medassay.text import split_sentences

_DECLARED_MODES: Final = tuple(mode for mode in MODES if not mode.startswith("reg"))


def _backend(arguments: Mapping[str, str]) -> Mapping[str, str]:
    find = partial(find_alignscore, arguments["model"], arguments["backbone"])
    punkt = arguments["sentences"] == "punkt"
    need_all("AlignScore", find, *([punkt_version] if punkt else []))
    return {**find().facts, **({"nltk": punkt_version()} if punkt else {})}


_DECLARATION: Final = Declaration(
    name="alignscore",
    title="AlignScore",
    question="Does the reference support what the answer says?",
    unit="a probability of alignment; papers print it times 100",
    low=0,
    high=1,
    direction=Direction.HIGHER,
    needs=(*REFERENCES, TEXT),
    parameters=(
        REF,
        Parameter(
            name="mode",
            says="Which head, nli (three classes) or bin (two), and whether the reference is read"
            " in chunks of about 350 words and the answer by sentences (_sp), or both whole.",
            values=_DECLARED_MODES,
            default="nli_sp",
        ),
        Parameter(
            name="model",
            says="The checkpoint: a word of [models.folders], a .ckpt file or a folder with one.",
            kind="text",
            values=("AlignScore-base",),
            default="AlignScore-base",
        ),
        Parameter(
            name="backbone",
            says="The encoder that the checkpoint was trained on, for its configuration and"
            " tokenizer; roberta-large for AlignScore-large.",
            kind="text",
            values=("roberta-base",),
            default="roberta-base",
        ),
        Parameter(
            name="sentences",
            says="Who splits sentences: nltk's Punkt, as published, or medassay's own rule.",
            values=("punkt", "rule"),
            default="punkt",
        ),
        LIMIT,
    ),
    if_no_answer=0,
    if_empty=0,
    undefined_when="never; of several references the best one counts",
    parts=("pairs_cut",),
    reference="Zha et al. 2023, doi:10.18653/v1/2023.acl-long.634; procedure of its code at"
    " a0936d5, checked against a literal reading of it on a tiny model with random weights. Not yet"
    " run here on the published weights",
    version=2,
    backend=_backend,
    cautions=cautions_for_english(lambda arguments: arguments["backbone"]),
    cost="a pass through the encoder for each chunk of the reference and sentence of the answer",
    blind_spots=(
        "Not yet run here on the published weights: only a tiny model in their form was.",
        "Its training text was general English and not notes or guidelines.",
        "Each sentence is compared with single chunks: what follows only from two is not seen.",
        (
            "A chunk of whole sentences may be longer than 512 pieces: its end is cut, as"
            " published; so is a context read whole. The report counts it."
        ),
        "An answer that repeats the reference word for word is close to 1, however little it says.",
    ),
)


@metric(_DECLARATION)
def alignscore(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Score each answer against each of its references; the best one counts."""
    split = punkt_sentences if arguments["sentences"] == "punkt" else split_sentences
    texts: list[Texts] = []
    owners: list[int] = []
    scores: list[Score | Unscored] = [Score(0.0, (0.0,))] * len(pairs)
    for i, (case, answer) in enumerate(pairs):
        claim = answer_text(answer, arguments)
        sentences = tuple(split(claim))
        if not sentences:
            continue
        for context in references(case, arguments["ref"]):
            texts.append(Texts(context, tuple(split(context)), claim, sentences))
            owners.append(i)
    if not texts:
        return scores
    model = find_alignscore(arguments["model"], arguments["backbone"])
    values = model.score(texts, arguments["mode"])
    best: dict[int, Aligned] = {}
    for owner, aligned in zip(owners, values, strict=True):
        if owner not in best or aligned.value > best[owner].value:
            best[owner] = aligned
    for owner, aligned in best.items():
        scores[owner] = Score(aligned.value, (float(aligned.cut),))
    return scores
