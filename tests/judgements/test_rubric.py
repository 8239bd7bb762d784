import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.errors import InvalidInput, UnknownName
from medassay.judgements import load_rubric, rubric_gaps, rubric_names
from medassay.judgements.rubric import Dimension
from medassay.testing import check_rubric

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
def test_every_shipped_rubric_holds_to_what_a_strangers_must(name: str) -> None:
    assert check_rubric(name) == "\n".join(rubric_gaps(load_rubric(name)))


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ('name = "small"', 'name = "harm"', "have a name that no rubric of medassay has"),
        (', description = "No."', "", "describe each label of ok; got none of no"),
        ('title = "Is it"', "", "have a title of its own for each dimension"),
        ('name = "small"', 'name = "small"\nsource = "A paper"', "say whose wording it is"),
        ('name = "small"', 'name = "small"\nwording = "Ours."', "say whose wording it is"),
    ],
)
def test_a_rubric_of_ones_own_is_checked_as_ours_are(
    tmp_path: Path, old: str, new: str, wrong: str
) -> None:
    whole = GOOD.replace('id = "ok"', 'id = "ok"\ntitle = "Is it"')
    whole = whole.replace("score = 1", 'score = 1, description = "Yes."')
    whole = whole.replace("score = 0", 'score = 0, description = "No."')
    assert "no label has a worked example" in check_rubric(write(tmp_path, whole))
    with pytest.raises(AssertionError, match=wrong):
        check_rubric(str(write(tmp_path, whole.replace(old, new))))


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


_MEANT = {
    # What the study's guideline says of each label; the words of ours that must carry it.
    ("answers-question", "Yes"): ("in full", "directly", "outright"),
    ("answers-question", "Partially"): ("Only a part", "implied", "directly"),
    ("answers-question", "No"): ("neither directly nor indirectly",),
    ("uses-evidence", "Yes"): ("At least one", "supported", "inferred"),
    ("uses-evidence", "No"): ("Nothing that it asserts",),
    ("uses-evidence", "Refutes"): ("At least one", "refuted"),
    ("uses-knowledge", "Yes"): ("general knowledge", "in line with the question", "neutral"),
    ("uses-knowledge", "No"): ("no general knowledge",),
    ("uses-knowledge", "Conflicting"): ("contradictory", "incorrect", "made up"),
}


@pytest.mark.parametrize(("dimension", "label"), list(_MEANT))
def test_archehr_labels_mean_what_the_study_means_and_have_an_example(
    dimension: str, label: str
) -> None:
    labels = {one.label: one for one in load_rubric("archehr").dimension(dimension).labels}
    assert all(words in labels[label].description for words in _MEANT[dimension, label])
    assert [one for one in labels[label].examples if not one.disputed]
    # What the wording once was, which is another question each.
    assert "plain words" not in labels[label].description
    assert "no harm" not in labels[label].description


@pytest.mark.parametrize("name", rubric_names())
def test_a_shipped_rubric_with_a_source_says_whose_words_it_is_in(name: str) -> None:
    rubric = load_rubric(name)
    assert bool(rubric.wording) == bool(rubric.source)
    assert not rubric.source or "The wording" in rubric.wording
    shown = CliRunner().invoke(app, ["rubric", "show", name]).output
    assert (f"Wording: {rubric.wording}" in shown) == bool(rubric.source)


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
    keys = (
        "be one of id, title, question, scale, labels, number, kinds, severities, confidence, "
        "precedence, after_reveal, better, derived, about, reads, mappings, harm_words"
    )
    label_keys = "be one of label, score, description, aliases, examples"
    assert found == {
        ("dimensions[1].labels[1].scores", label_keys, '"scores"', 'Did you mean "score"?'),
        ("dimensions[1].colour", keys, '"colour"', ""),
        ("dimensions[1].question", "be given", "nothing", ""),
    }


def test_problems_behind_problems_are_named_too(tmp_path: Path) -> None:
    """The second dimension has a wrong scale, and six things more that do not hold together."""
    text = (
        GOOD
        + """
[[dimensions]]
id = "ok"
question = "How good?"
scale = "likert"
labels = [{ label = "a", score = 1 }, { label = "b" }, { label = "c", aliases = ["a"] }]
precedence = ["d"]
mappings.full = { a = "x", b = "x", c = "y" }
mappings.harmful = { a = "fine", b = "harmful" }
[[dimensions]]
id = "order"
question = "In which order?"
scale = "ordinal"
labels = [{ label = "a", score = 1 }, { label = "b", score = 3 }, { label = "c", score = 2 }]
mappings.m = { a = "x" }
"""
    )
    with pytest.raises(InvalidInput) as caught:
        load_rubric(write(tmp_path, text))
    found = [(one.column, one.must) for one in caught.value.problems]
    assert len(found) == len(set(found))
    assert set(found) == {
        ("dimensions[2].scale", "be 'nominal', 'ordinal' or 'interval'"),
        ("dimensions[2]", "use each label or alias once"),
        ("dimensions[2]", "give every label a score or none"),
        ("dimensions[2]", "name only labels in precedence"),
        ("dimensions[2]", "call a mapping something else"),
        ("dimensions[2]", "map each of a, b, c in harmful"),
        ("dimensions[2]", 'write a label that reads "harmful" first in harmful'),
        ("dimensions[3]", "order the scores as the labels"),
        ("dimensions[3]", "map each of a, b, c in m"),
        ("dimensions[3]", "map onto two labels in m"),
        (None, "use each dimension id once"),
    }


def test_scores_out_of_order_are_named_beside_a_question_that_is_missing(tmp_path: Path) -> None:
    text = """
name = "small"
[[dimensions]]
id = "order"
scale = "ordinal"
labels = [{ label = "a", score = 1 }, { label = "b", score = 3 }, { label = "c", score = 2 }]
"""
    with pytest.raises(InvalidInput) as caught:
        load_rubric(write(tmp_path, text))
    found = {(one.column, one.must) for one in caught.value.problems}
    assert ("dimensions[1]", "order the scores as the labels") in found
    assert len(found) == 2


@pytest.mark.parametrize("scale", ["ordinal", "interval", "nominal"])
@pytest.mark.parametrize(
    ("scores", "right"),
    [((1, 2, 3), True), ((3, 2, 1), True), ((1, 1, 2), True), ((1, 3, 2), False)],
)
def test_scores_of_an_ordered_scale_follow_its_labels(
    tmp_path: Path,
    scale: str,
    scores: tuple[int, ...],
    right: bool,  # noqa: FBT001 - a column of the table above
) -> None:
    labels = ", ".join(
        f'{{ label = "{n}", score = {s} }}' for n, s in zip("abc", scores, strict=True)
    )
    before, _ = GOOD.split("scale")
    file = write(tmp_path, f'{before}scale = "{scale}"\nlabels = [{labels}]\n')
    if right or scale == "nominal":
        assert load_rubric(file).dimension("ok").scores == scores
        return
    with pytest.raises(InvalidInput, match=r"order the scores as the labels; got a 1, b 3, c 2\."):
        load_rubric(file)


def test_scores_that_tell_less_than_the_scale_promises_are_gaps(tmp_path: Path) -> None:
    labels = "".join(
        f'{{ label = "{n}", score = {s} }},' for n, s in (("a", 0), ("b", 0), ("c", 5))
    )
    text = GOOD.replace('"nominal"', '"interval"').split("labels =")[0] + f"labels = [{labels}]\n"
    gaps = " ".join(rubric_gaps(load_rubric(write(tmp_path, text))))
    assert "two labels have one score" in gaps
    assert "steps between its scores differ" in gaps


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


def test_the_shipped_rubrics_hold_the_scales_of_their_sources() -> None:
    scales = {
        (name, one.id): (one.scale, one.names, one.scores)
        for name in ("environmental-health", "med-gpt")
        for one in load_rubric(name).dimensions
    }
    assert scales["environmental-health", "factuality"] == ("ordinal", ("2", "1", "0"), (2, 1, 0))
    five = ("ordinal", ("5", "4", "3", "2", "1"), (5, 4, 3, 2, 1))
    assert scales["environmental-health", "interpretability"] == five
    words = ("ordinal", ("High", "Medium", "Low"), None)
    assert scales["environmental-health", "expert-confidence"] == words
    assert scales["med-gpt", "overall"] == five
    aspects = [one for one in load_rubric("med-gpt").dimensions if one.id != "overall"]
    assert [one.id for one in aspects] == [
        *("accuracy", "completeness", "clarity", "clinical-relevance", "grounding"),
    ]
    assert {one.names for one in aspects} == {("yes", "no", "unclear")}
    assert load_rubric("med-gpt").rationale


def test_harm_asks_for_severity_and_likelihood_of_four_kinds() -> None:
    harm = load_rubric("harm")
    kinds = ("contraindicated-treatment", "missed-diagnosis", "delayed-care", "wrong-dose")
    asked = tuple(f"{kind}-{what}" for kind in kinds for what in ("severity", "likelihood"))
    assert harm.ids == asked
    for kind in kinds:
        severity = harm.dimension(f"{kind}-severity")
        assert severity.names == ("none", "mild", "moderate", "severe", "death")
        assert [one for one, read in severity.mapped("harmful").items() if read == "harmful"] == [
            *("mild", "moderate", "severe", "death"),
        ]


@pytest.mark.parametrize("name", rubric_names())
def test_every_shipped_rubric_reads_what_may_harm_apart_where_its_labels_can(name: str) -> None:
    harmful = {one.id for one in load_rubric(name).dimensions if "harmful" in one.mappings}
    expected = {
        "archehr": {"uses-evidence", "uses-knowledge"},
        "environmental-health": {"factuality"},
        "harm": {one for one in load_rubric("harm").ids if one.endswith("severity")},
        "med-gpt": {"overall", "accuracy"},
        "quest": {"safety-and-harm"},
    }
    assert harmful == expected.get(name, set())


def test_worked_examples_say_why() -> None:
    found = [
        example
        for name in ("archehr", "environmental-health", "harm", "med-gpt")
        for one in load_rubric(name).dimensions
        for label in one.labels
        for example in label.examples
    ]
    assert len(found) >= 15
    assert all(one.answer and one.why for one in found)


def test_a_label_that_could_not_stand_in_a_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="hold none of"):
        load_rubric(write(tmp_path, GOOD.replace('label = "no"', 'label = "no (never)"')))


def test_what_a_rubric_lacks_is_said() -> None:
    gaps = rubric_gaps(load_rubric("environmental-health"))
    assert "expert-confidence: labels have no scores" in " ".join(gaps)
    assert not [gap for gap in gaps if gap.startswith("factuality")]


def test_rubrics_are_shown_and_checked_on_the_command_line(tmp_path: Path) -> None:
    shown = CliRunner().invoke(app, ["rubric", "show", "archehr"])
    assert shown.exit_code == 0, shown.output
    for text in (
        *("Uses the evidence (uses-evidence, ordinal)", "Also: Refutes."),
        *("Where two hold, the first of: Refutes, Yes, No", "Read as harmful: harmful: Refutes;"),
    ):
        assert text in shown.output
    second_part = "Asked in a second part, with the system's own confidence in view."
    assert second_part not in shown.output
    with_parts = CliRunner().invoke(app, ["rubric", "show", "environmental-health"]).output
    asked_later = [one.after_reveal for one in load_rubric("environmental-health").dimensions]
    assert with_parts.count(second_part) == sum(asked_later) > 0
    listed = CliRunner().invoke(app, ["rubric", "list", "--json"])
    assert [one["name"] for one in json.loads(listed.stdout)] == list(rubric_names())
    checked = CliRunner().invoke(app, ["rubric", "check", str(write(tmp_path, GOOD))])
    assert checked.exit_code == 0, checked.output
    assert "small: dimensions 1, labels 2" in checked.output
    assert "note: ok: without a description: yes, no." in checked.output
    bad = CliRunner().invoke(
        app, ["rubric", "check", str(write(tmp_path, GOOD.replace("nominal", "nominl")))]
    )
    assert isinstance(bad.exception, InvalidInput)


def test_harm_is_never_counted_the_wrong_way_round() -> None:
    labels = [{"label": "good"}, {"label": "bad"}]
    reading = {"good": "not harmful", "bad": "harmful"}
    dimension = {"id": "d", "question": "How is it?", "scale": "nominal", "labels": labels}
    with pytest.raises(ValueError, match='write a label that reads "harmful" first'):
        Dimension.model_validate({**dimension, "mappings": {"harmful": reading}})
    turned = dict(reversed(reading.items()))
    made = Dimension.model_validate({**dimension, "mappings": {"harmful": turned}})
    assert made.mappings["harmful"]["bad"] == "harmful"


def test_a_question_with_one_label_is_refused_in_plain_words(tmp_path: Path) -> None:
    file = tmp_path / "one.toml"
    text = 'name = "one"\n[[dimensions]]\nid = "a"\nquestion = "Is it?"\nscale = "nominal"\n'
    file.write_text(text + 'labels = [{ label = "yes", description = "It is." }]\n', "utf-8")
    with pytest.raises(InvalidInput, match=r"labels: must hold 2 or more; got 1\."):
        load_rubric(file)
