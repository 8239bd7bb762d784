"""Every kind of bad input has its own clear message, and the page in the docs shows it."""

import re
from pathlib import Path

import pytest
from tools.bad_input.bad_case import BadCase, outcome_of, write_study
from tools.make_bad_input_page import BAD_CASES, PAGE, page

from medassay.study import Study

# file, row, column: must ...; got ... . What to try. Or a question, and what to type.
HOUSE_FORM = re.compile(
    r"((note|refused|misread|costs): )?[^:]+: (must .+; got .+[.?]|.+[?.] .*\b[Tt]ype\b.*: .+)"
)
SILENT = "A byte-order mark"
READ = [case for case in BAD_CASES if case.code == 0]


def ids(case: BadCase) -> str:
    return case.name


@pytest.mark.parametrize("case", BAD_CASES, ids=ids)
def test_it_is_said_in_the_one_form_and_nothing_is_changed(case: BadCase) -> None:
    found = outcome_of(case)
    assert found.code == case.code
    assert bool(found.said) == (case.name != SILENT)
    assert [line for line in found.said.splitlines() if not HOUSE_FORM.match(line)] == []
    imported = case.code == 0 and case.command.startswith("medassay import")
    assert found.untouched != imported


@pytest.mark.parametrize("case", [case for case in READ if case.same], ids=ids)
def test_what_is_read_all_the_same_is_the_sound_study(case: BadCase, tmp_path: Path) -> None:
    write_study(tmp_path)
    sound, odd = Study.open_whole(tmp_path / "study"), outcome_of(case).study
    assert odd is not None
    assert odd.cases.records == sound.cases.records
    assert odd.answers.records == sound.answers.records
    assert odd.judgements.frame.equals(sound.judgements.frame)
    assert not sound.warnings


def test_every_message_is_its_own() -> None:
    said = [outcome_of(case).said for case in BAD_CASES]
    assert len(set(said)) == len(said)


def test_the_page_in_the_docs_is_what_is_said_now() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
