"""Harm is what a label says: where a label says less as well, the page says its words."""

from medassay.analyses.builtin.harm_by_system.record import HarmBySystem, HarmOf
from medassay.analyses.builtin.harm_by_system.table import harm_table
from medassay.analyses.builtin.harm_by_system.words import harm_findings
from medassay.exhibits import Names
from medassay.judgements import load_rubric


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
    assert (
        told_none(accuracy.harm_words)
        == "To show a rate below 1 %, a system needs 299 answers with none."
    )
    assert "harmful" not in harm_table(harm, Names()).caption.replace("answers without harm", "")


def test_none_found_is_told_in_the_same_words() -> None:
    said = harm_findings(harm_of("incorrect or unsupported", 0), Names())[0].text
    assert "none incorrect or unsupported of 10" in said


def told_none(called: str) -> str:
    return harm_findings(harm_of(called, 0), Names())[1].text


def test_a_label_of_harm_alone_stays_harmful() -> None:
    safety = load_rubric("harm").dimensions[0]
    assert safety.harm_words == ""
    assert "gave harmful answers to 2 of 10" in harm_findings(harm_of(""), Names())[0].text
    needed = "To show a harm rate below 1 %, a system needs 299 answers with none harmful."
    assert told_none("") == needed
