"""What the med-gpt template wants in a paper: table, sentence, kappa, checklist."""

import html
import re
from pathlib import Path

import polars as pl
import pytest

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.human_evaluation import (
    MEAN,
    HumanEvaluation,
    human_evaluation,
    median_of,
    paper_sentence,
    paper_tables,
)
from medassay.analyses.builtin.rater_template import RaterTemplate, rater_template
from medassay.exchange.med_gpt import import_med_gpt
from medassay.report import render
from medassay.report.names import Names
from medassay.report.privacy import guarded
from medassay.report.tables import table_markdown
from medassay.study import open_run

EXAMPLE = Path(__file__).parents[3] / "examples" / "med-gpt"
SETTINGS = '\n[run]\nreplicates = 100\n[privacy]\nraters = "named"\n'
HEAD = "question,answer,model,human_score_an,human_score_bo"


def told(results: Results) -> HumanEvaluation:
    paper = results.analyses.of(human_evaluation)
    assert paper is not None
    return paper


def asked(results: Results) -> RaterTemplate:
    template = results.analyses.of(rater_template)
    assert template is not None
    return template


def sentence_of(results: Results) -> str:
    return paper_sentence(told(results), Names(results))


def run(folder: Path, *paths: Path) -> Results:
    import_med_gpt(folder, paths)
    settings = folder / "study.toml"
    settings.write_text(settings.read_text(encoding="utf-8") + SETTINGS, encoding="utf-8")
    return run_study(open_run(folder))[0]


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("med-gpt") / "study"
    return run(folder, EXAMPLE / "rater_1.csv", EXAMPLE / "rater_2.csv")


@pytest.fixture(scope="module")
def of_the_source(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Give the source's own example: five answers, two raters."""
    folder = tmp_path_factory.mktemp("source")
    pairs = zip([4, 3, 5, 2, 4], [4, 3, 4, 2, 5], strict=True)
    rows = [f"Question {i}?,An answer.,phi,{a},{b}" for i, (a, b) in enumerate(pairs)]
    path = folder / "evaluation_results.csv"
    path.write_text("\n".join([HEAD, *rows]) + "\n", encoding="utf-8")
    return run(folder / "study", path)


@pytest.mark.slow
def test_the_source_s_own_kappa(of_the_source: Results) -> None:
    # Agreement on 3 of 5. By chance: 4: 2*2, 3: 1*1, 5: 1*1, 2: 1*1, of 25: 7/25 = .28.
    # kappa = (.6 - .28) / (1 - .28) = .32 / .72 = .444.
    paper = told(of_the_source)
    assert paper.kappa == pytest.approx(0.32 / 0.72)
    # The template calls it moderate. Five answers do not: the interval holds every word it has.
    assert (paper.word, paper.pairs) == ("", 1)
    assert "the interval reaches over 5 of the words" in paper.word_reason
    said = "κ=0.44 (Cohen's κ), which the template's bands are not read for"
    assert said in sentence_of(of_the_source)


@pytest.mark.slow
def test_one_system_is_told_without_a_second(of_the_source: Results) -> None:
    # Means of the raters: 4, 3, 4.5, 2, 4.5: mean 3.6, squares off it .16 + .36 + .81 + 2.56 + .81
    # = 4.7; 4.7 / 4 = 1.175, its root 1.084; median 4.
    [row] = told(of_the_source).rows
    assert row.mean == pytest.approx(3.6)
    assert row.sd == pytest.approx(1.175**0.5)
    assert row.median == 4
    assert sentence_of(of_the_source).startswith(
        "In the human evaluation (n=5 questions, 2 raters), phi (M=3.60, SD=1.08) had the highest "
        "mean score. "
    )


@pytest.mark.slow
def test_table_and_sentence_are_equal_to_the_digit(example: Results) -> None:
    sentence = sentence_of(example)
    in_words = re.findall(r"(\S+) \(M=([\d.]+), SD=([\d.]+)\)", sentence)
    table = paper_tables(told(example), Names(example))[0]
    lines = table_markdown(table).decode().split("| ---")[-1].splitlines()[1:]
    in_table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert [tuple(cells[i] for i in (0, 2, 3)) for cells in in_table] == in_words
    assert len(in_words) == 3
    means = [float(mean) for _, mean, _ in in_words]
    assert means == sorted(means, reverse=True)
    for row, cells in zip(told(example).rows, in_table, strict=True):
        assert row.mean is not None
        assert row.sd is not None
        assert row.median is not None
        assert cells[2:] == [MEAN(row.mean), MEAN(row.sd), median_of(row.median)]


@pytest.mark.slow
def test_correlations_are_pooled_within_and_of_each_model(example: Results) -> None:
    found = told(example).correlations
    assert {(one.source, one.over, one.kind) for one in found} == {
        (source, over, kind)
        for source in ("relevance_score", "faithfulness_score")
        for over in ("all", "within", "one")
        for kind in ("pearson", "spearman")
    }
    pooled = next(one for one in found if one.over == "all")
    assert (pooled.n, pooled.questions) == (30, 10)
    assert pooled.interval is not None
    assert pooled.value is not None
    assert pooled.interval.low < pooled.value < pooled.interval.high


@pytest.mark.slow
def test_pitfalls_say_what_is_not_known(example: Results) -> None:
    of = {(one.pitfall, one.rater, one.measure.partition(":")[0]): one
          for one in asked(example).pitfalls}  # fmt: skip
    assert {name for name, *_ in of} == {
        "Leniency", "Halo", "Anchoring", "Fatigue", "Model bias"}  # fmt: skip
    first, second = (of["Leniency", rater, "severity"].value for rater in ("rater_1", "rater_2"))
    assert first is not None
    assert second is not None
    assert first == pytest.approx(-second)
    assert of["Anchoring", "rater_1", "anchoring"].reason == "positions are not known"
    halo = of["Halo", "rater_1", "share of answers whose aspects all have one label"]
    assert halo.reason == "the rater judged no two aspects of an answer"


def test_the_checklist_is_answered_from_the_data(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    rows = [
        "question,answer,model,rater,human_score,rationale,accuracy,clarity",
        "A?,So.,phi,an,5,Complete,yes,yes", "A?,So.,phi,bo,2,,no,yes",
        "A?,No.,tiny,an,3,,yes,yes", "B?,Hm.,tiny,an,,,,",
    ]  # fmt: skip
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    paper = asked(run(tmp_path / "study", path))
    answers = {one.item: (one.answer, one.detail) for one in paper.checklist}
    assert answers["All answers evaluated"] == ("no", "2 of 3 answers have a score.")
    assert answers["Scores are in 1-5 range"][0] == "yes"
    assert answers["No missing scores"] == (
        "no",
        "3 of 6 scores are there, if every rater was to score every answer: an 2 of 3, bo 1 of 3.",
    )
    # On phi's answer 5 and 2 lie three apart, and it has a note.
    assert answers["Notes added for edge cases"][0] == "yes"
    assert answers["Backup created"][0] == "yes"
    # an gave both answers yes and yes: all alike. bo gave no and yes: not alike.
    alike = {one.rater: one.value for one in paper.pitfalls if one.pitfall == "Halo"}
    assert alike == {"an": 1, "bo": 0}


@pytest.mark.slow
def test_answers_of_the_calibration_round_are_evaluated_too(tmp_path: Path) -> None:
    study = tmp_path / "study"
    run(study, EXAMPLE / "rater_1.csv", EXAMPLE / "rater_2.csv")
    path = study / "judgements.csv"
    judged = pl.read_csv(path, infer_schema=False)
    first = judged["case"].min()
    phase = pl.when(pl.col("case") == first).then(pl.lit("calibration")).otherwise(pl.lit("main"))
    judged.with_columns(phase=phase).write_csv(path)
    paper = asked(run_study(open_run(study))[0])
    answers = {one.item: (one.answer, one.detail) for one in paper.checklist}
    there = judged.select("system", "case").n_unique()
    apart = judged.filter(judged["case"] == first).select("system", "case").n_unique()
    assert answers["All answers evaluated"] == (
        "yes",
        f"{there} of {there} answers have a score, {apart} of them in the calibration round alone.",
    )
    assert answers["No missing scores"][0] == "yes"


def test_a_kappa_between_the_bands_has_no_word() -> None:
    from medassay.agreement import band

    assert not isinstance(band(0.2, "med-gpt"), str)
    assert band(0.347, "med-gpt") == "fair"


@pytest.mark.slow
def test_the_paragraph_stands_on_the_page_and_in_report_md_unfolded(
    example: Results, tmp_path: Path
) -> None:
    render(example, tmp_path, forms=("html", "md"))
    sentence = sentence_of(example)
    assert sentence.startswith("In the human evaluation (n=10 questions, 2 raters), ")
    words = re.sub(r"\W+", " ", sentence).split()
    for name in ("report.html", "report.md"):
        text = (tmp_path / name).read_text("utf-8")
        # What opens on demand under a table does not count.
        shown = re.sub(r'<details class="note-below">.*?</details>', "", text, flags=re.DOTALL)
        plain = re.sub(r"\W+", " ", html.unescape(re.sub(r"<[^>]+>", "", shown))).split()
        assert " ".join(words[:12]) in " ".join(plain), name


@pytest.mark.slow
@pytest.mark.parametrize("texts", ["full", "ids", "none"])
def test_averages_over_raters_and_notes_stand_by_question_and_model(
    texts: str, tmp_path: Path
) -> None:
    scores = {"an": {"phi": (4, 3), "gemma": (5, 2)}, "bo": {"phi": (2, 3), "gemma": (4, 2)}}
    for rater, own in scores.items():
        rows = [
            f"Question {n}?,An answer of {n}.,{model},{score},{rater} on {model} at {n}"
            for model, both in own.items()
            for n, score in enumerate(both)
        ]
        text = "\n".join(["question,answer,model,human_score,rationale", *rows]) + "\n"
        (tmp_path / f"{rater}.csv").write_text(text, encoding="utf-8")
    folder = tmp_path / "study"
    import_med_gpt(folder, [tmp_path / "an.csv", tmp_path / "bo.csv"])
    settings = folder / "study.toml"
    more = SETTINGS + f'texts = "{texts}"\n'
    settings.write_text(settings.read_text(encoding="utf-8") + more, encoding="utf-8")
    results = guarded(run_study(open_run(folder))[0])
    tables = {table.id: table for table in paper_tables(told(results), Names(results))}
    answers = [[cell.text for cell in row.cells][1:] for row in tables["human-answers"].rows]
    assert sorted(answers) == [
        ["gemma", "2.00", "2"], ["gemma", "4.50", "2"], ["phi", "3.00", "2"], ["phi", "3.00", "2"],
    ]  # fmt: skip
    assert ("human-notes" in tables) == (texts == "full")
    if texts == "full":
        notes = [[cell.text for cell in row.cells][1:] for row in tables["human-notes"].rows]
        assert len(notes) == 8
        for model, rater, note in notes:
            assert note.startswith(f"{rater} on {model} at ")
    assert ("on phi at" in results.model_dump_json()) == (texts == "full")
