"""A protocol of one's own: a file of the study, read, checked, hashed, and never led elsewhere."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from medassay.analyses import check_analyses, run_study
from medassay.analyses.builtin.agreement import panel_in
from medassay.analyses.builtin.correlations import correlations_in
from medassay.cli import app
from medassay.errors import InvalidInput
from medassay.study import Study, new_study, open_run, write_demo
from medassay.testing import check_protocol

PROTOCOL = """
name = "bedside"
title = "Advice at the bedside"
description = "Raters say whether the advice is safe."
rubric = "safe.toml"
metrics = ["rouge1(ref=human)", "length"]
agreement = ["krippendorff(level=ordinal)"]
consensus = ["mean"]
rank_by = "mean(dimension=safe)"
[analyses]
without_rater = false
[[boards]]
name = "words"
title = "Shared words"
says = "How many words are the clinician's."
order = "shared"
[[boards.columns]]
name = "shared"
title = "Shared"
sources = ["rouge1(ref=human)"]
"""
RUBRIC = """
name = "safe"
[[dimensions]]
id = "safe"
title = "Safe to follow"
question = "Could a patient follow this advice without harm?"
scale = "ordinal"
labels = [
    { label = "yes", score = 1, description = "Nothing in it could harm." },
    { label = "no", score = 0, description = "Something in it could harm." },
]
"""


def write(folder: Path, protocol: str = PROTOCOL, rubric: str = RUBRIC) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "bedside.toml").write_text(protocol, encoding="utf-8")
    (folder / "safe.toml").write_text(rubric, encoding="utf-8")
    return folder / "bedside.toml"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    new_study(tmp_path / "study", str(write(tmp_path / "mine")))
    return tmp_path / "study"


def named(folder: Path, old: str, new: str) -> None:
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_study_by_a_protocol_of_ones_own_is_made_and_run(study: Path) -> None:
    results, _ = run_study(open_run(study))
    assert (results.study.protocol, results.study.protocol_title) == (
        "bedside",
        "Advice at the bedside",
    )
    assert results.primary == "mean(dimension=safe)"
    assert [one.id for one in results.dimensions] == ["safe"]
    [board] = results.analyses["shared_task"]
    assert (board.name, board.title) == ("words", "Shared words")
    assert {one.coefficient for one in panel_in(results.analyses)} == {
        "krippendorff(level=ordinal)", "krippendorff", "mean_pairwise", "commonest",
    }  # fmt: skip
    assert "without_rater" not in results.analyses
    again, _ = run_study(open_run(study))
    assert again == results


@pytest.mark.parametrize("file", ["bedside.toml", "safe.toml"])
def test_the_protocol_and_its_rubric_are_among_what_a_run_depends_on(
    study: Path, file: str
) -> None:
    before = open_run(study)
    assert file in before.study.inputs
    text = (study / file).read_text(encoding="utf-8")
    (study / file).write_text(text.replace("advice", "counsel"), encoding="utf-8")
    assert open_run(study).folder != before.folder


@pytest.mark.parametrize("line", ['protocol = "bedside.toml"', '[protocol]\nname = "bedside.toml"'])
def test_both_ways_of_naming_it_are_one(study: Path, line: str) -> None:
    short = line.startswith("protocol")
    named(study, '[protocol]\nname = "bedside.toml"\n', "" if short else f"{line}\n")
    if short:
        named(study, "schema = 1\n", f"schema = 1\n{line}\n")
    config = Study.open(study).config
    assert (config.protocol.name, config.rules.name) == ("bedside.toml", "bedside")


def test_a_rubric_lies_beside_its_protocol_wherever_that_is(study: Path) -> None:
    (study / "ways").mkdir()
    for file in ("bedside.toml", "safe.toml"):
        shutil.move(study / file, study / "ways" / file)
    named(study, '"bedside.toml"', '"ways/bedside.toml"')
    opened = Study.open(study)
    assert opened.config.rules.rubric == "ways/safe.toml"
    assert {"ways/bedside.toml", "ways/safe.toml"} <= opened.inputs.keys()


def test_study_toml_has_the_last_word_and_is_blamed_for_its_own(study: Path) -> None:
    with (study / "study.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[consensus]\nmethods = ["maen"]\n')
    text = PROTOCOL.replace('"length"', '"lenght"')
    (study / "bedside.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput) as caught:
        Study.open(study)
    assert {(one.file, one.column) for one in caught.value.problems} == {
        ("study.toml", "consensus.methods"),
        ("bedside.toml", "metrics"),
    }


WRONG = {
    "a key": ("title =", "titel =", "column titel: must be one of"),
    "no TOML": ('name = "bedside"', "name bedside", "bedside.toml, row 2: must be TOML"),
    "a shipped name": ('"bedside"', '"archehr"', "must have another name"),
    "a name like a file": ('"bedside"', '"a.toml"', "column name: must be one word"),
    "a metric": ('"length"', '"lenght"', 'metrics: must name a metric; got "lenght".*"length"'),
    "a method": ('["mean"]', '["maen"]', 'consensus: must name a consensus method; got "maen"'),
    "no method": ('["mean"]', "[]", "column consensus: must"),
    "a coefficient": ("krippendorff(", "kripendorff(", "agreement: must name a coefficient"),
    "a rubric": ('"safe.toml"', '"likert"', 'column rubric: must name a rubric; got "likert"'),
    "no rubric": ('"safe.toml"', '"safest.toml"', r"safest\.toml: must be a file that exists"),
    "a rubric outside": ('"safe.toml"', '"../x.toml"', "rubric: must name a file of the study"),
    "a ranking": ("=safe)", "=sane)", r'rank_by: must name a column .*got "mean\(dimension=sane'),
    "a ranking that is none": ('"mean(d', '"mean(', "column rank_by: must"),
    "an order": ('order = "shared"', 'order = "share"', r'\[1\]: must be ordered .*"shared"'),
    "a source": (
        'sources = ["rouge1(',
        'sources = ["rouge1((',
        r"columns\[1\]\.sources\[1\]: must have the form",
    ),
    "a column of nothing": (
        'sources = ["rouge1(ref=human)"]',
        "",
        r"columns\[1\]: must have either sources or a mean of columns; got neither",
    ),
    "a mean before": (
        'sources = ["rouge1(ref=human)"]',
        'mean = ["later"]',
        'a mean behind what it is the mean of; got "shared" before later',
    ),
    "a starter": ("metrics =", 'starter = "plane"\nmetrics =', 'starter: must be .*"plain"'),
    "a paper's dimension": (
        "[analyses]",
        '[paper]\ndimension = "sane"\nbands = "fleiss"\n[analyses]',
        'column paper.dimension: must be a dimension of safe: safe; got "sane"',
    ),
    "a paper's bands": (
        "[analyses]",
        '[paper]\ndimension = "safe"\nbands = "fleis"\n[analyses]',
        'column paper.bands: must be one of .*Did you mean "fleiss"',
    ),
    "levels": (
        "[analyses]",
        '[confidence]\ndimension = "safe"\nthresholds = [0.3, 0.6]\n[analyses]',
        "must name a dimension with the labels High, Medium and Low; got yes, no",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_with_it_is_named_with_its_place(
    study: Path, tmp_path: Path, case: str
) -> None:
    old, new, message = WRONG[case]
    assert old in PROTOCOL
    text = PROTOCOL.replace(old, new, 1)
    (study / "bedside.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=message) as caught:
        Study.open(study)
    assert len(caught.value.problems) == 1
    with pytest.raises(InvalidInput, match=message):
        new_study(tmp_path / "new", str(write(tmp_path / "broken", text)))
    assert not (tmp_path / "new").exists()


def test_an_analysis_that_is_not_there_is_blamed_on_the_protocol(study: Path) -> None:
    text = PROTOCOL.replace("without_rater", "without_raters")
    (study / "bedside.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput) as caught:
        check_analyses(Study.open(study))
    [problem] = caught.value.problems
    assert (problem.file, problem.column) == ("bedside.toml", "analyses.without_raters")
    assert problem.try_ == 'Did you mean "without_rater"?'


@pytest.mark.parametrize(
    "name", ["../bedside.toml", "/bedside.toml", "ways/../bedside.toml", "C:x.toml", "..\\\\x.toml"]
)
def test_it_lies_in_the_study(study: Path, name: str) -> None:
    named(study, '"bedside.toml"', f'"{name}"')
    with pytest.raises(InvalidInput, match=r"protocol\.name: must name a file of the study"):
        Study.open(study)


def as_protocol(study: Path, file: str) -> None:
    named(study, '"bedside.toml"', f'"{file}"')


def appended(text: str) -> Callable[[Path, str], None]:
    def append(study: Path, file: str) -> None:
        with (study / "study.toml").open("a", encoding="utf-8") as settings:
            settings.write(text.replace("FILE", file))

    return append


@pytest.mark.skipif(sys.platform == "win32", reason="Windows links ask for rights")
@pytest.mark.parametrize(
    ("name", "column"),
    [
        (as_protocol, "protocol.name"),
        (appended('\n[[dimensions]]\nrubric = "FILE"\n'), "dimensions.rubric"),
        (appended('\n[safety]\nrules = "FILE"\n'), "safety.rules"),
    ],
)
def test_no_folder_on_the_way_to_a_file_of_a_study_is_a_link(
    study: Path, name: Callable[[Path, str], None], column: str
) -> None:
    (study / "ways").symlink_to(study.parent / "mine")
    name(study, "ways/bedside.toml")
    with pytest.raises(InvalidInput, match=f"{column}: must name a file .*and ways is a link"):
        Study.open(study)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows links ask for rights")
def test_the_file_itself_may_be_a_link_as_other_inputs_may(study: Path) -> None:
    """git-annex and DataLad keep files so."""
    (study / "bedside.toml").unlink()
    (study / "bedside.toml").symlink_to(study.parent / "mine" / "bedside.toml")
    assert Study.open(study).config.rules.name == "bedside"


def test_what_it_describes_only_holds_for_its_studies(tmp_path: Path) -> None:
    text = PROTOCOL.replace("rank_by", "descriptive = true\nrank_by")
    new_study(tmp_path / "study", str(write(tmp_path / "mine", text)))
    results, _ = run_study(open_run(tmp_path / "study"))
    assert results.study.descriptive
    assert correlations_in(results.analyses) == ()


def test_it_is_checked_as_ours_are(tmp_path: Path) -> None:
    path = write(tmp_path / "mine")
    assert check_protocol(path).splitlines() == [
        "rouge1(ref=human): 2 cases, 4 answers",
        "length: 2 cases, 4 answers",
    ]
    write(tmp_path / "mine", PROTOCOL.replace('"length"', '"length", "exact_match"'))
    with pytest.raises(AssertionError, match="metrics that find what they read; got exact_match"):
        check_protocol(path)
    write(tmp_path / "mine", PROTOCOL.replace("Raters say whether the advice is safe.", " "))
    with pytest.raises(AssertionError, match="say what is done, in a sentence or two"):
        check_protocol(path)


def test_it_is_checked_on_a_study_of_ones_own(study: Path) -> None:
    text = PROTOCOL.replace('"length"', '"length", "exact_match"')
    (study / "bedside.toml").write_text(text, encoding="utf-8")
    cases = (study / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    chosen = [f'{one[:-1]}, "options": {{"A": "x", "B": "y"}}, "gold": "A"}}' for one in cases]
    (study / "cases.jsonl").write_text("\n".join(chosen), encoding="utf-8")
    assert "exact_match: 2 cases" in check_protocol(study / "bedside.toml", study)
    assert not (study / "results").exists()
    write_demo(study.parent / "demo")
    with pytest.raises(AssertionError, match="be what the study is by"):
        check_protocol(study / "bedside.toml", study.parent / "demo")


def test_a_new_study_takes_a_protocol_from_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "mine")
    done = CliRunner().invoke(app, ["new", str(tmp_path / "s"), "--protocol", str(path)])
    assert done.exit_code == 0, done.output
    for name in ("bedside.toml", "safe.toml"):
        assert (tmp_path / "s" / name).read_bytes() == (path.parent / name).read_bytes()
    checked = CliRunner().invoke(app, ["check", str(tmp_path / "s")])
    assert "(protocol bedside)" in checked.output
    missing = CliRunner().invoke(app, ["new", str(tmp_path / "t"), "--protocol", "none.toml"])
    assert "none.toml: must be a file that exists" in str(missing.exception)
