"""Which labels of people served to test which judge: a second use of them is said."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.judgements import Dimension, units
from medassay.study.certificates.certificate import LabelUse
from medassay.study.certificates.fingerprint import hash_of
from medassay.study.files.names import CERTIFICATES
from medassay.study.folder import Study
from medassay.tables import file_bytes, json_fault, jsonl_bytes, write_atomically

__all__ = ["USES", "label_use", "note_use"]

USES: Final = "uses.jsonl"
"""In `certificates/`: one line a judge, dimension and set of labels that it was tested on."""
_LENGTH: Final = 12
_Try = dict[str, object]


def label_use(study: Study, judge: str, dimension: Dimension) -> LabelUse:
    """Say how many tries before this one read labels of the same answers.

    Another judge, prompt, model or setting is another try, and so is the same one on other answers.
    """
    own = _try(study, judge, dimension)
    answers = set(_answers(own))
    overlaps: list[set[str]] = []
    for before in _tries(study.path):
        if before == own:
            break
        shared = answers & set(_answers(before))
        if before["dimension"] == own["dimension"] and shared:
            overlaps.append(shared)
    return LabelUse(
        tries=len(overlaps), answers=len(set().union(*overlaps)), of_answers=len(answers)
    )


def note_use(study: Study, judge: str, dimension: Dimension) -> Path | None:
    """Write down that a judge is tested on these labels; None where that is written already."""
    own, before = _try(study, judge, dimension), list(_tries(study.path))
    if own in before:
        return None
    path = study.path / CERTIFICATES / USES
    write_atomically(path, jsonl_bytes([*before, own]))
    return path


def _try(study: Study, judge: str, dimension: Dimension) -> _Try:
    read = units(study.everyone, dimension.id)
    people = [i for i, name in enumerate(read.raters) if name not in study.judges.raters]
    judges = [read.raters.index(judge)] if judge in read.raters else []
    keys = [
        key
        for key, codes in zip(read.keys, read.codes >= 0, strict=True)
        if codes[people].any() and codes[judges].any()
    ]
    hashes = (hashlib.sha256("\t".join(map(str, key)).encode()).hexdigest() for key in keys)
    return {
        "judge": hash_of(study.judges.identities[judge].model_dump(mode="json")),
        "dimension": dimension.id,
        "answers": sorted(text[:_LENGTH] for text in hashes),
    }


def _answers(row: _Try) -> list[str]:
    listed = row["answers"]
    return [str(text) for text in listed] if isinstance(listed, list) else []


def _tries(folder: Path) -> Iterator[_Try]:
    path, shown = folder / CERTIFICATES / USES, f"{CERTIFICATES}/{USES}"
    if not path.is_file():
        return
    for number, line in enumerate(file_bytes(path, shown).splitlines(), 1):
        try:
            row = json.loads(line)
            yield {name: row[name] for name in ("judge", "dimension", "answers")}
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            fault = json_fault(error) if isinstance(error, ValueError) else "another form"
            must = "hold a test of a judge a line, as medassay wrote it"
            hint = "Remove the line; that test is then no longer counted as a use of these labels."
            raise InvalidInput(Problem(shown, must, fault, hint, row=number)) from error
