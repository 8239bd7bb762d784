"""The pages of the way in: verdicts as scripts print them, and commands for Windows too."""

import re
from pathlib import Path

import pytest
from tools.make_borne_out import PAGE, page, verdicts

DOCS = Path(__file__).parents[2] / "docs"
HOW_TOS = sorted((DOCS / "how-to").glob("*.md"))
MOST_WORDS = 75
"""Before the lines that a reader copies."""
BOTH = "| | Linux, macOS | Windows (PowerShell) |"


def test_the_table_of_verdicts_is_what_the_scripts_print() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text
    sets = {verdict.data for verdict in verdicts()}
    assert len(sets) == 2
    # With six and twelve systems no metric is told from luck; the page's sentence says so.
    assert {verdict.uses for verdict in verdicts()} == {"never"}
    assert "none yet." in text


def test_the_clinicians_tutorial_has_commands_for_windows_beside_the_others() -> None:
    text = (DOCS / "tutorials" / "clinician.md").read_text(encoding="utf-8")
    assert text.count(BOTH) == 1
    rows = re.findall(r"^\|(.+)\|(.+)\|(.+)\|$", text.partition(BOTH)[2], re.MULTILINE)[1:]
    typed = [(unix.strip(), windows.strip()) for _, unix, windows in rows]
    assert len(typed) >= 2
    for unix, windows in typed:
        assert re.fullmatch(r"`[^`]+`", unix)
        assert re.fullmatch(r"`[^`]+`", windows)
    # What differs between the two: where the commands of an environment lie.
    assert any("Scripts" in windows for _, windows in typed)
    assert not any("make " in command for pair in typed for command in pair)


@pytest.mark.parametrize("path", HOW_TOS, ids=lambda path: path.stem)
def test_a_how_to_opens_with_the_lines_that_one_copies(path: Path) -> None:
    opening, fence, _ = path.read_text(encoding="utf-8").partition("\n```")
    assert fence
    assert "\n## " not in opening
    assert "\n|" not in opening
    assert len(re.sub(r"<!--.*?-->", "", opening).split()) <= MOST_WORDS
