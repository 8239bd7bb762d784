"""What a study can show at best is said beforehand, and no more where a protocol describes only."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from medassay.analyses import at_best_of, at_best_words
from medassay.cli.app import app
from medassay.study import Study, new_study, write_demo
from medassay.validity import at_best


def said(*words: str | Path) -> str:
    done = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_check_says_it_before_anybody_rates(tmp_path: Path) -> None:
    new_study(tmp_path / "study", "ratings")
    (tmp_path / "study" / "judgements.csv").write_text("rater,system,case,dimension,label\n")
    text = said("check", tmp_path / "study")
    assert "With 2 systems and 4 metrics, no metric can screen, since screening needs five " in text
    assert (
        "With no harmful answer in 2 answers, the true rate could be up to 77.7% (95% bound)."
        in text
    )
    found = json.loads(said("check", tmp_path / "study", "--json"))["at_best"]
    assert found["systems"] == 2
    assert found["smallest"] is None


def test_under_twelve_systems_it_says_that_none_may_gate() -> None:
    said_of_six = at_best_words(at_best(6, 5, 100))[1]
    assert said_of_six.startswith(
        "A metric can gate between systems only from 12 systems on; there are 6. "
    )
    of_one_family = at_best_words(at_best(12, 5, 100, families=1))[1]
    assert "there is 1, variants of one family counted once. " in of_one_family
    assert not any("systems on" in words for words in at_best_words(at_best(12, 5, 100)))


def test_a_protocol_that_describes_only_is_told_nothing_of_tests(tmp_path: Path) -> None:
    write_demo(tmp_path / "study", "environmental-health")
    assert at_best_of(Study.open_whole(tmp_path / "study")) is None
    assert json.loads(said("check", tmp_path / "study", "--json"))["at_best"] is None
    assert "at best" not in said("check", tmp_path / "study")


@pytest.mark.parametrize(
    ("systems", "metrics", "words"),
    [
        (6, 5, ("no metric can screen, since with two systems left out even tau 1.00 has "
         "p = 0.417 after Holm (8 systems would be enough); none can rank (8 systems")),
        (8, 5, "a metric that screens needs a tau of 1.00 or more; one that ranks needs a tau"),
        (12, 5, "screens needs a tau of 0.64 or more; one that ranks needs a tau above 0.88."),
    ],
)  # fmt: skip
def test_the_sentence_on_metrics(systems: int, metrics: int, words: str) -> None:
    assert words in at_best_words(at_best(systems, metrics, 100))[0]
