"""Retrieval metrics of 10,000 answers with lists of 20, beside pytrec-eval.

The peer is pytrec-eval asked for all measures at once, its fastest documented path, on dictionaries
that lie ready; its time is that of making the evaluator and of evaluating. Ours starts from cases
and answers and ends with a score a metric and answer, with the reasons for those missing. So
pytrec-eval is timed once more from there: dictionaries made of the same cases and answers, and a
list of values for each measure. Ours is timed once more from dictionaries that lie ready to a list
of values for each measure: what it takes more from cases and answers is reading those and making
scores. Some lists hold documents of equal scores. Each repeat has cases and answers of its own:
what was read of a batch is kept, and a second time would cost nothing.
"""

import statistics
import time
from importlib.metadata import version
from typing import Final

import numpy as np
import pytrec_eval

from medassay.answers import Answer, Retrieved
from medassay.cases import Case, Document
from medassay.metrics import Batch, resolve
from medassay.metrics.builtin.retrieval import Rankings
from medassay.scores import Score, Unscored

ANSWERS: Final = 10_000
LISTED: Final = 20
GRADED: Final = 8
DOCUMENTS: Final = 5_000
BATCH: Final = 2_048  # as large as a study makes them
REPEATS: Final = 5
BAR: Final = 1.5
# Ours to trec_eval's: those of the clinical protocol that trec_eval has.
METRICS: Final = {
    **{f"precision@{k}": f"P_{k}" for k in (1, 3, 5, 10)},
    **{f"recall@{k}": f"recall_{k}" for k in (1, 3, 5, 10)},
    "average_precision": "map",
    "reciprocal_rank": "recip_rank",
    "ndcg@10": "ndcg_cut_10",
    "success@10": "success_10",
    "r_precision": "Rprec",
    "bpref": "bpref",
}
_Grades = dict[str, dict[str, int]]
_Scores = dict[str, dict[str, float]]
MEASURES: Final = {
    "P.1,3,5,10", "recall.1,3,5,10", "map", "recip_rank", "ndcg_cut.10", "success.10", "Rprec",
    "bpref",
}  # fmt: skip


def answered(rng: np.random.Generator) -> list[tuple[Case, Answer]]:
    """Make cases with graded documents, and rankings that find some of them."""
    pairs = []
    for place in range(ANSWERS):
        drawn = rng.choice(DOCUMENTS, LISTED + GRADED, replace=False)
        shared = int(rng.integers(GRADED + 1))
        graded = [*drawn[:shared], *drawn[LISTED : LISTED + GRADED - shared]]
        grades = [1, *rng.integers(0, 3, GRADED - 1)]
        order = rng.permutation(LISTED)
        scores = np.sort(rng.integers(0, 40, LISTED))[::-1] / 4
        case = Case(
            case=f"{place:06}",
            documents=tuple(
                Document(id=f"D{i:05}", grade=int(grade))
                for i, grade in zip(graded, grades, strict=True)
            ),
        )
        retrieved = tuple(
            Retrieved(document=f"D{drawn[i]:05}", score=float(score))
            for i, score in zip(order, scores, strict=True)
        )
        pairs.append((case, Answer(system="S", case=f"{place:06}", retrieved=retrieved)))
    return pairs


def dictionaries(pairs: list[tuple[Case, Answer]]) -> tuple[_Grades, _Scores]:
    """Give what pytrec-eval takes: qrels and a run."""
    qrels = {c.case: {d.id: int(d.grade or 0) for d in c.documents} for c, _ in pairs}
    run = {a.case: {one.document: one.score or 0.0 for one in a.retrieved or ()} for _, a in pairs}
    return qrels, run


def main() -> dict[str, float]:
    """Time both, check that the values agree, print and return the ratio."""
    metrics = [resolve(name) for name in METRICS]
    ours, ready, peers, whole, singly = [], [], [], [], []
    apart = 0
    for seed in range(REPEATS + 1):  # the first loads what is needed and is not counted
        pairs = answered(np.random.default_rng(seed))
        qrels, run = dictionaries(pairs)
        start = time.process_time()
        scores: list[list[Score | Unscored]] = [[] for _ in metrics]
        for begin in range(0, ANSWERS, BATCH):
            batch = Batch(pairs[begin : begin + BATCH])
            for i, metric in enumerate(metrics):
                scores[i] += metric.score_batch(batch)
        ours.append(time.process_time() - start)
        retrieved, graded = [*run.values()], [*qrels.values()]
        start = time.process_time()
        for begin in range(0, ANSWERS, BATCH):
            part = slice(begin, begin + BATCH)
            Rankings(retrieved[part], graded[part], rel=1).values("P@1")  # and all the others
        ready.append(time.process_time() - start)
        start = time.process_time()
        peer = pytrec_eval.RelevanceEvaluator(qrels, MEASURES).evaluate(run)
        peers.append(time.process_time() - start)
        start = time.process_time()
        made_qrels, made_run = dictionaries(pairs)
        found = pytrec_eval.RelevanceEvaluator(made_qrels, MEASURES).evaluate(made_run)
        columns = [[found[case.case][word] for case, _ in pairs] for word in METRICS.values()]
        whole.append(time.process_time() - start)
        start = time.process_time()
        for word in METRICS.values():
            name, _, cut = word.rpartition("_")
            asked = f"{name}.{cut}" if cut.isdigit() else word
            pytrec_eval.RelevanceEvaluator(qrels, {asked}).evaluate(run)
        singly.append(time.process_time() - start)
        apart += sum(
            not isinstance(score, Score) or not score.value == value == peer[case.case][word]
            for column, theirs, word in zip(scores, columns, METRICS.values(), strict=True)
            for (case, _), score, value in zip(pairs, column, theirs, strict=True)
        )
    for times in (ours, ready, peers, whole, singly):
        del times[0]
    if apart:
        message = f"{apart} values differ: no ratio is worth printing"
        raise SystemExit(message)
    ratio = statistics.median(ours) / statistics.median(peers)
    print(f"{len(METRICS)} metrics x {ANSWERS} answers with lists of {LISTED};")
    print(f"{REPEATS} repeats, median (least to most), seconds of the processor")
    peer_name = f"pytrec-eval {version('pytrec-eval-terrier')}, all measures at once"
    shown = (
        ("medassay", ours),
        ("medassay, from ready dictionaries", ready),
        (peer_name, peers),
        ("pytrec-eval, from the same cases and answers", whole),
        ("pytrec-eval, a measure at a time", singly),
    )
    for name, times in shown:
        middle, least, most = statistics.median(times), min(times), max(times)
        print(f"{name:<48}{middle:9.3f} s  ({least:.3f} to {most:.3f})")
    print("all values are equal")
    alone = statistics.median(ready) / statistics.median(peers)
    print(f"ratio: {ratio:.2f} of pytrec-eval's time, which begins with ready dictionaries")
    print(f"ratio: {alone:.2f} where ours begins with them too; asked for: at most {BAR}")
    same = statistics.median(ours) / statistics.median(whole)
    print(f"ratio: {same:.2f} of its time from the same cases and answers to lists of values")
    single = statistics.median(ours) / statistics.median(singly)
    print(f"ratio: {single:.2f} of its time where it is asked for a measure at a time")
    return {
        "processor seconds": statistics.median(ours),
        "processor seconds, pytrec-eval": statistics.median(peers),
        "over pytrec-eval": ratio,
        "over pytrec-eval, both from ready dictionaries": alone,
        "over pytrec-eval, from cases and answers": same,
        "over pytrec-eval, a measure at a time": single,
    }


if __name__ == "__main__":
    main()
