"""The page of reference systems says what is measured."""

import pytest
from tools.make_systems_page import PAGE, page


@pytest.mark.slow
def test_the_page_is_what_the_tool_writes() -> None:
    assert page() == PAGE.read_text(encoding="utf-8")
