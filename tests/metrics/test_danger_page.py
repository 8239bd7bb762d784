"""docs/harm.md says what the rules of danger find."""

from tools.make_danger_page import PAGE, with_table


def test_the_page_is_as_the_command_writes_it() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert with_table(text) == text
