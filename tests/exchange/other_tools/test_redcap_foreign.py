"""REDCap projects that somebody else made, and files that are not as they must be."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.exchange.redcap_exports import exported
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.exchange.redcap.declared import redcap_fields
from medassay.exchange.redcap.export import read_table
from medassay.exchange.redcap.fields import (
    HEADER,
    codes_of,
    dictionary_bytes,
    rating_fields,
    read_dictionary,
)
from medassay.judgements import Dimension, Label, Rubric
from medassay.judgements.rubric import NumberScale
from medassay.study import Study
from medassay.tables import csv_bytes
from medassay.tables.grid import read_delimited

Run = Callable[..., Any]
Refused = Callable[..., list[str]]
QUALITY = "1, 5 | 2, 4 | 3, <b>3</b> | 4, 2 | 5, 1 | 98, Cannot judge"
"""Coded the other way round: a code is no label."""
FIELDS = (
    ("study_id", "setup", "text", "Study ID", ""),
    ("chatbot", "setup", "dropdown", "Chatbot", "1, system-a | 2, system-b"),
    ("vignette", "setup", "text", "Vignette", ""),
    ("reviewer", "review", "radio", "Reviewer", "1, anna | 2, ben"),
    ("overall", "review", "radio", "Overall", QUALITY),
    ("tools", "review", "checkbox", "Tools used", "1, Book | 2, Web"),
    ("comment", "review", "notes", "Comment", ""),
)
NAMES = ("--column", "quality=overall", "--column", "rater=reviewer", "--column", "system=chatbot",
         "--column", "case=vignette")  # fmt: skip
RECORDS = [
    {"study_id": "7", "chatbot": "1", "vignette": "sprain", "setup_complete": "2"},
    {"study_id": "7", "redcap_repeat_instrument": "review", "redcap_repeat_instance": "1",
     "reviewer": "1", "overall": "2", "tools___1": "1", "tools___2": "0",
     "comment": "Fine.", "review_complete": "2"},
    {"study_id": "7", "redcap_repeat_instrument": "review", "redcap_repeat_instance": "2",
     "reviewer": "2", "overall": "98", "tools___1": "0", "tools___2": "0"},
]  # fmt: skip


def dictionary_of(fields: Any = FIELDS) -> bytes:  # noqa: ANN401 - rows of words
    places = (0, 1, 3, 4, 5)
    rows = []
    for field in fields:
        row = [""] * len(HEADER)
        for place, cell in zip(places, field, strict=True):
            row[place] = cell
        rows.append(row)
    return csv_bytes(HEADER, rows)


@pytest.fixture
def dictionary(tmp_path: Path) -> Path:
    (tmp_path / "dictionary.csv").write_bytes(dictionary_of())
    return tmp_path / "dictionary.csv"


def written(folder: Path, content: bytes, name: str = "records.csv") -> Path:
    (folder / name).write_bytes(content)
    return folder / name


def now(study: Path) -> list[tuple[object, ...]]:
    rows = (
        Study.open_whole(study).judgements.current().filter(pl.col("rater").is_in(["anna", "ben"]))
    )
    return rows.select("rater", "system", "case", "label", "reason", "comment").rows()


@pytest.mark.parametrize("cells", ["raw", "labels"])
@pytest.mark.parametrize("header", ["raw", "labels"])
def test_codes_of_another_project_are_read_by_its_dictionary(
    study: Path, tmp_path: Path, dictionary: Path, medassay: Run, cells: str, header: str
) -> None:
    file = written(tmp_path, exported(dictionary_of(), RECORDS, cells=cells, header=header))
    for added in (2, 0):
        taken = medassay("import", file, dictionary, "--into", study, *NAMES)
        assert taken["added"] == added
        assert taken["notes"] == [
            "not carried over: answers to tools, which is no dimension of the rubric (1).",
        ]
    assert now(study) == [
        ("anna", "system-a", "sprain", "4", None, "Fine."),
        ("ben", "system-a", "sprain", None, "cannot_judge", None),
    ]


def test_rows_of_one_record_may_be_about_several_answers(
    study: Path, tmp_path: Path, dictionary: Path, medassay: Run
) -> None:
    rows = [
        {"study_id": "sprain", "redcap_event_name": f"bot_{bot}_arm_1", "chatbot": bot,
         "vignette": "sprain", "reviewer": "1", "overall": code}
        for bot, code in (("1", "1"), ("2", "5"))
    ]  # fmt: skip
    file = written(tmp_path, exported(dictionary_of(), rows))
    taken = medassay("import", file, dictionary, "--into", study, *NAMES)
    assert "not carried over: names of events (2)." in taken["notes"]
    assert [row[1:4] for row in now(study)] == [
        ("system-a", "sprain", "5"),
        ("system-b", "sprain", "1"),
    ]


def test_what_events_say_differently_is_true_of_no_other_event(
    study: Path, tmp_path: Path, dictionary: Path, refused: Refused
) -> None:
    rows = [
        {"study_id": "sprain", "redcap_event_name": f"visit_{place}_arm_1", "chatbot": bot,
         "vignette": "sprain", "reviewer": str(place), "overall": "1"}
        for place, bot in ((1, "1"), (2, "2"), (1, ""))
    ]  # fmt: skip
    file = written(tmp_path, exported(dictionary_of(), rows))
    (problem,) = refused("import", file, dictionary, "--into", study, *NAMES)
    assert problem.startswith("records.csv, row 4, column overall: must be a code of this study")
    assert "It lacks chatbot" in problem


def test_records_may_be_named_in_a_table_of_their_own(
    study: Path, tmp_path: Path, medassay: Run
) -> None:
    items = written(tmp_path, b"id,model,case\n7,system-b,sprain\n", "items.csv")
    file = written(tmp_path, b"record_id,who,overall,review_complete\n7,anna,4,2\n")
    names = ["--column", "quality=overall", "--column", "rater=who", "--column", "system=model"]
    refused_names = medassay("import", file, "--into", study, "--items", items, *names)
    assert refused_names["added"] == 1
    assert now(study) == [("anna", "system-b", "sprain", "4", None, None)]


def test_a_checkbox_takes_one_tick(
    study: Path, tmp_path: Path, dictionary: Path, medassay: Run, refused: Refused
) -> None:
    fields = [(*row[:2], "checkbox" if row[0] == "overall" else row[2], *row[3:]) for row in FIELDS]
    dictionary.write_bytes(dictionary_of(fields))
    codes = ("1", "2", "3", "4", "5", "98")
    one = {f"overall___{code}": str(int(code == "2")) for code in codes}
    records = [{**RECORDS[0], "reviewer": "1", **one}]
    for cells in ("raw", "labels"):
        file = written(tmp_path, exported(dictionary.read_bytes(), records, cells=cells))
        medassay("import", file, dictionary, "--into", study, *NAMES)
    assert now(study) == [("anna", "system-a", "sprain", "4", None, None)]
    records[0]["overall___5"] = "1"
    file = written(tmp_path, exported(dictionary.read_bytes(), records))
    (problem,) = refused("import", file, dictionary, "--into", study, *NAMES)
    assert problem == (
        "records.csv, row 2, column overall___5: must choose one thing; got 4, 1. A dimension "
        "takes one label."
    )


def test_projects_of_several_raters_are_read_at_once(
    study: Path, tmp_path: Path, dictionary: Path, medassay: Run
) -> None:
    files = [
        written(
            tmp_path,
            exported(dictionary_of(), [{**RECORDS[0], "reviewer": code, "overall": code}]),
            f"{code}.csv",
        )
        for code in ("1", "2")
    ]
    taken = medassay("import", *files, dictionary, "--into", study, *NAMES)
    assert taken["added"] == 2
    assert [row[3] for row in now(study)] == ["5", "4"]


def test_however_it_was_saved_it_says_the_same(
    study: Path, tmp_path: Path, dictionary: Path, medassay: Run
) -> None:
    plain = exported(dictionary_of(), RECORDS)
    forms = {
        "mark.csv": b"\xef\xbb\xbf" + plain,
        "semicolons.csv": exported(dictionary_of(), RECORDS, separator=";"),
        "tabs.tsv": exported(dictionary_of(), RECORDS, separator="\t"),
        "returns.csv": exported(dictionary_of(), RECORDS, end="\r\n"),
        "wide.csv": plain.decode().encode("utf-16"),
        "excel.csv": plain.replace(b",2,1,0,Fine.", b",2.0,1.0,0.0,Fine."),
    }
    added = 2
    for name, content in forms.items():
        file = written(tmp_path, content, name)
        taken = medassay("import", "--from", "redcap", file, dictionary, "--into", study, *NAMES)
        assert (taken["added"], taken["known"]) == (added, 2 - added), name
        added = 0
    taken = medassay("import", tmp_path / "semicolons.csv", dictionary, "--into", study, *NAMES)
    assert taken["notes"][0].startswith("semicolons.csv: must have a comma between its cells")


def test_every_problem_is_said_with_its_place(
    study: Path, tmp_path: Path, dictionary: Path, refused: Refused
) -> None:
    words = ["import", "--from", "redcap", tmp_path / "records.csv", dictionary, "--into", study]
    words += NAMES
    rows = [dict(row) for row in RECORDS]
    rows[1]["overall"] = "02-Jan"
    rows[2]["overall"] = "Cannot judge"
    rows += [{**rows[1], "reviewer": "", "overall": "1", "redcap_repeat_instance": "3"},
             {"study_id": "", "overall": "1"}]  # fmt: skip
    written(tmp_path, exported(dictionary_of(), rows))
    assert refused(*words) == [
        "records.csv, row 6, column study_id: must name the record; got nothing.",
        (
            "records.csv, row 3, column overall: must be a code of overall: 1, 2, 3, 4, 5, 98; got "
            '"02-Jan". Is the dictionary that of these records? Empty a cell that says it is '
            "missing."
        ),
        (
            "records.csv, row 4, column overall: must be a code of overall: 1, 2, 3, 4, 5, 98; got "
            '"Cannot judge", a label where the file has codes. Export the file again, as raw data '
            "or as labels."
        ),
        (
            "records.csv, row 5, column overall: must say who rated; got nobody. Fill the field "
            "reviewer."
        ),
    ]
    twice = [RECORDS[0], RECORDS[1], {**RECORDS[2], "reviewer": "1"}]
    written(tmp_path, exported(dictionary_of(), twice))
    (problem,) = refused(*words)
    assert problem == (
        "records.csv, row 4, column overall: must say what anna says of the same answer in "
        'records.csv, row 3; got "Cannot judge", not "4". Delete one of the two, or give each '
        "rater a different name."
    )
    lost = [{**RECORDS[0], "vignette": "flu"}, *RECORDS[1:]]
    written(tmp_path, exported(dictionary_of(), lost))
    (problem,) = refused(*words)
    assert "must name a case of the study in the field vignette" in problem
    (problem,) = refused(*words[:-2], "--column", "case=vignete")
    assert problem.startswith('--column: must name a field of the files behind case=; got "vignet')


def test_a_record_of_no_study_is_named(study: Path, tmp_path: Path, refused: Refused) -> None:
    file = written(tmp_path, b"record_id,rater,quality,rating_complete\nBCDF-GHJK,anna,4,2\n")
    (problem,) = refused("import", file, "--into", study)
    assert problem.startswith(
        "records.csv, row 2, column quality: must be a code of this study, or say its system"
    )
    file = written(tmp_path, b"record_id,who,overall,rating_complete\n7,anna,4,2\n")
    (problem,) = refused("import", file, "--into", study)
    assert problem.startswith(
        "the files: must answer a dimension of the rubric: quality; got overall"
    )


BAD_DICTIONARIES = {
    "no choices": ((*FIELDS[4][:4], ""), "must hold the choices of the field; got none"),
    "no code": (
        (*FIELDS[4][:4], "Good | Bad"),
        'must hold choices such as 1, Good | 2, Bad; got "G',
    ),
    "one code": ((*FIELDS[4][:4], "1, a | 1, b"), "must give each choice a different code"),
    "no name": (("", *FIELDS[4][1:]), "must name the field; got nothing"),
    "twice": (FIELDS[3], 'must name each field once; got "reviewer" again, after row 5'),
}


@pytest.mark.parametrize("name", BAD_DICTIONARIES)
def test_a_dictionary_that_is_none_is_refused(
    study: Path, tmp_path: Path, refused: Refused, name: str
) -> None:
    field, must = BAD_DICTIONARIES[name]
    fields = [*FIELDS[:4], field, *FIELDS[5:]]
    bad = written(tmp_path, dictionary_of(fields), "dictionary.csv")
    file = written(tmp_path, exported(dictionary_of(), RECORDS))
    problems = refused("import", file, bad, "--into", study, *NAMES)
    assert must in problems[0]
    assert problems[0].startswith("dictionary.csv, row ")


def test_a_dictionary_alone_and_half_a_header_are_refused(
    study: Path, tmp_path: Path, dictionary: Path, refused: Refused
) -> None:
    (problem,) = refused("import", dictionary, "--into", study)
    assert "must come with the records that raters filled; got a data dictionary alone" in problem
    cut = written(tmp_path, b"Variable / Field Name,Field Type\na,text\n", "cut.csv")
    (problem,) = refused("import", "--from", "redcap", cut, "--into", study)
    assert "none called Form Name, Field Label" in problem
    other = written(tmp_path, dictionary_of([FIELDS[0], (*FIELDS[4][:4], "1, 1 | 2, 2")]), "b.csv")
    file = written(tmp_path, exported(dictionary_of(), RECORDS))
    problems = refused("import", file, dictionary, other, "--into", study, *NAMES)
    assert "must say of the field overall what the other dictionary says" in problems[0]


def test_labels_that_fields_share_are_not_guessed(
    study: Path, tmp_path: Path, dictionary: Path, refused: Refused
) -> None:
    fields = [*FIELDS[:-1], ("other", "review", "notes", "Overall", ""), FIELDS[-1]]
    dictionary.write_bytes(dictionary_of(fields))
    file = written(tmp_path, exported(dictionary_of(), RECORDS, cells="labels"))
    (problem,) = refused("import", file, dictionary, "--into", study, *NAMES)
    assert "must hold all fields that share a label, or none; got 1 of 2: overall, other" in problem


IDS = st.lists(
    st.text(min_size=1, max_size=40).filter(
        lambda name: not set(name) & set("(),=@") and name.isprintable() and name == name.strip()
    ),
    min_size=1, max_size=12, unique=True,
)  # fmt: skip


@given(IDS)
def test_names_are_those_that_redcap_takes_whatever_the_dimensions_are_called(
    ids: list[str],
) -> None:
    asked = [
        Dimension(id=name, question="?", scale="interval", number=NumberScale()) for name in ids
    ]
    names = [
        name
        for one in rating_fields(asked)
        for name in (one.said, one.reason, one.confidence, one.comment)
    ]
    assert len(set(names)) == len(names)
    for name in names:
        assert name.isascii()
        assert name[0].isalpha()
        assert name == name.lower()
        assert name.replace("_", "").isalnum()
        assert "__" not in name
        assert 2 <= len(name) <= 26


@given(IDS, IDS)
def test_a_dictionary_is_read_as_it_was_written(ids: list[str], words: list[str]) -> None:
    plain = [word for word in words if "|" not in word and "<" not in word]
    labels = tuple(Label(label=word) for word in (plain if len(plain) > 1 else ["a", "b"]))
    asked = tuple(
        Dimension(id=name, question="Well?", scale="nominal", labels=labels) for name in ids
    )
    fields = redcap_fields(Rubric(name="odd", dimensions=asked))
    read = read_dictionary(read_delimited(dictionary_bytes(fields), "d.csv"))
    assert [one.meaning for one in read.values()] == [one.meaning for one in fields]
    assert [one.name for one in read.values()] == [one.name for one in fields]


@given(st.lists(st.text("0123456789ab", min_size=1, max_size=4), min_size=2, unique=True))
def test_codes_are_whole_numbers_and_no_two_are_alike(words: list[str]) -> None:
    codes = codes_of(words)
    assert len(set(codes.values())) == len(words) + 2
    assert all(code.isdigit() for code in codes.values())


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_export_is_read_or_refused_in_one_error(
    study: Path, tmp_path: Path, dictionary: Path, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 - damage, not secrets
    content = bytearray(exported(dictionary_of(), RECORDS, cells=chance.choice(["raw", "labels"])))
    for _ in range(chance.randrange(1, 6)):
        content[chance.randrange(len(content))] = chance.choice(b'",;\n\r\t|^0159aZ\xff\x00=')
    file = written(tmp_path, bytes(content))
    before = {path: path.read_bytes() for path in study.rglob("*") if path.is_file()}
    words = ["import", "--from", "redcap", file, dictionary, "--into", study, *NAMES]
    done = CliRunner().invoke(app, list(map(str, words)))
    assert done.exception is None or isinstance(done.exception, InvalidInput)
    if done.exception is not None:
        after = {path: path.read_bytes() for path in study.rglob("*") if path.is_file()}
        assert {path: after.get(path) for path in before} == before


def test_cells_that_are_codes_and_labels_are_not_guessed(
    study: Path, tmp_path: Path, dictionary: Path, medassay: Run, refused: Refused
) -> None:
    head = b"study_id,chatbot,vignette,reviewer,overall"
    words = ["import", "--from", "redcap", tmp_path / "records.csv", dictionary, "--into", study]
    written(tmp_path, head + b"\n7,,sprain,,2\n")
    (problem,) = refused(*words, *NAMES)
    assert problem == (
        'records.csv, column overall: must show whether it holds codes or labels; got "2", which '
        "is both. Export whole forms: how far each is filled, as in FORM_complete, tells."
    )
    for cells, label in ((b"system-a,sprain,anna,2,Complete", "2"), (b"1,sprain,1,2,2", "4")):
        written(tmp_path, head + b",review_complete\n7," + cells + b"\n")
        medassay(*words, *NAMES)
        assert now(study)[-1][3] == label


def test_columns_of_one_name_are_told_apart(tmp_path: Path) -> None:
    file = written(tmp_path, b"ID,Complete?,X,Complete?,X\n1,a,b,c,d\n")
    assert list(read_table(file).columns) == ["ID", "Complete?", "X", "Complete? (2)", "X (2)"]
