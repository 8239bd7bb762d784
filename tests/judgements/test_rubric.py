from pathlib import Path

import pytest

from medassay.errors import InvalidInput, UnknownName
from medassay.judgements import load_rubric, rubric_names

GOOD = """
name = "small"
[[dimensions]]
id = "ok"
question = "Is it?"
scale = "nominal"
labels = [{ label = "yes", score = 1 }, { label = "no", score = 0 }]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "small.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", rubric_names())
def test_every_shipped_rubric_loads_under_its_own_name(name: str) -> None:
    rubric = load_rubric(name)
    assert rubric.name == name
    assert all(label.description for one in rubric.dimensions for label in one.labels)


def test_archehr_scores_and_published_binary_labels_are_the_papers() -> None:
    rubric = load_rubric("archehr")
    scores = {
        one.id: dict(zip(one.names, one.scores or (), strict=True)) for one in rubric.dimensions
    }
    assert scores == {
        "answers-question": {"Yes": 2, "Partially": 1, "No": 0},
        "uses-evidence": {"Yes": 1, "No": 0, "Refutes": -1},
        "uses-knowledge": {"Yes": 1, "No": 0, "Conflicting": -1},
    }
    published = {one.id: one.mapped("published") for one in rubric.dimensions}
    assert published == {
        "answers-question": {"Yes": "yes", "Partially": "yes", "No": "no"},
        "uses-evidence": {"Yes": "yes", "No": "no", "Refutes": "no"},
        "uses-knowledge": {"Yes": "yes", "No": "no", "Conflicting": "no"},
    }
    assert rubric.dimension("uses-knowledge").words["Refutes"] == "Conflicting"
    assert rubric.dimension("uses-evidence").precedence[0] == "Refutes"


def test_a_rubric_of_ones_own_is_read_from_its_file(tmp_path: Path) -> None:
    assert load_rubric(write(tmp_path, GOOD)).dimension("ok").scores == (1.0, 0.0)
    assert load_rubric(str(write(tmp_path, GOOD))).name == "small"


def test_unknown_names_suggest_the_nearest() -> None:
    with pytest.raises(UnknownName, match='Did you mean "archehr"'):
        load_rubric("archer")
    with pytest.raises(UnknownName, match='Did you mean "fluency"'):
        load_rubric("cochrane").dimension("fluencey")
    with pytest.raises(UnknownName, match='Did you mean "acceptable"'):
        load_rubric("cochrane").dimension("fluency").mapped("acceptible")


def test_every_problem_of_a_rubric_is_named_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("score = 1 }", "scores = 1 }").replace('question = "Is it?"', "colour = 1")
    with pytest.raises(InvalidInput) as caught:
        load_rubric(write(tmp_path, text))
    found = {(one.column, one.must, one.got, one.try_) for one in caught.value.problems}
    keys = "be one of id, title, question, scale, labels, precedence, derived, mappings"
    label_keys = "be one of label, score, description, aliases"
    assert found == {
        ("dimensions[1].labels[1].scores", label_keys, '"scores"', 'Did you mean "score"?'),
        ("dimensions[1].colour", keys, '"colour"', ""),
        ("dimensions[1].question", "be given", "nothing", ""),
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('{ label = "no", score = 0 }', '{ label = "no" }', "every label a score or none"),
        ('label = "no"', 'label = "yes"', "use each label or alias once"),
        ('label = "no"', 'label = "no", aliases = ["yes"]', "use each label or alias once"),
        ('id = "ok"', 'id = "a(b"', "hold none of"),
        ('scale = "nominal"', 'scale = "ratio"', "nominal"),
        ("labels =", 'mappings.full = { yes = "a", no = "b" }\nlabels =', "something else"),
        ("labels =", 'mappings.m = { yes = "a" }\nlabels =', "map each of yes, no in m"),
        ("labels =", 'mappings.m = { yes = "a", no = "a" }\nlabels =', "map onto two labels"),
        ("labels =", 'precedence = ["maybe"]\nlabels =', "only labels in precedence"),
        ('name = "small"', "name = small", "be TOML"),
    ],
)
def test_what_does_not_hold_together_is_refused(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in GOOD
    with pytest.raises(InvalidInput, match=message):
        load_rubric(write(tmp_path, GOOD.replace(old, new)))


def test_a_rubric_file_that_is_not_there_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"none.toml: must be a file that exists"):
        load_rubric("none.toml")
