"""A whole run is found from the hashes of its inputs, and never where `open_run` would differ."""

from pathlib import Path

import pytest

from medassay.errors import InvalidInput
from medassay.library import run_and_report
from medassay.study import Study, find_completed_run, open_run


@pytest.mark.slow
def test_nothing_is_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_completed_run(folder) is None
    first = run_and_report(folder)

    def refuse(path: Path | str) -> Study:
        message = f"{path} was opened"
        raise AssertionError(message)

    monkeypatch.setattr(Study, "open", refuse)
    second = run_and_report(folder)
    assert (second.again, second.folder, second.summary) == (True, first.folder, first.summary)


def test_it_is_the_run_that_would_be_planned(folder: Path) -> None:
    chosen = run_and_report(folder, only=["length"], seed=8, texts="ids").folder
    assert find_completed_run(folder, only=["length"], seed=8, texts="ids") == chosen
    assert open_run(folder, only=["length"], seed=8, texts="ids").folder == chosen
    assert find_completed_run(folder, only=["length"], seed=8) is None
    assert find_completed_run(folder, only=["length"], texts="ids") is None
    assert find_completed_run(folder, metrics=["length"], seed=8, texts="ids") is None
    assert find_completed_run(folder) is None


@pytest.mark.slow
def test_a_metric_that_reads_the_references_of_all_cases(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # They are part of its signature, whatever the model is: here none, so it scores nothing.
    monkeypatch.setattr("medassay.metrics.builtin.bertscore.encoder_facts", lambda *_, **__: {})
    own = ["length", "bertscore_f1(ref=human,model=none,layer=1,idf=references)"]
    run = run_and_report(folder, only=own).folder
    assert find_completed_run(folder, only=own) == run == open_run(folder, only=own).folder


@pytest.mark.slow
def test_metrics_that_depend_on_the_data_are_left_to_reading_them(folder: Path) -> None:
    first = run_and_report(folder, only=["length", "all"])
    assert find_completed_run(folder, only=["length", "all"]) is None
    assert run_and_report(folder, only=["length", "all"]).again
    assert open_run(folder, only=["length", "all"]).folder == first.folder


@pytest.mark.slow
@pytest.mark.parametrize("change", ["answer", "case", "settings", "new system", "judgement"])
def test_another_input_is_another_run(folder: Path, change: str) -> None:
    run_and_report(folder)
    file = {
        "answer": "answers/A.jsonl",
        "case": "cases.jsonl",
        "settings": "study.toml",
        "new system": "answers/D.jsonl",
        "judgement": "judgements.csv",
    }[change]
    path = folder / file
    path.write_bytes((path.read_bytes() if path.exists() else b"") + b"\n")
    assert find_completed_run(folder) is None


@pytest.mark.slow
def test_a_run_that_is_not_whole_is_not_found(folder: Path) -> None:
    table = min((run_and_report(folder).folder / "tables").iterdir())
    table.write_bytes(table.read_bytes() + b" ")
    assert find_completed_run(folder) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "asked"),
    [("judgement.csv", {}), ("cases.csv", {}), ("", {"only": ["lenght"]}), ("", {"texts": "full"})],
)
def test_what_is_wrong_is_said_though_the_run_is_there(
    folder: Path, name: str, asked: dict[str, object]
) -> None:
    settings = folder / "study.toml"
    settings.write_text(settings.read_text(encoding="utf-8") + '[privacy]\ntexts = "ids"\n')
    run_and_report(folder)
    assert find_completed_run(folder) is not None
    if name:
        (folder / name).write_text("case\nc1\n", encoding="utf-8")
    assert find_completed_run(folder, **asked) is None  # type: ignore[arg-type]  # one key of several
    with pytest.raises(InvalidInput):
        run_and_report(folder, **asked)  # type: ignore[arg-type]  # one key of several
