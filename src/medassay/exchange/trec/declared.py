"""TREC's two files."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

from medassay.exchange.declaration import Format, Option, Reads, Writes
from medassay.exchange.entrusted import Full, refuse_old, refuse_unasked
from medassay.exchange.glimpse import Glimpse
from medassay.exchange.outcome import Outcome
from medassay.exchange.trec.import_and_export import (
    export_trec_qrels,
    export_trec_run,
    import_trec_qrels,
    import_trec_runs,
)
from medassay.study import Study
from medassay.text import plural

__all__ = ["QRELS", "RUN"]

_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_OF_RUN: Final = len(("topic", "Q0", "document", "rank", "score", "tag"))
_OF_QRELS: Final = len(("topic", "0", "document", "grade"))


def _import_runs(
    study: Study,
    files: Sequence[Path],
    *,
    system: Annotated[
        str | None, Option("Whose, if it is one run; each is called after its file if not given.")
    ] = None,
) -> Outcome:
    return Outcome.of_one(import_trec_runs(study, files, system))


def _import_qrels(study: Study, files: Sequence[Path]) -> Outcome:
    return Outcome.of_one(import_trec_qrels(study, files[0]))


def _export_run(
    study: Study,
    into: Path,
    *,
    system: Annotated[str, Option("Whose rankings.")],
    texts: Full = None,
) -> Outcome:
    refuse_old(into)
    refuse_unasked(study, "ids", texts, [into])
    return _lines(into, export_trec_run(study, system, into))


def _export_qrels(study: Study, into: Path, *, texts: Full = None) -> Outcome:
    refuse_old(into)
    refuse_unasked(study, "ids", texts, [into])
    return _lines(into, export_trec_qrels(study, into))


def _lines(path: Path, topics: int) -> Outcome:
    text = f"wrote {path}, {topics} {plural(topics, 'topic')}"
    return Outcome([text], {"file": str(path), "topics": topics})


def _is_run(seen: Glimpse) -> bool:
    words = seen.words
    return len(words) == _OF_RUN and words[1].upper() == "Q0" and _is_number(words[4])


def _is_qrels(seen: Glimpse) -> bool:
    return len(seen.words) == _OF_QRELS and all(_is_number(seen.words[i]) for i in (1, 3))


def _is_number(word: str) -> bool:
    return _NUMBER.fullmatch(word) is not None


RUN: Final = Format(
    id="trec-run",
    title="TREC runs",
    reads=Reads(
        about="TREC runs: what a system retrieved for each case, ties as trec_eval breaks them.",
        files="Lines of: topic Q0 document rank score tag.",
        is_one=_is_run,
        take=_import_runs,
    ),
    writes=Writes(
        about="A system's rankings as a TREC run.",
        into="A new file.",
        metavar="FILE",
        give=_export_run,
    ),
)
QRELS: Final = Format(
    id="trec-qrels",
    title="TREC qrels",
    reads=Reads(
        about="TREC qrels: grades of documents become those of the study's cases.",
        files="Lines of: topic 0 document grade.",
        is_one=_is_qrels,
        take=_import_qrels,
        alone=True,
    ),
    writes=Writes(
        about="The grades of the cases' documents as TREC qrels.",
        into="A new file.",
        metavar="FILE",
        give=_export_qrels,
    ),
)
