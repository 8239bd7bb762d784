"""Every command that takes a file in ends with two and a message, whatever the file is."""

import os
import sys
from pathlib import Path
from typing import Final

import pytest

from medassay.__main__ import main
from medassay.study import new_study

LONG: Final = "9" * 5000
GRADE: Final = f"1{'0' * 400}"
HOSTILE: Final = {
    "deep.json": "[" * 100_000,
    "digits.json": f"[{LONG}]",
    "half.json": '[{"case_id": "\\ud83d", "prediction": "\\ud83d"}]',
    "half_object.json": '{"samples": [{"id": "\\ud83d"}], "eval": {}}',
    "nan.json": "[NaN]",
    "grade.json": f'[{{"id": {GRADE}, "value": {GRADE}}}]',
    "entities.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    "half.jsonl": '{"case": "\\ud83d", "system": "\\ud83d", "value": 1}\n',
    "deep.csv": f'case,system,value,text,statements\nc1,A,1,a,"{"[" * 50_000}"\n',
    "orders.csv": "rater\x1b[31m,system,case,dimension,label\nr,A,c,quality,5\n",
    "digits.csv": f"system,case,value\nA,c1,{LONG}\n",
    "qrels.txt": f"q1 0 d1 {LONG}\n",
    "run.txt": f"q1 Q0 d1 1 {LONG} run\n",
    "a.seg.score": f"A\t{LONG}\n",
    "hidden.csv": "rater,system,case,dimension,label\nr\u202e,A,c,quality,5\n",
    "cut.eval": "PK",
    "zero.csv": "a\x00b,c\n1,2\n",
    "digits.toml": f"name = {LONG}\n",
}
TO_STUDY: Final = ("judgements", "preferences", "scores", "answers", "potato", "label-studio",
                   "redcap",
                   "inspect", "mt-metrics-eval", "trec-run", "trec-qrels")  # fmt: skip
COMMANDS: Final = [
    *(["import", kind, "FILE", "--into", "STUDY"] for kind in TO_STUDY),
    *(["import", kind, "FILE", "--into", "NEW"] for kind in ("environmental-health", "med-gpt")),
    ["import", "--from", "archehr", "FILE", "--cases", "FILE", "--into", "NEW"],
    ["import", "--from", "archehr", "--cases", "FILE", "--key", "FILE", "--into", "NEW"],
    ["campaign", "collect", "STUDY", "FILE"],
    ["judge", "STUDY", "--certificate", "FILE"],
    ["rubric", "check", "FILE"],
    ["compare", "FILE", "FILE"],
    ["report", "FILE"],
    ["check", "FILE"],
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    for name, text in HOSTILE.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "folder.csv").mkdir()
    if sys.platform != "win32":
        (folder / "lost.json").symlink_to("annex/of/somebody")
        os.mkfifo(folder / "pipe.csv")
    new_study(folder / "study", "ratings")
    return folder


@pytest.mark.parametrize("command", COMMANDS, ids=[" ".join(one[:2]) for one in COMMANDS])
def test_it_is_refused_with_a_message(
    place: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    words = {"STUDY": str(place / "study"), "NEW": str(place / "new")}
    for file in sorted(place.iterdir()):
        if file.name in {"study", "new"}:
            continue
        with pytest.raises(SystemExit) as ended:
            main([words.get(word, str(file) if word == "FILE" else word) for word in command])
        said = capsys.readouterr().err
        assert ended.value.code == 2, file.name
        # An option that takes a file refuses a folder itself; a rubric without .toml is a name.
        assert any(word in said for word in ("must", "Invalid value", "there is no")), file.name
        assert not set(said) & set("\x1b\x07\u202e"), file.name
        assert not (place / "new").exists()
