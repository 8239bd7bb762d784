"""Prompts are files, and a faulty file is named in one sentence."""

from pathlib import Path

import pytest

from medassay.errors import InvalidInput, UnknownName
from medassay.systems.dialogue import own_prompts, read_prompts

SHIPPED = ("options", "cited", "grounded")


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_files_are_sound(name: str) -> None:
    prompts = own_prompts(name)
    assert prompts.source
    assert prompts.prompts


def test_an_unknown_name_is_told() -> None:
    with pytest.raises(UnknownName, match="options"):
        own_prompts("option")


@pytest.mark.parametrize(
    ("content", "must"),
    [
        ("source = 1", "mine.toml, column source: must be a valid string; got 1"),
        ("source = ", "mine.toml: must be TOML in UTF-8; got Invalid value"),
        (
            'source = "us"\n[prompts.answer]\ntext = ""',
            'column prompts.answer.text: must have at least 1 character; got ""',
        ),
        ('source = "us"\n[prompts.other]\ntext = "x"', r"have the prompt \[prompts.answer\]"),
        (
            'source = "us"\n[prompts.answer]\ntext = "{{ patient }}"',
            'passages, question; got "patient"',
        ),
    ],
)
def test_a_faulty_file_is_refused(tmp_path: Path, content: str, must: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InvalidInput, match=must):
        read_prompts(file, "grounded")


def test_a_study_s_own_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('source = "us"\n[prompts.answer]\ntext = "Q: {{ question }}"', encoding="utf-8")
    prompt = read_prompts(file, "grounded").asked("answer", {"question": "why?", "passages": ""})
    assert [(m.role, m.text) for m in prompt.messages] == [("user", "Q: why?")]
