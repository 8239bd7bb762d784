"""One definition of a table: page, CSV and Markdown cannot differ."""

import csv
import io
from collections.abc import Callable
from dataclasses import replace

from tests.report.ranked import best_first, board_by, changed_rows, rows_of
from tests.report.tried import tried, with_tried

from medassay.analyses.builtin.agreement import (
    agreement,
    every_coefficient,
    main_agreement,
    panel_in,
)
from medassay.analyses.builtin.correlations import Correlations, correlations, tau_maps
from medassay.analyses.builtin.leaderboards.tables import axis_of
from medassay.analyses.results import Results
from medassay.report.names import Names
from medassay.report.tables import (
    Cell,
    Column,
    Dot,
    Row,
    Table,
    all_tables,
    answers,
    table_csv,
    table_markdown,
    unscored,
)

Factory = Callable[..., Results]


def _rows(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode())))


def test_every_cell_fills_the_fields_of_its_column(small: Results) -> None:
    tables = all_tables(small)
    assert len(tables) > 10
    for table in tables:
        for row in table.rows:
            for cell, column in zip(row.cells, table.columns, strict=True):
                assert len(cell.raw) == len(column.fields), (table.id, column.title)


def test_every_csv_is_a_rectangle_and_names_each_column_once(small: Results) -> None:
    for table in all_tables(small):
        header, *rows = _rows(table_csv(table))
        assert len(set(header)) == len(header), table.id
        assert len(rows) == len(table.rows)
        assert {len(row) for row in rows} <= {len(header)}


def test_every_file_of_made_up_data_says_so(small: Results, make_results: Factory) -> None:
    for table in all_tables(small):
        header, *rows = _rows(table_csv(table))
        assert header[-1] == "synthetic"
        assert {row[-1] for row in rows} <= {"True"}
        assert table_markdown(table).startswith(b"> Synthetic data")
    for table in all_tables(make_results(cases=3, study_synthetic=False)):
        assert b"synthetic" not in table_csv(table).lower()


def test_the_csv_keeps_all_digits_of_what_the_page_rounds(small: Results) -> None:
    first = best_first(small, small.primary)[0]
    header, row, *_ = _rows(table_csv(board_by(small, small.primary)))
    cells = dict(zip(header, row, strict=True))
    assert float(cells["mean"]) == first.mean
    assert first.interval
    assert float(cells["mean_low"]) == first.interval.low
    assert cells["system"] == first.system
    assert f"{first.mean:.2f}" in table_markdown(board_by(small, small.primary)).decode()


def test_a_system_without_a_mean_stands_last_with_its_reason_and_no_number(small: Results) -> None:
    name = "mean(dimension=direction_agreement)"
    last = board_by(small, name).rows[-1]
    mean = last.cells[1]
    assert (mean.text, mean.missing, mean.raw[0]) == ("none", True, None)
    assert mean.detail == "Not applicable in every case."
    assert mean.order is None


def test_lower_is_better_puts_the_lowest_first(small: Results) -> None:
    source = small.sources[0].model_copy(update={"direction": "lower"})
    changed = changed_rows(small, lambda _: {"rank": None})
    means = [
        row.mean
        for row in best_first(changed.model_copy(update={"sources": [source]}), source.name)
    ]
    assert means == sorted(means, key=lambda mean: mean or 0)


def test_an_axis_starts_where_the_scale_starts_and_holds_every_interval(small: Results) -> None:
    for source in small.sources:
        board = best_first(small, source.name)
        low, high = axis_of(source, board)
        assert low == source.low
        for row in board_by(small, source.name).rows:
            dot = row.cells[1].draw
            if isinstance(dot, Dot) and dot.low is not None and dot.high is not None:
                assert low <= dot.low <= dot.value <= dot.high <= high


def test_an_axis_of_a_scale_below_zero(small: Results) -> None:
    source = small.sources[0].model_copy(update={"low": None, "high": None})
    base = rows_of(small)[0]
    board = [replace(base, interval=None, mean=mean) for mean in (-3.2, -0.5)]
    assert axis_of(source, board) == (-4.0, 0.0)


def _taus(results: Results) -> Correlations:
    found = results.analyses.of(correlations)
    assert found is not None
    return found


def test_controls_stand_in_a_group_of_their_own_below_the_metrics(small: Results) -> None:
    groups = [(name, len(rows)) for name, _, rows in tau_maps(_taus(small), Names(small))[0].groups]
    assert groups == [("Metrics", 5), ("Controls", 1)]


def test_reasons_are_said_once_for_each_source(small: Results) -> None:
    rows = [[cell.text for cell in row.cells[:3]] for row in unscored(small).rows]
    assert ["bleu(ref=human)", "the answer was never given", "9 of 2,136"] in rows
    assert len(rows) == len({(row[0], row[1]) for row in rows})


def test_markdown_breaks_no_cell_and_runs_no_html(make_results: Factory) -> None:
    results = make_results(cases=3)
    systems = [
        s.model_copy(update={"title": "a|b\n<img src=x> [x](y)"}) if i == 0 else s
        for i, s in enumerate(results.systems)
    ]
    text = table_markdown(all_tables(results.model_copy(update={"systems": systems}))[0]).decode()
    assert "a\\|b \\<img src=x> [x]\\(y)" in text


def test_two_sources_of_one_title_are_told_apart(small: Results) -> None:
    same = [s.model_copy(update={"title": "ROUGE"}) for s in small.sources[1:3]]
    titles = Names(small.model_copy(update={"sources": same})).source
    assert set(titles.values()) == {"ROUGE (rouge1(ref=human))", "ROUGE (rouge2(ref=human))"}


def test_answers_never_given_are_counted_with_the_mean_without_them(small: Results) -> None:
    source = small.sources[0]
    changed = changed_rows(small, lambda _: {"never_answered": 2, "mean_given": 9.5})
    board = board_by(changed, source.name)
    cell = board.rows[0].cells[-1]
    assert "2 never answered" in cell.detail
    assert "the mean without them: 9.5" in cell.detail
    assert cell.raw[2:] == (2, 9.5)


def test_each_consensus_method_has_a_heat_map_of_its_own(small: Results) -> None:
    other = [replace(c, method="majority") for c in tried(small)]
    both = with_tried(small, [*other, *tried(small)])
    first, second = tau_maps(_taus(both), Names(both))
    assert (first.id, second.id) == ("tau", "tau-majority")  # the leaderboard's method comes first
    assert len(first.columns) == len(second.columns) == 1 + 5
    assert "290 answers" in first.caption


def test_the_first_table_of_agreement_has_one_or_two_coefficients_a_dimension(
    small: Results,
) -> None:
    table = main_agreement(small.analyses[agreement.id], Names(small))
    for _, _, rows in table.groups:
        assert [row.cells[0].raw[0] for row in rows] == ["fleiss", "unanimous"]
        assert {row.cells[1].text for row in rows} == {"full"}
    assert len(every_coefficient(panel_in(small.analyses), Names(small)).rows) > 2 * len(table.rows)


def test_counts_have_no_decimals_in_one_answer_and_one_in_a_mean(make_results: Factory) -> None:
    results = make_results(cases=3)
    one = results.cases[0].answers[0]
    words = one.scores[0].model_copy(update={"source": "answer_length", "value": 40.0})
    answer = one.model_copy(update={"scores": [words]})
    case = results.cases[0].model_copy(update={"answers": [answer]})
    changed = results.model_copy(update={"cases": [case]})
    table = answers(changed)
    place = [column.fields[0] for column in table.columns].index("answer_length")
    assert table.rows[0].cells[place].text == "40"
    board = board_by(changed, "answer_length")
    assert "." in board.rows[0].cells[1].text


def test_no_csv_holds_a_formula_and_numbers_stay_numbers() -> None:
    cells = (Cell("=cmd", ("=cmd|' /C calc'!A0",)), Cell("-0.12", (-0.12,)))
    columns = (Column("System", ("system",)), Column("Mean", ("mean",), numeric=True))
    table = Table("t", "T", "C", columns, (Row(cells, group="＠home"),), group_field="group")
    assert _rows(table_csv(table)) == [
        ["group", "system", "mean"],
        ["'＠home", "'=cmd|' /C calc'!A0", "-0.12"],
    ]
