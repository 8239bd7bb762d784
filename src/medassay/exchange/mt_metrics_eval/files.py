"""The score files of mt-metrics-eval: one line a score, the systems' blocks in segment order."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from medassay.errors import InvalidInput, Problem
from medassay.tables import (
    decimal,
    decode,
    file_bytes,
    folder_problem,
    is_there,
    text_bytes,
    write_atomically,
)
from medassay.text import count_of

__all__ = [
    "NO_TEXT",
    "SegmentFiles",
    "SegmentScores",
    "read_mt_metrics_eval",
    "write_lines",
    "write_score_file",
]

NO_TEXT: Final = "[No translation supplied]"
"""How these files say that there is no text."""
_HUMAN: Final = re.compile(r"(?P<pair>[^.-]+-[^.-]+)\.(?P<name>.+)\.(?P<level>\w+)\.score")
_METRIC: Final = re.compile(r"(?P<name>.+)-(?P<ref>[^-]+)\.(?P<level>\w+)\.score")
_PAIR: Final = re.compile(r"[a-z]{2,3}-[a-z]{2,3}[.]")
_LEVELS: Final = ("seg", "sys", "doc", "domain")
_OTHERS: Final = {
    ".rating": "files of error spans (.rating)",
    ".txt": "files of texts: sources, references and outputs",
}


@dataclass(frozen=True)
class SegmentScores:
    """One file of scores of segments.

    Attributes:
        file: The file, as messages call it.
        kind: Whether people or a metric gave them.
        name: What gave them, such as `mqm` or `BLEU`.
        references: What a metric read, such as `refA`, `src` or `all`; empty for people.
        scores: System to its scores in the order of the segments; None where there is none.
    """

    file: str
    kind: Literal["human", "metric"]
    name: str
    references: str
    scores: Mapping[str, Sequence[float | None]]


@dataclass
class SegmentFiles:
    """What files or a folder of mt-metrics-eval hold.

    Attributes:
        scores: The files of scores of segments.
        segments: The names of the segments, where each is a document of its own; empty where they
            have none.
        left: What is not carried over, to how often it occurs.
    """

    scores: list[SegmentScores] = field(default_factory=list)
    segments: list[str] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)


def read_mt_metrics_eval(paths: Sequence[Path], pair: str | None = None) -> SegmentFiles:
    """Read score files, or the folder of a test set with its `human-scores` and `metric-scores`.

    Args:
        paths: Files that end in `.seg.score`, or a test set's folder.
        pair: The language pair, such as `en-de`, where a folder has several.

    Raises:
        InvalidInput: Every problem of every file.
    """
    problems: list[Problem] = []
    segment_files = SegmentFiles()
    for path in paths:
        try:
            if path.is_dir():
                _read_folder(segment_files, path, pair, problems)
            else:
                _read_file(segment_files, path, path.name, problems)
        except InvalidInput as error:
            problems += error.problems
    if not problems and not segment_files.scores:
        must, got = "hold scores of segments, in files that end in .seg.score", "none"
        problems.append(Problem(", ".join(map(str, paths)), must, got))
    if problems:
        raise InvalidInput(problems)
    return segment_files


def write_score_file(path: Path, scores: Mapping[str, Sequence[float | None]]) -> None:
    """Write scores, one block a system; None becomes the word None, which only people's may be."""
    lines = [
        f"{system}\t{'None' if value is None else repr(float(value))}"
        for system, values in scores.items()
        for value in values
    ]
    write_lines(path, lines)


def write_lines(path: Path, lines: Sequence[str]) -> None:
    """Write a text a line; a text of several lines becomes one, since a line is a segment."""
    flat = (" ".join(line.split()) if "\n" in line or "\r" in line else line for line in lines)
    write_atomically(path, text_bytes("".join(f"{line}\n" for line in flat)))


def _read_folder(
    segment_files: SegmentFiles, folder: Path, pair: str | None, problems: list[Problem]
) -> None:
    for name in ("human-scores", "metric-scores"):
        lost = folder_problem(folder / name, name) if is_there(folder / name) else None
        if lost is not None:
            problems.append(lost)
    human = sorted((folder / "human-scores").glob("*.score"))
    metrics = sorted((folder / "metric-scores").glob("*/*.score"))
    pairs = {path.name.partition(".")[0] for path in human} | {file.parent.name for file in metrics}
    if pair is None and len(pairs) > 1:
        must, hint = "hold one language pair", f"Choose one: --pair {min(pairs)}."
        problems.append(Problem(str(folder), must, ", ".join(sorted(pairs)), hint))
        return
    chosen = pair if pair is not None else next(iter(pairs), "")
    if chosen not in pairs:
        known = ", ".join(sorted(pairs)) or "no scores"
        problems.append(Problem(str(folder), f'hold scores of the pair "{chosen}"', known))
        return
    mine = [path for path in human if path.name.startswith(f"{chosen}.")]
    mine += [path for path in metrics if path.parent.name == chosen]
    for path in mine:
        try:
            _read_file(segment_files, path, path.relative_to(folder).as_posix(), problems)
        except InvalidInput as error:
            problems += error.problems
    documents = folder / "documents" / f"{chosen}.docs"
    if is_there(documents):
        segment_files.segments = _segments(documents)
    for path in sorted(folder.rglob("*")):
        if path.suffix in _OTHERS:
            segment_files.left[_OTHERS[path.suffix]] += 1


def _segments(documents: Path) -> list[str]:
    text, _ = decode(file_bytes(documents, documents.name), documents.name)
    names = [line.split()[-1] for line in text.splitlines() if line.split()]
    return names if len(set(names)) == len(names) else []


def _read_file(
    segment_files: SegmentFiles, path: Path, shown: str, problems: list[Problem]
) -> None:
    # Of a file on its own the name tells: people's begins with a language pair.
    above = {path.parent.name, path.parent.parent.name}
    human = "human-scores" in above or (
        "metric-scores" not in above and _PAIR.match(path.name) is not None
    )
    parts = (_HUMAN if human else _METRIC).fullmatch(path.name)
    if parts is None or parts["level"] not in _LEVELS:
        must = "be called NAME-REF.seg.score, or SRC-TGT.NAME.seg.score for people's scores"
        problems.append(Problem(shown, must, f'"{path.name}"'))
        return
    if parts["level"] != "seg":
        segment_files.left[f"files of scores of the level {parts['level']}"] += 1
        return
    scores = _scores(path, shown, human=human, problems=problems)
    lengths = {len(values) for values in scores.values()}
    if len(lengths) > 1:
        got = ", ".join(f"{len(values)} of {name}" for name, values in scores.items())
        problems.append(Problem(shown, "hold as many scores of each system", got))
        return
    references = "" if human else parts["ref"]
    kind: Literal["human", "metric"] = "human" if human else "metric"
    segment_files.scores.append(SegmentScores(shown, kind, parts["name"], references, scores))


def _scores(
    path: Path, shown: str, *, human: bool, problems: list[Problem]
) -> dict[str, list[float | None]]:
    text, _ = decode(file_bytes(path, shown), shown)
    scores: dict[str, list[float | None]] = {}
    for row, line in enumerate(text.splitlines(), start=1):
        cells = line.split()
        if not cells:
            continue
        if len(cells) != 2:  # noqa: PLR2004 - a system and its score
            problems.append(
                Problem(shown, "be a line of SYSTEM SCORE", count_of(len(cells), "word"), "", row)
            )
            continue
        system, word = cells
        value = decimal(word)
        if value is None and not (human and word == "None"):
            hint = "Only people's scores may be missing." if word == "None" else ""
            problems.append(Problem(shown, "have a number as score", f'"{word}"', hint, row))
            continue
        scores.setdefault(system, []).append(value)
    return scores
