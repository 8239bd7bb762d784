"""Make examples/other-tools/inspect with Inspect itself; or hold our export against its reader.

Run in an environment of its own with `pip install inspect_ai==0.3.285`:

    python tests/golden/make_inspect.py make examples/other-tools/inspect
    python tests/golden/make_inspect.py check OUT/*.json      (from `medassay export --to inspect`)
"""

import sys
from pathlib import Path

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalSample,
    EvalSpec,
    read_eval_log,
    write_eval_log,
)
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import SampleScore, Score, krippendorff_alpha

MODEL = "maker/model-1"
SAID = {"sprain": ("Rest it for a day or two.", "Rest it."), "antibiotics": ("No.", "No.")}
GIVEN = {"sprain": ("C", "I"), "antibiotics": ("P", "C")}


def sample(case: str, epoch: int) -> EvalSample:
    """Give one sample, with each kind of value that a scorer may give."""
    said = SAID[case][epoch - 1]
    none = Score.unscored(reason="parse_error") if case == "antibiotics" else Score(value=0.5)
    return EvalSample(
        id=case,
        epoch=epoch,
        input="A question.",
        target="An answer.",
        output=ModelOutput.from_content(MODEL, said),
        scores={
            "includes": Score(value=GIVEN[case][epoch - 1], explanation="Looked for the words."),
            "grader": Score(value={"tone": 0.25 * epoch, "fluent": True}),
            "judge": none,
            "quality": Score(value="4"),
            "words": Score(value="good"),
        },
    )


def make(folder: Path) -> None:
    """Write the same log in both forms."""
    samples = [sample(case, epoch) for case in SAID for epoch in (1, 2)]
    log = EvalLog(
        status="success",
        eval=EvalSpec(
            created="2026-01-05T09:00:00+00:00",
            task="tiny",
            dataset=EvalDataset(name="tiny", samples=2, sample_ids=list(SAID)),
            model=MODEL,
            config=EvalConfig(epochs=2),
        ),
        samples=samples,
    )
    for form in ("json", "eval"):
        write_eval_log(log, str(folder / f"log.{form}"))


def check(files: list[str]) -> None:
    """Read logs, and let Inspect's own alpha read the ratings."""
    logs = [read_eval_log(file) for file in files]
    rated = [one.scores["quality"] for log in logs for one in log.samples]
    alpha = krippendorff_alpha("interval")([SampleScore(score=score) for score in rated])
    sys.stdout.write(f"{len(logs)} logs, {len(rated)} samples, alpha {alpha!r}\n")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]))
    else:
        check(sys.argv[2:])
