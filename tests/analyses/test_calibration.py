"""One model under ten prompts, ten systems of one family: confidence held against naive loops."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tools.make_llama_study import llama_files

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.calibration import CalibrationOf, calibration
from medassay.report import render
from medassay.study import open_run
from medassay.tables import write_atomically

pytestmark = pytest.mark.usefixtures("figures")

SCORES = Path(__file__).parents[1] / "data" / "mcq_calibration_llama13b"


def write(folder: Path) -> Path:
    for name, content in llama_files(SCORES).items():
        write_atomically(folder / name, content)
    return folder


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return run_study(open_run(write(tmp_path_factory.mktemp("llama"))))[0]


def measured(results: Results) -> tuple[CalibrationOf, ...]:
    found = results.analyses.of(calibration)
    assert found is not None
    return found.systems


def given(prompt: int) -> list[tuple[float, bool]]:
    """Read confidence and outcome from the arrays, by nothing of ours."""
    made = []
    for subject in ("business_ethics", "management"):
        scores = np.load(SCORES / f"{subject}_scores.npy")[prompt]
        targets = np.load(SCORES / f"{subject}_targets.npy")
        for options, target in zip(scores, targets, strict=True):
            best = int(np.argmax(options))
            made.append((min(1.0, float(options[best])), best == target))
    return made


def naive_ece(pairs: Sequence[tuple[float, bool]]) -> float:
    total = 0.0
    for k in range(10):
        low, high = k / 10, (k + 1) / 10
        inside = [(p, y) for p, y in pairs if low <= p < high or (k == 9 and p == 1.0)]
        if inside:
            gap = sum(y for _, y in inside) / len(inside) - sum(p for p, _ in inside) / len(inside)
            total += abs(gap) * len(inside) / len(pairs)
    return total


def naive_auroc(pairs: Sequence[tuple[float, bool]]) -> float:
    right = [p for p, y in pairs if y]
    wrong = [p for p, y in pairs if not y]
    wins = sum((a > b) + (a == b) / 2 for a in right for b in wrong)
    return wins / (len(right) * len(wrong))


@pytest.mark.slow
def test_every_prompt_equals_a_naive_count(results: Results) -> None:
    assert len(measured(results)) == 10
    for prompt, one in enumerate(measured(results)):
        pairs = given(prompt)
        assert (one.n, one.without) == (227, 0) == (len(pairs), 0)
        assert one.few
        brier = sum((p - y) ** 2 for p, y in pairs) / len(pairs)
        assert one.brier == pytest.approx(brier, abs=1e-9)
        assert one.ece == pytest.approx(naive_ece(pairs), abs=1e-9)
        # No confidence is 1 or on an edge, so that binary edges change nothing.
        assert (one.a_bin_lower, one.in_no_bin) == (0, 0)
        assert one.ece_binary_edges == pytest.approx(one.ece, abs=1e-9)
        assert one.auroc == pytest.approx(naive_auroc(pairs), abs=1e-9)
        assert one.accuracy == pytest.approx(sum(y for _, y in pairs) / len(pairs), abs=1e-12)
        assert one.gap == pytest.approx(one.confidence - one.accuracy, abs=1e-12)
        assert one.gap_interval is not None
        assert one.gap_interval.low < one.gap < one.gap_interval.high
        parts = one.reliability - one.resolution + one.uncertainty + one.within
        assert one.brier == pytest.approx(parts, abs=1e-12)
        assert sum(b.n for b in one.bins) == one.n
        assert one.brier_interval.low < one.brier < one.brier_interval.high
        assert one.risk_area_best <= one.risk_area
        assert one.coverage[-1] == 1
        assert one.risk[-1] == pytest.approx(1 - one.accuracy)


@pytest.mark.slow
def test_recalibrated_confidences_come_from_fits_that_did_not_see_them(results: Results) -> None:
    for one in measured(results):
        assert [made.method for made in one.recalibrated] == ["temperature", "isotonic"]
        assert all(made.folds == 10 for made in one.recalibrated)


@pytest.mark.slow
def test_the_ten_prompts_are_one_family(results: Results) -> None:
    assert {system.family for system in results.systems} == {"LLaMA-13B"}


@pytest.mark.slow
def test_the_page_warns_of_few_answers_and_shows_the_diagrams(
    results: Results, tmp_path: Path
) -> None:
    render(results, tmp_path, formats=("svg",))
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "under about 300 answers, calibration errors are large" in page
    for name in ("calibration", "calibration-parts", "calibration-recalibrated"):
        assert f'id="t-{name}"' in page
    assert (tmp_path / "figures" / "reliability.svg").is_file()
    assert (tmp_path / "figures" / "risk-coverage.svg").is_file()


@pytest.mark.slow
def test_the_same_run_gives_the_same_numbers_and_no_answer_is_dropped_silently(
    results: Results, tmp_path: Path
) -> None:
    folder = write(tmp_path)
    path = folder / "answers" / "prompt-01.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    first = lines[0][: lines[0].index(', "confidence"')] + "}"
    path.write_text("\n".join([first, *lines[1:]]) + "\n", encoding="utf-8")
    again = measured(run_study(open_run(folder))[0])
    assert (again[0].n, again[0].without) == (226, 1)
    assert again[1] == measured(results)[1]


@pytest.mark.slow
def test_a_study_can_leave_it_out(tmp_path: Path) -> None:
    folder = write(tmp_path)
    told = folder / "study.toml"
    told.write_text(
        told.read_text(encoding="utf-8") + "\n[report.analyses]\ncalibration = false\n",
        encoding="utf-8",
    )
    assert run_study(open_run(folder))[0].analyses.of(calibration) is None
