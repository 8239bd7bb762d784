"""TREC's two files: a run (what a system retrieved) and qrels (which documents are relevant)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.tables import decimal, decode, file_bytes, number_hint, text_bytes, write_atomically
from medassay.text import count_of

__all__ = ["TrecRun", "read_trec_qrels", "read_trec_run", "write_trec_qrels", "write_trec_run"]

_RUN: Final = ("topic", "Q0", "document", "rank", "score", "tag")
_QRELS: Final = ("topic", "0", "document", "grade")
_BREAK: Final = re.compile(r"\r\n|\n|\r")
_Ranking = Sequence[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class TrecRun:
    """What a run file says.

    Attributes:
        rankings: Topic to its documents with their scores, the highest first, ties as trec_eval
            breaks them: by id, from last to first.
        notes: What was odd, and was read all the same.
    """

    rankings: dict[str, list[tuple[str, float]]]
    notes: tuple[Problem, ...]


def read_trec_run(path: Path | str) -> TrecRun:
    """Read a run: `topic Q0 document rank score tag`, one document a line.

    As in trec_eval the scores decide, neither the ranks nor the order of the lines; where they
    differ it is noted.

    Raises:
        InvalidInput: Every line that is none of a run, and every document twice in a ranking.
    """
    path = Path(path)
    problems: list[Problem] = []
    scores: dict[str, dict[str, float]] = {}
    for line, (topic, _, document, _, score, _) in _lines(path, _RUN, problems):
        number = decimal(score)
        if number is None:
            must, hint = "have a number as score", number_hint(score)
            problems.append(Problem(path.name, must, f'"{score}"', hint, row=line))
        elif document in scores.setdefault(topic, {}):
            must, got = "name each document once in a ranking", f'"{document}" again'
            hint = "Which of its scores holds?"
            problems.append(Problem(path.name, must, f"{got} for topic {topic}", hint, row=line))
        else:
            scores[topic][document] = number
    if problems:
        raise InvalidInput(problems)
    rankings = {
        topic: sorted(scored.items(), key=lambda item: (item[1], item[0]), reverse=True)
        for topic, scored in scores.items()
    }
    moved = [topic for topic in rankings if not _falls(scores[topic])]
    if not moved:
        return TrecRun(rankings, ())
    got = f"other orders for {len(moved)} of {len(rankings)} topics, {moved[0]} first"
    hint = "The scores were taken, as trec_eval does."
    return TrecRun(rankings, (Problem(path.name, "list documents by falling score", got, hint),))


def read_trec_qrels(path: Path | str) -> dict[str, dict[str, int]]:
    """Read qrels: `topic 0 document grade`, one judgement a line.

    Raises:
        InvalidInput: Every line that is none of qrels, every document that is graded twice, and
            every negative grade.
    """
    path = Path(path)
    problems: list[Problem] = []
    grades: dict[str, dict[str, int]] = {}
    for line, (topic, _, document, grade) in _lines(path, _QRELS, problems):
        number = decimal(grade)
        if number is None or not number.is_integer() or number < 0:
            negative = number is not None and number < 0
            hint = "trec_eval counts it as not relevant: write 0." if negative else ""
            must = "have a whole number of 0 or more as grade"
            problems.append(Problem(path.name, must, f'"{grade}"', hint, row=line))
        elif document in grades.setdefault(topic, {}):
            must, got = "grade each document once for a topic", f'"{document}" for {topic} again'
            problems.append(Problem(path.name, must, got, row=line))
        else:
            grades[topic][document] = int(number)
    if problems:
        raise InvalidInput(problems)
    return grades


def write_trec_run(path: Path, rankings: Mapping[str, _Ranking], tag: str) -> None:
    """Write a run; what `read_trec_run` reads of it is the same.

    Raises:
        InvalidInput: An id has a blank in it, which the file cannot hold.
    """
    _refuse_blanks(
        path, {tag, *rankings, *(d for ranking in rankings.values() for d, _ in ranking)}
    )
    lines = [
        f"{topic} Q0 {document} {rank} {score!r} {tag}\n"
        for topic in sorted(rankings)
        for rank, (document, score) in enumerate(rankings[topic], start=1)
    ]
    write_atomically(path, text_bytes("".join(lines)))


def write_trec_qrels(path: Path, grades: Mapping[str, Mapping[str, int]]) -> None:
    """Write qrels; what `read_trec_qrels` reads of it is the same.

    Raises:
        InvalidInput: An id has a blank in it, which the file cannot hold.
    """
    _refuse_blanks(path, {*grades, *(d for graded in grades.values() for d in graded)})
    lines = [
        f"{topic} 0 {document} {grade}\n"
        for topic in sorted(grades)
        for document, grade in sorted(grades[topic].items())
    ]
    write_atomically(path, text_bytes("".join(lines)))


def _lines(
    path: Path, columns: Sequence[str], problems: list[Problem]
) -> Iterator[tuple[int, list[str]]]:
    text, _ = decode(file_bytes(path, path.name), path.name)
    some = False
    for number, line in enumerate(_BREAK.split(text), start=1):
        cells = line.split()
        if not cells:
            continue
        some = True
        if len(cells) != len(columns):
            must, got = f"be a line of {' '.join(columns)}", count_of(len(cells), "word")
            problems.append(Problem(path.name, must, got, row=number))
        else:
            yield number, cells
    if not some:
        problems.append(Problem(path.name, f"hold lines of {' '.join(columns)}", "none"))


def _falls(scores: Mapping[str, float]) -> bool:
    """Say whether the lines stand by falling score already."""
    values = list(scores.values())
    return all(a >= b for a, b in pairwise(values))


def _refuse_blanks(path: Path, ids: set[str]) -> None:
    odd = sorted(name for name in ids if name.split() != [name])
    if odd:
        must = "hold ids without blanks, as TREC's files do"
        hint = "A blank would part it in two: give it another id in the study."
        raise InvalidInput([Problem(path.name, must, f'"{name}"', hint) for name in odd])
