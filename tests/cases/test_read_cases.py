import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medassay.cases import Case, Cases, read_cases, write_cases
from medassay.errors import InvalidInput, Problem, UnknownName


def problems_of(path: Path) -> list[Problem]:
    with pytest.raises(InvalidInput) as caught:
        read_cases(path)
    return list(caught.value.problems)


def test_every_problem_of_a_file_is_reported_at_once(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(
        '{"case": "1", "qestion": "Why?"}\n'
        '{"case": 2, "evidence": [{"id": 1, "text": "A.", "relevence": "essential"}]}\n'
        '{"case": "3", "evidence": [{"id": 1, "text": "A.", "relevance": "esential"}]}\n'
        '{"case": "2"}\n'
        '{"case": "5", "references": [{"kind": "human"}]}\n'
    )
    assert [(p.row, p.column, p.got, p.try_) for p in problems_of(path)] == [
        (1, "qestion", '"qestion"', 'Did you mean "question"?'),
        (2, "evidence[1].relevence", '"relevence"', 'Did you mean "relevance"?'),
        (3, "evidence[1].relevance", '"esential"', 'Did you mean "essential"?'),
        (5, "references[1].text", "nothing", ""),
    ]


def test_an_unknown_key_is_told_which_keys_are_known(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text('{"case": "1", "documents": [{"id": 1, "grad": 2}]}\n')
    assert str(problems_of(path)[0]) == (
        "cases.jsonl, row 1, column documents[1].grad: must be one of id, title, text, grade; "
        'got "grad". Did you mean "grade"?'
    )


def test_a_case_named_twice_names_both_rows(tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    path.write_text("case,question\n1,a\n2,b\n1,c\n")
    assert str(problems_of(path)[0]) == (
        'cases.csv, row 4, column case: must name each case once; got "1", as in row 2.'
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"case": ""}', "be an id"),
        ('{"case": " 1"}', "be an id"),
        ('{"case": 1.5}', "be text or a whole number"),
        ('{"case": true}', "be text or a whole number"),
        ('{"question": "Why?"}', "be given"),
        ('{"case": 1, "evidence": [{"id": 1, "text": ""}, {"id": "1", "text": ""}]}', "once"),
        ('{"case": 1, "documents": [{"id": 1}, {"id": 1}]}', "name each document once"),
        ('{"case": 1, "options": {"A": "x", "B": "y"}, "gold": "C"}', "one of its options, A, B"),
        (
            '{"case": 1, "documents": [{"id": 1, "grade": -1}]}',
            "be a grade of relevance, 0 or more",
        ),
        ('{"case": 1, "references": [{"text": " "}]}', "have a text"),
        ('{"case": 1, "reference": "a", "references": [{"text": "b"}]}', "either in one column"),
        ('{"case": 1, "evidence": [{"id": 1, "text": "a", "relevance": true}]}', "be one of"),
    ],
)
def test_what_a_case_must_be(tmp_path: Path, line: str, words: str) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(line + "\n")
    found = problems_of(path)
    assert len(found) == 1
    assert words in str(found[0])


def test_a_flat_file_holds_reference_tags_and_nested_json(tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    path.write_text(
        "case,question,narrative,reference,tag.condition,evidence\n"
        '01,Why?,,Because.,asthma,"[{""id"": 1, ""text"": ""A."", ""relevance"": 2}]"\n'
        "1,,,,,\n"
    )
    cases = read_cases(path)
    first, second = cases.records
    assert (first.case, first.question, first.narrative) == ("01", "Why?", None)
    assert [(r.kind, r.text) for r in first.references] == [("human", "Because.")]
    assert first.tags == {"condition": "asthma"}
    assert first.evidence[0].relevance == 2.0
    assert second == Case(case="1")
    assert [str(w) for w in cases.warnings] == [
        'cases.csv, column case: must tell ids apart; got "01", "1". They count as different.'
    ]


def test_a_cell_that_is_not_json_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    path.write_text('case,options\n1,"{A: x}"\n')
    assert str(problems_of(path)[0]).startswith("cases.csv, row 2, column options: must be JSON")


def test_nested_parquet_columns_are_read_as_they_are(tmp_path: Path) -> None:
    import polars as pl

    path = tmp_path / "cases.parquet"
    options = [{"A": "x", "B": "y", "E": None}, {"A": "x", "B": "y", "E": "z"}]
    references = [[{"text": "a", "kind": None}], []]
    rows = {"case": [1, 2], "options": options, "references": references}
    pl.DataFrame(rows).write_parquet(path)
    first, second = read_cases(path)
    assert (first.options, second.options["E"]) == ({"A": "x", "B": "y"}, "z")
    assert (first.references[0].kind, second.references) == ("human", ())


def test_a_file_without_cases_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text("\n")
    assert "at least one case" in str(problems_of(path)[0])


def test_cases_keep_file_order_and_results_sort_ids() -> None:
    cases = Cases.of([Case(case="b"), Case(case="a")])
    assert [c.case for c in cases] == ["b", "a"]
    assert cases.ids == ("a", "b")
    with pytest.raises(UnknownName):
        cases["c"]


def test_records_in_memory_are_checked_too() -> None:
    with pytest.raises(InvalidInput, match='row 2: must name each case once; got "a" again'):
        Cases.of([Case(case="a"), Case(case="a")])


words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1).filter(
    lambda text: text.strip() != ""
)
ids = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9 .-]{0,3}[A-Za-z0-9]", fullmatch=True)
relevance = st.sampled_from(["essential", "supplementary", "not-relevant", None, 0.0, 2.5])
evidence = st.fixed_dictionaries({"id": ids, "text": words, "relevance": relevance})
document = st.fixed_dictionaries(
    {"id": ids, "title": st.none() | words, "grade": st.none() | st.floats(0, 4)}
)
cases_strategy = st.lists(
    st.builds(
        lambda **given: Case.model_validate(given),
        case=ids,
        question=st.none() | words,
        narrative=st.none() | words,
        evidence=st.lists(evidence, max_size=3, unique_by=lambda e: e["id"]),
        references=st.lists(st.fixed_dictionaries({"text": words, "kind": ids}), max_size=2),
        options=st.lists(st.tuples(ids, words), max_size=3, unique_by=lambda one: one[0].casefold())
        .filter(lambda some: len(some) != 1)
        .map(dict),
        documents=st.lists(document, max_size=3, unique_by=lambda d: d["id"]),
        tags=st.dictionaries(ids, ids, max_size=2),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda case: case.case,
)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
@settings(max_examples=40, deadline=None)
@given(cases=cases_strategy)
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, ending: str, cases: list[Case]
) -> None:
    path = tmp_path_factory.mktemp("cases") / f"cases.{ending}"
    write_cases(path, cases)
    assert list(read_cases(path)) == cases


def test_options_in_the_same_words_are_named_and_blank_ones_are_not(tmp_path: Path) -> None:
    lines = [
        {"case": "c1", "options": {"A": "", "B": ""}},
        {"case": "c2", "options": {"A": "Rest", "B": "Ice", "C": " rest"}},
        {"case": "c3", "options": {"A": "Ice", "B": "Ice"}},
    ]
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    [note] = read_cases(path).warnings
    assert note.column == "options"
    assert note.got == "2 cases with two that do not, c2 first: A and C"
