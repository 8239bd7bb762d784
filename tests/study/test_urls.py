"""What urls.toml may say, and a study whose files lie in another folder."""

import os
import shutil
from pathlib import Path

import pytest
from tools.synthetic_study import write_synthetic
from typer.testing import CliRunner

from medassay import library as run_module
from medassay.__main__ import main
from medassay.cli import app
from medassay.errors import InvalidInput, MissingBackend
from medassay.library import run_and_report
from medassay.study import Study, fetch_urls, import_answers
from medassay.study.files.fetch import FolderStore, open_store
from medassay.study.files.urls import Url
from medassay.study.scoring import score_cache

SECRET = "AKIAIOSFODNN7:wJalrXUtnFEMI"  # noqa: S105 - what a test must not find


@pytest.fixture
def here(tmp_path: Path) -> Path:
    folder = tmp_path / "here"
    write_synthetic(folder, systems=2, cases=6, words=10, raters=2, metrics=("length",))
    return folder


@pytest.fixture
def there(here: Path, tmp_path: Path) -> Path:
    """Give the same study with its files in a folder elsewhere, whose name has a blank."""
    folder, elsewhere = tmp_path / "there", tmp_path / "a store"
    shutil.copytree(here, folder)
    elsewhere.mkdir()
    for name in ("cases.jsonl", "answers"):
        (folder / name).rename(elsewhere / name)
    (folder / "urls.toml").write_text(
        f'cases = "{(elsewhere / "cases.jsonl").as_uri()}"\n'
        f'answers = "{(elsewhere / "answers").as_uri()}/"\n'
        f'kept = "{(elsewhere / "kept").as_uri()}/"\n'
    )
    return folder


def files_of(run: Path) -> dict[str, bytes]:
    files = (path for path in run.rglob("*") if path.is_file())
    return {path.relative_to(run).as_posix(): path.read_bytes() for path in files}


@pytest.mark.slow
def test_files_elsewhere_give_the_same_bytes(here: Path, there: Path, tmp_path: Path) -> None:
    local = run_and_report(here)
    result = CliRunner().invoke(app, ["run", str(there), "--fetch", "--offline"])
    assert result.exit_code == 0, result.output
    assert files_of(there / "results" / local.folder.name) == files_of(local.folder)
    kept = list((tmp_path / "a store" / "kept").glob("*/*.parquet"))
    assert [path.stat().st_mode & 0o777 for path in kept] == [0o666 & ~_umask()]
    shutil.rmtree(there / "results")
    fetch_urls(there)
    assert run_and_report(there, share=True).computed == 0


@pytest.mark.slow
def test_scores_that_many_runs_kept_are_fetched_and_added_once(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(score_cache, "_MOST_FILES", 2)
    place = tmp_path / "a store" / "kept"
    answers = tmp_path / "a store" / "answers" / "s00.jsonl"
    fetched: list[str] = []
    whole = FolderStore.fetch

    def counting(self: FolderStore, url: Url, into: Path) -> None:
        fetched.append(url.name)
        whole(self, url, into)

    monkeypatch.setattr(FolderStore, "fetch", counting)
    sizes = []
    for turn in range(6):
        lines = answers.read_text().splitlines()
        lines[turn] = lines[turn].replace('"text": "', '"text": "rest rest rest ')
        answers.write_text("\n".join(lines) + "\n")
        fetch_urls(there)
        assert run_and_report(there, share=True).computed == (12 if turn == 0 else 1)
        sizes.append(len(list(place.glob("*/*.parquet"))))
    assert sizes == [1, 2, 3, 4, 5, 6]  # each run added what it computed, and nothing twice
    assert len(list((there / "results" / "kept").glob("*/*.parquet"))) <= 3
    assert not [name for name in fetched if name.endswith(".parquet")]
    shutil.rmtree(there / "results" / "kept")
    (there / "study.toml").write_text((there / "study.toml").read_text() + "# another run\n")
    assert run_and_report(there, share=True).computed == 0
    assert len([name for name in fetched if name.endswith(".parquet")]) == 6


@pytest.mark.slow
def test_what_a_run_that_was_stopped_has_kept_is_added_by_the_next(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch_urls(there)
    monkeypatch.setattr(run_module, "render", _stopped)
    with pytest.raises(KeyboardInterrupt):
        run_and_report(there)
    monkeypatch.undo()
    assert run_and_report(there, share=True).computed == 0
    assert len(list((tmp_path / "a store" / "kept").glob("*/*.parquet"))) == 1


def _stopped(*_: object) -> None:
    raise KeyboardInterrupt


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Give what a command says that is refused."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    said = capsys.readouterr()
    return said.out + said.err


def test_nothing_is_fetched_without_the_users_word(
    there: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for verb in ("check", "run", "agree", "score"):
        assert "must be fetched before it is read" in refused(capsys, verb, str(there))
    assert not (there / "fetched").exists()


def test_what_was_fetched_is_read_by_every_verb_until_the_file_names_something_else(
    there: Path,
) -> None:
    fetch_urls(there)
    assert CliRunner().invoke(app, ["check", str(there)]).exit_code == 0
    file = there / "urls.toml"
    file.write_text(file.read_text().replace("cases.jsonl", "others.jsonl"))
    with pytest.raises(InvalidInput, match="other URLs than those that were fetched"):
        Study.open(there)


@pytest.mark.parametrize("harm", ["removed", "shortened", "a link"])
def test_a_copy_that_is_gone_is_fetched_again(there: Path, tmp_path: Path, harm: str) -> None:
    fetch_urls(there)
    copy = there / "fetched" / "cases.jsonl"
    whole = copy.read_bytes()
    copy.unlink()
    if harm == "shortened":
        copy.write_bytes(whole[:-9])
    elif harm == "a link":
        (tmp_path / "other").write_bytes(whole)
        copy.symlink_to(tmp_path / "other")
    with pytest.raises(InvalidInput, match="a copy that is gone"):
        Study.open(there)
    assert fetch_urls(there).new == (Url(_named(there, "cases")).text,)
    assert copy.read_bytes() == whole
    assert not copy.is_symlink()


def test_a_copy_that_was_changed_is_fetched_again(there: Path) -> None:
    fetch_urls(there)
    copy = there / "fetched" / "cases.jsonl"
    whole = copy.read_bytes()
    copy.write_bytes(whole.replace(b"e", b"a"))
    fetched = fetch_urls(there)
    assert (len(fetched.new), fetched.changed) == (1, ())
    assert copy.read_bytes() == whole


def _named(study: Path, part: str) -> str:
    line = next(line for line in (study / "urls.toml").read_text().splitlines() if part in line)
    return line.split('"')[1]


def test_a_file_that_is_named_no_longer_is_removed(there: Path, tmp_path: Path) -> None:
    fetch_urls(there)
    answers = tmp_path / "a store" / "answers"
    gone = min(answers.iterdir())
    gone.unlink()
    (there / "judgements.csv").unlink()
    fetch_urls(there)
    assert gone.stem not in Study.open(there).answers.systems


def test_a_part_lies_in_one_place(here: Path, there: Path) -> None:
    fetch_urls(there)
    shutil.copy(here / "cases.jsonl", there)
    with pytest.raises(InvalidInput, match="cases: must lie either in the study or at its URLs"):
        Study.open(there)


def test_answers_that_lie_at_urls_are_not_added_to(there: Path, tmp_path: Path) -> None:
    fetch_urls(there)
    more = tmp_path / "more.csv"
    more.write_text("system,case,text\nnew,0001,Rest.\n")
    with pytest.raises(InvalidInput, match="answers: must lie in the study, to be written"):
        import_answers(Study.open_whole(there), more, {})
    assert not (there / "answers").exists()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f'cases = "s3://{SECRET}@ward/cases.jsonl"', "hold no key or name of a user"),
        (f'kept = "s3://{SECRET}/ward/"', "hold no key or name of a user"),
        (f'cases = "https://{SECRET}@store/cases.jsonl"', "hold no key or name of a user"),
        (f'cases = "s3://ward/cases.jsonl?X-Amz-Signature={SECRET}"', "hold no ? and no #"),
        (f'cases = "az://ward/cases.jsonl#sig={SECRET}"', "hold no ? and no #"),
    ],
)
def test_what_may_be_a_key_is_refused_and_not_quoted(
    here: Path, line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "urls.toml").write_text(f"{line}\n")
    for command in (["check", str(here)], ["run", str(here), "--fetch"]):
        for words in (command, [*command, "--json"]):
            output = refused(capsys, *words)
            assert said in output
            assert not any(part in output for part in SECRET.split(":"))
    written = [path for path in (here / "results").rglob("*") if path.name != ".lock"]
    assert written in ([], [here / "results"])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('cases = "https://ward.example/cases.jsonl"', "begin with s3://"),
        ('cases = "data/cases.jsonl"', "begin with s3://"),
        ('cases = "file://host/cases.jsonl"', "begin with s3://"),
        ('cases = "s3:///cases.jsonl"', "begin with s3://"),
        ('cases = "s3://ward/../cases.jsonl"', "lead straight"),
        ('cases = "file:///ward/%2e%2e/cases.jsonl"', "lead straight"),
        ('cases = "s3://ward/cases/"', "be the URL of a table"),
        ('cases = "s3://ward/cases.txt"', "be the URL of a table"),
        ('answers = ["s3://ward/a.csv", "s3://ward/b"]', "column answers[2]: must be the URL of a"),
        ('kept = "s3://ward/kept"', "ends in /"),
        ('judgements = "s3://ward/judgements.csv"', "judgements"),
        ("cases = 1", "cases"),
    ],
)
def test_a_url_that_cannot_be_is_named(here: Path, line: str, said: str) -> None:
    (here / "urls.toml").write_text(f"{line}\n")
    with pytest.raises(InvalidInput) as caught:
        fetch_urls(here)
    assert said in str(caught.value)
    assert "urls.toml" in str(caught.value)


def test_fetching_needs_something_to_fetch(here: Path) -> None:
    with pytest.raises(InvalidInput, match=r"urls.toml: must be a file that exists"):
        fetch_urls(here)


@pytest.mark.parametrize(
    ("url", "line"),
    [("gs://ward/a.csv", 'pip install "gcsfs'), ("az://ward/a.csv", 'pip install "adlfs')],
)
def test_a_package_that_lacks_is_named(url: str, line: str) -> None:
    with pytest.raises(MissingBackend) as caught:
        open_store(Url(url))
    assert line in str(caught.value)


def test_offline_fetches_from_folders_alone(there: Path) -> None:
    file = there / "urls.toml"
    file.write_text(f'{file.read_text()}scores = "s3://ward/scores/"\n')
    with pytest.raises(InvalidInput, match="be a file: URL, since --offline") as caught:
        fetch_urls(there, offline=True)
    assert [problem.got for problem in caught.value.problems] == ["s3://ward/scores/"]
    assert not (there / "fetched").exists()


def test_documents_are_read_from_elsewhere_too(there: Path, tmp_path: Path) -> None:
    documents = tmp_path / "a store" / "texts.jsonl"
    documents.write_text('{"id": "d1", "text": "Rest for two days."}\n')
    file = there / "urls.toml"
    file.write_text(f'documents = "{documents.as_uri()}"\n{file.read_text()}')
    fetch_urls(there)
    places = {"study.toml", "judgements.csv", "cases.jsonl", "documents.jsonl"}
    answers = {"answers/s00.jsonl", "answers/s01.jsonl"}
    assert set(Study.open(there).inputs) == places | answers
