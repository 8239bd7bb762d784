"""Try an outside format on a study and its files, as the two verbs would."""

import json
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from medassay.analyses import run_study
from medassay.analyses.results import Results
from medassay.errors import InvalidInput
from medassay.exchange.declaration import (
    API,
    Format,
    Glimpse,
    Reads,
    Writes,
    asks,
    lacking,
    options,
    wants,
)
from medassay.exchange.outcome import Outcome
from medassay.exchange.registry import recognise
from medassay.judgements.campaign import Secret
from medassay.report import read_results, render
from medassay.study import Scored, Study, open_run
from medassay.study.scoring.score_study import score_study
from medassay.testing.hold import hold

_ID: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
_ODD: Final = {
    "empty.csv": b"", "table.csv": b"a,b\n1,2\n", "list.json": b"[[1]]", "null.json": b"null",
    "line.jsonl": b"{}\n", "text.txt": b"no table at all\n", "bytes": b"\x00\xff\xfe",
}  # fmt: skip


def check_format(
    file_format: Format,
    study: Path | str,
    *files: Path | str,
    taking: Mapping[str, object] | None = None,
    giving: Mapping[str, object] | None = None,
) -> str:
    """Does a format hold to what every format of medassay holds to?

    It declares what it is. Its files are known by what they hold, odd ones are not, and no format
    of ours takes them for its own. Taken twice they change nothing the second time, and a copy of
    the study gets the same bytes. A file cut in half is one error that changes nothing, or is read.
    What is written is the same twice, and no format of ours takes it for its own; results that it
    asks for are those of a run without the network. All of it is done to copies: the study itself
    is left as it is.

    Args:
        file_format: The format.
        study: A study's folder that takes the files, or has what is written.
        files: Files of the format, taken at once.
        taking: Values of its options where files are taken, parameter to value.
        giving: Values of its options where they are written.

    Returns:
        What people are told, line by line.

    Raises:
        AssertionError: What does not hold, in a sentence.
        InvalidInput: The study cannot be opened, or the format refuses a sound file.
    """
    _declared(file_format)
    lines: list[str] = []
    paths = [Path(file) for file in files]
    with TemporaryDirectory() as folder:
        here = Path(folder)
        if file_format.reads is not None and paths:
            _known(file_format, file_format.reads, paths, here)
            lines += _taken(
                file_format, file_format.reads, Path(study), paths, dict(taking or {}), here
            )
        if file_format.writes is not None:
            lines += _given(file_format, file_format.writes, Path(study), dict(giving or {}), here)
    return "\n".join(lines)


def _declared(file_format: Format) -> None:
    who = f'the format "{file_format.id}"'
    hold(file_format.api == API, who, f"be written for version {API} of formats", file_format.api)
    hold(
        _ID.match(file_format.id), who, "have an id of small letters, digits and -", file_format.id
    )
    hold(file_format.title.strip(), who, "have a title", "none")
    hold(file_format.reads or file_format.writes, who, "read or write files", "neither")
    lacks = lacking(file_format)
    hold(not lacks, who, "ask for what there is", lacks)
    for way in (file_format.reads, file_format.writes):
        hold(way is None or way.about.strip(), who, "say what is taken or written", "nothing")
    functions = [
        f
        for f in (
            file_format.reads and file_format.reads.take,
            file_format.writes and file_format.writes.give,
        )
        if f
    ]
    for option in (option for function in functions for option in options(function)):
        hold(option.option.help.strip(), who, f"say what {option.names[0]} is for", "nothing")


def _known(file_format: Format, reads: Reads, files: Sequence[Path], here: Path) -> None:
    who = f'the format "{file_format.id}"'
    for file in files:
        hold(reads.is_one(Glimpse(file)), who, f"know {file.name} by what it holds", "no")
    others = [
        other.id
        for other in recognise(files)
        if other.id != file_format.id and not (other.reads and other.reads.last and not reads.last)
    ]
    hold(not others, who, "have files that no other format takes for its own", ", ".join(others))
    for name, content in _ODD.items():
        (here / name).write_bytes(content)
        hold(not reads.is_one(Glimpse(here / name)), who, f"not know {content!r}", "yes")


def _taken(
    file_format: Format,
    reads: Reads,
    study: Path,
    files: Sequence[Path],
    options_: Mapping[str, Any],
    here: Path,
) -> list[str]:
    who = f'the format "{file_format.id}"'

    def take(into: Path, what: Sequence[Path]) -> Outcome:
        return reads.take(into if reads.makes_study else Study.open_whole(into), what, **options_)

    def fresh(name: str) -> Path:
        folder = here / name / study.name  # a new study may be called by its folder
        if reads.makes_study:
            folder.parent.mkdir()
        else:
            shutil.copytree(study, folder)
        return folder

    once, again = fresh("once"), fresh("again")
    lines = _outcome(who, take(once, files))
    take(again, files)
    held = _bytes_of(once)
    hold(held == _bytes_of(again), who, "write the same bytes each time", _other(once, again))
    if not reads.makes_study:
        take(once, files)
        hold(held == _bytes_of(once), who, "change nothing where files are taken twice",
             _other(once, again))  # fmt: skip
    for place, file in enumerate(path for path in files if path.is_file()):
        half, into = here / f"half-{place}" / file.name, fresh(f"into-{place}")
        half.parent.mkdir()
        half.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
        before = _bytes_of(into)
        if not _survives(who, f"half of {file.name}", partial(take, into, [half])):
            must = f"change nothing where half of {file.name} is refused"
            hold(before == _bytes_of(into), who, must, "another study")
    return lines


def _survives(who: str, what: str, call: Callable[[], object]) -> bool:
    """Say whether something is read; it may be refused, in the one form of every error."""
    try:
        call()
    except InvalidInput:
        return False
    except Exception as error:  # noqa: BLE001 - what it raises is what is asked
        hold(holds=False, who=who, must=f"read {what} or raise InvalidInput", got=repr(error))
    return True


def _given(
    file_format: Format, writes: Writes, study: Path, options_: Mapping[str, Any], here: Path
) -> list[str]:
    who = f'the format "{file_format.id}"'
    shutil.copytree(study, here / "source")
    opened = Study.open_whole(here / "source")
    results = _results(here / "source") if wants(writes.give, Results) else None
    have: dict[object, Callable[[], object]] = {
        Study: lambda: opened,
        Scored: lambda: score_study(opened, ()),
        Results: lambda: results,
        Secret: lambda: Secret(bytes(32)),
    }
    written, lines = [], [""]
    places = [here / name / "out" for name in ("given", "given-again")]
    for into in places:
        asked = [have[kind]() for kind in list(asks(writes.give).values())[:-1]]
        into.parent.mkdir()
        lines = _outcome(who, writes.give(*asked, into, **options_))
        written.append(_bytes_of(into.parent))
        hold(written[-1], who, "write where --into says", "nothing there")
    hold(
        written[0] == written[1],
        who,
        "write the same bytes each time",
        _other(*(place.parent for place in places)),
    )
    others = [other.id for other in recognise(places[:1]) if other.id != file_format.id]
    hold(not others, who, "write what no other format takes for its own", ", ".join(others))
    return [line.replace(f"{places[-1].parent}/", "") for line in lines]


def _results(folder: Path) -> Results:
    """Run a study as the verb does, and read what its report says."""
    run = open_run(folder, offline=True)
    results, _ = run_study(run)
    render(results, run.folder)
    return read_results(run.folder / "report.json")


def _outcome(who: str, outcome: object) -> list[str]:
    if isinstance(outcome, Outcome):
        try:
            json.dumps(outcome.facts, allow_nan=False)
        except (TypeError, ValueError) as error:
            hold(holds=False, who=who, must="say what it did in facts fit for JSON", got=error)
        return [str(line) for line in outcome.said]
    hold(holds=False, who=who, must="say what it did with an Outcome", got=outcome)
    return []


def _bytes_of(folder: Path) -> dict[str, bytes]:
    files = folder.rglob("*") if folder.is_dir() else []
    return {
        file.relative_to(folder).as_posix(): file.read_bytes() for file in files if file.is_file()
    }


def _other(path: Path, other: Path) -> str:
    ours, theirs = _bytes_of(path), _bytes_of(other)
    return ", ".join(k for k in sorted({*ours, *theirs}) if ours.get(k) != theirs.get(k))
