"""Words that tell which system wrote an answer: every spelling, and few false alarms."""

import json
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

from medassay.judgements.campaign import find_give_aways, unsearched_language

NAMES = ["gpt4", "phi-3", "clinic", "robot", "baseline", "A", "B1", "team-03", "LLaMA", "rag_v2"]
DATA = Path(__file__).parents[2] / "data"


def words(text: str, *, title: bool = False, certain: bool = True) -> list[str]:
    places = find_give_aways(text, NAMES, title=title)
    return [place.words for place in places if place.certain == certain]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I, LLaMA, say rest.", ["LLaMA"]),
        ("We asked gpt-4 about it.", ["gpt-4"]),
        ("Says GPT 4: rest.", ["GPT 4"]),
        ("Gpt_4 says rest.", ["Gpt_4"]),
        ("Hi, Phi here! Rest it.", ["Phi"]),
        ("Hello! I'm phi 3 and I say rest.", ["phi 3"]),
        ("I’m Phi. Rest it.", ["Phi"]),
        ("PHI3 mini says so.", ["PHI3"]),
        ("This is Claude, made to help.", ["Claude"]),
        ("Powered by Gemini.", ["Gemini"]),
        ("Ask Claude 3.5 or Mistral 7B.", ["Claude 3.5", "Mistral 7B"]),
        ("Rag V2 found it.", ["Rag V2"]),
        ("TEAM 03 found it.", ["TEAM 03"]),
        ("As Robot, I would rest.", ["Robot"]),
        ("my name is B1.", ["B1"]),
        ("I am system A and I say rest.", ["A"]),
        ("GPT-4o and GPT 4o say rest.", ["GPT-4o", "GPT 4o"]),
        ("Llama‑3 says rest.", ["Llama"]),
        ("Microsoft Phi says rest.", ["Microsoft Phi"]),
        ("Ｃｈａｔ GPT says rest.", ["Ｃｈａｔ GPT"]),
        ("我是ChatGPT，请休息。", ["ChatGPT"]),
        ("أنا ChatGPT، استرح.", ["ChatGPT"]),
        ("_TinyLlama_ says rest.", ["TinyLlama"]),
    ],
)
def test_every_spelling_is_found(text: str, names: list[str]) -> None:
    assert words(text) == names


SEED_NAMES = ("phi", "tinyllama", "gemma:2b")


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("TinyLlama: malaria can be treated.", True),
        ("Here is TinyLlama's answer: take ACT.", True),
        ("Response from tinyllama. Take ACT.", True),
        ("[tinyllama] Take ACT.", True),
        ("Microsoft Phi would say: take ACT.", True),
        ("phi: take ACT.", True),
        ("Gemma says take ACT.", False),
        ("gemma:2b> take ACT.", True),
        ("Answer (TinyLlama): take ACT.", True),
        ("My creators at TinyLlama advise ACT.", True),
    ],
)
def test_answers_that_name_a_model_of_the_template_are_found(text: str, *, certain: bool) -> None:
    places = find_give_aways(text, SEED_NAMES)
    assert any(place.certain for place in places) == certain
    assert places


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Go to the clinic, as robotic surgery is done there.", ["clinic"]),
        ("As baseline values, take those of the first day.", ["baseline"]),
        ("This is a rule: as a start, rest. Vitamin B1 helps. Group A did worse.", []),
        (
            "GPT 40 U/l and SGPT are raised; the phi coefficient is 0.3; a palm 2 times as large.",
            ["GPT", "phi"],
        ),
        ("A mistral wind; Gemma and Claude are patients; falcons and gemini.", ["Claude"]),
        ("The team found 03 of 10. Rest, then rag, then 2.", ["rag"]),
        ("philosophy, chatgptx, llamas", []),
        ("GPT：45 U/l", ["GPT"]),
        ("GPT: 45 U/l", ["GPT"]),
    ],
)
def test_everyday_words_are_no_leak_and_those_of_the_study_are_shown(
    text: str, shown: list[str]
) -> None:
    assert words(text) == []
    assert words(text, certain=False) == shown


def test_an_everyday_word_is_shown_in_its_sentence() -> None:
    text = "Rest it. The phi coefficient\nof both tests is low. Drink."
    [place] = find_give_aways("Rest it. The phi coefficient is low. Drink.", SEED_NAMES)
    assert (place.words, place.around) == ("phi", "The phi coefficient is low.")
    assert find_give_aways(text, SEED_NAMES)[0].around == "The phi coefficient"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Il paziente deve riposare e bere molto e non lavorare per la settimana.", "Italian"),
        ("De patiënt moet rusten en veel drinken, en niet werken met koorts.", "Dutch"),
        ("Пейте больше воды и отдыхайте.", "a language in Cyrillic script"),
        ("水をたくさん飲んで休んでください。", "Japanese"),
        ("بیمار باید استراحت کند و آب زیاد بنوشد.", "a language in Arabic script"),
        ("يجب على المريض أن يستريح.", None),
        ("多喝水，注意休息。", None),
        ("Der Patient soll sich ausruhen und viel trinken und nicht arbeiten.", None),
        ("O paciente deve descansar e beber muita água durante uma semana.", None),
        ("Rest.", None),
        ("12%", None),
    ],
)
def test_a_language_whose_phrases_are_not_searched_is_named(
    text: str, language: str | None
) -> None:
    assert unsearched_language(text) == language


def test_a_title_is_read_as_a_heading() -> None:
    assert words("Phi against Claude on ankles", title=True) == ["Phi", "Claude"]
    assert words("Is GPT4 better than the clinic?", title=True) == ["GPT4", "clinic"]
    assert words("Ankles, palms and a baseline of A", title=True) == ["baseline"]


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


@pytest.mark.slow
def test_real_answers_raise_no_false_alarm() -> None:
    """Some 3,000 real texts: what is found is one answer that says it is a language model."""
    texts = [text for text in real_answers() if " " in text]
    assert len(texts) > 3000
    found = {place.words for text in texts for place in find_give_aways(text, NAMES)}
    itself = {"I am a large language model", "as a conversational AI or chatbot", "I am trained on"}
    assert found == {*itself, "clinic"}
