"""BLEU and ROUGE beside their peers, in one run on the same answers.

28 systems x 100 cases, answers of about 75 words, each against two references: an expert's answer
(human) and the question with its essential evidence (note). The peers on their fastest documented
path: one RougeScorer for all four kinds, one sacrebleu BLEU object for all answers. medassay scores
all answers; the peers, who score one pair after the other, those to every fourth case, and their
time counts four times. Values must be equal to 1e-9 there.
"""

import json
import logging
import random
import statistics
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU

from medassay.answers import Answer, Answers
from medassay.cases import Case, Cases
from medassay.metrics import resolve
from medassay.metrics.declaration import references
from medassay.scores import Score
from medassay.text.words import split_word

TEXTS = Path(__file__).resolve().parents[2] / "shared" / "data" / "medquad" / "qa_core.jsonl"
SYSTEMS, CASES, REPEATS, WORDS = 28, 100, 3, 75
EVERY = 4
KINDS = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
REFS = ("human", "note")
AT_MOST = 1 / 20

Values = dict[str, list[float]]


def make_study(seed: int = 7) -> tuple[Cases, Answers]:
    """Build cases and answers out of MedQuAD passages; answers overlap their references."""
    rng = random.Random(seed)  # noqa: S311 - a benchmark's text, no secret
    with TEXTS.open(encoding="utf-8") as file:
        long = (r for r in map(json.loads, file) if len(r["answer"].split()) > 3 * WORDS)
        records = list(islice(long, CASES))

    def excerpt(words: list[str]) -> str:
        start = rng.randrange(len(words) - WORDS)
        return " ".join(words[start : start + WORDS])

    cases, answers = [], []
    for number, record in enumerate(records):
        words = record["answer"].split()
        sentences = [" ".join(words[i : i + 20]) for i in range(0, 140, 20)]
        evidence = [
            {"id": i, "text": text, "relevance": "essential"} for i, text in enumerate(sentences)
        ]
        case = {
            "case": number,
            "question": record["question"],
            "narrative": excerpt(words),
            "evidence": evidence,
            "references": [{"text": excerpt(words)}],
        }
        cases.append(Case.model_validate(case))
        for system in range(SYSTEMS):
            text = excerpt(words)
            answers.append(Answer(system=f"s{system:02}", case=str(number), text=text))
    return Cases.of(cases), Answers.of(answers)


def ours(cases: Cases, answers: Answers) -> Values:
    """Score with medassay, through its public way."""
    pairs = [(cases[answer.case], answer) for answer in answers]
    values: Values = {}
    for ref in REFS:
        for base in ["bleu", *KINDS]:
            found = resolve(f"{base}(ref={ref})").score_batch(pairs)
            values[f"{base}(ref={ref})"] = [
                score.value for score in found if isinstance(score, Score)
            ]
    return values


def peers(cases: Cases, answers: Sequence[Answer]) -> Values:
    """Score with rouge-score and sacrebleu."""
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    rouge = RougeScorer(KINDS, use_stemmer=False)
    bleu = BLEU(smooth_method="none", effective_order=False, tokenize="13a")
    values: Values = {f"{base}(ref={ref})": [] for ref in REFS for base in ["bleu", *KINDS]}
    for ref in REFS:
        for answer in answers:
            target, text = references(cases[answer.case], ref)[0], answer.text or ""
            values[f"bleu(ref={ref})"].append(bleu.sentence_score(text, [target]).score / 100)
            for kind, found in rouge.score(target, text).items():
                values[f"{kind}(ref={ref})"].append(found.fmeasure)
    return values


def timed(run: Callable[[], Values]) -> tuple[float, Values]:
    """Run once and measure wall time."""
    start = time.perf_counter()
    values = run()
    return time.perf_counter() - start, values


def main() -> dict[str, object]:
    """Measure, print, and give the figures."""
    cases, answers = make_study()
    places = [i for i, answer in enumerate(answers) if int(answer.case) % EVERY == 0]
    subset = [answers.records[i] for i in places]
    mine, theirs, largest = [], [], 0.0
    for _ in range(REPEATS):
        split_word.cache_clear()  # nothing is remembered from the repeat before
        seconds, found = timed(lambda: ours(cases, answers))
        mine.append(seconds)
        seconds, expected = timed(lambda: peers(cases, subset))
        theirs.append(seconds * len(answers) / len(subset))
        for name, values in expected.items():
            gaps = (abs(found[name][i] - v) for i, v in zip(places, values, strict=True))
            largest = max(largest, *gaps)
    ratio = statistics.median(mine) / statistics.median(theirs)
    figures: dict[str, object] = {
        "what": f"BLEU, ROUGE-1/2/L/Lsum, {len(answers)} answers x {len(REFS)} references",
        "medassay_seconds": mine,
        "peers_seconds": theirs,
        "ratio": ratio,
        "at_most": AT_MOST,
        "largest_difference": largest,
        "held": ratio <= AT_MOST and largest <= 1e-9,  # noqa: PLR2004 - the claim itself
    }
    print(figures["what"])
    print(f"  medassay: {_spread(mine)}")
    print(f"  rouge-score + sacrebleu: {_spread(theirs)}")
    print(f"    timed on {len(subset)} of the answers, times {len(answers) // len(subset)};")
    print("    one RougeScorer for four kinds, use_stemmer=False; one BLEU object, 13a, none, off")
    print(f"  ratio {ratio:.4f} = 1/{1 / ratio:.0f} (claimed: at most 1/{1 / AT_MOST:.0f})")
    print(f"  largest difference of a value: {largest:.1e}")
    return figures


def _spread(seconds: list[float]) -> str:
    low, high = min(seconds), max(seconds)
    return f"{statistics.median(seconds):.2f} s ({low:.2f} to {high:.2f} in {len(seconds)} runs)"


if __name__ == "__main__":
    main()
