"""What the page says once: methods that are alike, the one system there is, and how to read."""

import re

from tools.standard.shared import SharedRuns

from medassay.exhibits.sentences import stopped
from medassay.report import findings, read_results
from medassay.report.asked import asked_tables
from medassay.report.contents import Contents
from medassay.report.names import Names
from medassay.report.page import _methods
from medassay.report.prose import used_methods


def test_methods_that_are_alike_are_told_once(standard_run: SharedRuns) -> None:
    results = read_results(standard_run("asked").folder / "report.json")
    [first] = [note for note in results.methods if note.title == "ROUGE-1"]
    question, _, source = first.text.partition(" Source: ")
    alike = first.model_copy(update={"title": "ROUGE-1 (note)", "signature": "rouge1(ref=note)"})
    other = first.model_copy(update={"title": "ROUGE-9", "text": f"Another? Source: {source}"})
    few = results.model_copy(update={"methods": [first, alike, other]})
    told = _methods(few, Contents.of(results))
    assert told == [
        ("ROUGE-1, ROUGE-1 (note)", stopped(first.text), [first.signature, alike.signature]),
        ("ROUGE-9", "Another? Source: as above.", [other.signature]),
    ]
    assert question in told[0][1]


def test_one_system_is_told_of_no_ranking(standard_run: SharedRuns) -> None:
    results = read_results(standard_run("asked").folder / "report.json")
    one = results.model_copy(update={"systems": results.systems[:1]})
    ranking = {"Leaderboard", "Which metrics agree with the raters"}
    assert ranking <= {note.title for note in used_methods(results)}
    assert not ranking & {note.title for note in used_methods(one)}


def test_a_panel_on_one_system_is_not_told_its_name(standard_run: SharedRuns) -> None:
    results = read_results(standard_run("panel").folder / "report.json")
    one = results.model_copy(update={"systems": results.systems[:1]})
    name = Names(results).of_system(results.systems[0].id)
    named, alone = ([own.text for own in findings(of)] for of in (results, one))
    assert any(name in text for text in named)
    assert not any(name in text for text in alone)


def test_intervals_of_tables_read_as_those_of_sentences(standard_run: SharedRuns) -> None:
    page = (standard_run("asked").folder / "report.html").read_text(encoding="utf-8")
    assert re.search(r"<small>\(\S+ to \S+\)</small>", page)
    assert not re.search(r"<small>\[", page)


def test_letters_of_groups_have_their_key_above_the_table(standard_run: SharedRuns) -> None:
    results = read_results(standard_run("asked").folder / "report.json")
    [table] = [one for one in asked_tables(results) if one.id == "leaderboard"]
    assert any(cell.text == "a" for row in table.rows for cell in row.cells)
    assert "Systems share a letter where their order is undecided" in table.lead
