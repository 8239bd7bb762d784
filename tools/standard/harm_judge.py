"""A study of harm in which a certified model judged alone."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from medassay.analyses import judge_results
from medassay.judges import import_certificate, write_certificate
from medassay.study import Study
from tools.judged_harm import write_harm

_CASES: Final = 12
_HARMFUL: Final = 5
_TESTED_ON: Final = 80


def write_harm_judge(folder: Path) -> Path:
    """Write the study; its judge was tested on another one, with people."""
    write_harm(folder, judge="fair", harmful=_HARMFUL, cases=_CASES, people=0, models="certified")
    with TemporaryDirectory() as around:
        tested = Study.open_whole(
            write_harm(Path(around) / "tested", judge="fair", harmful=_TESTED_ON)
        )
        certificate = write_certificate(tested, judge_results(tested)[0])
        import_certificate(Study.open_whole(folder), certificate)
    return folder
