"""The figures and tables of the paper on a run that has everything, and on one that has little."""

import csv
import io
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.report.tried import tried, with_tried

from medassay.analyses.results import FigureRowInfo, Results
from medassay.analyses.results.whole import Records
from medassay.report.figures import FORMATS
from medassay.report.latex import PACKAGES, SIGNS, escaped
from medassay.report.paper import Item, paper_items, write_paper
from medassay.report.paper.rated_tables import table_1
from medassay.report.paper.tau_map import figure_rows
from medassay.study import load_protocol

WANTED = [FigureRowInfo(**one.model_dump()) for one in load_protocol("archehr").figure_rows]
ALL = ["Figure 1", "Figure 2", "Figure 3", "Table 1", "Table 2", "Table 3", "Table 4", "Table S1"]


def difficulty(cases: list[str]) -> list[dict[str, Any]]:
    rng = Random(3)  # noqa: S311 - invented data, no secret
    made = []
    for place, case in enumerate(sorted(cases)):
        level = ("difficult", "moderate", "easy")[min(2, place * 3 // len(cases))]
        made.append(
            {"case": case, "mean": 0.5 + place / len(cases), "spread": rng.uniform(0.3, 0.6)}
            | {"null_low": 0.2, "null_high": 0.7, "level": level, "n_systems": 6}
            | {"discrimination": 0.3, "p": 0.2, "p_adjusted": 1.0, "suspect": ""}
        )
    around = {"low": -0.6, "high": -0.2, "level": 0.95, "method": "beta null"}
    return [
        {"source": "mean(dimension=fluency)", "dimension": "fluency", "low": 0.0, "high": 2.0}
        | {"q1": 0.8, "q3": 1.2, "share": 0.3, "rho": -0.4, "p": 0.9, "cases": made}
        | {"null": around | {"estimand": "a bounded scale alone", "replicates": 200}}
        | {"left_out": 0, "reason": ""}
    ]


def schemes() -> list[dict[str, Any]]:
    systems = ["a1", "b2", "c3", "e4", "f5", "o6"]
    return [
        {"dimension": "fluency", "first": "label_sum", "second": "mace", "k": k, "panel": 2}
        | {"answers": 300, "n_cases": 50, "draws": 3 - k, "tau": 0.7, "tau_first_draw": 0.6}
        | {"tau_low": 0.5, "tau_high": 0.9, "p": 0.02 if k == 2 else None, "p_method": "exact"}
        | {"over_systems": None, "reason": ""}
        | {
            "places": [
                {"system": s, "first": i + 1.0, "second": i + 1.0, "low": i + 0.5, "high": i + 2.0}
                for i, s in enumerate(systems)
            ]
        }
        for k in (2, 1)
    ]


@pytest.fixture(scope="module")
def whole(make_results: Callable[..., Results]) -> Results:
    plain = make_results(cases=12)
    return make_results(
        cases=12,
        analyses={
            "agreement": asdict(plain.analyses["agreement"]),
            "label_counts": asdict(plain.analyses["label_counts"]),
            "correlations": asdict(plain.analyses["correlations"]),
            "case_difficulty": {"dimensions": difficulty(plain.ranking_cases)},
            "aggregation_methods": {"rankings": schemes()},
        },
    )


@pytest.fixture(scope="module")
def written(whole: Results, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Item]]:
    into = tmp_path_factory.mktemp("paper")
    return into, write_paper(whole, into, FORMATS)


@pytest.mark.slow
def test_each_figure_and_table_of_the_paper_is_found(written: tuple[Path, list[Item]]) -> None:
    into, items = written
    assert list(dict.fromkeys(item.number for item in items)) == ALL
    assert not [item.missing for item in items if item.missing]
    listed = (into / "README.md").read_text(encoding="utf-8")
    for item in items:
        assert f"## {item.number}. {item.title}" in listed
        endings = {p.suffix for p in into.iterdir() if p.stem == item.id}
        drawn = {".svg", ".pdf", ".png", ".csv"}
        assert endings == (drawn if item.figure is not None else {".csv", ".md", ".tex"})
        for ending in endings:
            assert f"({item.id}{ending})" in listed


@pytest.mark.slow
def test_captions_stand_alone(written: tuple[Path, list[Item]]) -> None:
    _, items = written
    for item in items:
        assert item.signature.startswith("medassay 0.1.0; run 5f1c9a20; seed 0")
        if item.number in {"Figure 1", "Figure 2", "Figure 3", "Table 3", "Table S1"}:
            assert "n = 6 systems, 12 cases, 7 raters" in item.caption
    caption = items[0].caption
    assert "held fixed" in caption
    assert "The paper's Figure 1 has these colours turned round" in caption
    (third,) = [item for item in items if item.id == "figure-3"]
    assert "SD over systems (divided by n systems, not n − 1)" in third.caption
    assert "95% basic bootstrap for new systems, these cases drawn again" in caption
    assert "too large by luck" in caption
    assert "significant" not in " ".join(item.caption for item in items)


def test_table_1_says_whose_words_it_prints(whole: Results) -> None:
    said = whole.study.model_copy(update={"wording": "The wording is medassay's."})
    told = table_1(whole.model_copy(update={"study": said}))
    assert "The wording is medassay's." in told.caption
    assert told.caption != table_1(whole).caption


@pytest.mark.slow
def test_the_same_run_gives_the_same_bytes_without_a_date(
    whole: Results, written: tuple[Path, list[Item]], tmp_path: Path
) -> None:
    into, _ = written
    write_paper(whole, tmp_path, FORMATS)
    for path in into.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name
        assert b"CreationDate" not in path.read_bytes()


@pytest.mark.slow
def test_made_up_data_are_marked_everywhere(written: tuple[Path, list[Item]]) -> None:
    into, _ = written
    for path in into.iterdir():
        if path.suffix in {".md", ".tex"}:
            assert "Synthetic data" in path.read_text(encoding="utf-8"), path.name
        if path.suffix == ".csv":
            assert path.read_text(encoding="utf-8").splitlines()[0].endswith("synthetic")


@pytest.mark.slow
def test_fonts_are_in_the_pdf(written: tuple[Path, list[Item]]) -> None:
    content = (written[0] / "figure-1.pdf").read_bytes()
    assert b"/FontFile2" in content
    assert b"/Type3" not in content


@pytest.mark.slow
def test_latex_is_balanced_and_every_row_has_as_many_cells(
    written: tuple[Path, list[Item]],
) -> None:
    for path in written[0].glob("*.tex"):
        text = path.read_text(encoding="utf-8")
        bare = re.sub(r"\\[{}]", "", text)
        assert bare.count("{") == bare.count("}"), path.name
        for rule in ("toprule", "midrule", "bottomrule"):
            assert f"\\{rule}" in text
        body = text.split("\\midrule")[1].split("\\bottomrule")[0]
        rows = [line for line in body.splitlines() if line and not line.startswith("\\")]
        counts = {len(re.findall(r"(?<!\\)&", line)) for line in rows}
        assert len(counts) == 1, path.name


def test_nothing_that_a_text_says_becomes_a_command_of_latex() -> None:
    assert escaped("\\input{x} 5% $a_b$ #1 & ~^") == (
        "\\textbackslash{}input\\{x\\} 5\\% \\$a\\_b\\$ \\#1 \\& "
        "\\textasciitilde{}\\textasciicircum{}"
    )


@pytest.mark.slow
def test_the_numbers_behind_figure_1_are_those_of_the_run(
    whole: Results, written: tuple[Path, list[Item]]
) -> None:
    text = (written[0] / "figure-1.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    known = [c for c in tried(whole) if c.tau is not None]
    assert len(rows) == len(known)
    at = {(c.metric, c.dimension): c for c in known}
    for row in rows:
        one = at[row["metric"], row["dimension"]]
        assert float(row["tau"]) == one.tau
        assert one.over_both is not None
        assert float(row["both_low"]) == one.over_both.low


@pytest.mark.slow
def test_the_example_is_a_worst_and_a_best_answer(written: tuple[Path, list[Item]]) -> None:
    text = (written[0] / "table-4.md").read_text(encoding="utf-8")
    assert "worst on Fluency" in text
    assert "best over all dimensions" in text


@pytest.mark.parametrize("texts", ["ids", "none"])
def test_no_text_is_printed_that_the_study_keeps(whole: Results, texts: str) -> None:
    study = whole.study.model_copy(update={"texts": texts})
    items = paper_items(whole.model_copy(update={"study": study}))
    [example] = [item for item in items if item.number == "Table 4"]
    assert example.missing.startswith("Table 4 is missing: it needs texts in the report")
    if texts == "none":
        [cases] = [item.table for item in items if item.number == "Figure 3"]
        assert cases is not None
        assert {row.cells[0].text for row in cases.rows} <= {str(i) for i in range(1, 13)}


def test_what_a_study_lacks_is_said_with_what_it_needs(
    make_results: Callable[..., Results], tmp_path: Path
) -> None:
    nothing = make_results(cases=12, analyses=Records(), dimensions=[], sources=[])
    items = write_paper(nothing, tmp_path)
    assert [item.number for item in items] == ALL
    assert all(re.match(rf"{i.number} is missing: it needs \w.*\.$", i.missing) for i in items)
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
    listed = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert all(item.missing in listed for item in items)


def test_each_row_of_the_paper_is_drawn_with_a_tau_or_with_its_reason(
    make_results: Callable[..., Results], whole: Results
) -> None:
    study = whole.study.model_copy(update={"figure_rows": WANTED})
    left_out = [{"metrics": ["bleu(ref=human)"], "lacks": "the model m", "install": ""}]
    without = [c for c in tried(whole) if c.metric != "bleu(ref=human)"]
    lacking = whole.model_copy(
        update={
            "study": study,
            "left_out": make_results(cases=12, left_out=left_out).left_out,
        }
    )
    lacking = with_tried(lacking, without)
    rows = figure_rows(lacking, [c for c in without if c.tau is not None], ["mean"])
    of = {row.label: row for row in rows}
    paper = {"Citation F1 (strict)", "BLEU (note)", "MEDCON (human)", "AlignScore (note)"}
    assert {of[label].missing for label in paper} == {"not among the study's metrics"}
    assert of["BLEU"].missing == "needs the model m"
    assert of["ROUGE-1"].missing == ""
    # Six citation measures and nine measures of relevance with two references, and the length.
    assert len(rows) == 6 + 9 * 2 + 1
    kinds = list(dict.fromkeys(row.kind for row in rows))
    assert kinds == ["Factuality", "Relevance, text", "Relevance, semantics", "Controls"]
    [drawn] = [item for item in paper_items(lacking) if item.id == "figure-1"]
    assert "20 of the 25 rows are not computed" in drawn.caption


@pytest.mark.parametrize("name", ["bertscore(ref=human)", "bertscore_f1(layer=4,ref=human)"])
def test_an_import_takes_its_metrics_row_and_names_its_file(whole: Results, name: str) -> None:
    like = next(one for one in whole.sources if one.name == "bleu(ref=human)")
    metric = "bertscore_f1(layer=4,ref=human)"
    said = {"name": name, "title": "BERTScore F1 (human), imported", "kind": "imported"}
    where = {"stands_for": metric, "file": "scores/gpu.csv", "origin": "team 3"}
    imported = like.model_copy(update={**said, **where})
    empty = like.model_copy(update={"name": metric, "title": "BERTScore F1 (human)", "scored": 0})
    there = [empty] if name != metric else []
    taus = [c for c in tried(whole) if c.metric == "bleu(ref=human)"]
    results = whole.model_copy(
        update={
            "study": whole.study.model_copy(update={"figure_rows": WANTED}),
            "sources": [*whole.sources, *there, imported],
        }
    )
    results = with_tried(results, [*tried(whole), *(replace(c, metric=name) for c in taus)])
    rows = figure_rows(results, [c for c in tried(results) if c.tau is not None], ["mean"])
    [row] = [row for row in rows if row.label.startswith("BERTScore F1 (human)")]
    assert (row.label, row.metric, row.missing) == (imported.title, name, "")
    assert row.kind == "Relevance, semantics"
    for item in paper_items(results):
        if item.id in {"figure-1", "table-s1-means"}:
            assert f"{imported.title} from scores/gpu.csv (“team 3”)." in item.caption


@pytest.mark.slow
def test_of_very_many_metrics_the_highest_are_drawn_and_all_are_in_the_file(whole: Results) -> None:
    like = next(one for one in whole.sources if one.name == "bleu(ref=human)")
    imported = {"kind": "imported", "file": "scores/more.csv"}
    more = [
        like.model_copy(update={"name": f"more{i:02}", "title": f"More {i:02}", **imported})
        for i in range(60)
    ]
    known = tried(whole)
    first = next(c.dimension for c in known if c.tau is not None)
    taus = [c for c in known if c.metric == "bleu(ref=human)" and c.tau is not None]
    results = whole.model_copy(update={"sources": [*whole.sources, *more]})
    made = [
        replace(c, metric=one.name, tau=(place - 30) / 40)
        for place, one in enumerate(more)
        for c in taus
    ]
    results = with_tried(results, [*known, *made])
    [item] = [item for item in paper_items(results) if item.id == "figure-1"]
    assert item.figure is not None
    assert item.table is not None
    _, height = item.figure.get_size_inches() * 25.4
    assert height < 260  # a page
    drawn = {text.get_text() for text in item.figure.axes[0].texts}
    of = {f"More {i:02}": (i - 30) / 40 for i in range(60)}
    lowest = min(of[name] for name in of if name in drawn)
    assert all(name in drawn for name, tau in of.items() if tau > lowest)
    missing = [name for name in of if name not in drawn]
    assert len(missing) > 20
    controls = [c for c in known if c.control and c.tau is not None and c.dimension == first]
    assert all(any(c.metric in text or "length" in text for text in drawn) for c in controls)
    listed = {row.cells[0].text for row in item.table.rows}
    assert {one.title for one in more} <= listed
    assert "with the highest tau in the first column; the other" in item.caption
    assert "60 of them were computed elsewhere and imported" in item.caption


@pytest.mark.latex
def test_latex_compiles_without_a_warning(written: tuple[Path, list[Item]], tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.fail("No pdflatex on this machine. Run tools/install-what-tests-need.")
    names = sorted(path.name for path in written[0].glob("*.tex"))
    for name in names:
        (tmp_path / name).write_bytes((written[0] / name).read_bytes())
    inputs = "".join(f"\\input{{{name}}}\n" for name in names)
    (tmp_path / "all.tex").write_text(
        "\\documentclass[a4paper]{article}\\usepackage[margin=25mm]{geometry}"
        f"\\usepackage{{{','.join(PACKAGES)}}}\\begin{{document}}\n"
        f"{inputs}{escaped(' '.join(SIGNS))}\\clearpage\\end{{document}}\n",
        encoding="utf-8",
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)  # noqa: S603 - a fixed command on files made here
    said = done.stdout.decode(errors="replace")
    assert done.returncode == 0, said[-2000:]
    assert "Overfull" not in said, said
