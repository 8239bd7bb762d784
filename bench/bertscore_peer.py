"""BERTScore by bert-score 0.3.13, as a process of its own: seconds and peak memory.

    python bench/bertscore_peer.py SYSTEMS CASES THREADS FOLDER

Its fastest documented path: one BERTScorer for all pairs, batches of 64.
"""

import json
import sys
import time

import torch
from bert_score import BERTScorer
from bertscore_texts import answers, references
from tools.peak_memory import peak_megabytes


def main() -> None:
    """Measure and print JSON; values in the order of systems, then cases."""
    systems, cases, threads = map(int, sys.argv[1:4])
    torch.set_num_threads(threads)
    scorer = BERTScorer(model_type=sys.argv[4], num_layers=6, device="cpu")
    scorer.score(["warm"], ["up"])
    given = [text for group in answers(systems, cases) for text in group]
    start, cpu = time.perf_counter(), time.process_time()
    _, _, f1 = scorer.score(given, references(cases) * systems, batch_size=64)
    found = {"seconds": time.process_time() - cpu, "wall": time.perf_counter() - start}
    found |= {"megabytes": peak_megabytes(), "mean": float(f1.mean())}
    print(json.dumps({**found, "values": [float(one) for one in f1]}))


if __name__ == "__main__":
    main()
