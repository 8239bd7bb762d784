"""A study whose files lie in an object store gives the bytes that it gives with its own files."""

import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from tests.urls.bucket import KEYS, Bucket
from tools.synthetic_study import write_synthetic
from typer.testing import CliRunner

from medassay.cli import app
from medassay.errors import InvalidInput
from medassay.library import Done, run_and_report
from medassay.study import fetch_urls
from medassay.study.files.fetch import ObjectStore
from medassay.study.files.urls import Url

pytestmark = [
    pytest.mark.urls,
    # Clients of the store leave sessions to the collector, and moto what Python means to remove.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
METRICS = ("length", "rouge1(ref=human)")


def files_of(run: Path) -> dict[str, bytes]:
    files = (path for path in run.rglob("*") if path.is_file())
    return {path.relative_to(run).as_posix(): path.read_bytes() for path in files}


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """Give a study that has all its files, imported scores among them."""
    folder = tmp_path / "here"
    write_synthetic(folder, systems=3, cases=8, words=12, raters=2, metrics=METRICS)
    (folder / "scores").mkdir()
    systems = sorted(path.stem for path in (folder / "answers").iterdir())
    rows = [f"{system},{c:04},{(s + c) / 20}" for s, system in enumerate(systems) for c in range(8)]
    (folder / "scores" / "theirs.csv").write_text("\n".join(["system,case,value", *rows, ""]))
    (folder / "scores" / "theirs.toml").write_text('question = "How near is it?"\nlow = 0\n')
    return folder


def in_store(study: Path, bucket: Bucket, folder: Path) -> Path:
    """Give the same study with cases, answers and scores in the store."""
    shutil.copytree(study, folder, ignore=shutil.ignore_patterns("results"))
    for path in [
        folder / "cases.jsonl",
        *(folder / "answers").iterdir(),
        *(folder / "scores").iterdir(),
    ]:
        bucket.put_file(f"set 1/{path.relative_to(folder).as_posix()}", path)
        path.unlink()
    (folder / "urls.toml").write_text(
        f'cases = "s3://{bucket.name}/set 1/cases.jsonl"\n'
        f'answers = "s3://{bucket.name}/set 1/answers/"\n'
        f'scores = ["s3://{bucket.name}/set 1/scores/theirs.csv"]\n'
        f'kept = "s3://{bucket.name}/kept/"\n'
    )
    return folder


def fetched_run(study: Path, *, fresh: bool = False) -> Done:
    fetch_urls(study)
    return run_and_report(study, share=True, fresh=fresh)


def test_the_report_has_the_same_bytes(here: Path, bucket: Bucket, tmp_path: Path) -> None:
    bucket.put("set 1/answers/read me.txt", b"nothing")
    there = in_store(here, bucket, tmp_path / "there")
    local = run_and_report(here)
    with pytest.raises(InvalidInput, match=r"must be fetched before it is read.*run .* --fetch"):
        run_and_report(there)
    result = CliRunner().invoke(app, ["run", str(there), "--fetch"])
    assert result.exit_code == 0, result.output
    assert "Fetched 6 of 6 files" in result.stderr
    assert (
        f"Not read, being no table: s3://{bucket.name}/set 1/answers/read me.txt" in result.stderr
    )
    found = there / "results" / local.folder.name
    assert files_of(found) == files_of(local.folder)
    again = fetch_urls(there)
    assert (again.new, len(again.known), again.size) == ((), 6, 0)
    assert run_and_report(there, share=True).again
    everything = b"".join(path.read_bytes() for path in there.rglob("*") if path.is_file())
    assert not any(key.encode() in everything for key in KEYS.values())


def test_kept_scores_are_shared(here: Path, bucket: Bucket, tmp_path: Path) -> None:
    first = fetched_run(in_store(here, bucket, tmp_path / "first"))
    assert first.computed == 2 * 3 * 8
    kept = bucket.sizes("kept/")
    assert len(kept) == len(METRICS)
    # Half of an upload, or what somebody changed, bears a name that does not fit its bytes.
    folder = next(iter(kept)).rpartition("/")[0]
    bucket.put(f"{folder}/{'0' * 32}.parquet", b"half")
    second = fetched_run(in_store(here, bucket, tmp_path / "second"))
    assert (second.computed, second.reused) == (0, 2 * 3 * 8)
    assert files_of(second.folder) == files_of(first.folder)
    third = fetched_run(in_store(here, bucket, tmp_path / "third"), fresh=True)
    assert third.computed == 2 * 3 * 8
    now = bucket.sizes("kept/")
    assert now == {**kept, f"{folder}/{'0' * 32}.parquet": 4}


def test_two_runs_at_once_share_what_is_kept(here: Path, bucket: Bucket, tmp_path: Path) -> None:
    studies = [in_store(here, bucket, tmp_path / name) for name in ("one", "two")]
    command = [sys.executable, "-m", "medassay", "run"]
    running = [
        subprocess.Popen(  # noqa: S603 - the command line itself
            [*command, str(study), "--fetch"], stderr=subprocess.PIPE, text=True
        )
        for study in studies
    ]
    for process in running:
        _, said = process.communicate(timeout=300)
        assert process.returncode == 0, said
    one, two = (study / "results" for study in studies)
    name = next(path.parent.name for path in one.glob("*/manifest.json"))
    assert files_of(one / name) == files_of(two / name)
    third = fetched_run(in_store(here, bucket, tmp_path / "third"))
    assert (third.computed, third.folder.name) == (0, name)


def test_a_fetch_that_is_killed_goes_on(here: Path, bucket: Bucket, tmp_path: Path) -> None:
    there = in_store(here, bucket, tmp_path / "there")
    dying = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from medassay.study.files import fetch\n"
        "from medassay.study.files.fetch import ObjectStore\n"
        "fetch._SECONDS = 0.0\n"
        "done, whole = [], ObjectStore.fetch\n"
        "def dies(self, url, into):\n"
        "    if len(done) == 3:\n"
        "        Path(into).write_bytes(b'half of it')\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    done.append(url)\n"
        "    whole(self, url, into)\n"
        "ObjectStore.fetch = dies\n"
        "fetch.fetch_urls(Path(sys.argv[1]))\n"
    )
    killed = subprocess.run(  # noqa: S603 - the lines above
        [sys.executable, "-c", dying, str(there)], check=False, timeout=300
    )
    assert killed.returncode == -signal.SIGKILL
    with pytest.raises(InvalidInput, match="be fetched before it is read"):
        run_and_report(there)
    again = fetch_urls(there)
    assert (len(again.known), len(again.new), again.changed) == (3, 3, ())
    local = run_and_report(here)
    assert files_of(run_and_report(there).folder) == files_of(local.folder)
    assert not list(there.rglob("*.unfinished"))


def test_an_object_that_changed_is_noticed(here: Path, bucket: Bucket, tmp_path: Path) -> None:
    there = in_store(here, bucket, tmp_path / "there")
    before = fetched_run(there)
    url = f"s3://{bucket.name}/set 1/cases.jsonl"
    text = (here / "cases.jsonl").read_text().replace("rest", "walk")
    (here / "cases.jsonl").write_text(text)
    bucket.put("set 1/cases.jsonl", text.encode())
    fetched = fetch_urls(there)
    assert (fetched.new, fetched.changed) == ((url,), (url,))
    now = run_and_report(there)
    assert now.folder.name != before.folder.name
    assert files_of(now.folder) == files_of(run_and_report(here).folder)


def test_an_object_that_changes_while_it_is_fetched(
    here: Path, bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = in_store(here, bucket, tmp_path / "there")
    whole = ObjectStore.fetch
    text = (here / "cases.jsonl").read_bytes()

    def changing(self: ObjectStore, url: Url, into: Path) -> None:
        whole(self, url, into)
        if url.name == "cases.jsonl":
            nonlocal text
            text += b"\n"
            bucket.put("set 1/cases.jsonl", text)

    monkeypatch.setattr(ObjectStore, "fetch", changing)
    with pytest.raises(InvalidInput, match=r"must stay as it is while it is fetched.*cases.jsonl"):
        fetch_urls(there)


def test_half_an_object_is_none(
    here: Path, bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = in_store(here, bucket, tmp_path / "there")
    whole = ObjectStore.fetch

    def half(self: ObjectStore, url: Url, into: Path) -> None:
        whole(self, url, into)
        os.truncate(into, into.stat().st_size // 2)

    monkeypatch.setattr(ObjectStore, "fetch", half)
    with pytest.raises(InvalidInput, match=r"must be fetched whole; got [\d,]+ of .*cases.jsonl"):
        fetch_urls(there)
    assert not list((there / "fetched").glob("cases*"))


@pytest.mark.parametrize(
    ("urls", "said"),
    [
        ('cases = "s3://BUCKET/nothing.jsonl"', "nothing there .*at s3://BUCKET/nothing.jsonl"),
        ('answers = "s3://BUCKET/none/"', "nothing there .*at s3://BUCKET/none/"),
        ('cases = "s3://no-such-bucket-here/c.jsonl"', "nothing there .*at s3://no-such-bucket"),
        ('answers = ["s3://BUCKET/a/x.csv", "s3://BUCKET/b/x.csv"]', "files of different names"),
    ],
)
def test_what_is_not_there_is_named(here: Path, bucket: Bucket, urls: str, said: str) -> None:
    for key in ("a/x.csv", "b/x.csv"):
        bucket.put(key, b"case,text\n")
    (here / "urls.toml").write_text(urls.replace("BUCKET", bucket.name))
    with pytest.raises(InvalidInput, match=said.replace("BUCKET", bucket.name)) as caught:
        fetch_urls(here)
    assert len(caught.value.problems) == 1


@pytest.mark.usefixtures("bucket")
def test_without_a_bucket_nothing_is_computed(here: Path) -> None:
    (here / "urls.toml").write_text('kept = "s3://no-such-bucket-here/kept/"\n')
    with pytest.raises(InvalidInput, match=r"nothing there .*no-such-bucket-here"):
        fetched_run(here)
    assert not (here / "results" / "kept").exists()


def test_no_key_and_no_network_are_told_apart(
    here: Path, bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = in_store(here, bucket, tmp_path / "there")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    monkeypatch.setattr("s3fs.core.S3FileSystem.retries", 1)
    with pytest.raises(InvalidInput, match=r"no answer from the store at s3://.*cases.jsonl"):
        fetch_urls(there)
    for name in KEYS:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(InvalidInput, match="no key in the environment at s3://") as caught:
        fetch_urls(there)
    assert all(word not in str(caught.value) for word in KEYS.values())


def test_keys_that_may_not_read_are_told_of_and_not_quoted(
    here: Path, bucket: Bucket, tmp_path: Path, store: str
) -> None:
    there = in_store(here, bucket, tmp_path / "there")

    def ask_for_keys(after: bytes) -> None:
        # From so many questions on the store knows nobody's keys.
        place = f"{store}/moto-api/reset-auth"
        question = urllib.request.Request(  # noqa: S310 - the store of the test
            place, data=after, headers={"Content-Type": "text/plain"}
        )
        urllib.request.urlopen(question).close()  # noqa: S310 - as above

    ask_for_keys(b"0")
    try:
        with pytest.raises(InvalidInput, match=r"no permission.* at s3://") as caught:
            fetch_urls(there)
    finally:
        ask_for_keys(b"inf")
    assert all(word not in str(caught.value) for word in KEYS.values())


def test_kept_scores_of_private_texts_go_only_where_the_study_says(
    here: Path, bucket: Bucket, tmp_path: Path
) -> None:
    there = in_store(here, bucket, tmp_path / "there")
    settings = there / "study.toml"
    settings.write_text(settings.read_text().replace('texts = "full"', 'texts = "ids"'))
    with pytest.raises(InvalidInput, match=r"column kept: must be a file: URL.*send_to = \["):
        fetched_run(there)
    assert not bucket.sizes("kept/")
    allowed = f'texts = "ids"\nsend_to = ["{bucket.name}"]'
    settings.write_text(settings.read_text().replace('texts = "ids"', allowed))
    fetched_run(there)
    assert bucket.sizes("kept/")


def test_shards_need_no_shared_folder(here: Path, bucket: Bucket, tmp_path: Path) -> None:
    local = run_and_report(here)
    for number in (1, 2):
        there = in_store(here, bucket, tmp_path / f"shard-{number}")
        words = ["run", str(there), "--fetch", "--shard", f"{number}/2"]
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 0, result.output
    whole = fetched_run(in_store(here, bucket, tmp_path / "whole"))
    assert whole.computed == 0
    assert files_of(whole.folder) == files_of(local.folder)


def test_offline_leaves_the_store_alone(
    here: Path, bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = in_store(here, bucket, tmp_path / "there")
    monkeypatch.setattr(ObjectStore, "__init__", None)
    with pytest.raises(InvalidInput, match="must be a file: URL, since --offline") as caught:
        fetch_urls(there, offline=True)
    assert len(caught.value.problems) == 4
