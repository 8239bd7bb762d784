"""What scripts and notebooks hold: a study, its run, and its tables, sentences and figures."""

import csv
import io
from pathlib import Path

import pytest
from tools.standard import STANDARD
from tools.standard.shared import SharedRuns

import medassay as ma
from medassay.errors import InvalidInput, UnknownName
from medassay.report import findings, tables_of
from medassay.report.tables import table_csv

SCREEN = 3_000
"""Characters that a screen holds."""


def test_a_study_is_opened_and_its_finished_run_read(
    standard_run: SharedRuns, tmp_path: Path
) -> None:
    run = standard_run.copy("clinical", tmp_path)
    study = ma.open_study(run.study)
    read = study.run(offline=True)
    assert read.folder == run.folder
    assert list(read.findings) == findings(run.results)
    assert read.page.is_file()


@pytest.mark.parametrize("name", STANDARD)
def test_every_table_is_a_frame_of_what_its_file_holds(standard_run: SharedRuns, name: str) -> None:
    run = standard_run(name)
    read = ma.CompletedRun(run.folder)
    tables = {table.id: table for table in tables_of(run.results)}
    assert read.tables == {name: table.title for name, table in tables.items()}
    for table in tables.values():
        header, *rows = csv.reader(io.StringIO(table_csv(table).decode("utf-8-sig")))
        held = read.table(table.id)
        frame = held.to_polars()
        assert [*held.columns] == frame.columns
        assert [field for field in header if field != "synthetic"] == frame.columns
        assert frame.height == len(held) == len(rows)


def test_numbers_of_a_table_are_numbers(standard_run: SharedRuns) -> None:
    board = ma.CompletedRun(standard_run("clinical").folder).table("leaderboard").frame
    assert board["mean"].dtype.is_float()
    assert board["system"].to_list()


def test_a_name_that_is_not_there_gets_the_nearest(standard_run: SharedRuns) -> None:
    read = ma.CompletedRun(standard_run("clinical").folder)
    with pytest.raises(UnknownName, match="leaderboard"):
        read.table("leaderbord")
    with pytest.raises(UnknownName, match="figure"):
        read.figure("nothing-like-it")


def test_a_figure_is_shown_and_saved(standard_run: SharedRuns, tmp_path: Path) -> None:
    read = ma.CompletedRun(standard_run("clinical").folder)
    figure = read.figure(read.figures[0])
    figure.save(tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").read_text(encoding="utf-8").lstrip().startswith("<")
    assert figure._repr_svg_() == figure.svg


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="be the folder of a run"):
        ma.CompletedRun(tmp_path)


@pytest.mark.parametrize("name", STANDARD)
def test_whatever_is_looked_at_fits_a_screen(standard_run: SharedRuns, name: str) -> None:
    run = standard_run(name)
    study = ma.open_study(run.study)
    read = ma.CompletedRun(run.folder)
    held = study.study
    looked_at = (study, held, held.cases, held.answers, held.judgements, read.results, read)
    assert [repr(each) for each in looked_at if len(repr(each)) > SCREEN] == []


def test_a_notebook_shows_the_findings(standard_run: SharedRuns) -> None:
    read = ma.CompletedRun(standard_run("clinical").folder)
    assert read._repr_html_().count("<li>") == len(read.findings)


def test_a_figure_is_drawn_into_axes_of_ones_own(standard_run: SharedRuns, tmp_path: Path) -> None:
    from matplotlib.figure import Figure

    read = ma.CompletedRun(standard_run("clinical").folder)
    for name in read.figures:
        mine = Figure(figsize=(12, 4), layout="constrained")
        left, right = mine.subplots(1, 2)
        left.plot([1, 2])
        panels = read.figure(name, ax=right).axes
        [place] = mine.subfigs
        assert [axes.get_title(loc="left") for axes in place.axes] == [
            axes.get_title(loc="left") for axes in panels
        ]
        assert left.has_data()
        mine.savefig(tmp_path / f"{name}.png")
    alone = Figure().add_axes((0.1, 0.1, 0.8, 0.8))
    with pytest.raises(InvalidInput, match="ax: must be axes of a grid"):
        read.figure(read.figures[0], ax=alone)
