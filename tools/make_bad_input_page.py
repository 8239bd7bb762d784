"""Write docs/bad-input.md: every kind of bad input, and what medassay says to it.

    python -m tools.make_bad_input_page

Each input is made and each command run; the page holds what was printed. A test writes the page
again and compares.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tools.bad_input.bad_case import BadCase, outcome_of
from tools.bad_input.choices import CHOICES, NOTED
from tools.bad_input.evaluation_tools import EVALUATION_TOOLS
from tools.bad_input.judges import JUDGES
from tools.bad_input.other_tools import OTHER_TOOLS
from tools.bad_input.panel_files import PANEL_FILES
from tools.bad_input.ratings import RATINGS
from tools.bad_input.read_anyway import READ_ANYWAY
from tools.bad_input.refused import REFUSED
from tools.bad_input.results_files import RESULTS_FILES
from tools.bad_input.shared_task import SHARED_TASK
from tools.bad_input.sheets import ODD, SHEETS
from tools.bad_input.tables import TABLES

PAGE: Final = Path(__file__).parents[1] / "docs" / "bad-input.md"
BAD_CASES: Final = (
    *READ_ANYWAY,
    *NOTED,
    *REFUSED,
    *CHOICES,
    *RATINGS,
    *JUDGES,
    *SHARED_TASK,
    *RESULTS_FILES,
    *PANEL_FILES,
    *OTHER_TOOLS,
    *EVALUATION_TOOLS,
    *SHEETS,
    *TABLES,
    *ODD,
)
_HEAD: Final = """\
# Bad input, and what is said to it

Files come from spreadsheets, scripts and colleagues. This page lists what goes wrong with them. \
Every input below was made from a sound study and every command was run; the messages are what was \
printed. The page is written by `python -m tools.make_bad_input_page`, and a test compares it.

A message says the file, the row as a spreadsheet counts it, the column, what must be there, what \
was there, and what to try. All problems of a study are named at once, and `--json` gives them as \
data.
"""
_READ: Final = """
## Read all the same, and said

The values are beyond doubt, so they are read. The note stands in `medassay check`, in the report \
and in its JSON. The exit code is 0.
"""
_REFUSED: Final = """
## Refused

Nothing is read, guessed or changed. The exit code is 2.
"""
_TABLES: Final = """
## Tables of your own

Spreadsheets under any headers. What may be two things is asked, with the option that answers it; \
one cause is told once, with a count and the first places. The exit code is 2.
"""
_SHEETS: Final = """
## Rating sheets that come back

All of a file is taken in or none of it, and every cell is named as a spreadsheet names it. What \
is clear all the same is read: rows and columns in any order, pages renamed, `4.0` for `4`, small \
and capital letters, blanks, semicolons, other encodings, ODS and old Excel. The exit code is 2.
"""
_TASK: Final = """
## A shared task's own files

Submissions to ArchEHR-QA, and its cases and keys. Each message begins with what the official \
scorer makes of it. The exit code is 2 where it would refuse or misread the file, and 0 where \
something only costs points.
"""
_TOOLS: Final = """
## Other tools' files

Annotations of Potato and Label Studio, records of REDCap, logs of Inspect, scores of \
mt-metrics-eval. Nothing is taken of files that hold a problem. [other-tools.md](other-tools.md) \
says what is read and what is not carried over. The exit code is 2.
"""
_ODD: Final = """
What is odd and takes no label away is read, and said; the exit code is 0. `--dry-run` says what \
an import would do and writes nothing. Each label that an import changes is listed: on the screen, \
in `--json` and in `campaigns/<name>/changes.csv`. An empty cell never takes a label away.
"""
_NOTHING: Final = "(nothing: it is part of UTF-8 as spreadsheets write it)"


def page() -> str:
    """Make every input, run every command, and write down what was said."""
    return "".join(
        [
            *(
                _HEAD,
                _READ,
                _table([*READ_ANYWAY, *NOTED]),
                _REFUSED,
                _table([*REFUSED, *CHOICES, *RATINGS, *JUDGES, *RESULTS_FILES, *PANEL_FILES]),
            ),
            *(_TASK, _table(SHARED_TASK), _TOOLS, _table([*OTHER_TOOLS, *EVALUATION_TOOLS])),
            *(_TABLES, _table(TABLES)),
            *(_SHEETS, _table(SHEETS)),
            *(_ODD, _table(ODD)),
        ]
    )


def _table(cases: Sequence[BadCase]) -> str:
    lines = ["", "| input | how it is made | what is said |", "| --- | --- | --- |"]
    for case in cases:
        said = outcome_of(case).said
        shown = "<br>".join(f"`{line}`" for line in said.split("\n")) if said else _NOTHING
        made = case.made
        if case.command != BadCase.command:
            made += f"; `{case.command}`"
        cells = [cell.replace("|", "\\|") for cell in (case.name, made, shown)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.name}, {len(BAD_CASES)} inputs")
