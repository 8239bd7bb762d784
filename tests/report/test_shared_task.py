"""A shared task's leaderboard: what orders it comes first, and what is not there is said."""

import re
from dataclasses import replace

from medassay.analyses.builtin.shared_task import shared_task, task_tables
from medassay.analyses.inputs.system_task_boards import TaskBoard, TaskColumn
from medassay.analyses.results import Results
from medassay.analyses.results.whole import Records
from medassay.exhibits import Table
from medassay.report.findings import findings
from medassay.report.names import Names
from medassay.validity import CompositeValue
from medassay.validity.composite import Place

COLUMNS = (
    TaskColumn("strict_f1", "F1", "Strict", "F", "", ()),
    TaskColumn("bleu", "BLEU", "Relevance", "", "", ()),
    TaskColumn("bertscore", "BERTScore", "Relevance", "", "no model", ()),
    TaskColumn("relevance(relevance=own)", "Mean", "Relevance", "R", "", (), own=True),
    TaskColumn("overall_paper", "Paper", "Overall", "O", "", ()),
    TaskColumn("overall_scorer", "Scorer", "Overall", "", "", ()),
)


def with_task(small: Results) -> Results:
    systems = small.systems[:2]

    def filled(column: TaskColumn) -> TaskColumn:
        values = (
            CompositeValue(
                system=system.id,
                value=0.5 + 0.1 * place,
                interval=None,
                unscored=0,
                undefined="one case shows no spread",
                n=11 if column.name == "bleu" else len(small.ranking_cases),
                place=Place(2 - place, 1, 2, "ab") if column.rank else Place(),
            )
            for place, system in enumerate(systems)
        )
        return column if column.lacking else replace(column, values=tuple(values))

    board = TaskBoard(
        "human", "Shared task", "By the scorer.", "overall_paper", tuple(map(filled, COLUMNS))
    )
    records = Records({shared_task.id: (board,), **small.analyses})
    changes = {"systems": systems, "analyses": records, "primary": "length"}
    return small.model_copy(update=changes)


def tables_of(results: Results) -> list[Table]:
    return task_tables(results.analyses[shared_task.id], Names(results))


def test_what_orders_comes_first_with_its_rank_and_group(small: Results) -> None:
    [table] = tables_of(with_task(small))
    assert [column.title for column in table.columns] == [
        *("System", "Rank O", "Group O", "Paper", "Scorer"),
        *("Rank F", "F1", "Rank R", "Mean", "BLEU", "Group F", "Group R"),
    ]
    last, first = (system.id for system in small.systems[:2])
    assert [row.cells[0].raw[0] for row in table.rows] == [first, last]
    cells = dict(zip((c.title for c in table.columns), table.rows[0].cells, strict=True))
    assert (cells["Rank O"].text, cells["Rank O"].aside) == ("1", "1–2")
    assert cells["Rank R"].raw == (1, 1, 2)
    assert (cells["Group O"].text, cells["Group R"].text) == ("a\u00a0b", "a\u00a0b")
    assert cells["Paper"].text == "60.0"
    assert cells["Paper"].detail.startswith("one case shows no spread")


def test_a_column_without_a_value_is_a_sentence_and_not_a_column(small: Results) -> None:
    [table] = tables_of(with_task(small))
    assert "BERTScore" not in [column.title for column in table.columns]
    assert "Not here, because scores are missing: BERTScore." in table.caption
    assert "Mean: over the columns that are there, so not the published number." in table.caption
    assert "By the scorer." in table.caption


def test_how_many_cases_a_column_stands_on_is_said_where_it_is_not_all(small: Results) -> None:
    [table] = tables_of(with_task(small))
    assert f"11 of {len(small.ranking_cases)} cases in Relevance BLEU." in table.caption


def test_every_field_of_the_file_has_a_name_of_its_own(small: Results) -> None:
    [table] = tables_of(with_task(small))
    fields = [field for column in table.columns for field in column.fields]
    assert len(set(fields)) == len(fields)
    for row in table.rows:
        sizes = [len(cell.raw) for cell in row.cells]
        assert sizes == [len(column.fields) for column in table.columns]


def test_where_no_rater_orders_the_systems_the_task_does(small: Results) -> None:
    # That nobody was asked about harm comes before both.
    said = findings(with_task(small))[1]
    assert said.id == "task"
    assert said.text.startswith(
        "Birch has the highest overall score in Shared task (Overall Paper 60.0; "
    )
    assert re.search(r" Whether it is better than .* is undecided on the ", said.text)
    assert findings(small)[1].id == "leaders"
