"""A line that is printed for somebody to type says in a shell what was meant."""

import io
import os
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medassay.cli.streams import VisibleStream
from medassay.text import shell_line

BASH = shutil.which("bash")
HOSTILE = [
    "", " ", "O'Neil", '"', "'", "\\", "\\'", "a\nb", "a\r\nb", "\ttab", "$HOME", "$(echo x)",
    "`echo x`", "!x", "#x", "~", "*", "a;b", "a&b|c>d", "{a,b}", "=x", "\x1b[31mred",
    "\u202eturned", "\x85", "\u2028", "می\u200cشود", "患者?", "\udcff", "\x1b'\\0'", "1\x1b2",
]  # fmt: skip


def read_back(words: list[str]) -> list[str]:
    """Print a line as the command line prints it, and let a shell read what is seen."""
    assert BASH is not None
    seen = io.StringIO()
    VisibleStream(seen).write(shell_line(words))
    assert "\n" not in seen.getvalue()
    script = f"printf '%s\\0' {seen.getvalue()}".encode()
    done = subprocess.run([BASH, "-s"], input=script, capture_output=True, check=True)  # noqa: S603 - our own line
    return [os.fsdecode(word) for word in done.stdout.split(b"\0")[:-1]]


@pytest.mark.skipif(BASH is None, reason="no bash")
def test_a_shell_reads_every_hostile_word_as_it_was() -> None:
    assert read_back(HOSTILE) == HOSTILE


@pytest.mark.skipif(BASH is None, reason="no bash")
@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.text(
            st.one_of(
                st.sampled_from("'\"\\$`!\n\r\t\x1b\u202e \x7f\x9f"),
                st.characters(exclude_characters="\0", exclude_categories=["Cs"]),
            )
        ),
        min_size=1,
        max_size=6,
    )
)
def test_a_shell_reads_any_words_as_they_were(words: list[str]) -> None:
    assert read_back(words) == words
