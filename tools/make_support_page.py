"""Measures what counting words is worth as a judge of support, and writes it into the docs.

    python -m tools.make_support_page

The page holds figures and no date: the same data and packages give the same bytes.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tools.support.chains import chain_section
from tools.support.classes import CLASSES
from tools.support.cosines import embedding_cosine, word_cosine
from tools.support.data import Claim, Pair, claims, pairs
from tools.support.endpoint import endpoint_section
from tools.support.figures import REPLICATES, Figure, wilson_span
from tools.support.ranks import area_rows, areas, lexical_support

PAGE: Final = Path(__file__).parents[1] / "docs" / "support.md"
SEED: Final = 5
_HEAD: Final = """# What judges of support are worth

`faithfulness`, `contradiction`, `hallucination` and `citation_support` hold each statement of an \
answer against sentences of evidence. An entailment (NLI) model judges. Without one their scores \
are missing, and each says so; nothing stands in their place. One number needs no \
model, has a name of its own, and was measured here: **`lexical_support`**, the share of a \
statement's words that the source has. It is the baseline that a judge must beat. This page is \
written by `python -m tools.make_support_page`.

## An entailment model

medassay brings none. Any \
model for sequence classification whose classes are called entailment, neutral and contradiction, \
or two of them, fits: an ONNX file with its tokenizer beside it runs with \
`pip install -e ".[models]"`, a folder as transformers saves it with `".[torch]"`. Put it into the \
study's folder, or anywhere else, and name it:

```toml
[models.folders]
nli = "models/deberta-mnli"
```

`faithfulness(judge=NAME)` takes another folder or hub id; `labels=` says what the classes mean \
where the model's own configuration does not. `medassay run` then judges what was missing and \
keeps the rest. How well a model judges in your domain is yours to measure: run it beside \
`lexical_support` on answers that experts judged, and `medassay validity` compares the two.

## Counting words: the baseline

399 claims on 50 questions of K-QA (Manes et al. 2024, doi:10.18653/v1/2024.bionlp-1.22), each \
labelled by physicians against a model's answer: {labels}. The AUC is the chance that a claim \
labelled as entailment has a higher value than another one. Intervals are 95% percentile \
bootstraps over questions ({replicates} resamples, the same for every row). Nothing is fitted.

{areas}

{baseline}

A judge made of rules about English words, numbers and negations (`judge=rules`) stood here once. \
It reached an AUC of 0.60 on these claims, 0.14 below lexical support (95% CI 0.08 to 0.20), and \
found 1 of the 12 contradictions, so it was removed.
"""


def _cosines(told: Sequence[Claim]) -> dict[str, NDArray[np.float64]]:
    """Give for each kind of cosine that of every claim with its nearest sentence."""
    asked = [(claim.text, sentence) for claim in told for sentence in claim.evidence]
    ends = np.cumsum([len(claim.evidence) for claim in told])[:-1]
    words = np.asarray([word_cosine(*pair) for pair in asked])
    columns = {"cosine of words": words, "cosine of embeddings": embedding_cosine(asked)}
    return {
        name: np.asarray([part.max() for part in np.split(values, ends)])
        for name, values in columns.items()
    }


@cache
def measured() -> dict[str, tuple[Figure, Figure]]:
    """Give the AUC of each number that may tell entailed claims from others."""
    told = claims()
    return areas(told, {"lexical support": lexical_support(told), **_cosines(told)}, SEED)


def _baseline(found: Mapping[str, tuple[Figure, Figure]]) -> str:
    """Say in words which numbers the baseline beats, by the intervals and nothing else."""
    beaten = [name for name in found if found[name][1].low > 0]
    rest = [name for name, (_, less) in found.items() if less.low <= 0 <= less.high][1:]
    said = [f"Lexical support beats: {'; '.join(beaten)}."] if beaten else []
    said += [f"Whether it beats the following is undecided: {'; '.join(rest)}."] if rest else []
    said.append("It says nothing of contradictions: a 'not' is one word.")
    return " ".join(said)


def _pair_cosines(told: Sequence[Pair]) -> list[str]:
    asked = [(pair.source, text) for pair in told for text in (pair.contradiction, pair.paraphrase)]
    words = np.asarray([word_cosine(*texts) for texts in asked])
    lines = [
        "| cosine | contradiction, mean | paraphrase, mean | pairs, contradiction nearer |",
        "| :--- | ---: | ---: | ---: |",
    ]
    for name, values in (("words", words), ("embeddings", embedding_cosine(asked))):
        wrong, right = values[0::2], values[1::2]
        nearer = int((wrong > right).sum())
        share = f"{nearer} of {len(told)} {wilson_span(nearer, len(told))}"
        lines.append(f"| {name} | {wrong.mean():.2f} | {right.mean():.2f} | {share} |")
    return lines


def page() -> str:
    """Measure everything, and write it down."""
    count = Counter(claim.label for claim in claims())
    words = zip(("entailment", "neutral", "contradiction"), CLASSES, strict=True)
    heading = _HEAD.format(
        labels=", ".join(f"{count[label]} {word}" for word, label in words),
        replicates=f"{REPLICATES:,}",
        areas="\n".join(area_rows(measured())),
        baseline=_baseline(measured()),
    )
    parts = [heading, _COSINES, *_pair_cosines(pairs()), chain_section(), endpoint_section(SEED)]
    return "\n".join(parts)


_COSINES: Final = """\
## Cosines cannot tell contradictions

200 sentences about health, each with one sentence that contradicts it by one changed thing (a \
dose, a negation, a side, a drug, a number, a time) and one that says the same in other words \
(`tests/data/support/pairs.csv`). Embeddings: all-MiniLM-L6-v2 in 8 bits, the default encoder, \
mean of token states. Words: the bag of words of content. Both put the contradiction nearer than \
the paraphrase, so no verdict of contradiction may rest on them. Brackets: 95% Wilson intervals.
"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.name}")
