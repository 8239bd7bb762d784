"""Table S1: the columns of the paper, ranks after rounding, and what is not there said."""

from medassay.report.tables import shared_task
from medassay.study.results import OverallResult, Results, SourceResult, Standing

STRICT = "citation_f1(gold=strict,rules=archehr2025)"


def with_task(small: Results, values: dict[str, float], strict: dict[str, float]) -> Results:
    like = small.standings[0]
    source = small.sources[0].model_copy(update={"name": STRICT, "kind": "metric"})
    systems = [one for one in small.systems if one.id in values]
    rename = [one.id for one in systems]
    standings = [
        Standing.model_validate(
            like.model_dump()
            | {"source": STRICT, "system": name, "mean": strict[name], "letters": "a"}
        )
        for name in rename
    ]
    overalls = [
        OverallResult(
            name=f"{kind}(ref=human,relevance=own)",
            ref="human",
            system=name,
            value=values[name],
            interval=None,
            reason="",
        )
        for kind in ("relevance", "overall_paper", "overall_scorer")
        for name in rename
    ]
    return small.model_copy(
        update={
            "systems": systems,
            "sources": [*small.sources, SourceResult.model_validate(source.model_dump())],
            "standings": [*small.standings, *standings],
            "overalls": overalls,
        }
    )


def test_ranks_are_of_rounded_values_and_ties_share_the_best(small: Results) -> None:
    first, second, third = (one.id for one in small.systems[:3])
    values = {first: 0.50149, second: 0.50151, third: 0.5005}  # 50.1, 50.2, 50.0 (banker's or not)
    strict = {first: 0.61234, second: 0.61236, third: 0.5}
    [table] = shared_task(with_task(small, values, strict))
    heads = [column.title for column in table.columns]
    rows = {row.cells[0].raw[0]: dict(zip(heads, row.cells, strict=True)) for row in table.rows}
    assert [row.cells[0].raw[0] for row in table.rows] == [second, first, third]
    assert [rows[name]["O"].text for name in (second, first, third)] == ["1", "2", "3"]
    assert [rows[name]["F"].text for name in (second, first, third)] == ["1", "1", "3"]
    assert rows[first]["Paper"].text == "50.1"


def test_what_is_not_computed_is_a_word_and_the_caption_says_so(small: Results) -> None:
    names = {one.id: 0.5 for one in small.systems[:2]}
    [table] = shared_task(with_task(small, names, names))
    cells = dict(zip((c.title for c in table.columns), table.rows[0].cells, strict=True))
    assert cells["BERTScore"].missing
    assert "BERTScore" in table.caption
    assert "not the published ones" in table.caption


def test_other_protocols_have_no_such_table(small: Results) -> None:
    assert shared_task(small) == []
