"""What the official scorer reads, what was meant, and what the difference costs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.exchange.archehr.answer import (
    AnswerReadings,
    pieces,
    read_answer,
    read_as_meant,
    read_ids,
    read_officially,
    statements,
)

Cited = list[tuple[str, tuple[str, ...]]]


def read(answer: str, *known: str) -> AnswerReadings:
    return read_answer(answer, file="a.json", case="3", known=known or None)


def as_pairs(answer: str) -> tuple[Cited, Cited]:
    found = read(answer)
    return (
        [(s.text, s.citations) for s in found.official],
        [(s.text, s.citations) for s in found.tolerant],
    )


@pytest.mark.parametrize(
    ("answer", "kind", "official", "meant"),
    [
        ("He fell. |2, 3|", "blank-in-citation", [("He fell.", ("2", "␣3"))],
         [("He fell.", ("2", "3"))]),
        ("He fell. |1-3|", "range", [("He fell.", ("1-3",))], [("He fell.", ("1", "2", "3"))]),
        ("He fell. |1;2|", "separator", [("He fell.", ("1;2",))], [("He fell.", ("1", "2"))]),
        ("He fell. |1 2|", "separator", [("He fell.", ("1␣2",))], [("He fell.", ("1", "2"))]),
        ("He fell [1].", "brackets", [("He fell [1].", ())], [("He fell.", ("1",))]),
        ("He fell [1, 2-3].", "brackets", [("He fell [1, 2-3].", ())],
         [("He fell.", ("1", "2", "3"))]),
        ("A b. |1| C d. |2|", "several-citations", [("A b. |1| C d.", ("2",))],
         [("A b.", ("1",)), ("C d.", ("2",))]),
        ("A |1", "unclosed-citation", [("A |1.", ())], [("A.", ("1",))]),
        ("A. |1| and more", "text-behind-citation", [("A.", ("1",))],
         [("A.", ("1",)), ("and more.", ())]),
        ("|1| A b.", "text-behind-citation", [("", ("1",))], [("A b.", ("1",))]),
        ("x | y | ", "blank-in-citation", [("x.", ("␣y␣",))], [("x.", ("y",))]),
    ],
)  # fmt: skip
def test_the_two_readings_of_a_line(answer: str, kind: str, official: Cited, meant: Cited) -> None:
    assert as_pairs(answer) == (official, meant)
    found = read(answer).findings
    kinds = [finding.kind for finding in found if finding.effect == "misread"]
    assert kinds == [kind]
    assert all(finding.case == "3" and finding.line in {1, None} for finding in found)


@pytest.mark.parametrize(("citations", "ends"), [(5, "|4| and |5|"), (6, "|4| and |5| and 1 more")])
def test_five_citations_of_a_line_are_shown_and_further_ones_counted(
    citations: int, ends: str
) -> None:
    line = " ".join(f"A b. |{n}|" for n in range(1, citations + 1))
    [found] = [one for one in read(line).findings if one.kind == "several-citations"]
    assert found.got.endswith(ends)


@pytest.mark.parametrize(
    ("answer", "read_as"),
    [
        ("He fell. |2,3|", [("He fell.", ("2", "3"))]),
        ("He fell |2|", [("He fell.", ("2",))]),  # the scorer adds the full stop
        ("He fell |2|.", [("He fell.", ("2",))]),
        ("He fell! |2,2,3,|", [("He fell!", ("2", "3"))]),
        ("A |x1|", [("A.", ("x1",))]),  # ids need not be numbers
        ("A.\r\n|1|\r\n\nB. |2|", [("A.", ("1",)), ("B.", ("2",))]),
        ("|1|\nA.", [("A.", ("1",))]),
        ("Na was [high]. |1|", [("Na was [high].", ("1",))]),
        ("either | or |1|", [("either | or.", ("1",))]),
    ],
)
def test_what_both_readings_read_alike(answer: str, read_as: Cited) -> None:
    assert as_pairs(answer) == (read_as, read_as)
    assert [finding for finding in read(answer).findings if finding.effect == "misread"] == []


def test_a_number_in_brackets_is_no_citation_where_the_case_has_no_such_sentence() -> None:
    with_case = read("Sodium was [140]. |1|", "1", "2")
    assert [s.citations for s in with_case.tolerant] == [("1",)]
    without = read("Sodium was [140]. |1|")
    assert [s.citations for s in without.tolerant] == [("140", "1")]


def test_an_answer_without_citations_stops_the_official_scorer() -> None:
    kinds = {(f.kind, f.effect) for f in read("He fell.\nHe rose.").findings}
    assert ("no-citations", "refused") in kinds


def test_ids_that_the_note_lacks_count_against_the_system() -> None:
    [finding] = read("A. |1,99|", "1", "2").findings
    assert (finding.kind, finding.effect, finding.got) == ("unknown-id", "costs", '"99"')
    assert read("A. |1,99|", "1", "2").official[0].citations == ("1", "99")


def test_words_past_the_limit_and_a_citation_behind_it() -> None:
    long = " ".join(["word"] * 75)
    assert read(f"{long}. |1|").findings == ()
    found = read(f"{long}. |1|\nOne more. |2|").findings
    assert [(f.kind, f.effect, f.line) for f in found] == [
        ("over-limit", "costs", None),
        ("citation-behind-limit", "harmless", 2),
    ]
    assert found[0].got == "77"
    assert "count all the same" in found[1].cost


def test_lines_are_counted_as_the_file_has_them() -> None:
    [finding] = read("\n\nA. |1|\nB. |2, 3|").findings
    assert finding.line == 4


def test_a_finding_says_place_rule_cost_and_remedy() -> None:
    [finding] = read("A. |2, 3|").findings
    assert str(finding) == (
        'a.json, case 3, line 1: must separate ids by commas alone; got "|2, 3|". The scorer reads '
        '"2", " 3": an id with a blank or another sign in it is none. Write "|2,3|".'
    )
    assert finding.as_dict()["try"] == 'Write "|2,3|".'


ODD = [
    "|",
    "[",
    "]",
    "1",
    "2",
    "13",
    ",",
    ";",
    "-",
    " ",
    "A",
    "fell",
    ".",
    "\n",
    "\r",
    "\u2028",
    "␣",
]
answers = st.one_of(st.lists(st.sampled_from(ODD), max_size=30).map("".join), st.text())


@given(answers)
def test_readings_differ_exactly_where_a_finding_says_so(answer: str) -> None:
    found = read(answer)
    misread = {f.line for f in found.findings if f.effect == "misread"}
    official, meant = read_officially(answer), read_as_meant(answer)
    for line in range(1, answer.count("\n") + 2):
        pairs = [
            ("".join("".join(s.text.split()) for s in side if s.line == line),
             {one for s in side if s.line == line for one in s.ids})
            for side in (official, meant)
        ]  # fmt: skip
        assert (pairs[0] != pairs[1]) == (line in misread), (line, pairs, found.findings)


@given(answers)
def test_ids_of_both_readings_are_ids_of_ours(answer: str) -> None:
    found = read(answer)
    for side in (found.official, found.tolerant):
        ids = [one for statement in side for one in statement.citations]
        assert all(one == one.strip() and one.isprintable() for one in ids)


def test_a_huge_range_or_line_is_no_citation() -> None:
    assert read_ids("1-100000") == ((), False)
    assert pieces("[" + "1," * 1000 + "1]")[0].groups == []


def test_statements_give_stray_citations_to_the_sentence_before() -> None:
    assert statements(read_officially("|4|")) == statements(read_as_meant("|4|"))
    [only] = statements(read_officially("|4|"))
    assert (only.text, only.citations) == ("", ("4",))
