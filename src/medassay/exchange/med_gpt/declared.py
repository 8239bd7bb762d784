"""The med-gpt protocol's results files, in and out."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

from medassay.exchange.declaration import Format, Option, Reads, Writes
from medassay.exchange.entrusted import Full
from medassay.exchange.med_gpt.exporting import export_med_gpt
from medassay.exchange.med_gpt.importing import import_med_gpt
from medassay.exchange.other_tools.declaring import told as told_of_tool
from medassay.exchange.outcome import Outcome
from medassay.exchange.protocols import told
from medassay.study import Study

__all__ = ["MED_GPT"]

_OWN: Final = ("retrieved_chunks", "relevance_score", "faithfulness_score", "human_score")
"""Columns that nobody else has: question, answer and model are everybody's."""


def _take(
    folder: Path,
    files: Sequence[Path],
    *,
    synthetic: Annotated[bool, Option("The data are made up: every page says so.")] = False,
) -> Outcome:
    taken = import_med_gpt(folder, files, synthetic=synthetic)
    counts = (
        (taken.cases, "question", "questions"),
        (taken.systems, "model", "models"),
        (taken.answers, "answer", "answers"),
        (taken.raters, "rater", "raters"),
        (taken.judgements, "judgement", "judgements"),
        (taken.documents, "text retrieved", "texts retrieved"),
    )
    return told(folder, asdict(taken), counts, files=taken.files, notes=taken.notes)


def _give(
    study: Study,
    into: Path,
    *,
    texts: Full = None,
) -> Outcome:
    return told_of_tool(export_med_gpt(study, into, texts))


MED_GPT: Final = Format(
    id="med-gpt",
    title="Med-GPT",
    reads=Reads(
        about="Med-GPT: question, answer, model, retrieved_chunks, two scores and a human_score "
        "1 to 5.",
        files="evaluation_results.csv; or one such file a rater.",
        is_one=lambda seen: (
            seen.has("question", "answer", "model")
            and any(name.startswith(_OWN) for name in seen.columns)
        ),
        take=_take,
    ),
    writes=Writes(
        about="Med-GPT: evaluation_results.csv with human_score, the five aspects and rationales; "
        "a row for each answer and rater.",
        into="A new file.",
        metavar="CSV",
        give=_give,
    ),
)
