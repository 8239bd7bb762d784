"""A campaign's secret: kept beside its key, asked for where it is needed, and nowhere else."""

import base64
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from medassay.campaign import Wishes, campaign_status, collect_sheets, create_campaign, write_sheets
from medassay.errors import InvalidInput
from medassay.judgements.campaign import Secret, find_plans
from medassay.study import Study

from .conftest import export, filled, ratings, saved, sheet_of

KEPT = "campaigns/main/secret.txt"


def sent_back(folder: Path) -> Path:
    cells = ratings(sheet_of(folder, "rater-1"))
    labels = {row[0]: ["Yes", "Yes", "No"] for row in cells[1:4]}
    return saved(folder.parent / "back" / "rater-1.csv", filled(cells, labels))


def test_a_campaign_keeps_its_secret_and_is_exported_again_with_it(folder: Path) -> None:
    done = export(folder, 7, repeats=2)
    assert KEPT in done.files
    assert (folder / KEPT).read_text(encoding="ascii") == f"{(7).to_bytes(32).hex()}\n"
    codes = set(find_plans(folder)["main"].by_code)
    sheet_of(folder, "rater-1").unlink()
    # Whatever is drawn for a new campaign: the one that is there goes by its own.
    again = export(folder, 8, repeats=2)
    assert again.files == ["campaigns/main/sheets/rater-1.xlsx"]
    assert set(find_plans(folder)["main"].by_code) == codes


def test_an_export_that_was_cut_off_leaves_no_secret_to_a_later_one(folder: Path) -> None:
    export(folder, 7)
    codes = set(find_plans(folder)["main"].by_code)
    # The plan is written last: without it the campaign never was.
    (folder / "campaigns" / "main" / "plan.toml").unlink()
    export(folder, 8)
    assert (folder / KEPT).read_text(encoding="ascii") == f"{(8).to_bytes(32).hex()}\n"
    assert not set(find_plans(folder)["main"].by_code) & codes


@pytest.mark.parametrize(
    ("content", "got"),
    [
        (None, "got no such file"),
        (b"", "got something else"),
        (b"00ff", "got something else"),
        (b"zz" * 32, "got something else"),
        ("\u00e4".encode() * 32, "got something else"),
    ],
)
def test_a_secret_that_is_gone_is_asked_for_by_the_export_alone(
    folder: Path, content: bytes | None, got: str
) -> None:
    export(folder)
    back = sent_back(folder)
    if content is None:
        (folder / KEPT).unlink()
    else:
        (folder / KEPT).write_bytes(content)
    taken = collect_sheets(Study.open_whole(folder), [back])
    assert taken.added == 9
    assert campaign_status(Study.open_whole(folder))["main"][0].done == 3
    with pytest.raises(InvalidInput) as caught:
        export(folder)
    (problem,) = caught.value.problems
    assert problem.file == KEPT
    assert got in str(problem)
    assert "Sheets come in without it" in str(problem)
    assert "zz" not in str(problem)


def test_another_campaign_has_another_order_even_with_the_same_secret(folder: Path) -> None:
    export(folder, 7, raters="anna")
    export(folder, 7, raters="ben", name="second")
    plans = find_plans(folder)
    one, other = plans["main"].assignments, plans["second"].assignments
    assert not {a.code for a in one} & {a.code for a in other}
    assert [a.item for a in one] != [a.item for a in other]


def test_the_secret_stands_in_no_other_file_and_in_nothing_that_is_returned(folder: Path) -> None:
    secret = Secret(bytes.fromhex("f3a1c95e07b2d4886119ec5b3f70a2cd" * 2))
    words = written_out(secret)
    said = []
    for form, name in (("xlsx", "main"), ("csv", "second")):
        raters = f"anna-{name},rater-1" if name == "main" else "ben"
        wishes = Wishes(raters=raters, name=name, repeats=2)
        said.append(repr(create_campaign(Study.open_whole(folder), wishes, secret)))
        said.append(repr(write_sheets(Study.open_whole(folder), name, form)))  # type: ignore[arg-type] # a column of the table above
    study = Study.open_whole(folder)
    said.append(repr(collect_sheets(study, [sent_back(folder)])))
    said += [repr(campaign_status(study)), repr(find_plans(folder))]
    holding = [
        path.relative_to(folder).as_posix()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and any(word in content for content in opened(path) for word in words)
    ]
    assert holding == [KEPT, "campaigns/second/secret.txt"]
    assert not any(word in text.encode() for text in said for word in words)


def written_out(secret: Secret) -> list[bytes]:
    """Write a secret in the ways in which it might slip into a file."""
    key = secret.key
    half = len(key) // 2
    hexes = [key.hex(), key.hex().upper(), key[:half].hex(), key[half:].hex()]
    numbers = [str(int.from_bytes(key, order)) for order in ("big", "little")]
    texts = [*hexes, *numbers, base64.b64encode(key).decode(), repr(key)]
    return [key, *(text.encode() for text in texts)]


def opened(path: Path) -> Iterator[bytes]:
    """Give a file's bytes, and those of everything packed into it."""
    content = path.read_bytes()
    yield content
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            yield from (archive.read(name) for name in archive.namelist())
