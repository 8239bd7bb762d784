"""The example shows what it says: one way moves with the hash seed, the other does not."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from rouge_score.rouge_scorer import RougeScorer
from tools.docs_blocks import COMMAND, blocks

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "why_your_number_differs.py"
PAGE = ROOT / "docs" / "why" / "your-number-differs.md"


def test_the_scorers_way_moves_with_the_seed_and_ours_does_not() -> None:
    """What the page prints is what the example prints: whoever follows the pages sees to that."""
    [printed] = [
        one["output"]
        for block in blocks(PAGE.read_text(encoding="utf-8"))
        for one in COMMAND.finditer(block.content)
        if EXAMPLE.name in one["command"]
    ]
    official, ours = printed.split("medassay: sentences in document order")
    moved = [line.split() for line in official.splitlines() if line.startswith("seed ")]
    fixed = [line.split() for line in ours.splitlines() if line.startswith("seed ")]
    assert len(moved) == len(fixed) == 6
    orders = {tuple(cells[2:7]) for cells in moved}
    rouge_l = {cells[7] for cells in moved}
    assert len(orders) > 1
    assert len(rouge_l) > 1
    assert len({tuple(cells[2:]) for cells in fixed}) == 1
    assert fixed[0][2:7] == ["1", "2", "3", "5", "8"]


@pytest.mark.slow
def test_it_ends_calmly_where_nobody_reads_on() -> None:
    with subprocess.Popen(  # noqa: S603 - our own example
        [sys.executable, "-u", str(EXAMPLE)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""


def test_the_numbers_are_those_of_rouge_score() -> None:
    example = runpy.run_path(str(EXAMPLE))
    order = ["8", "3", "1", "5", "2"]
    essential = "\n".join(example["NOTE"][sentence] for sentence in order)
    reference = "\n\n".join([example["NARRATIVE"], example["QUESTION"], essential])
    peer = RougeScorer(["rougeL", "rougeLsum"]).score(reference, example["ANSWER"])
    found = example["score_in_order"](order)
    for kind in ("rougeL", "rougeLsum"):
        assert abs(found[f"{kind}(ref=note)"] - peer[kind].fmeasure) < 1e-9
    in_document_order = example["score_in_order"](example["ESSENTIAL"])
    assert in_document_order == example["score_with_medassay"]()
