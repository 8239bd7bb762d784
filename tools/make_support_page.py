"""Measures the judges of support, and writes what they are worth into the docs.

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

from medassay.models.nli import Finding, RuleJudge, Verdict
from tools.support.baselines import (
    CLASSES,
    by_thresholds,
    codes_of,
    folds,
    majority,
    word_cosine,
)
from tools.support.chains import chain_section
from tools.support.cosines import embedding_cosine
from tools.support.data import Claim, Pair, claims, pairs
from tools.support.endpoint import endpoint_section
from tools.support.figures import (
    Figure,
    Measured,
    accuracy,
    differences,
    mean_recall,
    measure,
    wilson_span,
)
from tools.support.ranks import area_rows, areas, lexical_support

__all__ = ["PAGE", "claim_rows", "measured", "page", "pair_rows"]

PAGE: Final = Path(__file__).parents[1] / "docs" / "support.md"
SEED: Final = 5
RULES: Final = "rules"
_HEAD: Final = """# What judges of support are worth

`faithfulness`, `contradiction`, `hallucination` and `citation_support` hold each statement of an \
answer against sentences of evidence. An entailment (NLI) model judges. Without one their scores \
are missing, and each says so; nothing stands in their place. Two things need no model, have \
names of their own, and were measured here: **`lexical_support`**, the share of a statement's \
words that the source has, which is the baseline that a judge must beat; and rules, \
`judge=rules`, [how they go](../design/support-rules.md). This page is written by \
`python -m tools.make_support_page`.

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
labelled as entailment has a higher value than another one. Intervals are 95 % percentile \
bootstraps over questions ({replicates} resamples, the same for every row). Nothing is fitted.

{areas}

{baseline}

## What rules make of the same claims

The rules, their word lists and their thresholds were fixed before they were run on any of this, \
and have not been moved since. Thresholds on a cosine are fitted in ten folds by question, for the \
figure named; the rules are fitted to nothing. A cosine is that of the claim with the nearest \
sentence of the answer.
"""


def claim_rows() -> tuple[list[str], dict[str, Measured]]:
    """Measure every method on the claims; give the table's lines, and what each is worth."""
    told = claims()
    truth = codes_of([one.label for one in told])
    questions = [one.question for one in told]
    fold = folds(told, SEED)
    said = {"most common label": majority(truth, fold)}
    for name, cosine in _cosines(told).items():
        for goal, what in ((accuracy, "accuracy"), (mean_recall, "mean recall")):
            said[f"{name}, thresholds for {what}"] = by_thresholds(cosine, truth, fold, goal)
    said[RULES] = codes_of([one.verdict for one in _rules(told)])
    found = {name: measure(truth, codes, questions, SEED) for name, codes in said.items()}
    lines = [
        "| method | accuracy | mean recall | recall: entailment | neutral | contradiction |",
        "| :--- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, one in found.items():
        recalls = [
            f"{k} of {n} {_span(figure) if k else ''}".strip()
            for (k, n), figure in zip(one.hits, one.recalls, strict=True)
        ]
        cells = [name, _say(one.accuracy), _say(one.mean_recall), *recalls]
        lines.append(f"| {' | '.join(cells)} |")
    return lines, found


def _cosines(told: Sequence[Claim]) -> dict[str, NDArray[np.float64]]:
    """Give for each kind of cosine that of every claim with its nearest sentence."""
    asked = [(one.text, sentence) for one in told for sentence in one.evidence]
    ends = np.cumsum([len(one.evidence) for one in told])[:-1]
    words = np.asarray([word_cosine(*pair) for pair in asked])
    found = {"cosine of words": words, "cosine of embeddings": embedding_cosine(asked)}
    return {
        name: np.asarray([part.max() for part in np.split(values, ends)])
        for name, values in found.items()
    }


@cache
def measured() -> dict[str, tuple[Figure, Figure]]:
    """Give the AUC of each number that may tell entailed claims from others."""
    told = claims()
    order = [CLASSES.index(one.verdict) for one in _rules(told)]
    values = {
        "lexical support": lexical_support(told),
        **_cosines(told),
        "rules: supported, not found, contradicted": -np.asarray(order, dtype=np.float64),
    }
    return areas(told, values, SEED)


def _baseline(found: Mapping[str, tuple[Figure, Figure]]) -> str:
    """Say in words which numbers the baseline beats, by the intervals and nothing else."""
    names = [name for name in found if found[name][1].low > 0]
    rest = [name for name, (_, less) in found.items() if less.low <= 0 <= less.high][1:]
    said = [f"Lexical support beats: {'; '.join(names)}."] if names else []
    said += [f"Whether it beats the following is undecided: {'; '.join(rest)}."] if rest else []
    said.append("It says nothing of contradictions: a 'not' is one word.")
    return " ".join(said)


def _rules(told: Sequence[Claim]) -> list[Finding]:
    return RuleJudge().judge([(one.text, one.evidence) for one in told])


def _difference_lines(found: Mapping[str, Measured]) -> list[str]:
    lines = ["| rules less ... | accuracy | mean recall |", "| :--- | ---: | ---: |"]
    for name, other in found.items():
        if name != RULES:
            cells = [_say(one, signed=True) for one in differences(found[RULES], other)]
            lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _confusion(told: Sequence[Claim]) -> list[str]:
    said = Counter(
        (one.label, finding.verdict) for one, finding in zip(told, _rules(told), strict=True)
    )
    lines = [
        "| physicians \\ rules | supported | not found | contradicted |",
        "| :--- | ---: | ---: | ---: |",
    ]
    words = ("entailment", "neutral", "contradiction")
    for word, label in zip(words, CLASSES, strict=True):
        cells = " | ".join(str(said[label, verdict]) for verdict in CLASSES)
        lines.append(f"| {word} | {cells} |")
    return lines


def pair_rows() -> list[str]:
    """Measure the rules on the hand-written pairs, by what is changed."""
    told = pairs()
    wrong = RuleJudge().judge([(one.contradiction, [one.source]) for one in told])
    right = RuleJudge().judge([(one.paraphrase, [one.source]) for one in told])
    lines = [
        f"| changed | pairs | {' | '.join(_CALLED)} |",
        "| :--- | ---: | ---: | ---: | ---: | ---: |",
    ]
    kinds = [*dict.fromkeys(one.kind for one in told), "all"]
    for kind in kinds:
        of_kind = [i for i, one in enumerate(told) if kind in {one.kind, "all"}]
        counts = [
            sum(findings[i].verdict is verdict for i in of_kind)
            for findings, verdict in (
                (wrong, Verdict.CONTRADICTED),
                (wrong, Verdict.SUPPORTED),
                (right, Verdict.SUPPORTED),
                (right, Verdict.CONTRADICTED),
            )
        ]
        cells = [f"{k} {wilson_span(k, len(of_kind))}" if kind == "all" else str(k) for k in counts]
        lines.append(f"| {kind} | {len(of_kind)} | {' | '.join(cells)} |")
    return lines


def _pair_cosines(told: Sequence[Pair]) -> list[str]:
    asked = [(one.source, other) for one in told for other in (one.contradiction, one.paraphrase)]
    words = np.asarray([word_cosine(*pair) for pair in asked])
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
    told = claims()
    lines, found = claim_rows()
    count = Counter(one.label for one in told)
    words = zip(("entailment", "neutral", "contradiction"), CLASSES, strict=True)
    labels = ", ".join(f"{count[label]} {word}" for word, label in words)
    replicates = f"{len(found[RULES].replicates[0]):,}"
    heading = _HEAD.format(
        labels=labels,
        replicates=replicates,
        areas="\n".join(area_rows(measured())),
        baseline=_baseline(measured()),
    )
    parts = [
        [heading],
        lines,
        ["", "What the rules said:", ""],
        _confusion(told),
        ["", "Differences on the same resamples, positive where the rules are better:", ""],
        _difference_lines(found),
        ["", _verdict(found), _PAIRS],
        pair_rows(),
        ["", _COSINES],
        _pair_cosines(pairs()),
        [chain_section()],
        [endpoint_section(SEED)],
    ]
    return "\n".join(line for part in parts for line in part)


def _verdict(found: Mapping[str, Measured]) -> str:
    """Say in words which baselines the rules beat, by the intervals and nothing else."""
    said = []
    others = [name for name in found if name != RULES]
    for place, what in enumerate(("accuracy", "mean recall")):
        gaps = {name: differences(found[RULES], found[name])[place] for name in others}
        for said_of, names in (
            (f"In {what} the rules beat", [name for name in others if gaps[name].low > 0]),
            (
                f"In {what} it is undecided whether the rules beat",
                [name for name in others if gaps[name].low <= 0 <= gaps[name].high],
            ),
            (f"In {what} the rules fall behind", [name for name in others if gaps[name].high < 0]),
        ):
            if names:
                said.append(f"{said_of}: {'; '.join(names)}.")
    k, n = found[RULES].hits[2]
    said.append(f"They find {k} of the {n} contradictions; {n} are too few to say more.")
    return " ".join(said)


_PAIRS: Final = """
## On hand-written contradictions and paraphrases

200 sentences about health, each with one sentence that contradicts it by one changed thing and \
one that says the same in other words (`tests/data/support/pairs.csv`). They were written before \
the rules had been run on any of them, but by the people who wrote the rules: what is found here \
is an upper bound. Brackets: 95 % Wilson intervals.
"""
_COSINES: Final = """\
What a cosine says of the same pairs. Embeddings: all-MiniLM-L6-v2 in 8 bits, the default encoder, \
mean of token states. Words: the bag of words and numbers that the rules read. Both put the \
contradiction nearer than the paraphrase: no verdict of contradiction may rest on them.
"""


_CALLED: Final = (
    "contradictions found",
    "contradictions called supported",
    "paraphrases called supported",
    "paraphrases called contradicted",
)


def _say(one: Figure, *, signed: bool = False) -> str:
    value = f"{one.value:+.2f}" if signed else f"{one.value:.2f}"
    return f"{value} {_span(one)}"


def _span(one: Figure) -> str:
    return f"({one.low:.2f} to {one.high:.2f})"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.name}")
