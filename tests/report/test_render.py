"""The same results give the same files, and nothing private leaves."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from medassay.analyses.builtin.label_counts import SystemLabels, labels_by_system
from medassay.analyses.builtin.leaderboards import leaderboards
from medassay.analyses.inputs.system_boards import NO_LEADERBOARDS
from medassay.analyses.results import Results
from medassay.analyses.results.whole import Records
from medassay.errors import InvalidInput
from medassay.report import findings, read_results, render
from medassay.report.asked import asked_tables
from medassay.report.figures import draw, figure_bytes
from medassay.report.names import Names
from medassay.report.page import json_for_script, page
from medassay.report.store import report_json

Factory = Callable[..., Results]
RARE_WORD = "zanthoxylum"
RENDER = """
import sys
from pathlib import Path
from medassay.report import read_results, render
render(read_results(Path(sys.argv[1])), Path(sys.argv[2]))
"""


def _digests(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.slow
def test_two_processes_write_the_same_bytes(small: Results, tmp_path: Path) -> None:
    (tmp_path / "report.json").write_bytes(report_json(small))
    for seed in ("1", "2"):
        subprocess.run(  # noqa: S603 - our own interpreter and script
            [sys.executable, "-c", RENDER, tmp_path / "report.json", tmp_path / seed],
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
    first = _digests(tmp_path / "1")
    assert first == _digests(tmp_path / "2")
    assert "figures/tau.svg" in first
    assert (tmp_path / "1" / "report.json").read_bytes() == report_json(small)


@pytest.mark.slow
def test_what_is_written(small: Results, tmp_path: Path) -> None:
    files = render(small, tmp_path, formats=["svg"])
    names = {str(path.relative_to(tmp_path)) for path in files}
    assert files[0] == tmp_path / "report.html"
    assert {"report.json", "figures/tau.svg", "tables/leaderboard.csv", "report.md"} <= names
    assert names == set(_digests(tmp_path))


def test_the_json_comes_back_as_the_same_results(small: Results, tmp_path: Path) -> None:
    (tmp_path / "report.json").write_bytes(report_json(small))
    assert read_results(tmp_path / "report.json") == small
    said = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["findings"]
    assert [one["text"] for one in said] == [finding.text for finding in findings(small)]


@pytest.mark.parametrize(
    ("content", "got"),
    [("{", "no JSON"), ("[]", "a list"), ('{"schema_version": 2}', "Input should be 1")],
)
def test_a_file_that_is_no_report_is_named(tmp_path: Path, content: str, got: str) -> None:
    (tmp_path / "report.json").write_text(content, encoding="utf-8")
    with pytest.raises(InvalidInput, match=rf"report\.json.*must be a report\.json.*{got}"):
        read_results(tmp_path / "report.json")


def test_a_report_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="No such file"):
        read_results(tmp_path / "report.json")


@pytest.mark.slow
@pytest.mark.parametrize("texts", ["ids", "none"])
def test_no_text_leaves_that_the_study_keeps(
    make_results: Factory, tmp_path: Path, texts: str
) -> None:
    full, kept = tmp_path / "full", tmp_path / "kept"
    render(make_results(cases=8), full, formats=["svg"])
    render(make_results(cases=8, study_texts=texts), kept, formats=["svg"])
    leaks = {
        folder.name: [n for n in _digests(folder) if RARE_WORD in (folder / n).read_text("utf-8")]
        for folder in (full, kept)
    }
    assert leaks == {"full": ["report.html", "report.json"], "kept": []}
    ids = [n for n in _digests(kept) if "R-0004" in (kept / n).read_text("utf-8")]
    assert bool(ids) == (texts == "ids")


def test_an_answer_cannot_end_the_script_it_stands_in(small: Results) -> None:
    text = page(small).decode()
    assert text.count("<script") == 5
    assert text.count("</script>") == 5
    assert "<img" not in text
    assert "\u2028" not in text


def test_what_people_wrote_elsewhere_is_escaped(make_results: Factory) -> None:
    bad = "<img src=x onerror=alert(1)>"
    results = make_results(cases=3, study_title=bad, study_description=bad, warnings=[bad])
    systems = [s.model_copy(update={"title": bad + s.id}) for s in results.systems]
    text = page(results.model_copy(update={"systems": systems})).decode()
    assert "<img" not in text
    assert "&lt;img src=x" in text


def test_json_in_a_script_reads_back() -> None:
    value = {"a": "</script><!-- & \u2028 é 🫁"}
    text = json_for_script(value)
    assert json.loads(text) == value
    assert not set("<>&\u2028") & set(text)


def test_the_page_asks_the_network_for_nothing(small: Results) -> None:
    text = page(small).decode()
    assert "default-src 'none'" in text
    assert "http://" not in text
    assert "https://" not in text


def test_the_banner_stands_on_made_up_data_only(make_results: Factory) -> None:
    assert 'class="banner"' in page(make_results(cases=3)).decode()
    assert 'class="banner"' not in page(make_results(cases=3, study_synthetic=False)).decode()


def test_an_empty_run_still_makes_a_page(make_results: Factory, tmp_path: Path) -> None:
    lists = "systems dimensions sources ranking_cases cases methods warnings"
    records = Records({leaderboards.id: NO_LEADERBOARDS})
    nothing = {"analyses": records, **{name: [] for name in lists.split()}}
    empty = make_results(cases=3).model_copy(update=nothing)
    counts = empty.study.counts.model_copy(
        update=dict.fromkeys(type(empty.study.counts).model_fields, 0)
    )
    empty = empty.model_copy(
        update={"study": empty.study.model_copy(update={"counts": counts}), "primary": ""}
    )
    render(empty, tmp_path)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "No system was ranked." in text
    assert "Nobody has rated these answers" in text
    assert [one.id for one in findings(empty)] == ["leaders"]
    assert not (tmp_path / "figures").exists()


def test_where_nobody_rated_one_line_stands_for_the_chapters_about_raters(
    make_results: Factory, small: Results
) -> None:
    full = make_results(cases=3)
    counts = full.study.counts.model_copy(update={"judgements": 0, "preferences": 0, "raters": 0})
    study = full.study.model_copy(update={"counts": counts})
    emptied = ("raters",)
    bare = full.model_copy(
        update={"study": study, "analyses": Records(), **{name: [] for name in emptied}}
    )
    text = page(bare).decode()
    rated = page(small).decode()
    line = "Nobody has rated these answers, so nothing is known of agreement"
    assert line in text
    assert line not in rated
    for chapter in ("panel", "validity"):
        assert f'id="{chapter}"' not in text
        assert f'href="#{chapter}"' not in text
        assert f'<section id="{chapter}"' in rated
        assert f'href="#{chapter}"' in rated
    assert "Labels given" not in text
    assert "Kendall's tau-b over no systems" not in text


@pytest.mark.slow
def test_a_figure_has_no_date_and_its_fonts_inside(small: Results) -> None:
    drawn = draw(small)
    assert list(drawn) == ["overview", "leaderboard", "labels", "agreement", "tau"]
    title, figure = drawn["tau"].title, drawn["tau"].figure
    svg = figure_bytes(figure, "svg", title)
    assert b"<dc:date>" not in svg
    assert b"<text" not in svg
    pdf = figure_bytes(figure, "pdf", title)
    assert b"CreationDate" not in pdf
    assert b"/FontFile2" in pdf
    assert figure_bytes(figure, "svg", title) == svg


@pytest.mark.slow
def test_a_figure_has_the_width_of_a_journal(small: Results) -> None:
    for picture in draw(small).values():
        assert picture.figure.get_figwidth() * 25.4 <= 178 + 1e-9


@pytest.mark.slow
def test_importing_the_room_loads_nothing_heavy() -> None:
    script = (
        "import sys; import medassay.report; "
        "print([m for m in ('matplotlib', 'jinja2', 'polars') if m in sys.modules])"
    )
    done = subprocess.run(  # noqa: S603 - our own interpreter and script
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("texts", ["full", "ids", "none"])
def test_hard_cases_are_on_the_page_by_number_where_ids_are_private(
    make_results: Callable[..., Results], texts: str
) -> None:
    plain = make_results(cases=12)
    case = {"mean": 0.5, "spread": 0.2, "null_low": 0.1, "null_high": 0.4, "level": "difficult"}
    case |= {"discrimination": -0.6, "p": 0.01, "p_adjusted": 0.2, "suspect": "reversed"}
    named = [case | {"case": name, "n_systems": 6} for name in plain.ranking_cases]
    around = {"low": -0.6, "high": -0.2, "level": 0.95, "method": "beta null"}
    around |= {"estimand": "a bounded scale alone", "replicates": 200}
    one = {"source": "mean(dimension=fluency)", "dimension": "fluency", "low": 0.0, "high": 2.0}
    one |= {"q1": 0.5, "q3": 0.5, "share": 0.3, "rho": -0.9, "p": 0.01, "cases": named}
    one |= {"null": around, "left_out": 0, "reason": ""}
    results = make_results(cases=12, analyses={"case_difficulty": {"dimensions": [one]}})
    study = results.study.model_copy(update={"texts": texts})
    text = page(results.model_copy(update={"study": study, "cases": []})).decode()
    assert "systems agree more on easy cases than the scale makes them" in text
    assert "second look: reversed" in text
    shown = [name for name in plain.ranking_cases if f">{name}<" in text]
    assert bool(shown) == (texts != "none")


def labels_caption(results: Results) -> str:
    [table] = [one for one in asked_tables(results) if one.id == "labels"]
    return table.caption


def test_the_labels_table_says_whose_wording_the_rubric_has(make_results: Factory) -> None:
    results = make_results(study_wording="The wording is ours.")
    assert labels_caption(results).endswith(" The wording is ours.")
    of_alder = SystemLabels("fluency", "a1", ("Major errors", "No errors"), (1, 2), without=0)
    assert labels_by_system([of_alder], Names(results)).caption.endswith(" The wording is ours.")
    assert "wording" not in labels_caption(make_results())
