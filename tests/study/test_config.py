"""study.toml: what is misspelt is named, and what a name refers to is there."""

from pathlib import Path

import pytest

from medassay.analyses import run_study
from medassay.errors import InvalidInput
from medassay.judgements import load_rubric
from medassay.study import Study, open_run, protocol_names


def add(folder: Path, text: str) -> None:
    path = folder / "study.toml"
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[[dimensions]]\nrubric = 'likert5'\nclusters = 'ward'",
            r"dimensions\[1\]\.clusters: .* It stands under \[ranking\]: is that line above it,",
        ),
        ("[privcy]\ntexts = 'none'", r'column privcy: must be one of .*Did you mean "privacy"\?'),
        (
            "[privacy]\ntext = 'none'",
            r'column privacy\.text: must be one of texts, raters, send_to; .*"texts"\?',
        ),
        ("[privacy]\ntexts = 'some'", r"column privacy\.texts: must be 'full', 'ids' or 'none'"),
        ("[[metrics]]\nname = 'rouge'", r'must name a metric; got "rouge".*Did you mean "rouge'),
        ("[[metrics]]\nname = 'rouge1'", r"must say ref"),
        (
            "[[metrics]]\nname = 'length'\n[[metrics]]\nname = ' length '",
            r'name each metric once; got " length "\. It means what "length" means',
        ),
        ("[consensus]\nmethods = ['maen']", r'name a consensus method; .*Did you mean "mean"'),
        ("[consensus]\nmethods = ['mean', 'mean']", r'name each consensus method once; got "mean"'),
        ("[consensus]\nmethods = []", r"column consensus\.methods: must"),
        ("[ranking]\nby = 'mean(dimension=typo)'", r"column ranking\.by: must name a column of"),
        ("[ranking]\nby = 'mean('", r"column ranking\.by: must have the form name"),
        ("[ranking]\ncases = 'some'", r"column ranking\.cases: must be 'all'"),
        (
            "[ranking]\nclusters = 'x'",
            r'must name a tag that cases have, or be near-equal; got "x"\. Known: near-equal',
        ),
        ("[ranking]\nclusters = 'near_equal'", r'got "near_equal"\..*near-equal'),
        ("[agreement]\ncoefficients = ['fleis']", r'name a coefficient of agr.*mean "fleiss"'),
        (
            "[agreement]\ncoefficients = ['cohen', 'cohen']",
            r"name each coefficient of agreement once",
        ),
        ("[systems.a]\ntitle = 'x'", r'must name a system of the study; got "a"\. Did you mean'),
        ("[[dimensions]]\nrubric = 'likert'", r'name a rubric; got "likert".*"likert5"'),
        ("[[dimensions]]\nrubric = '../x.toml'", r"must name a file of the study"),
        ("[[dimensions]]\nrubric = 'x.toml'", r"x\.toml: must be a file that exists"),
        (
            "[[dimensions]]\nrubric = 'likert5'\nonly = ['qualty']",
            r'be a dimension of likert5: quality; got "qualty"\. Did you mean "quality"',
        ),
        (
            "[[dimensions]]\nrubric = 'likert5'\n[[dimensions]]\nrubric = 'likert5'",
            r'have each dimension in one rubric; got "quality" twice',
        ),
        ("x 1", r"study\.toml, row 9: must be TOML in UTF-8; got Expected '='"),
    ],
)
def test_what_is_wrong_is_named(folder: Path, text: str, message: str) -> None:
    add(folder, text)
    with pytest.raises(InvalidInput, match=message) as caught:
        Study.open(folder)
    assert len(caught.value.problems) == 1


def test_a_protocol_that_is_not_there_suggests_the_nearest(folder: Path) -> None:
    path = folder / "study.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('"ratings"', '"rating"'))
    with pytest.raises(InvalidInput, match='Did you mean "ratings"'):
        Study.open(folder)


def test_a_byte_order_mark_is_no_error(folder: Path) -> None:
    path = folder / "study.toml"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert Study.open(folder).config.run.seed == 7


def test_the_file_overrules_the_protocol(folder: Path) -> None:
    add(folder, "[ranking]\nby = 'length'\n[consensus]\nmethods = ['majority']\n")
    add(folder, "[[metrics]]\nname = 'length'\n[systems.A]\ntitle = 'Ay'\nfamily = 'f'\n")
    study = Study.open(folder)
    rules = study.config.rules
    assert (rules.rank_by, rules.consensus, rules.metrics) == ("length", ["majority"], ["length"])
    assert (study.system("A").title, study.system("B").title) == ("Ay", "")
    assert study.families == {"A": "f"}


@pytest.mark.parametrize("name", protocol_names())
def test_every_protocol_ranks_by_a_column_that_it_makes(folder: Path, name: str) -> None:
    path = folder / "study.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('"ratings"', f'"{name}"'))
    (folder / "judgements.csv").unlink()
    ranked_by = Study.open(folder).config.rules.rank_by
    add(folder, f"[ranking]\nby = '{ranked_by}'\n")
    Study.open(folder)


def test_imported_scores_have_a_name_of_their_own(folder: Path) -> None:
    (folder / "scores").mkdir()
    path = folder / "scores" / "length.csv"
    path.write_text("system,case,value\nA,c1,1\n")
    with pytest.raises(InvalidInput, match=r"scores/length\.csv: must bring scores of a name"):
        Study.open(folder)
    add(folder, "[[metrics]]\nname = 'rouge1(ref=human)'\n")
    assert "length" in Study.open(folder).imported[0].table.sources
    with pytest.raises(InvalidInput, match="name metrics that the study has not imported"):
        open_run(folder, only=["length"])


def test_a_ranking_that_cannot_be_had_yet_is_said_not_hidden(folder: Path) -> None:
    (folder / "judgements.csv").unlink()
    results, _ = run_study(open_run(folder, only=["length", "rouge1(ref=human)"]))
    assert results.primary == "rouge1(ref=human)"
    said = "ordered by rouge1(ref=human), since the study has no mean(dimension=quality)."
    assert [text for text in results.warnings if said in text]


def test_the_ranking_asked_for_is_taken_without_a_word(folder: Path) -> None:
    add(folder, "[ranking]\nby = 'majority( dimension = quality )'\n")
    results, _ = run_study(open_run(folder))
    assert results.primary == "majority(dimension=quality)"
    assert not [text for text in results.warnings if "ordered" in text]


def test_rubrics_used_together_each_say_whose_words_they_are_in(folder: Path) -> None:
    add(folder, "[[dimensions]]\nrubric = 'archehr'\n[[dimensions]]\nrubric = 'med-gpt'")
    (folder / "judgements.csv").unlink()
    used = Study.open(folder).rubric
    for name in ("archehr", "med-gpt"):
        assert load_rubric(name).wording in used.wording
        assert load_rubric(name).source in used.source
    assert used.rationale == load_rubric("med-gpt").rationale
