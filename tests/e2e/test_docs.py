"""The pages of docs/ cannot lie: a stranger who follows one gets what it prints."""

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tools.docs_blocks import Shown, blocks, follow, is_slow, says
from tools.forked import python_words
from tools.refresh_docs import refreshed

DOCS = Path(__file__).parents[2] / "docs"
TEXTS = {path.relative_to(DOCS).as_posix(): path.read_text("utf-8") for path in DOCS.rglob("*.md")}
# Pages whose commands have a test of their own.
OWN_TEST = {
    "gate.md": "tests/examples/test_gate_workflow.py",
    "validity-examples.md": "tests/examples/test_validity_examples.py",
}
TYPED = {
    name: text
    for name, text in sorted(TEXTS.items())
    if any(block.language in {"console", "python"} for block in blocks(text))
    and name not in OWN_TEST
}
# How many blocks of a page cannot run here; each has its reason above it on the page.
NOT_RUN: dict[str, int] = {
    "how-to/add-a-coefficient.md": 1,
    "how-to/add-a-consensus.md": 1,
    "how-to/add-a-metric.md": 1,
    "how-to/add-an-analysis.md": 1,
    "how-to/write-a-protocol.md": 1,
    "protocols/healthbench.md": 1,
}
README = (DOCS.parent / "README.md").read_text(encoding="utf-8")
# Commands that take a new folder: where it is there already they refuse.
MADE = re.compile(
    r"^\$ medassay (?:new |import --from (?:archehr|environmental-health|med-gpt) .*--into )(\S+)",
    re.MULTILINE,
)
LANGUAGES = {
    "console",
    "python",
    "text",
    "toml",
    "json",
    "csv",
    "yaml",
    "xml",
    "bibtex",
    "markdown",
    "ini",
    "nginx",
}

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="the pages are typed in bash")


@needs_bash
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if is_slow(text) else [], id=name)
        for name, text in TYPED.items()
    ],
)
def test_a_stranger_gets_what_the_page_prints(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    done = 0
    for shown in follow(TYPED[name], folder):
        assert shown.code == 0, f"{shown.command}\n{shown.got}"
        if shown.wanted is not None:
            assert says(shown.wanted, shown.got), f"{shown.command}\n{shown.got}"
        done += 1
    assert done or NOT_RUN.get(name)


def test_pages_may_be_followed_one_after_the_other_in_one_folder() -> None:
    made = {name: set(MADE.findall(text)) for name, text in {**TYPED, "README.md": README}.items()}
    # What `make demo` leaves, which comes before every page.
    assert [name for name, folders in made.items() if "demo" in folders] == []
    twice = Counter(folder for folders in made.values() for folder in folders)
    assert {folder: count for folder, count in twice.items() if count > 1} == {}
    assert len(twice) > len(OWN_TEST)


def test_no_page_has_words_of_its_own_for_what_a_report_calls_undecided() -> None:
    schema = (DOCS / "reference" / "report.schema.json").read_text("utf-8")
    texts = TEXTS | {"README.md": README, "report.schema.json": schema}
    assert [name for name, text in texts.items() if "told apart" in text] == []


def test_what_is_not_run_is_counted() -> None:
    counts = {name: sum(bool(one.not_run) for one in blocks(text)) for name, text in TEXTS.items()}
    assert {name: count for name, count in counts.items() if count} == NOT_RUN


def test_the_other_pages_have_their_tests() -> None:
    for name, test in OWN_TEST.items():
        text = (DOCS.parent / test).read_text(encoding="utf-8")
        assert name in text or f"make_{name.removesuffix('.md')}_page" in text


def test_every_block_says_what_it_is() -> None:
    named = {
        (name, block.language or block.content.partition("\n")[0])
        for name, text in TEXTS.items()
        for block in blocks(text)
        if block.language not in LANGUAGES and name not in OWN_TEST
    }
    assert named == set()


def test_no_command_hides_in_a_block_that_is_not_run() -> None:
    hidden = [
        (name, block.content)
        for name, text in TEXTS.items()
        for block in blocks(text)
        if block.language != "console"
        and name not in OWN_TEST
        and re.search(r"^\$ ", block.content, re.MULTILINE)
    ]
    assert hidden == []


PAGE = """\
```toml title="a/b.toml"
x = 1
```

```console
$ cat a/b.toml
x = 2
$ echo one; echo two
one
...
```

```python
print("three")
```

```text
four
```

<!-- not run: it would take a year -->
```console
$ sleep 31536000
```
"""


@needs_bash
def test_a_page_that_lies_is_seen_and_mended(tmp_path: Path) -> None:
    found = [(one.command, one.wanted, one.got) for one in _followed(PAGE, tmp_path / "first")]
    assert found == [
        ("cat a/b.toml", "x = 2\n", "x = 1\n"),
        ("echo one; echo two", "one\n...\n", "one\ntwo\n"),
        ("python", "four\n", "three\n"),
    ]
    assert [says(wanted or "", got) for _, wanted, got in found] == [False, True, False]
    (tmp_path / "second").mkdir()
    mended, failed = refreshed(PAGE, tmp_path / "second")
    assert failed == []
    assert mended == PAGE.replace("x = 2", "x = 1").replace("four", "three")


@needs_bash
def test_a_command_that_fails_is_told(tmp_path: Path) -> None:
    [shown] = _followed("```console\n$ false\n```\n", tmp_path / "here")
    assert shown.code == 1
    (tmp_path / "again").mkdir()
    assert refreshed("```console\n$ false\n```\n", tmp_path / "again")[1] == [
        "false: exit code 1\n"
    ]


def _followed(text: str, folder: Path) -> list[Shown]:
    folder.mkdir()
    return list(follow(text, folder))


@pytest.mark.skipif(sys.platform != "linux", reason="only there commands are copies of a process")
def test_what_a_copied_command_took_is_counted() -> None:
    """The last lines of `make test` tell it with the rest."""
    busy = "import time\nwhile time.process_time() < 0.1: pass"
    parent = "pathlib.Path(f'/proc/{os.getppid()}/stat').read_text()"
    children = f"import os, pathlib; print({parent}.split()[15])"

    def counted() -> int:
        return int(subprocess.check_output(python_words(children)))  # noqa: S603 - our own words

    before = counted()
    subprocess.run(python_words(busy), check=True)  # noqa: S603 - as above
    assert any(counted() > before for _ in range(100))


@pytest.mark.parametrize("name", TEXTS)
def test_no_page_shows_a_command_that_broke(name: str) -> None:
    assert "Traceback (most recent call last)" not in TEXTS[name]
