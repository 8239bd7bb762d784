"""Searching passages: BM25 over MedQuAD's answers, and a dense index that is read again.

    python bench/run.py passages

MedQuAD (../shared/data/medquad) is read where it lies; none of it is committed. An index is of
whole answers, one a passage. Asked for: BM25 indexed in under 1 s and 1,000 queries in under .2 s,
the dense index read again in under 1 s. Printed are the best and the worst of three runs, and the
least of the processor's time, which others on the machine move less.
"""

import json
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from medassay.cases import Document
from medassay.models import ModelSetup, use_models
from medassay.systems import cut_passages
from medassay.systems.corpus import Passage
from medassay.systems.retrieval import Bm25, Dense

DATA: Final = Path(__file__).resolve().parents[2] / "shared" / "data" / "medquad" / "qa_core.jsonl"
QUERIES: Final = 1_000
REPEATS: Final = 3


def passages() -> tuple[Sequence[Passage], list[str]]:
    """Read the answers as passages, and the questions."""
    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    documents = [Document(id=row["qid"], text=row["answer"]) for row in rows]
    return cut_passages(documents, words=None), [row["question"] for row in rows]


def _timed(call: Callable[[], object], repeats: int = REPEATS) -> tuple[float, float, float]:
    """Give the least and the most seconds on the clock, and the least of the processor."""
    clock, processor = [], []
    for _ in range(repeats):
        start, worked = time.perf_counter(), time.process_time()
        call()
        clock.append(time.perf_counter() - start)
        processor.append(time.process_time() - worked)
    return min(clock), max(clock), min(processor)


def main() -> dict[str, object]:
    """Index and search; print and return what it took."""
    told, asked = passages()
    print(f"{len(told):,} passages, {QUERIES:,} queries; seconds of {REPEATS} runs")
    print(f"{'':<36}{'best':>8}{'worst':>8}{'processor, best':>18}")
    index = Bm25(told)
    took = {
        "BM25, index": _timed(lambda: Bm25(told)),
        "BM25, queries": _timed(lambda: [index.scores(query) for query in asked[:QUERIES]]),
    }
    with (
        tempfile.TemporaryDirectory() as folder,
        use_models(ModelSetup(keep_in=Path(folder), keep_texts=True)),
    ):
        took["dense, encoded for the first time"] = _timed(lambda: Dense(told), 1)
        took["dense, read again"] = _timed(lambda: Dense(told))
    for step, (best, worst, processor) in took.items():
        print(f"{step:<36}{best:8.3f}{worst:8.3f}{processor:18.3f}")
    return {step: list(times) for step, times in took.items()}


if __name__ == "__main__":
    main()
