"""A room to look at: a study that comes with medassay, three raters, a reviewer and a lead."""

import json
from pathlib import Path
from typing import Final, Literal, NamedTuple

from medassay.campaign.create import Wishes, create_campaign, write_files
from medassay.campaign.options import OPTIONS
from medassay.campaign.room.open import open_room
from medassay.campaign.room.room import Room
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER, PLAN, Kind, Secret
from medassay.study import Study, only_writer, write_demo
from medassay.tables import write_atomically

_CASES: Final = 3
_SYSTEMS: Final = ("S01", "S06", "S12", "S17", "S23", "S28")
_STUDY: Final = """\
schema = 1
title = "Synthetic study: documents, passages and a number"
synthetic = true
licence = "Apache-2.0"

[[dimensions]]
rubric = "rubric.toml"
"""
_RUBRIC: Final = """\
name = "parts"
title = "Documents, passages and a number"

[[dimensions]]
id = "relevance"
title = "Does the note help?"
question = "Would you need this part of the note to answer the question?"
about = "document"
scale = "ordinal"
labels = [
  { label = "needed", score = 2, description = "Without it the question cannot be answered." },
  { label = "helps", score = 1, description = "It makes an answer better." },
  { label = "not needed", score = 0, description = "An answer would be the same without it." },
]

[[dimensions]]
id = "errors"
title = "What is wrong in the answer"
question = "Mark each passage that the note does not support."
about = "span"
kinds = [
  { label = "contradicted", description = "The note says something else." },
  { label = "not in the note", description = "The note says nothing of it." },
]
severities = [
  { label = "minor", score = 1, description = "Nobody would act on it." },
  { label = "serious", score = 5, description = "Somebody might act on it and come to harm." },
]

[[dimensions]]
id = "usefulness"
title = "How useful is the answer?"
question = "For the person who asked: 0 for not at all, 100 for all that they need."
number = { low = 0, high = 100, unit = "points" }
"""


def _write_parts(folder: Path) -> None:
    """Write the study: cases and answers of the synthetic one, their notes as two documents.

    Raises:
        InvalidInput: The folder holds another study.
    """
    write_demo(folder, "archehr-synthetic")
    for file in ("judgements.csv", "raters.csv"):
        (folder / file).unlink()
    lines = (folder / "cases.jsonl").read_text("utf-8").splitlines()[:_CASES]
    cases = [_with_documents(json.loads(line)) for line in lines]
    known = {case["case"] for case in cases}
    write_atomically(folder / "cases.jsonl", _lines(cases))
    for path in (folder / "answers").iterdir():
        if path.stem not in _SYSTEMS:
            path.unlink()
            continue
        answers = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        write_atomically(path, _lines([_as_text(one) for one in answers if one["case"] in known]))
    write_atomically(folder / "study.toml", _STUDY.encode())
    write_atomically(folder / "rubric.toml", _RUBRIC.encode())


def _with_documents(case: dict[str, object]) -> dict[str, object]:
    sentences = case.pop("evidence")
    assert isinstance(sentences, list)  # noqa: S101 - of our own study
    texts = [str(sentence["text"]) for sentence in sentences]
    half = len(texts) // 2
    case["documents"] = [
        {"id": f"{part}", "title": f"Note, part {part}", "text": " ".join(some)}
        for part, some in (("1", texts[:half]), ("2", texts[half:]))
    ]
    return case


def _as_text(answer: dict[str, object]) -> dict[str, object]:
    """Give an answer without its citations, which were of sentences."""
    statements = answer.pop("statements", None)
    if isinstance(statements, list):
        answer["text"] = " ".join(str(statement["text"]) for statement in statements)
    return answer


def _lines(records: list[dict[str, object]]) -> bytes:
    return "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in records).encode()


DemoRoom = Literal["answers", "conversations", "pairs", "parts"]


class _Demo(NamedTuple):
    study: str  # empty: the one that `_write_parts` makes
    kind: Kind
    cases: int


_SAID: Final = ("judgements.csv", "preferences.csv", "raters.csv")
"""What the invented raters of a study said: its room opens before anybody has rated."""
# Some fifteen to twenty answers a rater.
_DEMOS: Final[dict[DemoRoom, _Demo]] = {
    "answers": _Demo("archehr-synthetic", "answers", 1),
    "conversations": _Demo("healthbench-synthetic", "answers", 6),
    "pairs": _Demo("healthbench-synthetic", "preferences", 4),
    "parts": _Demo("", "answers", 3),
}
_OPTIONS: Final = """\
[plan]
cases = {cases}

[room]
primary = "None: this room is there to be looked at"
guesses = 3

[room.information]
text = "A demonstration of the rating room. The study, its systems and its texts are invented, and \
nothing in them is advice. What you say stays on this machine."
ethics = "None is needed: nobody is studied"
danger = "Nobody: these texts are about no real patient"
withdrawal = "Stop whenever you like, and delete the folder"
"""


def open_demo(folder: Path, rate: DemoRoom) -> Room:
    """Open the room of an invented study for three raters; one that is there goes on.

    The campaign is called as what is rated.

    Args:
        folder: Where the study is written, or was by an earlier call.
        rate: `answers` with citations, by dimensions; `conversations`, by criteria; `pairs` of
            answers, side by side; or `parts`: documents before the answer, passages in it, and a
            number.

    Raises:
        InvalidInput: The folder holds something else.
        MissingBackend: SQLAlchemy is not installed.
    """
    demo = _DEMOS[rate]
    there = (folder / FOLDER / rate / PLAN).is_file()
    if not there and folder.is_dir() and any(folder.iterdir()):
        must, hint = f"be a new folder, or that of a demo of {rate}", "Give another folder."
        raise InvalidInput(Problem(str(folder), must, "other files", hint))
    with only_writer(folder, new=True):
        if not there:
            _write(folder, demo)
        study = Study.open_whole(folder)
        if not there:
            write_files(folder, rate, {OPTIONS: _OPTIONS.format(cases=demo.cases).encode()})
            wishes = Wishes("3", rate, demo.kind, overlap=2, batch=6, calibration=1)
            create_campaign(study, wishes, Secret.new())
        return open_room(study, rate)


def _write(folder: Path, demo: _Demo) -> None:
    if not demo.study:
        _write_parts(folder)
        return
    write_demo(folder, demo.study)
    for file in _SAID:
        (folder / file).unlink(missing_ok=True)
