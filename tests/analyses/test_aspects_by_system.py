"""What raters said of each aspect, by system."""

from pathlib import Path

from medassay.analyses.builtin.aspects_by_system import AspectLabel, aspects_by_system
from medassay.analyses.inputs.readable import Design
from medassay.judgements import Judgements, load_rubric
from medassay.study import new_study
from medassay.testing import check_analysis

RUBRIC = load_rubric("med-gpt")
compute = aspects_by_system.compute
DESIGN = Design(("phi", "gemma"), ("1", "2"), {}, {})


def said(rater: str, system: str, case: str, label: str | None, **other: str) -> dict[str, object]:
    asked: dict[str, object] = {"rater": rater, "system": system, "case": case, **other}
    return {**asked, "dimension": "accuracy", "label": label}


def test_labels_are_counted_by_system_and_an_answer_is_met_where_nobody_says_otherwise() -> None:
    judged = Judgements.from_rows(
        [
            said("a", "phi", "1", "yes"),
            said("b", "phi", "1", "unclear"),
            said("a", "phi", "2", "yes"),
            said("b", "phi", "2", None, reason="cannot_judge"),
            said("a", "phi", "2", "no", phase="calibration"),
            said("a", "gemma", "1", None, reason="cannot_judge"),
        ],
        RUBRIC,
    )
    found = compute(RUBRIC, judged, DESIGN)
    assert found is not None
    phi, gemma = (one for one in found.aspects if one.dimension == "accuracy")
    assert (phi.system, phi.judgements, phi.without_label, phi.met, phi.share) == (
        "phi", 3, 1, 2, 2 / 3,
    )  # fmt: skip
    assert (phi.answers, phi.met_by_all) == (2, 1)
    assert phi.labels == (AspectLabel("yes", 2), AspectLabel("no", 0), AspectLabel("unclear", 1))
    assert (gemma.judgements, gemma.without_label, gemma.share) == (0, 1, None)
    # The overall score is no aspect.
    assert {one.dimension for one in found.aspects} == {
        "accuracy", "completeness", "clarity", "clinical-relevance", "grounding",
    }  # fmt: skip


def test_where_no_aspect_was_judged_nothing_is_said() -> None:
    assert compute(RUBRIC, Judgements.from_rows([], RUBRIC), DESIGN) is None
    other = load_rubric("likert5")
    rows = [{"rater": "a", "system": "phi", "case": "1", "dimension": "quality", "label": "4"}]
    assert compute(other, Judgements.from_rows(rows, other), DESIGN) is None


def test_it_holds_to_what_every_analysis_holds_to(tmp_path: Path) -> None:
    new_study(tmp_path / "study", "med-gpt")
    shown = check_analysis(aspects_by_system, tmp_path / "study")
    assert "| accuracy | system-a | 4 | 0.50 | yes 2, no 1, unclear 1 | 2 | 1 |" in shown
