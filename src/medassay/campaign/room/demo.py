"""A room to look at: a study that comes with medassay, three raters, a reviewer and a lead."""

from pathlib import Path
from typing import Final, Literal, NamedTuple

from medassay.campaign.create import Wishes, create_campaign, write_files
from medassay.campaign.options import OPTIONS
from medassay.campaign.room.demo_parts import write_parts
from medassay.campaign.room.open import open_room
from medassay.campaign.room.room import Room
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER, PLAN, Kind, Secret
from medassay.study import Study, only_writer, write_demo

__all__ = ["DemoRoom", "open_demo"]

DemoRoom = Literal["answers", "conversations", "pairs", "parts"]


class _Demo(NamedTuple):
    study: str  # empty: the one that `write_parts` makes
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
danger = "Nobody: no patient stands behind these texts"
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
        write_parts(folder)
        return
    write_demo(folder, demo.study)
    for file in _SAID:
        (folder / file).unlink(missing_ok=True)
