"""Harm is what a label says: where a label says less as well, the page says its words."""

from dataclasses import replace

from medassay.analyses.builtin.harm_by_system import (
    HarmBySystem,
    HarmOf,
    harm_by_system,
    harm_findings,
    harm_table,
)
from medassay.analyses.builtin.harm_prevalence import HarmCounts, harm_prevalence
from medassay.analyses.results import Results
from medassay.analyses.results.whole import Records
from medassay.consensus import HarmPrevalence
from medassay.exhibits import Names, Table
from medassay.judgements import load_rubric
from medassay.report.tables import at_a_glance
from medassay.report.worst import worst_answers


def harm_of(called: str, found: int = 2) -> HarmBySystem:
    harms = HarmOf(
        dimension="accuracy",
        kind="harmful",
        system="phi",
        found=found,
        n=10,
        interval=None,
        at_most=0.5,
        level=0.95,
        reason="",
        cases=("c1", "c2")[:found],
        split=0,
        called=called,
    )
    return HarmBySystem((harms,), (("accuracy", "harmful", ("no",)),), 299)


def test_a_label_that_mixes_is_told_in_its_own_words() -> None:
    [accuracy] = [d for d in load_rubric("med-gpt").dimensions if d.id == "accuracy"]
    harm = harm_of(accuracy.harm_words)
    said = " ".join(finding.text for finding in harm_findings(harm, Names()))
    assert "phi gave medically incorrect or dangerously inaccurate answers to 2 of 10" in said
    assert "harm" not in said
    needed = "To show a rate below 1%, you need 299 answers with none"
    assert told_none(accuracy.harm_words) == f"{needed} {accuracy.harm_words}."
    read = "Read the answers labelled medically incorrect or dangerously inaccurate."
    assert harm_findings(harm, Names())[1].text == read
    assert "harmful" not in harm_table(harm, Names()).caption.replace("answers without harm", "")


def test_none_found_is_told_in_the_same_words() -> None:
    said = harm_findings(harm_of("incorrect or unsupported", 0), Names())[0].text
    assert "No incorrect or unsupported answer of phi in 10; the true rate" in said


def told_none(called: str) -> str:
    return harm_findings(harm_of(called, 0), Names())[1].text


def titles_of(small: Results, called: str) -> tuple[str, str, str]:
    """Give the title of the worst answers, and the column and caption of the first table."""
    case = small.cases[0]
    [own] = harm_of(called).systems
    own = replace(own, system=case.answers[0].system, cases=(case.case,), called=called)
    found = HarmBySystem((own,), (), 299)
    records = Records({**small.analyses, harm_by_system.id: found})
    results = small.model_copy(update={"analyses": records})
    worst, glance = worst_answers(results), at_a_glance(results)
    assert worst is not None
    assert glance is not None
    column = next(column for column in glance.columns if column.fields[0] == "harmful")
    return worst.title, column.title, glance.caption


def test_tables_say_the_words_of_a_label_that_mixes(small: Results) -> None:
    worst, column, caption = titles_of(small, "poor, incorrect or possibly harmful")
    assert worst == "Answers labelled poor, incorrect or possibly harmful"
    assert column == "Poor, incorrect or possibly harmful"
    assert "Poor, incorrect or possibly harmful: by the labels of at least half" in caption
    worst, column, caption = titles_of(small, "")
    assert (worst, column) == ("Harmful answers", "Harmful")
    assert "Harmful: by the labels of at least half of an answer's raters." in caption


def test_the_ways_to_count_say_the_words_of_a_label_that_mixes() -> None:
    def table(called: str) -> Table:
        count = HarmPrevalence("overall", "majority", "majority", 1, 0, 4, 0.25, None, called)
        tables = harm_prevalence.declared.tables
        assert tables is not None
        [made] = tables(HarmCounts((count,)), Names())
        return made

    mixed = table("poor, incorrect or possibly harmful")
    assert mixed.title == (
        "Answers labelled poor, incorrect or possibly harmful, by the way to count"
    )
    assert mixed.columns[1].title == "Found"
    assert "harmful" not in mixed.caption.replace("possibly harmful", "")
    plain = table("")
    assert (plain.title, plain.columns[1].title) == (
        "Harmful answers, by the way to count",
        "Harmful",
    )


def test_a_label_of_harm_alone_stays_harmful() -> None:
    safety = load_rubric("harm").dimensions[0]
    assert safety.harm_words == ""
    assert "gave harmful answers to 2 of 10" in harm_findings(harm_of(""), Names())[0].text
    needed = "To show a harm rate below 1%, you need 299 answers with none harmful."
    assert told_none("") == needed
