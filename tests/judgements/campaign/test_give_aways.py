"""Words that tell which system wrote an answer: every spelling, and few false alarms."""

import json
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

from medassay.judgements.campaign import find_give_aways

NAMES = ["gpt4", "phi-3", "clinic", "robot", "baseline", "A", "B1", "team-03", "LLaMA", "rag_v2"]
DATA = Path(__file__).parents[2] / "data"


def words(text: str, *, title: bool = False) -> list[str]:
    return [one.words for one in find_give_aways(text, NAMES, title=title)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I, LLaMA, say rest.", ["LLaMA"]),
        ("We asked gpt-4 about it.", ["gpt-4"]),
        ("Says GPT 4: rest.", ["GPT 4"]),
        ("Gpt_4 says rest.", ["Gpt_4"]),
        ("Hi, Phi here! Rest it.", ["Phi here"]),
        ("Hello! I'm phi 3 and I say rest.", ["phi 3"]),
        ("I’m Phi. Rest it.", ["I’m Phi"]),
        ("PHI3 mini says so.", ["PHI3"]),
        ("This is Claude, made to help.", ["This is Claude"]),
        ("Powered by Gemini.", ["Powered by Gemini"]),
        ("Ask Claude 3.5 or Mistral 7B.", ["Claude 3.5", "Mistral 7B"]),
        ("Rag V2 found it.", ["Rag V2"]),
        ("TEAM 03 found it.", ["TEAM 03"]),
        ("As Robot, I would rest.", ["As Robot"]),
        ("my name is B1.", ["my name is B1"]),
        ("I am system A and I say rest.", ["I am system A"]),
        ("GPT-4o and GPT 4o say rest.", ["GPT-4o", "GPT 4o"]),
        ("Llama‑3 says rest.", ["Llama"]),
    ],
)
def test_every_spelling_is_found(text: str, found: list[str]) -> None:
    assert words(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Go to the clinic, as robotic surgery is done there.",
        "As baseline values, take those of the first day.",
        "This is a rule: as a start, rest. Vitamin B1 helps. Group A did worse.",
        "GPT 40 U/l and SGPT are raised; the phi coefficient is .3; a palm 2 times as large.",
        "A mistral wind; Gemma and Claude are patients; falcons and gemini.",
        "The team found 03 of 10. Rest, then rag, then 2.",
        "philosophy, chatgptx, llamas",
    ],
)
def test_everyday_words_are_left_alone(text: str) -> None:
    assert words(text) == []


def test_a_title_is_read_as_a_heading() -> None:
    assert words("Phi against Claude on ankles", title=True) == ["Phi", "Claude"]
    assert words("Is GPT4 better than the clinic?", title=True) == ["GPT4", "clinic"]
    assert words("Ankles, phi and a baseline of A", title=True) == ["baseline"]


def real_answers() -> Iterator[str]:
    folder = resources.files("medassay") / "data" / "studies" / "cochrane" / "answers"
    files = [file.read_text(encoding="utf-8") for file in folder.iterdir()]
    names = ("kqa/texts.jsonl", "support/kqa.jsonl")
    files += [(DATA / name).read_text(encoding="utf-8") for name in names]
    for file in files:
        for line in file.splitlines():
            yield from texts_in(json.loads(line))


def texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from texts_in(one)


def test_real_answers_raise_no_false_alarm() -> None:
    """Some 3,000 real texts: what is found is one answer that says it is a language model."""
    texts = [text for text in real_answers() if " " in text]
    assert len(texts) > 3000
    found = {one.words for text in texts for one in find_give_aways(text, NAMES)}
    assert found == {"I am a large language model", "as a conversational AI or chatbot"}
