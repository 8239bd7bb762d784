"""A shared task's leaderboard: what orders it comes first, and what is not there is said."""

from medassay.analyses.results import BoardColumnResult, BoardResult, OverallResult, Results
from medassay.report.findings import findings
from medassay.report.tables import shared_task

COLUMNS = [
    BoardColumnResult(name="strict_f1", title="F1", group="Strict", rank="F", lacking=""),
    BoardColumnResult(name="bleu", title="BLEU", group="Relevance", rank="", lacking=""),
    BoardColumnResult(
        name="bertscore", title="BERTScore", group="Relevance", rank="", lacking="no model"
    ),
    BoardColumnResult(
        name="relevance(relevance=own)", title="Mean", group="Relevance", rank="R", lacking="",
        own=True,
    ),
    BoardColumnResult(name="overall_paper", title="Paper", group="Overall", rank="O", lacking=""),
    BoardColumnResult(name="overall_scorer", title="Scorer", group="Overall", rank="", lacking=""),
]  # fmt: skip
BOARD = BoardResult(
    name="human", title="Shared task", says="By the scorer.", order="overall_paper",
    columns=COLUMNS,
)  # fmt: skip


def with_task(small: Results) -> Results:
    systems = small.systems[:2]
    overalls = [
        OverallResult(
            name=column.name,
            ref="human",
            system=system.id,
            value=0.5 + 0.1 * place,
            interval=None,
            reason="one case shows no spread",
            n=11 if column.name == "bleu" else len(small.ranking_cases),
            rank=2 - place if column.rank else None,
            rank_low=1 if column.rank else None,
            rank_high=2 if column.rank else None,
            letters="ab" if column.rank else "",
        )
        for column in COLUMNS
        if not column.lacking
        for place, system in enumerate(systems)
    ]
    changes = {"systems": systems, "boards": [BOARD], "overalls": overalls, "primary": "length"}
    return small.model_copy(update=changes)


def test_what_orders_comes_first_with_its_rank_and_group(small: Results) -> None:
    [table] = shared_task(with_task(small))
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
    [table] = shared_task(with_task(small))
    assert "BERTScore" not in [column.title for column in table.columns]
    assert "Not here, for want of scores: BERTScore." in table.caption
    assert "Mean: over the columns that are there, so not the published number." in table.caption
    assert "By the scorer." in table.caption


def test_how_many_cases_a_column_stands_on_is_said_where_it_is_not_all(small: Results) -> None:
    [table] = shared_task(with_task(small))
    assert f"11 of {len(small.ranking_cases)} cases in Relevance BLEU." in table.caption


def test_every_field_of_the_file_has_a_name_of_its_own(small: Results) -> None:
    [table] = shared_task(with_task(small))
    fields = [field for column in table.columns for field in column.fields]
    assert len(set(fields)) == len(fields)
    for row in table.rows:
        sizes = [len(cell.raw) for cell in row.cells]
        assert sizes == [len(column.fields) for column in table.columns]


def test_where_no_rater_orders_the_systems_the_task_does(small: Results) -> None:
    said = findings(with_task(small))[0]
    assert said.id == "task"
    assert said.text.startswith("By the task's overall score (Overall Paper; Shared task)")
    assert "cannot be told apart from" in said.text
    assert findings(small)[0].id == "leaders"
    assert shared_task(small) == []
